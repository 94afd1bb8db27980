"""Gives the tutor a tool that acts outside: it rings, by a request to DRILL_RING with the key of this use."""

import asyncio
import os
import urllib.request
from dataclasses import replace

from django.apps import AppConfig
from pydantic import BaseModel

from agents.engine.registry import roles
from agents.tools import Tool, ToolResult, ToolUse, register_tool


class NoArguments(BaseModel):
    """Ringing needs no arguments."""


class RingResult(ToolResult):
    said: str = "It rang."


async def ring(_nothing: NoArguments, use: ToolUse) -> RingResult:
    """Ring once."""
    request = urllib.request.Request(os.environ["DRILL_RING"], b"", {"Idempotency-Key": use.idempotency_key})
    (await asyncio.to_thread(urllib.request.urlopen, request)).close()
    return RingResult()


class RingToolConfig(AppConfig):
    """Comes after the app whose role it changes."""

    name = "drills.ring_tool"
    label = "ringing"

    def ready(self) -> None:
        register_tool(Tool(name="ring", description="Rings.", arguments=NoArguments, run=ring, has_effect=True))
        roles["tutor"] = replace(roles["tutor"], tools=("ring",))
