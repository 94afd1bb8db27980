"""Within a run nothing is asked twice; between runs nothing is remembered."""

import asyncio
from typing import Any

from agents.errors import LLMTimeout, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import Asked, Ended, Text
from agents.llm.behalf import NOBODY, Behalf
from agents.llm.cached import Cached
from tests.agents.llm.clock import answer, heard, now, question, run
from tests.agents.models import PlayedBackend
from tests.agents.stage import for_ever


async def answers(asked: list[Asked], *scripts: list[Any], at_once: bool = False) -> tuple[list[Any], int]:
    """Return what was said to each question, and how often the model was asked."""
    played = PlayedBackend(*scripts)
    it = Cached(played, ModelLimits())
    told = (answer(it, each) for each in asked)
    said = await asyncio.gather(*told) if at_once else [await each for each in told]
    return said, len(played.asked)


def test_equal_question_of_a_run_is_answered_from_memory() -> None:
    behalf = Behalf()
    said, asked = run(answers([question(behalf=behalf), question(behalf=behalf, ends=5_000.0)], ["One"], ["Two"]))
    assert (said, asked) == ([("One", None)] * 2, 1)


def test_answer_told_again_takes_nothing() -> None:
    async def again() -> Ended:
        it, asked = Cached(PlayedBackend(["One"]), ModelLimits()), question(behalf=Behalf())
        await answer(it, asked)
        pieces, _error = await heard(it.stream(asked))
        assert pieces[0] == Text("One")
        assert isinstance(pieces[-1], Ended)
        return pieces[-1]

    usage = run(again()).usage
    assert (usage.model, usage.input_tokens, usage.output_tokens, usage.cost_usd) == ("m", 0, 0, 0.0)


def test_other_question_is_asked() -> None:
    behalf = Behalf()
    two = [question(behalf=behalf), question(behalf=behalf, output_tokens=7)]
    assert run(answers(two, ["One"], ["Two"])) == ([("One", None), ("Two", None)], 2)


def test_other_run_asks_for_itself() -> None:
    two = [question(behalf=Behalf()), question(behalf=Behalf())]
    assert run(answers(two, ["One"], ["Two"])) == ([("One", None), ("Two", None)], 2)


def test_nobodys_questions_are_not_remembered() -> None:
    assert run(answers([question(), question()], ["One"], ["Two"]))[1] == 2
    assert not NOBODY.answers


def test_question_that_is_being_answered_is_waited_for() -> None:
    behalf = Behalf()
    slow = ["One", lambda: asyncio.sleep(1), " half"]
    said, asked = run(answers([question(behalf=behalf)] * 3, slow, at_once=True))
    assert (said, asked) == ([("One half", None)] * 3, 1)


def test_failure_is_nobodys_answer() -> None:
    behalf = Behalf()
    said, asked = run(
        answers([question(behalf=behalf)] * 2, [lambda: asyncio.sleep(1), LLMUnavailable()], ["Good."], at_once=True)
    )
    assert (said, asked) == ([("", LLMUnavailable), ("Good.", None)], 2)


def test_half_an_answer_is_not_remembered() -> None:
    async def left() -> tuple[str, int]:
        played = PlayedBackend(["One", " half"])
        it, asked = Cached(played, ModelLimits()), question(behalf=Behalf())
        stream = it.stream(asked)
        await anext(stream)
        await stream.aclose()
        return (await answer(it, asked))[0], len(played.asked)

    assert run(left()) == ("One half", 2)


def test_nobody_waits_for_another_beyond_their_time() -> None:
    async def waited() -> tuple[object, float]:
        it, behalf = Cached(PlayedBackend([for_ever]), ModelLimits()), Behalf()
        first = asyncio.create_task(answer(it, question(behalf=behalf)))
        await asyncio.sleep(0)
        started = now()
        _said, error = await answer(it, question(behalf=behalf, ends=started + 10))
        first.cancel()
        return error, now() - started

    assert run(waited()) == (LLMTimeout, 8.0)
