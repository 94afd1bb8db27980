"""Redis as Celery's broker."""

import ssl
from typing import Any

from kombu.transport import TRANSPORT_ALIASES
from kombu.transport import redis as kombu_redis
from redis.exceptions import ConnectionError

TIMEOUT_S = 5.0
"""How long Celery's processes wait for Redis, in seconds; no request waits for Celery."""


def broker(url: str, *, longest_task_s: float) -> dict[str, Any]:
    """Return Celery's settings for the server at this address, which delivers a message again after twice that time."""
    settings: dict[str, Any] = {
        # Celery writes the addresses of Unix sockets differently.
        "broker_url": url.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host="),
        "broker_transport_options": {
            "visibility_timeout": 2 * longest_task_s,
            "socket_timeout": TIMEOUT_S,
            "socket_connect_timeout": TIMEOUT_S,
        },
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
    }
    if url.startswith("rediss://"):
        # Otherwise Celery checks no certificate, unless the address says so.
        settings["broker_use_ssl"] = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
    return settings


class Channel(kombu_redis.Channel):
    """A channel whose loss a worker survives while it runs a task.

    In Celery 5.7, a message that is given back or acknowledged on a lost channel ends the worker with an AttributeError.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("the channel is closed")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[no-untyped-call]  # It has no types.


class Transport(kombu_redis.Transport):
    Channel = Channel


TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:{Transport.__qualname__}"))
