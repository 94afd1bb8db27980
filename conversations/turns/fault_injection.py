"""Fault injection: ends this process at a marked step of a turn, like `kill -9`."""

import asyncio
import os
import signal
from typing import Literal

from django.conf import settings

SEND_DELAY_S = 0.1
"""How long a frame may stay in the server's buffer before it is sent, in seconds."""

KillPoint = Literal[
    "before_accept",
    "mid_accept",
    "after_accept",
    "after_ack",
    "after_lease",
    "after_reading",
    "mid_apply",
    "tool_effect",
    "mid_stream",
    "mid_finish",
    "after_finish",
]


def kill_point(name: KillPoint) -> None:
    """Mark a step: does nothing unless a drill ends the process here."""
    if name == settings.KILL_AT:
        os.kill(os.getpid(), signal.SIGKILL)


async def kill_point_after_send(name: KillPoint) -> None:
    """Mark a step that comes after a frame has reached its client."""
    if name == settings.KILL_AT:
        await asyncio.sleep(SEND_DELAY_S)
        kill_point(name)
