"""Running agents: at once, each in its own time, every ending a value."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.engine import runner
from agents.engine.events import (
    AgentFailed,
    AgentFinished,
    AgentStarted,
    AgentText,
    Card,
    Event,
    ReplyText,
    Routed,
    StateChanged,
)
from agents.engine.graph import Choice, loop, parallel, route, sequence
from agents.engine.outcomes import Answered, Failed, Refused, TimedOut
from agents.engine.roles import Plan, Request, Role, RoleCall
from agents.engine.speaker import ShownEvent
from agents.errors import GraphError, LLMRefused, LLMUnavailable
from agents.limits import RunLimits
from agents.llm.base import TextPiece
from agents.llm.prompt import Prompt
from tests.agents.engine.scripted_speaker import ScriptedSpeaker
from tests.agents.engine.stage import Scripts, by_name, for_ever, names, role, walk


@pytest.fixture(autouse=True)
def _bugs_are_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "raise_bugs", False)


class Mood(BaseModel):
    word: str


# --- At once ---


async def test_agents_of_one_step_run_at_the_same_time() -> None:
    everyone_has_started = asyncio.Barrier(3)
    scripts: Scripts = {name: [everyone_has_started.wait] for name in ("tutor", "analysis", "research")}
    result = await walk(parallel("tutor", "analysis", "research"), scripts=scripts)
    assert [type(outcome) for outcome in result.outcomes] == [Answered] * 3


async def test_agents_beyond_the_limit_wait_for_a_slot() -> None:
    running: list[int] = [0]
    seen: list[int] = []

    async def work() -> None:
        running[0] += 1
        seen.append(running[0])
        await asyncio.sleep(0)
        running[0] -= 1

    group = [f"agent{number}" for number in range(5)]
    await walk(parallel(*group), scripts={name: [work] for name in group}, limits=RunLimits(agents_at_once=2))
    assert len(seen) == 5
    assert max(seen) == 2


async def test_outcomes_stand_in_the_order_of_their_endings() -> None:
    first_is_done = asyncio.Event()

    async def release() -> None:
        first_is_done.set()

    result = await walk(parallel("slow", "quick"), scripts={"slow": [first_is_done.wait], "quick": [release]})
    assert names(result) == ["quick", "slow"]


# --- Time ---


async def test_late_agent_is_cut_off_and_the_others_still_answer() -> None:
    """V16"""
    scripts: Scripts = {"late": ["I was about to", for_ever], "quick": ["Here."]}
    result = by_name(await walk(parallel("late", "quick"), role("late", timeout_s=0.01), scripts=scripts))
    late = result["late"]
    assert isinstance(late, TimedOut)
    assert (late.text, late.error_type, late.after_s) == ("I was about to", "timeout", 0.01)
    assert isinstance(result["quick"], Answered)


async def test_the_turns_deadline_beats_a_roles_own_longer_time() -> None:
    result = await walk(
        "slow", role("slow", timeout_s=60), scripts={"slow": [for_ever]}, limits=RunLimits(turn_timeout_s=0.01)
    )
    (outcome,) = result.outcomes
    assert isinstance(outcome, TimedOut)
    assert outcome.after_s <= 0.01


async def test_pause_before_a_retry_ends_with_the_agents_time() -> None:
    result = await walk(
        "agent",
        role("agent", timeout_s=0.01, on_failure="retry"),
        scripts={"agent": [LLMUnavailable()]},
        limits=RunLimits(retry_pause_s=1e9),
    )
    assert [type(outcome) for outcome in result.outcomes] == [TimedOut]


async def test_cancelled_run_cancels_all_agents_and_what_was_emitted_stands() -> None:
    said, cancelled = asyncio.Barrier(3), []

    def until_cancelled(name: str) -> Callable[[], Awaitable[object]]:
        async def wait() -> None:
            try:
                await said.wait()
                await for_ever()
            except asyncio.CancelledError:
                cancelled.append(name)
                raise

        return wait

    events: list[Event] = []
    scripts: Scripts = {name: [f"{name} spoke", until_cancelled(name)] for name in ("one", "two")}
    run = asyncio.create_task(walk(parallel("one", "two"), scripts=scripts, events=events))
    await said.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert sorted(cancelled) == ["one", "two"]
    assert [event.text for event in events if isinstance(event, AgentText)] == ["one spoke", "two spoke"]


# --- Endings ---


async def test_crash_is_an_outcome_that_says_nothing_of_its_cause() -> None:
    """V16"""
    scripts: Scripts = {"broken": [RuntimeError("sk-secret")], "well": ["Fine."]}
    result = by_name(await walk(parallel("broken", "well"), scripts=scripts))
    broken = result["broken"]
    assert isinstance(broken, Failed)
    assert (broken.error_type, broken.message, broken.recoverable) == ("internal", "internal error", False)
    assert isinstance(result["well"], Answered)


async def test_crash_is_raised_where_bugs_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "raise_bugs", True)
    with pytest.raises(RuntimeError, match="a bug"):
        await walk("broken", scripts={"broken": [RuntimeError("a bug")]})


async def test_crash_while_planning_is_an_outcome() -> None:
    def plan(request: Request) -> Plan:
        raise KeyError("no such fact")

    result = await walk("planner", Role(name="planner", purpose="Fails.", plan=plan))
    assert [type(outcome) for outcome in result.outcomes] == [Failed]


async def test_stream_without_its_end_is_truncated_and_keeps_what_was_said() -> None:
    """V6"""

    class CutOff(ScriptedSpeaker):
        async def stream(self, call: RoleCall):  # type: ignore[no-untyped-def]  # As the base class has it.
            yield TextPiece("One half is")

    (outcome,) = (await walk("agent", speaker=CutOff())).outcomes
    assert isinstance(outcome, Failed)
    assert (outcome.text, outcome.error_type, outcome.message) == ("One half is", "api_error", "LLMTruncated")


async def test_refusal_is_its_own_outcome_and_not_retried() -> None:
    speaker = ScriptedSpeaker({"agent": [LLMRefused()]})
    (outcome,) = (await walk("agent", role("agent", on_failure="retry"), speaker=speaker)).outcomes
    assert isinstance(outcome, Refused)
    assert len(speaker.calls) == 1


async def test_answer_carries_the_prompts_version() -> None:
    prompt = Prompt(name="agent", text="Teach.", version="abc123")
    (outcome,) = (await walk("agent", role("agent", prompt=prompt))).outcomes
    assert outcome.prompt_version == "abc123"


# --- After a failure ---


async def test_skipped_failure_lets_the_next_step_run() -> None:
    result = await walk(sequence("first", "second"), scripts={"first": [LLMUnavailable()]})
    assert names(result) == ["first", "second"]
    assert not result.aborted


async def test_failure_is_tried_again_twice_at_most() -> None:
    speaker = ScriptedSpeaker({"agent": [LLMUnavailable()]})
    (outcome,) = (await walk("agent", role("agent", on_failure="retry"), speaker=speaker)).outcomes
    assert isinstance(outcome, Failed)
    assert outcome.tries == len(speaker.calls) == 3


async def test_retry_that_succeeds_is_an_answer() -> None:
    failures = [LLMUnavailable()]

    async def fail_once() -> None:
        if failures:
            raise failures.pop()

    result = await walk("agent", role("agent", on_failure="retry"), scripts={"agent": [fail_once, "Now."]})
    (outcome,) = result.outcomes
    assert isinstance(outcome, Answered)
    assert (outcome.text, outcome.tries) == ("Now.", 2)


@pytest.mark.parametrize("seen", ["A word", ShownEvent(Card(kind="picture", id="1"))], ids=["text", "card"])
async def test_nothing_is_tried_again_once_something_was_seen(seen: str | ShownEvent) -> None:
    speaker = ScriptedSpeaker({"agent": [seen, LLMUnavailable()]})
    await walk("agent", role("agent", on_failure="retry"), speaker=speaker)
    assert len(speaker.calls) == 1


async def test_only_the_strategy_retry_tries_again() -> None:
    speaker = ScriptedSpeaker({"agent": [LLMUnavailable()]})
    await walk("agent", role("agent", on_failure="skip"), speaker=speaker)
    assert len(speaker.calls) == 1


async def test_retry_does_not_plan_again() -> None:
    plans: list[Request] = []

    def plan(request: Request) -> Plan:
        plans.append(request)
        return Plan(state={"asked": len(plans)})

    counting = Role(name="agent", purpose="Counts.", plan=plan, writes=frozenset({"asked"}), on_failure="retry")
    await walk("agent", counting, scripts={"agent": [LLMUnavailable()]})
    assert len(plans) == 1


async def test_abort_stops_later_steps_but_not_those_beside_it() -> None:
    failed = asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise LLMUnavailable

    result = await walk(
        sequence(parallel("needed", "beside"), "later"),
        role("needed", on_failure="abort"),
        scripts={"needed": [fail], "beside": [failed.wait, "Still here."]},
    )
    assert result.aborted
    assert names(result) == ["needed", "beside"]
    assert isinstance(by_name(result)["beside"], Answered)


async def test_abort_ends_a_loop() -> None:
    result = await walk(
        loop("needed", until=lambda request: False, at_most=5),
        role("needed", on_failure="abort"),
        scripts={"needed": [LLMUnavailable()]},
    )
    assert names(result) == ["needed"]


async def test_aborted_walk_rests_where_it_began() -> None:
    needed = role("needed", on_failure="abort")
    result = await walk(sequence("first", "needed"), needed, scripts={"needed": [LLMUnavailable()]}, position=(1,))
    assert result.position == (1,)


async def test_aborted_walk_goes_on_with_the_agent_that_failed() -> None:
    """V16: what came before it is stored and must not be said again; what comes after it waits for it."""
    graph = sequence(loop(sequence("first", "needed"), until=lambda request: False, at_most=5), "last")
    needed = role("needed", on_failure="abort")
    result = await walk(graph, needed, scripts={"needed": [LLMUnavailable()]}, position=(0, 2, 0))
    assert names(result) == ["first", "needed"]
    assert result.position == (0, 2, 1)


async def test_agent_that_fails_changes_no_state() -> None:
    """V16: else the state would tell of a question that was never stored."""
    failing = role("failing", plan=Plan(state={"topic": "thirds"}), writes=frozenset({"topic"}))
    events: list[Event] = []
    given_request = Request(state={"topic": "halves"})
    scripts = {"failing": ["Half of", LLMUnavailable()]}
    result = await walk(sequence("failing", "later"), failing, scripts=scripts, request=given_request, events=events)
    assert result.state == {"topic": "halves"}
    assert not any(isinstance(event, StateChanged) for event in events)


async def test_failure_is_reported_with_its_strategy() -> None:
    events: list[Event] = []
    await walk("agent", role("agent", on_failure="abort"), scripts={"agent": [LLMUnavailable()]}, events=events)
    started, failed = events
    assert started == AgentStarted(agent="agent")
    assert isinstance(failed, AgentFailed)
    assert (failed.error_type, failed.recoverable, failed.strategy, failed.fallback_available) == (
        "api_error",
        True,
        "abort",
        False,
    )


# --- What is said ---


@pytest.mark.parametrize(("speaks", "kind"), [(True, ReplyText), (False, AgentText)])
async def test_only_a_speaking_roles_words_are_the_reply(speaks: bool, kind: type[Event]) -> None:
    events: list[Event] = []
    await walk("agent", role("agent", speaks=speaks), scripts={"agent": ["Hello"]}, events=events)
    assert [type(event) for event in events] == [AgentStarted, kind, AgentFinished]


@given(said=st.lists(st.text()), cap=st.integers(min_value=0, max_value=20))
def test_pieces_joined_are_the_text_up_to_the_cap(said: list[str], cap: int) -> None:
    """V14"""
    events: list[Event] = []
    limits = RunLimits(output_characters=cap)
    result = asyncio.run(walk("agent", role("agent"), scripts={"agent": said}, events=events, limits=limits))
    shown = "".join(event.text for event in events if isinstance(event, AgentText))
    assert shown == by_name(result)["agent"].text == "".join(said)[:cap]


async def test_card_stands_where_it_was_shown() -> None:
    events: list[Event] = []
    card = Card(kind="picture", id="1")
    await walk("agent", scripts={"agent": ["Look:", ShownEvent(card), "A half."]}, events=events)
    assert [getattr(event, "text", event) for event in events[1:-1]] == ["Look:", card, "A half."]


# --- What agents know of each other ---


async def test_later_roles_see_earlier_results_and_state() -> None:
    seen: list[Request] = []

    def plan(request: Request) -> Plan:
        seen.append(request)
        return Plan()

    first = role("first", plan=Plan(result=Mood(word="glad"), state={"topic": "halves"}), writes=frozenset({"topic"}))
    await walk(sequence("first", "second"), first, Role(name="second", purpose="Looks.", plan=plan))
    assert (seen[0].results, seen[0].state) == ({"first": Mood(word="glad")}, {"topic": "halves"})


async def test_request_handed_out_never_changes() -> None:
    given_request = Request(state={"topic": "halves"})
    writer = role("writer", plan=Plan(state={"topic": "thirds"}), writes=frozenset({"topic"}))
    speaker = ScriptedSpeaker()
    result = await walk(sequence("reader", "writer"), writer, speaker=speaker, request=given_request)
    assert speaker.calls[0].request.state == given_request.state == {"topic": "halves"}
    assert speaker.calls[0].request.results == {}
    assert result.state == {"topic": "thirds"}


async def test_role_may_write_only_its_own_keys() -> None:
    thief = role("thief", plan=Plan(state={"mine": 1, "theirs": 2}), writes=frozenset({"mine"}))
    result = await walk("thief", thief, request=Request(state={"theirs": 0}))
    assert [type(outcome) for outcome in result.outcomes] == [Failed]
    assert result.state == {"theirs": 0}


async def test_only_a_changed_state_is_reported() -> None:
    events: list[Event] = []
    writer = role("writer", plan=Plan(state={"old": 1, "new": 2}), writes=frozenset({"old", "new"}))
    await walk("writer", writer, request=Request(state={"old": 1}), events=events)
    assert [event for event in events if isinstance(event, StateChanged)] == [StateChanged(key="new", value=2)]


async def test_result_is_reported_as_plain_data() -> None:
    events: list[Event] = []
    await walk("agent", role("agent", plan=Plan(result=Mood(word="glad"))), events=events)
    (finished,) = (event for event in events if isinstance(event, AgentFinished))
    assert finished.result == {"word": "glad"}


async def test_route_says_where_it_went_and_why() -> None:
    events: list[Event] = []
    choice = Choice(to="deep", reason="a why-question", strategy="keywords", confidence=0.9, came_from="coordinator")
    await walk(route(lambda request: choice, deep="panel", quick="tutor"), events=events)
    assert events[0] == Routed(
        from_agent="coordinator", to="deep", strategy="keywords", confidence=0.9, reason="a why-question"
    )
    assert events[1] == AgentStarted(agent="panel")


async def test_route_to_nowhere_is_an_error_of_the_graph() -> None:
    with pytest.raises(GraphError, match="no branch 'elsewhere'"):
        await walk(route(lambda request: Choice(to="elsewhere", reason=""), here="tutor"))


async def test_loop_ends_when_until_says_so() -> None:
    passes: list[Request] = []

    def until(request: Request) -> bool:
        passes.append(request)
        return len(passes) == 2

    assert names(await walk(loop("agent", until=until, at_most=9))) == ["agent", "agent"]


async def test_loop_ends_at_its_bound() -> None:
    assert len(names(await walk(loop("agent", until=lambda request: False, at_most=3)))) == 3
