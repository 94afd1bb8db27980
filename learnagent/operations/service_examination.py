"""What each outside service answers to a word, asked as its tool asks."""

import asyncio
from collections.abc import AsyncIterator, Collection
from time import monotonic
from urllib.parse import urlsplit

from agents.conf import services
from agents.tools import Tool, ToolFailed, ToolUse
from agents.tools.network import network_tools
from learnagent.configuration.environment import environment
from learnagent.operations.doctor import Finding

VARIABLES = {"web_search": "SEARXNG_URL", "wikipedia": "WIKIPEDIA_URL", "arxiv": "ARXIV_URL"}
TEST_WORD = "fraction"
SETTINGS_HINT = "SearXNG returns JSON only if json is listed under search.formats in its settings.yml"


async def examine_services(*, named: Collection[str] = environment.model_fields_set) -> AsyncIterator[Finding]:
    """Yield a finding for each service, in order. One that is there by default and is not reached breaks nothing."""
    tools = [tool for tool in network_tools(services) if tool.name in VARIABLES]
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(examine_service(tool, is_needed=VARIABLES[tool.name] in named)) for tool in tools]
    for task in asked:
        yield task.result()


async def examine_service(tool: Tool, *, is_needed: bool) -> Finding:
    part, variable = f"tool {tool.name}", VARIABLES[tool.name]
    if not tool.is_ready():
        return Finding(part=part, works=True, says=f"not offered: {variable} is not set")
    host = urlsplit(getattr(services(), variable.lower())).netloc
    use = ToolUse(turn_id=None, person_id=None, agent="doctor", number=1, tool=tool.name)
    started = monotonic()
    try:
        async with asyncio.timeout(tool.timeout_s):
            await tool.run(tool.arguments.model_validate({"query": TEST_WORD, "limit": 1}), use)
    except (ToolFailed, TimeoutError) as failure:
        reason = str(failure) or "It took too long."
        hint = SETTINGS_HINT if tool.name == "web_search" and "403" in reason else f"see {variable}"
        return Finding(part=part, works=False, needed=is_needed, says=f"{host}: {reason} ({hint})")
    return Finding(part=part, works=True, says=f"{host} answers in {round((monotonic() - started) * 1000)} ms")
