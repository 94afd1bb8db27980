"""Turns of this process that wait until it serves fewer others."""

import asyncio
import uuid

from agents.conf import agent_settings

waiting: dict[uuid.UUID, asyncio.Event] = {}
"""In order of arrival; the event is set for the one that may start."""


def is_full() -> bool:
    """Return whether no further turn may wait."""
    return len(waiting) >= agent_settings().turns_waiting
