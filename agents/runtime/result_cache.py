"""Keeps what services outside have answered, so that an answer given anew does not ask them again."""

from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from django.core.cache import cache

from agents.tools import Tool, ToolResult, ToolUse

RESULT_LIFE_S: Final = 5 * 60
"""From the design document of the panel."""


def with_result_cache(tool: Tool) -> Tool:
    """Return the tool; within five minutes, it gives an agent of the same person the result of the same use again.

    Consent is checked before a tool runs, so a kept result needs it too. After text from outside was read, addresses are
    restricted, and the tool itself checks each use.
    """

    async def run(arguments: Any, use: ToolUse) -> ToolResult:
        if use.person_id is None or use.open_addresses is not None:
            return await tool.run(arguments, use)
        key = _key(arguments.model_dump_json(), use)
        kept = await cache.aget(key)
        if isinstance(kept, ToolResult):
            return kept
        result = await tool.run(arguments, use)
        await cache.aset(key, result, RESULT_LIFE_S)
        return result

    return replace(tool, run=run)


def _key(arguments: str, use: ToolUse) -> str:
    used = f"{use.person_id}\n{use.tool}\n{arguments}"
    return f"result:{use.agent}:{sha256(used.encode()).hexdigest()}"
