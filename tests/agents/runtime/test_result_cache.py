"""What a service outside has answered is kept for the same person and use, and for nobody else."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from pydantic import BaseModel

from agents.runtime.result_cache import with_result_cache
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse

USE = ToolUse(turn_id=None, person_id=7, agent="research", number=1, tool="wikipedia")


class Asked(BaseModel):
    query: str


class Found(ToolResult):
    text: str


class Service:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = False
        self.tool = with_result_cache(Tool(name="wikipedia", description="", arguments=Asked, run=self.run))

    async def run(self, arguments: Any, _use: ToolUse) -> Found:
        self.asked.append(arguments.query)
        if self.fails:
            raise ToolFailed("away")
        return Found(text=f"{arguments.query} {len(self.asked)}")

    async def use(self, query: str, **changed: Any) -> ToolResult:
        return await self.tool.run(Asked(query=query), replace(USE, **changed))


@pytest.fixture
def service() -> Service:
    cache.clear()
    return Service()


async def test_same_use_is_answered_from_the_cache(service: Service) -> None:
    assert await service.use("half", number=1) == await service.use("half", number=4) == Found(text="half 1")
    assert service.asked == ["half"]


@pytest.mark.parametrize("changed", [{"person_id": 8}, {"agent": "tutor"}, {"tool": "arxiv"}, {"person_id": None}])
async def test_another_person_agent_or_tool_asks_anew(service: Service, changed: dict[str, Any]) -> None:
    await service.use("half")
    await service.use("half", **changed)
    assert len(service.asked) == 2


async def test_tool_checks_each_use_after_text_from_outside_was_read(service: Service) -> None:
    await service.use("half")
    await service.use("half", open_addresses=frozenset())
    assert len(service.asked) == 2


async def test_failure_is_not_kept(service: Service) -> None:
    service.fails = True
    with pytest.raises(ToolFailed):
        await service.use("half")
    service.fails = False
    assert await service.use("half") == Found(text="half 2")
