"""Rounds of a graph: reported, ended early, ended by an agent that aborts, and never at the cost of what follows."""

import asyncio
from typing import Any

import pytest

from agents.engine.bus import Bus, make_event
from agents.engine.events import AgentStarted, RoundFinished, RoundStarted
from agents.engine.graph import Call, Graph, Round, parallel, role_names, sequence
from agents.engine.roles import Plan, Request, Role
from agents.engine.runner import run
from agents.engine.speaker import PlanSpeaker
from agents.errors import LLMUnavailable
from agents.limits import RunLimits
from agents.llm.offline import OfflineBackend


def role(name: str, *, says: str = "", fails: bool = False, **options: Any) -> Role:
    def plan(request: Request) -> Plan:
        if fails:
            raise LLMUnavailable
        return Plan(say=(says or name,))

    return Role(name=name, purpose="Speaks.", plan=plan, **options)


def a_round(number: int, *names: str, **options: Any) -> Round:
    return Round(number=number, step=parallel(*names), agents=names, **options)


async def walked(*steps: Any, roles: list[Role], limits: RunLimits | None = None) -> tuple[list[Any], Any]:
    events: list[Any] = []
    speaker = PlanSpeaker(OfflineBackend())
    known = {each.name: each for each in roles}
    graph = Graph(name="g", root=sequence(*steps))
    speakers = dict.fromkeys(("fast", "strong", "vision"), speaker)
    result = await run(graph, Request(), emit=events.append, speakers=speakers, roles=known, limits=limits)
    return events, result


def rounds_of(events: list[Any]) -> list[tuple[str, int]]:
    return [(each.type, each.round) for each in events if isinstance(each, RoundStarted | RoundFinished)]


async def test_rounds_are_reported_in_order():
    events, result = await walked(a_round(1, "a", "b"), a_round(2, "a"), roles=[role("a"), role("b")])
    assert rounds_of(events) == [
        ("round_started", 1),
        ("round_finished", 1),
        ("round_started", 2),
        ("round_finished", 2),
    ]
    assert [each.agent for each in result.outcomes] == ["a", "b", "a"]


async def test_round_that_is_not_needed_ends_them_all():
    events, _result = await walked(
        a_round(1, "a"), a_round(2, "a", is_needed=lambda request: False), a_round(3, "a"), "end",
        roles=[role("a"), role("end")],
    )  # fmt: skip
    assert rounds_of(events) == [("round_started", 1), ("round_finished", 1)]
    assert events[-1].agent == "end"


async def test_agent_that_aborts_ends_the_rounds_and_not_the_graph():
    roles = [role("a"), role("b", fails=True, on_failure="abort"), role("end")]
    events, result = await walked(a_round(1, "a", "b"), a_round(2, "a"), "end", roles=roles)
    assert rounds_of(events) == [("round_started", 1), ("round_finished", 1)]
    assert events[-1].agent == "end"
    assert not result.aborted
    assert result.request is not None
    assert result.request.failed == {"b": "api_error"}


async def test_time_for_what_follows_is_kept():
    events, result = await walked(
        a_round(1, "a", reserve_s=10), "end", roles=[role("a"), role("end")], limits=RunLimits(turn_timeout_s=10)
    )
    assert rounds_of(events) == []
    assert [each.agent for each in result.outcomes] == ["end"]


def test_roles_of_a_round_are_found():
    assert list(role_names(a_round(1, "a", "b"))) == ["a", "b"]


async def test_round_is_opened_before_the_others_speak_and_closed_after_them():
    events, _result = await walked(
        a_round(1, "a", "b", opens="lead", closes="lead"), roles=[role("a"), role("b"), role("lead")]
    )
    started = [each.agent for each in events if isinstance(each, AgentStarted)]
    assert (started[0], {*started[1:3]}, started[3]) == ("lead", {"a", "b"}, "lead")


async def test_round_whose_opening_aborts_is_finished_and_is_the_last():
    events, _result = await walked(
        a_round(1, "a", opens="lead"), a_round(2, "a"), "end",
        roles=[role("a"), role("lead", fails=True, on_failure="abort"), role("end")],
    )  # fmt: skip
    assert rounds_of(events) == [("round_started", 1), ("round_finished", 1)]
    assert [each.agent for each in events if isinstance(each, AgentStarted)] == ["lead", "a", "end"]


async def test_call_gets_ready_what_later_steps_need_while_an_agent_speaks():
    begun, seen = asyncio.Event(), []

    async def get_ready(request: Request, bus: Bus) -> None:
        begun.set()
        bus.publish(make_event("ready", sender="app", data={}))

    async def wait(request: Request, bus: Bus) -> None:
        await begun.wait()
        seen.append(request.texts)

    events, _result = await walked("a", parallel(Call(wait), Call(get_ready)), "b", roles=[role("a"), role("b")])
    assert seen == [{"a": "a"}]
    kinds = [each.type for each in events]
    assert kinds.index("message_sent") < len(kinds) - 1 - kinds[::-1].index("agent_started")


@pytest.mark.parametrize("is_late", [False, True])
async def test_call_that_fails_or_is_late_stops_nothing(monkeypatch: pytest.MonkeyPatch, is_late: bool) -> None:
    monkeypatch.setattr("agents.engine.runner.raise_bugs", False)

    async def run_call(request: Request, bus: Bus) -> None:
        if not is_late:
            raise RuntimeError
        await asyncio.Event().wait()

    limits = RunLimits(turn_timeout_s=0.05) if is_late else None
    events, _result = await walked(Call(run_call), "b", roles=[role("b")], limits=limits)
    assert [each.agent for each in events if isinstance(each, AgentStarted)] == ["b"]
