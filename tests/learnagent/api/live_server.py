"""The application on a port of its own, for programs that have to reach it over the network."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from learnagent.asgi import application


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    """Serve the application from this loop; yield the port."""
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off"))
        serving = asyncio.create_task(server.serve(sockets=[own]))
        yield own.getsockname()[1]
        server.should_exit = True
        await serving
