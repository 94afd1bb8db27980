"""The ASGI application: HTTP beside sockets, and what starts and ends with the process."""

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
http_application = get_asgi_application()  # Before anything that imports models.

from channels.routing import ProtocolTypeRouter  # noqa: E402  # Django must be set up first.
from django.conf import settings  # noqa: E402  # As above.

from learnagent.http.access_log import access_log_middleware  # noqa: E402  # As above.
from learnagent.http.body_limits import limit_bodies  # noqa: E402  # As above.
from learnagent.http.trusted_proxies import trusted_proxy_middleware  # noqa: E402  # As above.
from learnagent.operations.lifespan import ServerLifespan  # noqa: E402  # As above.
from learnagent.websocket_urls import application as sockets  # noqa: E402  # As above.


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Begin and end the upkeep with the server; Daphne has no such hook, and `serve` does it."""
    await receive()
    upkeep = ServerLifespan()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await upkeep.end()
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {
        "http": access_log_middleware(
            trusted_proxy_middleware(limit_bodies(http_application), settings.TRUSTED_PROXIES)
        ),
        "websocket": access_log_middleware(trusted_proxy_middleware(sockets, settings.TRUSTED_PROXIES)),
        "lifespan": lifespan,
    }
)
