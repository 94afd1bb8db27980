"""An attempt ends in time, whatever the model does, and says no more than it may."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agents.errors import LLMTimeout, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, TextPiece, ToolRequest
from agents.llm.token_usage import Usage
from agents.llm.wrappers.retry import RetryingBackend
from agents.llm.wrappers.time_limits import TimeLimitBackend
from tests.agents.engine.stage import for_ever
from tests.agents.llm.jumping_clock import JumpingLoop, answer, heard, now, question, run
from tests.agents.llm.played_backend import PlayedBackend

LIMITS = ModelLimits()


def wait(seconds: float) -> Callable[[], Awaitable[None]]:
    return lambda: asyncio.sleep(seconds)


async def took(*script: Any, limits: ModelLimits = LIMITS, agent_s: float = 30.0) -> tuple[float, str, object]:
    """Return the seconds that an answer took, what was said, and its error."""
    started = now()
    backend = TimeLimitBackend(PlayedBackend(list(script)), limits)
    said, error = await answer(backend, question(ends=started + agent_s))
    return round(now() - started, 6), said, error


def test_silence_before_the_first_piece_ends_after_eight_seconds() -> None:
    """V13: a hang before headers meets the attempt's deadline."""
    assert run(took(for_ever)) == (8.0, "", LLMTimeout)


class Loading(PlayedBackend):
    """Takes a while before it can be asked, as a process does that imports an SDK."""

    def __init__(self, *, load_s: float) -> None:
        super().__init__()
        self.load_s = load_s

    async def aopen(self) -> None:
        await asyncio.sleep(self.load_s)


def test_loading_is_no_slowness_of_the_model() -> None:
    """V13: the time to the first piece begins when the model can be asked."""
    assert run(answer(TimeLimitBackend(RetryingBackend(Loading(load_s=20), LIMITS), LIMITS))) == ("Good.", None)


def test_loading_does_not_take_more_than_the_agents_time() -> None:
    async def asked() -> tuple[object, float, int]:
        loading = Loading(load_s=100)
        started = now()
        _said, error = await answer(TimeLimitBackend(loading, LIMITS), question(ends=started + 30))
        return error, now() - started, len(loading.asked)

    assert run(asked()) == (LLMTimeout, 27.0, 0)


async def test_what_cannot_be_opened_says_why_when_it_is_asked() -> None:
    class Broken(PlayedBackend):
        async def aopen(self) -> None:
            raise ImportError("no such SDK")

    assert (await answer(TimeLimitBackend(Broken([LLMUnavailable()]), LIMITS)))[1] is LLMUnavailable


def test_silence_between_pieces_ends_after_ten_seconds() -> None:
    """V12: pings are no pieces, so that they do not keep a silent stream alive."""
    assert run(took(wait(7), "One", wait(9), " half", for_ever)) == (26.0, "One half", LLMTimeout)


def test_pause_is_shorter_than_the_time_to_the_first_piece_where_the_limits_say_so() -> None:
    limits = ModelLimits(first_piece_s=8, stall_s=2)
    assert run(took(wait(7), "One", for_ever, limits=limits)) == (9.0, "One", LLMTimeout)


def test_slow_drip_ends_with_the_agents_time_less_the_reserve() -> None:
    """V11: a token a second meets the total deadline, with time left to say something else."""
    seconds, said, error = run(took(*(["a", wait(1)] * 100)))
    assert (seconds, said, error) == (27.0, "a" * 27, LLMTimeout)


def test_reserve_is_a_fifth_where_the_agent_has_little_time() -> None:
    assert run(took(for_ever, agent_s=5.0)) == (4.0, "", LLMTimeout)


def test_model_without_time_is_not_asked() -> None:
    async def asked() -> tuple[object, int]:
        played = PlayedBackend()
        _said, error = await answer(TimeLimitBackend(played, LIMITS), question(ends=now()))
        return error, len(played.asked)

    assert run(asked()) == (LLMTimeout, 0)


def test_steady_answer_is_whole() -> None:
    assert run(took("One", wait(5), " half", wait(9))) == (14.0, "One half", None)


def test_slow_reader_is_not_the_models_fault() -> None:
    async def read() -> list[object]:
        pieces = []
        async for piece in TimeLimitBackend(PlayedBackend(["a", "b"]), LIMITS).stream(question()):
            pieces.append(piece)
            await asyncio.sleep(15)
        return pieces

    assert len(run(read())) == 3


def test_reader_slower_than_the_whole_time_hears_of_it_at_once() -> None:
    async def read() -> tuple[object, float]:
        stream = TimeLimitBackend(PlayedBackend(["a", for_ever]), LIMITS).stream(question())
        await anext(stream)
        await asyncio.sleep(70)
        _pieces, error = await heard(stream)
        return type(error), now() - 1_000.0

    assert run(read()) == (LLMTimeout, 70.0)


def test_cancelling_the_reader_stays_a_cancellation() -> None:
    async def cancelled() -> bool:
        task = asyncio.create_task(answer(TimeLimitBackend(PlayedBackend([for_ever]), LIMITS)))
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert run(cancelled())


def test_timeout_leaves_no_cancellation_behind() -> None:
    async def counted() -> int:
        await answer(TimeLimitBackend(PlayedBackend([for_ever]), LIMITS))
        await asyncio.sleep(20)
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    assert run(counted()) == 0


def test_error_of_the_model_passes() -> None:
    assert run(took("a", LLMUnavailable())) == (0.0, "a", LLMUnavailable)


def test_model_that_does_not_stop_is_cut_off() -> None:
    """V14: an endless answer is closed at the output cap, and ends as one whose room was used up."""
    played = PlayedBackend(["abcdef", "ghijkl", "mn"])
    pieces, error = run(heard(TimeLimitBackend(played, ModelLimits(output_characters=10)).stream(question())))
    ended = AnswerEnd(stop="length", usage=Usage(backend="played", model="m"))
    assert (pieces, error) == ([TextPiece("abcdef"), TextPiece("ghij"), ended], None)


def test_arguments_that_do_not_stop_are_cut_off() -> None:
    """V14: what a model writes for a tool counts as well, and half a tool call is none."""
    call = ToolRequest(id="1", name="look_up", arguments="x" * 11)
    pieces, _error = run(
        heard(TimeLimitBackend(PlayedBackend([call]), ModelLimits(output_characters=10)).stream(question()))
    )
    assert pieces == [AnswerEnd(stop="length", usage=Usage(backend="played", model="m"))]


def test_timers_are_set_for_streams_and_not_for_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[float] = []
    really = JumpingLoop.call_at
    monkeypatch.setattr(
        JumpingLoop,
        "call_at",
        lambda loop, when, *args, **kw: (timers.append(when), really(loop, when, *args, **kw))[1],
    )
    run(answer(TimeLimitBackend(PlayedBackend(["a"] * 1_000), LIMITS)))
    assert len(timers) == 2  # For what has to be loaded, and for the stream.
