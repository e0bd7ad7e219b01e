"""The official Python SDK, first generation: the handshake era only."""

import math
from contextlib import asynccontextmanager, suppress

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import CancelledNotification, CancelledNotificationParams, ClientNotification, ElicitResult
from play import play


class Client:
    era = "legacy"

    def __init__(self, session):
        self.session = session

    async def tools(self):
        return {tool.name: tool.outputSchema for tool in (await self.session.list_tools()).tools}

    async def call(self, tool, arguments):
        result = await self.session.call_tool(tool, arguments)
        return result.isError, result.structuredContent, result.content

    async def cancel(self):
        # This generation leaves the notification to its caller, and the request's number to itself.
        params = CancelledNotificationParams(requestId=self.session._request_id - 1)
        notification = CancelledNotification(method="notifications/cancelled", params=params)
        await self.session.send_notification(ClientNotification(notification))


@asynccontextmanager
async def connect(command, env, _era, open):
    async def elicited(_context, params):
        await open(params.url)
        return ElicitResult(action="accept")

    async with anyio.create_task_group() as group:
        async with stdio_client(StdioServerParameters(command=command, env=env)) as (messages, write):
            forward, read = anyio.create_memory_object_stream(math.inf)
            group.start_soon(pump, messages, forward)
            async with ClientSession(read, write, elicitation_callback=elicited if open else None) as session:
                await session.initialize()
                yield Client(session)
        group.cancel_scope.cancel()


async def pump(messages, forward):
    """Takes every message to the end: this generation kills a server that still answers when its session is closed."""
    with suppress(anyio.ClosedResourceError):
        async for message in messages:
            with suppress(anyio.BrokenResourceError):
                await forward.send(message)


play(connect)
