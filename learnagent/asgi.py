"""The ASGI application: HTTP beside sockets, and what starts and ends with the process."""

import asyncio
import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
http_application = get_asgi_application()  # Before anything that imports models.

from channels.routing import ProtocolTypeRouter  # noqa: E402  # Django must be set up first.

from conversations.reaper import reap_for_ever  # noqa: E402  # As above.
from conversations.supervisor import supervisor  # noqa: E402  # As above.
from learnagent.sockets import application as sockets  # noqa: E402  # As above.


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Start the reaper with the server and end its turns gracefully; Daphne has no such hook, and `serve` does it."""
    await receive()
    reaper = asyncio.create_task(reap_for_ever())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    reaper.cancel()
    await supervisor.close()
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter({"http": http_application, "websocket": sockets, "lifespan": lifespan})
