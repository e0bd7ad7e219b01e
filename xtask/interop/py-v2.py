"""The official Python SDK, second generation: both eras."""

from contextlib import asynccontextmanager

import mcp
from play import play


class Client:
    def __init__(self, client):
        self.client = client
        self.era = "modern" if client.protocol_version >= "2026-07-28" else "legacy"

    async def tools(self):
        return {tool.name: tool.output_schema for tool in (await self.client.list_tools()).tools}

    async def call(self, tool, arguments):
        result = await self.client.call_tool(tool, arguments)
        return result.is_error, result.structured_content, result.content[0].text

    async def cancel(self):
        """Nothing to do: giving up the call tells the server."""


@asynccontextmanager
async def connect(command, env, era):
    server = mcp.StdioServerParameters(command=command, env=env)
    async with mcp.Client(server, mode="legacy" if era == "legacy" else "auto") as client:
        yield Client(client)


play(connect)
