"""Fault drills: end this process at a marked step of a turn, as a power cut would."""

import os
import signal
from typing import Literal

from django.conf import settings

Step = Literal[
    "before_accept",
    "mid_accept",
    "after_accept",
    "after_ack",
    "after_lease",
    "mid_stream",
    "mid_finish",
    "after_finish",
]


def step(name: Step) -> None:
    """Pass a marked step: nothing happens unless a drill was asked to end the process here."""
    if name == settings.KILL_AT:
        os.kill(os.getpid(), signal.SIGKILL)
