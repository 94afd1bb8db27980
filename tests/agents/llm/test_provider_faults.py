"""Whatever a provider does, the learner hears an answer or an honest sentence, in time, and nothing twice.

The whole chain with the real SDKs: a strong and a fast model at one provider, which does to both what the matrix says.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from agents.conf import sdk_backends
from agents.engine.roles import Plan, Request, RoleCall, Wording
from agents.engine.speaker import PlanSpeaker, ShownEvent, SpeechCompleted
from agents.limits import ModelLimits
from agents.llm.call_context import CallContext
from agents.runtime import model_chain as chains
from agents.runtime.model_chain import model_chain_for, models_for_tier
from agents.tools import Tool, ToolResult, ToolUse, tools
from tests.agents.engine.stage import role
from tests.agents.llm.conftest import KEY
from tests.agents.llm.wrappers.test_circuit_breaker import AlarmLog
from tests.provider import Answer, Provider

MODELS_WORDS = "One half. Two halves make a whole."
OUR_WORDS = "In our words."
BROKE_OFF = "One half. … It fell silent.\n\nIn our words."
PAUSES_S = (0.001, 0.002)
PATIENT = ModelLimits(pauses_s=PAUSES_S)
SOON = ModelLimits(first_piece_s=0.2, least_s=0.05, pauses_s=PAUSES_S)
STALLS_SOON = ModelLimits(stall_s=0.2, pauses_s=PAUSES_S)
OVER_SOON = ModelLimits(total_s=0.6, least_s=0.05, pauses_s=PAUSES_S)
AGENT_S = 30.0


@dataclass(frozen=True, slots=True)
class LearnerView:
    text: str
    requests: int
    degraded: bool
    remarks: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@pytest.fixture
def limits() -> ModelLimits:
    """Tests of what is slow set narrower ones; here a busy machine is not taken for a slow model."""
    return PATIENT


@pytest.fixture(params=["anthropic.AnthropicBackend", "openai.OpenAIBackend"])
async def heard(
    request: pytest.FixtureRequest,
    settings: Any,
    provider: Provider,
    limits: ModelLimits,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[AlarmLog]:
    """Connect both models, and return what admins are told of them."""
    alarm = AlarmLog()
    monkeypatch.setattr(chains, "alert_writer", alarm)
    url = provider.url if request.param.startswith("anthropic") else f"{provider.url}/v1"
    settings.AGENTS = {"model_limits": limits}
    settings.LLMS = {
        alias: {
            "BACKEND": f"agents.llm.{request.param}",
            "OPTIONS": {"model": f"fake-{alias}", "api_key": KEY, "base_url": url},
        }
        for alias in ("strong", "fast", "vision")
    }
    provider.otherwise(Answer(text=MODELS_WORDS))
    connected = sdk_backends()
    for backend in connected:
        await backend.client()  # Importing an SDK takes longer than these limits allow for an answer.
    yield alarm
    for backend in connected:
        await backend.aclose()


async def said(provider: Provider, heard: AlarmLog, **of_role: Any) -> LearnerView:
    """Let a tutor say one wording, and return all that came of it."""
    wording = Wording(words=OUR_WORDS, task="Say what a half is.", may_use_tools=True)
    plan = Plan(say=(wording,))
    before = provider.attempts
    clock = asyncio.get_running_loop().time
    ends = clock() + AGENT_S
    call = RoleCall(role=role("tutor", plan=plan, **of_role), request=Request(text="Why?"), plan=plan, ends=ends)
    speaker = PlanSpeaker(model_chain_for("strong"), call_context=CallContext(), broke_off="It fell silent.")
    text, end = "", None
    async for piece in speaker.stream(call):
        if isinstance(piece, SpeechCompleted):
            end = piece
        elif not isinstance(piece, ShownEvent):
            text += piece.text
    assert end is not None
    assert clock() < ends
    return LearnerView(text, provider.attempts - before, end.degraded, end.remarks, tuple(map(str, heard.all)))


async def test_well_provider_is_asked_once(provider: Provider, heard: AlarmLog) -> None:
    name = model_chain_for("strong").name
    assert await said(provider, heard) == LearnerView(MODELS_WORDS, 1, False, told=(f"{name}/fake-strong answers",))
    assert provider.requests[-1].body["model"] == "fake-strong"


@pytest.mark.parametrize("fault", ["V4:500", "V4:503", "V4:529", "V17:reset", "V10"])
async def test_passing_fault_is_not_noticed(provider: Provider, heard: AlarmLog, fault: str) -> None:
    """V4, V10, V17: one failure before the first word costs a second attempt, and no more."""
    provider.fault(fault, times=1)
    came = await said(provider, heard)
    assert (came.text, came.requests, came.degraded) == (MODELS_WORDS, 2, False)


async def test_wait_that_the_provider_asks_for_is_kept(provider: Provider, heard: AlarmLog) -> None:
    """V1: `retry-after: 1` is waited within the budget."""
    settled: list[float] = []

    async def sleep(seconds: float) -> None:
        settled.append(seconds)

    models_for_tier("strong")[0].sleep = sleep
    provider.fault("V1", times=1)
    came = await said(provider, heard)
    assert (came.text, came.requests, came.degraded) == (MODELS_WORDS, 2, False)
    [pause] = settled
    assert 1.0 <= pause <= 1.25


async def test_wait_of_an_hour_is_another_models_turn(provider: Provider, heard: AlarmLog) -> None:
    """V2: no sleep; the fast model answers at once."""
    provider.fault("V2", times=1)
    came = await said(provider, heard)
    assert (came.text, came.requests, came.degraded) == (MODELS_WORDS, 2, False)
    assert provider.requests[-1].body["model"] == "fake-fast"


@pytest.mark.parametrize(
    ("fault", "told"),
    [("V3:429", "spend_limit"), ("V3:400", "spend_limit"), ("V5:401", "rejected"), ("V5:400", "rejected")],
)
async def test_what_only_an_admin_can_mend_is_tried_once(
    provider: Provider, heard: AlarmLog, fault: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """V3, V5: no retry, an alert for each model, authored words marked as degraded, and the key nowhere in the logs."""
    provider.fault(fault)
    assert await said(provider, heard) == LearnerView(OUR_WORDS, 2, True, ("offline",), (told, told))
    assert not any("sk-" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("fault", ["V3:429", "V3:400", "V5:401"])
async def test_barred_provider_is_left_alone(provider: Provider, heard: AlarmLog, fault: str) -> None:
    """V3, V5: the breaker is open at once; the next learner waits for nobody."""
    provider.fault(fault)
    await said(provider, heard)
    assert (await said(provider, heard)).requests == 0


@pytest.mark.parametrize(
    ("fault", "requests"), [("V2", 2), ("V4:500", 6), ("V4:529", 6), ("V10", 6), ("V17:503", 6), ("V17:reset", 6)]
)
async def test_lasting_fault_ends_in_our_words(provider: Provider, heard: AlarmLog, fault: str, requests: int) -> None:
    """V2, V4, V10, V17: at most three attempts at each model, then authored words marked as degraded."""
    provider.fault(fault)
    assert await said(provider, heard) == LearnerView(OUR_WORDS, requests, True, ("offline",))


async def test_provider_that_is_gone_ends_in_our_words(provider: Provider, heard: AlarmLog) -> None:
    """V17: refused connections."""
    provider.outage()
    assert await said(provider, heard) == LearnerView(OUR_WORDS, 0, True, ("offline",))


@pytest.mark.parametrize(
    ("fault", "limits"),
    [(fault, PATIENT) for fault in ("V6:mid", "V7:reset", "V7:cut", "V8", "V9")],
)
async def test_fault_before_the_first_word_ends_in_our_words(provider: Provider, heard: AlarmLog, fault: str) -> None:
    """V6–V9: what broke before a word was shown is asked again, and nothing is said twice."""
    provider.fault(fault, after=0)
    assert await said(provider, heard) == LearnerView(OUR_WORDS, 6, True, ("offline",))


@pytest.mark.parametrize(("fault", "limits"), [("V12", SOON), ("V13", SOON)])
async def test_silence_is_waited_for_once_at_each_model(provider: Provider, heard: AlarmLog, fault: str) -> None:
    """V12, V13: a provider that sends nothing is not waited for three times over."""
    provider.fault(fault, after=0)
    assert await said(provider, heard) == LearnerView(OUR_WORDS, 2, True, ("offline",))


@pytest.mark.parametrize(
    ("fault", "limits"),
    [(fault, PATIENT) for fault in ("V6:mid", "V7:reset", "V7:cut", "V8", "V9")] + [("V12", STALLS_SOON)],
)
async def test_what_was_said_stays_where_the_provider_breaks_off(
    provider: Provider, heard: AlarmLog, fault: str
) -> None:
    """V6–V9, V12: the sentence that was shown is kept, it is said that the model fell silent, and no other begins."""
    provider.fault(fault)
    came = await said(provider, heard)
    assert (came.text, came.requests, came.degraded) == (BROKE_OFF, 1, True)


async def test_end_without_a_reason_is_no_whole_answer(provider: Provider, heard: AlarmLog) -> None:
    """V6: a clean end without a stop reason counts as broken off; what was shown is kept."""
    provider.fault("V6:end")
    came = await said(provider, heard)
    assert (came.requests, came.degraded, came.remarks) == (1, True, ("LLMTruncated",))
    assert came.text == BROKE_OFF


@pytest.mark.parametrize("limits", [OVER_SOON])
async def test_slow_drip_ends_in_our_words(provider: Provider, heard: AlarmLog) -> None:
    """V11: the total limit ends what never stalls."""
    provider.fault("V11", after=0)
    came = await said(provider, heard)
    assert (came.text, came.requests, came.degraded) == (OUR_WORDS, 1, True)


@pytest.mark.parametrize("fault", ["V14:tokens", "V14:line"])
async def test_flood_does_not_drown_anybody(provider: Provider, heard: AlarmLog, fault: str) -> None:
    """V14: the learner hears at most what the plan allows, and an end."""
    provider.fault(fault)
    came = await said(provider, heard)
    assert came.text.startswith("One half. ")
    assert len(came.text) < 2_000
    assert came.requests == 1


class Term(BaseModel):
    term: str


class Meaning(ToolResult):
    meaning: str


async def _looked_up(term: Term, use: ToolUse) -> Meaning:
    return Meaning(meaning="One of two equal parts.")


LOOK_UP = Tool(name="look_up", description="Looks a term up.", arguments=Term, run=_looked_up)


@pytest.mark.parametrize(("fault", "requests"), [("V15:json", 3), ("V15:unknown", 3), ("V15:many", 2), ("V15:loop", 9)])
async def test_tools_used_wrongly_end_in_words(
    provider: Provider, heard: AlarmLog, monkeypatch: pytest.MonkeyPatch, fault: str, requests: int
) -> None:
    """V15: wrong arguments are told to the model at most twice, uses are capped, and then it answers without tools."""
    monkeypatch.setitem(tools, "look_up", LOOK_UP)
    provider.fault(fault)
    came = await said(provider, heard, tools=("look_up",))
    assert (came.text, came.requests, came.degraded) == (OUR_WORDS, requests, True)
