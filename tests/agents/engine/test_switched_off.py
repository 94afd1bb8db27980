"""Agents that an admin has switched off: the walk passes them over, says so, and makes nobody wait for them."""

from agents.engine.bus import Filter
from agents.engine.events import AgentStarted, Event
from agents.engine.graph import parallel, sequence
from agents.engine.outcomes import SwitchedOff
from agents.engine.roles import Decided, Expectation, Plan
from agents.engine.speaker import PlanSpeaker
from agents.llm.offline import OfflineBackend
from tests.agents.engine.stage import names, role, walk
from tests.agents.engine.test_runner import Mood


async def test_others_run_without_it_and_nothing_failed() -> None:
    events: list[Event] = []
    result = await walk(sequence(parallel("draft", "analysis"), "synthesis"), events=events, off={"analysis"})
    assert sorted(names(result)) == ["draft", "synthesis"]
    assert result.switched_off == (SwitchedOff(agent="analysis"),)
    assert result.switched_off[0].message == "switched off"
    assert (result.position, result.aborted) == (None, False)
    started = {each.agent for each in events if isinstance(each, AgentStarted)}
    assert started == {"draft", "synthesis"}


async def test_one_without_which_nothing_goes_on_is_passed_over_too() -> None:
    result = await walk(sequence("gate", "tutor"), role("gate", on_failure="abort"), off={"gate"})
    assert names(result) == ["tutor"]
    assert not result.aborted


async def test_nobody_waits_for_what_it_would_have_sent() -> None:
    """It would be said after an hour that nothing came; the test has no hour."""
    waits = Expectation(
        wanted=Filter(sender="analysis", event="found"),
        within_s=3600,
        then=lambda message: (Decided(result=Mood(word="alone" if message is None else "told")),),
    )
    result = await walk(
        parallel("research", "analysis"),
        role("research", plan=Plan(say=(waits,)), timeout_s=3600, result=Mood),
        speaker=PlanSpeaker(OfflineBackend()),
        off={"analysis"},
    )
    (outcome,) = result.outcomes
    assert outcome.result == Mood(word="alone")  # type: ignore[union-attr]  # Anything else fails the test.


async def test_all_of_them_may_be_off() -> None:
    result = await walk(sequence("a", "b"), off={"a", "b"})
    assert (result.outcomes, [each.agent for each in result.switched_off]) == ((), ["a", "b"])
