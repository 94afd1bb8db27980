"""The channel layer of a process that is alone."""

from contextlib import suppress
from time import monotonic
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer

CLEAN_EVERY_S = 10.0
"""Seconds between two removals of expired entries: messages live for a minute, memberships for a day."""


class LocalChannelLayer(InMemoryChannelLayer):
    """Django Channels' own, which would look through all sockets of the process at each message, and send it to each in a
    task of its own.
    """

    _cleaned_at = float("-inf")

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.require_valid_group_name(group)
        self._clean_expired()
        for channel in list(self.groups.get(group, ())):
            with suppress(ChannelFull):
                await self.send(channel, message)

    def _clean_expired(self) -> None:
        if monotonic() >= self._cleaned_at + CLEAN_EVERY_S:
            self._cleaned_at = monotonic()
            super()._clean_expired()
