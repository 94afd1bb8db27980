"""Within a run nothing is asked twice; between runs nothing is remembered."""

import asyncio
from typing import Any

from agents.errors import LLMTimeout, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, ModelRequest, TextPiece
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.llm.wrappers.cache import CachingBackend
from tests.agents.engine.stage import for_ever
from tests.agents.llm.jumping_clock import answer, heard, now, question, run
from tests.agents.llm.played_backend import PlayedBackend


async def answers(asked: list[ModelRequest], *scripts: list[Any], at_once: bool = False) -> tuple[list[Any], int]:
    """Return what was said to each question, and how often the model was asked."""
    played = PlayedBackend(*scripts)
    it = CachingBackend(played, ModelLimits())
    told = (answer(it, each) for each in asked)
    said = await asyncio.gather(*told) if at_once else [await each for each in told]
    return said, len(played.asked)


def test_equal_question_of_a_run_is_answered_from_memory() -> None:
    call_context = CallContext()
    said, asked = run(
        answers(
            [question(call_context=call_context), question(call_context=call_context, ends=5_000.0)], ["One"], ["Two"]
        )
    )
    assert (said, asked) == ([("One", None)] * 2, 1)


def test_answer_told_again_takes_nothing() -> None:
    async def again() -> AnswerEnd:
        it, asked = CachingBackend(PlayedBackend(["One"]), ModelLimits()), question(call_context=CallContext())
        await answer(it, asked)
        pieces, _error = await heard(it.stream(asked))
        assert pieces[0] == TextPiece("One")
        assert isinstance(pieces[-1], AnswerEnd)
        return pieces[-1]

    usage = run(again()).usage
    assert (usage.model, usage.input_tokens, usage.output_tokens, usage.cost_usd) == ("m", 0, 0, 0.0)


def test_other_question_is_asked() -> None:
    call_context = CallContext()
    two = [question(call_context=call_context), question(call_context=call_context, output_tokens=7)]
    assert run(answers(two, ["One"], ["Two"])) == ([("One", None), ("Two", None)], 2)


def test_other_run_asks_for_itself() -> None:
    two = [question(call_context=CallContext()), question(call_context=CallContext())]
    assert run(answers(two, ["One"], ["Two"])) == ([("One", None), ("Two", None)], 2)


def test_nobodys_questions_are_not_remembered() -> None:
    assert run(answers([question(), question()], ["One"], ["Two"]))[1] == 2
    assert not NO_CONTEXT.answers


def test_question_that_is_being_answered_is_waited_for() -> None:
    call_context = CallContext()
    slow = ["One", lambda: asyncio.sleep(1), " half"]
    said, asked = run(answers([question(call_context=call_context)] * 3, slow, at_once=True))
    assert (said, asked) == ([("One half", None)] * 3, 1)


def test_failure_is_nobodys_answer() -> None:
    call_context = CallContext()
    said, asked = run(
        answers(
            [question(call_context=call_context)] * 2,
            [lambda: asyncio.sleep(1), LLMUnavailable()],
            ["Good."],
            at_once=True,
        )
    )
    assert (said, asked) == ([("", LLMUnavailable), ("Good.", None)], 2)


def test_half_an_answer_is_not_remembered() -> None:
    async def left() -> tuple[str, int]:
        played = PlayedBackend(["One", " half"])
        it, asked = CachingBackend(played, ModelLimits()), question(call_context=CallContext())
        stream = it.stream(asked)
        await anext(stream)
        await stream.aclose()
        return (await answer(it, asked))[0], len(played.asked)

    assert run(left()) == ("One half", 2)


def test_nobody_waits_for_another_beyond_their_time() -> None:
    async def waited() -> tuple[object, float]:
        it, call_context = CachingBackend(PlayedBackend([for_ever]), ModelLimits()), CallContext()
        first = asyncio.create_task(answer(it, question(call_context=call_context)))
        await asyncio.sleep(0)
        started = now()
        _said, error = await answer(it, question(call_context=call_context, ends=started + 10))
        first.cancel()
        return error, now() - started

    assert run(waited()) == (LLMTimeout, 8.0)
