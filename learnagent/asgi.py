"""The ASGI application: HTTP beside sockets, and what starts and ends with the process."""

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
http_application = get_asgi_application()  # Before anything that imports models.

from channels.routing import ProtocolTypeRouter  # noqa: E402  # Django must be set up first.
from django.conf import settings  # noqa: E402  # As above.

from learnagent.bodies import bounded  # noqa: E402  # As above.
from learnagent.proxies import behind_proxies  # noqa: E402  # As above.
from learnagent.sockets import application as sockets  # noqa: E402  # As above.
from learnagent.upkeep import Upkeep  # noqa: E402  # As above.


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Begin and end the upkeep with the server; Daphne has no such hook, and `serve` does it."""
    await receive()
    upkeep = Upkeep()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await upkeep.end()
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {
        "http": behind_proxies(bounded(http_application), settings.TRUSTED_PROXIES),
        "websocket": behind_proxies(sockets, settings.TRUSTED_PROXIES),
        "lifespan": lifespan,
    }
)
