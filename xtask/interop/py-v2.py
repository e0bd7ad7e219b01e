"""The official Python SDK, second generation: both eras."""

from contextlib import asynccontextmanager

import mcp
from mcp_types import ElicitResult
from play import play


class Client:
    def __init__(self, client):
        self.client = client
        self.era = "modern" if client.protocol_version >= "2026-07-28" else "legacy"

    async def tools(self):
        return {tool.name: tool.output_schema for tool in (await self.client.list_tools()).tools}

    async def call(self, tool, arguments):
        result = await self.client.call_tool(tool, arguments)
        return result.is_error, result.structured_content, result.content

    async def cancel(self):
        """Nothing to do: giving up the call tells the server."""


@asynccontextmanager
async def connect(command, env, era, open):
    async def elicited(_context, params):
        await open(params.url)
        return ElicitResult(action="accept")

    server = mcp.StdioServerParameters(command=command, env=env)
    mode = "legacy" if era == "legacy" else "auto"
    async with mcp.Client(server, mode=mode, elicitation_callback=elicited if open else None) as client:
        yield Client(client)


play(connect)
