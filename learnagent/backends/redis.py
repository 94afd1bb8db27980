"""Redis as cache and channel layer: quick where it is there, and missed by nobody where it is not.

All truth is in the database. Without Redis other tabs learn of a turn when they load again, and each process counts
tries for itself.
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from agents.storage.availability import Outage, ServiceLost
from learnagent.backends.redis_operations import operations

outage = Outage("redis")
"""Of the cache and the channel layer."""


def _count_outage(record: logging.LogRecord) -> bool:
    """Keep a traceback that says only that Redis is away out of the log: the layer writes one each second."""
    error = record.exc_info[1] if record.exc_info else None
    if not isinstance(error, (RedisError, OSError)):
        return True
    outage.failed(error)
    return False


logging.getLogger("channels_redis.pubsub").addFilter(_count_outage)  # noqa: TID251 - the library's own logger

REDIS_TIMEOUT_S = 1.0
"""How long to wait for Redis, in seconds."""
REJOIN_AFTER_S = 5.0
"""Seconds between two attempts to join a group."""


def channel_layers(url: str) -> dict[str, Any]:
    """Return Django's `CHANNEL_LAYERS` for the server at this address."""
    return {
        "default": {
            "BACKEND": "learnagent.backends.redis.FailSafeChannelLayer",
            "CONFIG": {"hosts": [{"address": url}]},
        }
    }


def cache(url: str) -> dict[str, Any]:
    """Return the entry of Django's `CACHES` for the server at this address."""
    # The client's own retries would hold a request for many times what it is to wait.
    options = {
        "socket_timeout": REDIS_TIMEOUT_S,
        "socket_connect_timeout": REDIS_TIMEOUT_S,
        "retry": Retry(NoBackoff(), 0),
    }
    return {"BACKEND": "learnagent.backends.redis.FailSafeCache", "LOCATION": url, "OPTIONS": options}


def _with_local_fallback(name: str) -> Callable[..., Any]:
    """Return the cache's method of this name, which uses this process's own cache while Redis is away."""

    def call(self: RedisCache, *args: Any, **kwargs: Any) -> Any:
        operations.add()
        try:
            found = getattr(RedisCache, name)(self, *args, **kwargs)
        except RedisError as error:
            outage.failed(error)
            return getattr(caches["local"], name)(*args, **kwargs)
        outage.worked()
        return found

    return call


class FailSafeCache(RedisCache):
    """The cache that is never away, though sometimes not shared: limits counted in it hold for each process then."""

    add, get, set, touch, delete = map(_with_local_fallback, ("add", "get", "set", "touch", "delete"))
    incr, has_key, clear = map(_with_local_fallback, ("incr", "has_key", "clear"))
    get_many, set_many, delete_many = map(_with_local_fallback, ("get_many", "set_many", "delete_many"))


class FailSafeChannelLayer(RedisPubSubChannelLayer):
    """The channel layer of groups alone, whose sockets open and live on while Redis is away."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._joining: set[asyncio.Task[None]] = set()

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a channel that groups fill; nothing is sent to it by name, so that Redis need not know it."""
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid.uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel

    async def group_add(self, group: str, channel: str) -> None:
        """Join the group, now or as soon as Redis is back."""
        if not await self._joined(group, channel):
            joining = asyncio.create_task(self._join_later(group, channel))
            self._joining.add(joining)
            joining.add_done_callback(self._joining.discard)

    async def group_discard(self, group: str, channel: str) -> None:
        with suppress(ServiceLost):
            await self._call(self._get_layer().group_discard, group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send, or raise ServiceLost, within a second."""
        await self._call(self._get_layer().group_send, group, message)

    async def _joined(self, group: str, channel: str) -> bool:
        try:
            await self._call(self._get_layer().group_add, group, channel)
        except ServiceLost:
            return False
        return True

    async def _call(self, function: Callable[..., Awaitable[object]], *arguments: object) -> None:
        """Call the layer's function. Raises ServiceLost if Redis does not answer within a second."""
        operations.add()
        try:
            async with asyncio.timeout(REDIS_TIMEOUT_S):
                await function(*arguments)
        except (RedisError, OSError) as error:
            outage.failed(error)
            raise ServiceLost from error
        outage.worked()

    async def _join_later(self, group: str, channel: str) -> None:
        while True:
            await asyncio.sleep(REJOIN_AFTER_S)
            if channel not in self._get_layer().channels or await self._joined(group, channel):
                return
