"""Where one model fails the next is asked, and the authored words come where all do."""

from typing import Any

import pytest
from pydantic import BaseModel

from agents.errors import (
    CircuitOpen,
    LLMBudgetSpent,
    LLMError,
    LLMInvalidOutput,
    LLMKeyRejected,
    LLMRefused,
    LLMTimeout,
    LLMTruncated,
    LLMUnavailable,
    OutsideCallForbidden,
)
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, TextPiece, ToolRequest
from agents.llm.offline import OfflineBackend
from agents.llm.wrappers.fallback import FallbackBackend
from tests.agents.llm.jumping_clock import answer, heard, now, question, run
from tests.agents.llm.played_backend import USAGE, PlayedBackend
from tests.event_log import EventLog

LIMITS = ModelLimits()


class Verdict(BaseModel):
    correct: bool


def two(strong: list[Any], fast: list[Any]) -> tuple[FallbackBackend, PlayedBackend, PlayedBackend]:
    first, second = PlayedBackend(strong), PlayedBackend(fast)
    return FallbackBackend([first, second], OfflineBackend(), LIMITS), first, second


async def said(strong: list[Any], fast: list[Any], **asked: Any) -> tuple[str, object, int]:
    """Return what was said, the error, and how often the second model was asked."""
    it, _first, second = two(strong, fast)
    text, error = await answer(it, question(**({"otherwise": "In our words."} | asked)))
    return text, error, len(second.asked)


def test_first_model_answers_where_it_can() -> None:
    assert run(said(["strong"], ["fast"])) == ("strong", None, 0)


@pytest.mark.parametrize(
    "error", [LLMUnavailable(), LLMTimeout(), LLMKeyRejected(), LLMBudgetSpent(), LLMInvalidOutput()], ids=repr
)
def test_next_model_answers_where_the_first_fails(error: LLMError) -> None:
    """V2–V5, V10, V13: whatever keeps the first from answering, the second may."""
    assert run(said([error], ["fast"])) == ("fast", None, 1)


def test_authored_words_come_where_all_fail() -> None:
    """V17: the offline engine answers."""
    pieces, error = run(heard(two([LLMUnavailable()], [LLMTimeout()])[0].stream(question(otherwise="In our words."))))
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == "In our words."
    assert error is None
    assert isinstance(pieces[-1], AnswerEnd)
    assert (pieces[-1].usage.backend, pieces[-1].failure) == ("offline", LLMUnavailable)


def test_usage_tells_who_answered() -> None:
    pieces, _error = run(heard(two([LLMUnavailable()], ["fast"])[0].stream(question())))
    assert pieces[-1] == AnswerEnd(usage=USAGE)


def test_no_other_voice_goes_on_with_a_sentence() -> None:
    """V6–V9: what broke off stays as it is; nothing is said twice."""
    assert run(said(["One", LLMTruncated()], ["fast"])) == ("One", LLMTruncated, 0)


def test_no_other_model_goes_on_after_a_tool_was_asked() -> None:
    call = ToolRequest(id="1", name="look_up", arguments="{}")
    assert run(said([call, LLMTruncated()], ["fast"])) == ("", LLMTruncated, 0)


def test_refusal_is_an_answer_that_no_other_model_overrules() -> None:
    assert run(said([LLMRefused()], ["fast"])) == ("In our words.", None, 0)


def test_first_error_stands_where_there_is_nothing_to_say_instead() -> None:
    assert run(said([LLMKeyRejected()], [LLMTimeout()], otherwise="")) == ("", LLMKeyRejected, 1)


def test_result_that_broke_off_is_the_next_models_to_give() -> None:
    assert run(said(['{"corr', LLMTruncated()], ["{}"], otherwise="", schema=Verdict))[2] == 1


def test_next_model_is_not_asked_without_time() -> None:
    async def late() -> tuple[str, object, int]:
        return await said([LLMTimeout()], ["fast"], ends=now() + 0.5)

    assert run(late()) == ("In our words.", None, 0)


def test_forbidden_call_is_hidden_by_nobody() -> None:
    with pytest.raises(OutsideCallForbidden):
        run(said([OutsideCallForbidden("paid")], ["fast"]))


def test_consent_is_needed_where_any_of_the_models_is_outside() -> None:
    outside = PlayedBackend()
    outside.calls_outside, outside.is_local = True, False
    inside = PlayedBackend()
    inside.calls_outside = False
    mixed = FallbackBackend([inside, outside], OfflineBackend(), LIMITS)
    assert (mixed.calls_outside, mixed.is_local) == (True, False)
    assert not FallbackBackend([inside], OfflineBackend(), LIMITS).calls_outside


def test_each_step_to_another_model_is_told(log: EventLog) -> None:
    run(said([LLMUnavailable()], [LLMTimeout()]))
    to_second, to_words = log.named("model_failed_over")
    assert (to_second["to_backend"], to_second["error"]) == ("played", "LLMUnavailable")
    assert (to_words["to_backend"], to_words["error"]) == ("offline", "LLMTimeout")


@pytest.mark.parametrize("error", [CircuitOpen(), LLMBudgetSpent(), LLMRefused()], ids=repr)
def test_but_not_one_whose_reason_was_told(log: EventLog, error: LLMError) -> None:
    run(said([error], [error]))
    assert log.events == []
