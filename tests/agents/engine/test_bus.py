"""The messages of a run: requests with responses, announcements to all, and what is dropped."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from agents.engine import bus as buses
from agents.engine.bus import AgentMessage, Bus, Drop, Filter, make_event, make_request, make_response
from agents.engine.events import Event, MessageSent
from agents.engine.graph import parallel
from agents.engine.outcomes import Answered
from agents.engine.roles import Announcement, Decided, Expectation, Plan, PlanPart, Role
from agents.engine.speaker import PlanSpeaker
from agents.errors import LLMUnavailable
from agents.llm.offline import OfflineBackend
from tests.agents.engine.stage import by_name, role, walk

LATER = Filter(event="concept_detected")


def concept() -> AgentMessage:
    return make_event("concept_detected", sender="analysis", data={"concept": "attention", "confidence": 0.9})


class Noted(BaseModel):
    concept: str


def noting(message: AgentMessage | None) -> tuple[PlanPart, ...]:
    concept = message.payload["data"]["concept"] if message else "none"
    return (f"Looked up {concept}.", Decided(result=Noted(concept=concept)))


RESEARCH = role(
    "research", plan=Plan(say=(Expectation(wanted=Filter(sender="analysis"), within_s=5, then=noting),)), result=Noted
)


def speaker() -> PlanSpeaker:
    return PlanSpeaker(OfflineBackend())


# --- Messages ---


def test_message_survives_json() -> None:
    message = make_request("analyze", sender="conversation", recipient="analysis", data={"user_input": "halves"})
    assert AgentMessage.from_json(message.to_json()) == message


@pytest.mark.parametrize(
    "wrong", ['{"sender": "a"}', "[]", "{", '{"sender": "a", "message_type": "shout"}', '{"priority": 11}']
)
def test_text_that_is_no_message_is_refused(wrong: str) -> None:
    with pytest.raises(ValidationError):
        AgentMessage.from_json(wrong)


def test_response_names_its_request_and_goes_back_to_its_sender() -> None:
    request = make_request("analyze", sender="conversation", recipient="analysis", data={})
    response = make_response(request, {"concepts": []})
    assert (response.sender, response.recipient, response.parent_id) == ("analysis", "conversation", request.message_id)


# --- Delivery ---


async def test_message_sent_before_somebody_waits_is_received_once() -> None:
    bus = Bus(members=["analysis", "research"])
    bus.publish(concept())
    bus.end("analysis")
    first = await bus.receive("research", Filter(sender="analysis"), within_s=5)
    second = await bus.receive("research", Filter(sender="analysis"), within_s=5)
    assert (first and first.payload["data"]["concept"], second) == ("attention", None)


async def test_waiting_agent_is_woken_by_the_message() -> None:
    bus = Bus(correlation_id="turn-1", members=["analysis", "research"])
    waiting = asyncio.create_task(bus.receive("research", LATER, within_s=60))
    await asyncio.sleep(0)
    bus.publish(concept())
    message = await waiting
    assert message is not None
    assert message.correlation_id == "turn-1"


async def test_message_to_one_agent_is_not_given_to_another() -> None:
    bus = Bus(members=["conversation"])
    bus.publish(make_request("analyze", sender="conversation", recipient="analysis", data={}))
    assert list(bus.messages("research")) == []
    assert len(list(bus.messages("analysis"))) == 1


async def test_nobody_gets_an_own_announcement() -> None:
    bus = Bus()
    bus.publish(concept())
    assert list(bus.messages("analysis")) == []


async def test_urgent_message_comes_first() -> None:
    bus = Bus()
    for number, priority in enumerate((3, 9, 5)):
        bus.publish(make_event("note", sender="analysis", data={"number": number}, priority=priority))
    message = await bus.receive("research", Filter(event="note"), within_s=5)
    assert message is not None
    assert message.payload["data"]["number"] == 1


async def test_who_waits_for_an_agent_that_ends_waits_no_longer() -> None:
    bus = Bus(members=["analysis", "research"])
    waiting = asyncio.create_task(bus.receive("research", Filter(sender="analysis"), within_s=3_600))
    await asyncio.sleep(0)
    bus.end("analysis")
    assert await waiting is None


async def test_message_that_does_not_come_is_none() -> None:
    assert await Bus(members=["analysis"]).receive("research", Filter(sender="analysis"), within_s=0) is None


# --- What is dropped ---


def reported() -> tuple[list[Drop], Bus]:
    drops: list[Drop] = []
    return drops, Bus(report=lambda _message, drop: drops.append(drop))


async def test_megabyte_is_dropped_and_recorded() -> None:
    drops, bus = reported()
    bus.publish(make_event("found", sender="research", data={"text": "x" * 1_000_000}))
    assert drops == ["oversized"]
    assert list(bus.messages("synthesis")) == []


async def test_expired_message_is_dropped() -> None:
    drops, bus = reported()
    old = concept().model_copy(update={"timestamp": datetime.now(UTC) - timedelta(seconds=buses.TTL_S + 1)})
    assert (bus.publish(old), drops) == ("expired", ["expired"])


async def test_message_that_expires_while_it_waits_is_not_received() -> None:
    now = [datetime.now(UTC)]
    bus = Bus(now=lambda: now[0])
    bus.publish(concept().model_copy(update={"timestamp": now[0]}))
    now[0] += timedelta(seconds=buses.TTL_S + 1)
    assert await bus.receive("research", LATER, within_s=0) is None


async def test_two_agents_that_answer_each_other_for_ever_are_stopped() -> None:
    drops, bus = reported()
    message = make_request("more", sender="a", recipient="b", data={})
    while not bus.publish(message):
        message = make_response(message, {})
    assert drops == [""] * buses.MOST_MESSAGES + ["too_many"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", None]), st.integers(0, 10))))
def test_every_message_is_for_its_recipient_or_for_all_but_its_sender(sent: list[tuple[str, str | None, int]]) -> None:
    bus = Bus()
    for sender, recipient, priority in sent:
        bus.publish(
            AgentMessage(sender=sender, recipient=recipient, message_type="request", payload={}, priority=priority)
        )
    for agent in "abc":
        wanted = [each for each in sent if each[0] != agent and each[1] in (None, agent)]
        assert len(list(bus.messages(agent))) == len(wanted[: buses.MOST_MESSAGES])


# --- In a run ---


def announcing(**options: object) -> Role:
    result = Noted(concept="attention")
    found = make_event("concept_detected", sender="analysis", data=result.model_dump())
    return role("analysis", plan=Plan(say=(Announcement(message=found),), result=result), result=Noted, **options)


async def test_concept_that_one_agent_announces_changes_what_another_does() -> None:
    events: list[Event] = []
    run = await walk(parallel("research", "analysis"), RESEARCH, announcing(), speaker=speaker(), events=events)
    found = by_name(run)["research"]
    assert isinstance(found, Answered)
    assert found.result == Noted(concept="attention")
    sent = [each for each in events if isinstance(each, MessageSent)]
    assert [(each.sender, each.recipient, each.dropped) for each in sent] == [("analysis", None, "")]


async def test_agent_that_fails_leaves_nobody_waiting() -> None:
    class Broken(PlanSpeaker):
        async def stream(self, call):  # type: ignore[no-untyped-def, override]
            if call.role.name == "analysis":
                raise LLMUnavailable
            async for piece in super().stream(call):
                yield piece

    run = await walk(parallel("research", "analysis"), RESEARCH, announcing(), speaker=Broken(OfflineBackend()))
    found = by_name(run)["research"]
    assert isinstance(found, Answered)
    assert found.text == "Looked up none."


async def test_plan_sends_a_message_and_another_agent_answers_it() -> None:
    asks = make_request("define", sender="conversation", recipient="research", data={"term": "attention"})
    answers = Expectation(
        wanted=Filter(message_type="request"),
        within_s=5,
        then=lambda heard: (Announcement(message=make_response(heard, {"is": "a weighing"})),) if heard else (),
    )
    hears = Expectation(
        wanted=Filter(answers=asks.message_id),
        within_s=5,
        then=lambda heard: (str(heard.payload["result"]["is"]) if heard else "silence",),
    )
    run = await walk(
        parallel("conversation", "research"),
        role("conversation", plan=Plan(say=(Announcement(message=asks), hears))),
        role("research", plan=Plan(say=(answers,))),
        speaker=speaker(),
    )
    spoken = by_name(run)["conversation"]
    assert isinstance(spoken, Answered)
    assert spoken.text == "a weighing"


async def test_agent_that_runs_again_can_be_waited_for_again() -> None:
    bus = Bus(members=["analysis"])
    bus.end("analysis")
    bus.begin("analysis")
    waiting = asyncio.create_task(bus.receive("research", Filter(sender="analysis"), within_s=60))
    await asyncio.sleep(0)
    bus.publish(concept())
    assert await waiting is not None
