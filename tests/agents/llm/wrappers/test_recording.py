"""Every attempt at a provider is opened before it is made, and settled after, however it ends."""

import asyncio
from contextlib import aclosing
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.errors import LLMBudgetSpent, LLMRateLimited, LLMTimeout, LLMTruncated, LLMUnavailable
from agents.llm.base import AnswerEnd, ChatText, Image, ModelRequest, TextPiece, ToolRequest, ToolResponse
from agents.llm.call_context import CallContext, CallFigures, CallResult
from agents.llm.prices import Price
from agents.llm.prompt import Prompt
from agents.llm.token_usage import Usage
from agents.llm.wrappers.recording import RecordingBackend, estimate_call, request_as_json
from tests.agents.llm.played_backend import USAGE, PlayedBackend

PROMPT = Prompt(name="tutor", text="You are a tutor.\n", version="abc")


class RecordingLedger:
    """A ledger in memory."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.opened: list[CallFigures] = []
        self.settled: list[CallResult] = []

    async def open(self, call_context: CallContext, call: CallFigures) -> Any:
        if self.refuses:
            raise LLMBudgetSpent("site")
        self.opened.append(call)
        return len(self.opened)

    async def settle(self, entry: Any, result: CallResult) -> None:
        assert entry == len(self.settled) + 1
        self.settled.append(result)


def priced(*answers: list[Any]) -> PlayedBackend:
    backend = PlayedBackend(*answers)
    backend.price = Price(input_usd=1_000_000, output_usd=10_000_000, since=date(2026, 3, 21))
    return backend


def asked(text: str = "why?", **options: Any) -> ModelRequest:
    system = f"{PROMPT.text.strip()}\n\nReact to it."
    said = (ChatText(author="learner", text=text),)
    return ModelRequest(**{"agent": "tutor", "system": system, "prompt": PROMPT, "messages": said, **options})


async def settled(backend: PlayedBackend, question: ModelRequest | None = None) -> CallResult:
    """Ask once, whatever comes of it; return what the ledger was told."""
    book = RecordingLedger()
    question = question or asked()
    question.call_context.ledger = book
    try:
        async for _piece in RecordingBackend(backend).stream(question):
            pass
    except Exception:
        pass
    (result,) = book.settled
    return result


class TestEnding:
    async def test_answer_is_settled_with_what_the_provider_counted(self) -> None:
        result = await settled(priced(["One ", "half."]), asked(call_context=CallContext()))
        assert (result.usage, result.reply, result.error, result.cancelled) == (USAGE, "One half.", "", False)
        assert (result.spent_usd, result.spent_tokens) == (0.5, 15)
        assert result.first_ms is not None

    @pytest.mark.parametrize(
        "error", [LLMUnavailable("sk-ant-CANARY"), LLMRateLimited(), RuntimeError("sk-ant-CANARY")], ids=repr
    )
    async def test_provider_that_was_not_reached_has_read_nothing(self, error: Exception) -> None:
        result = await settled(priced([error]), asked(call_context=CallContext()))
        assert (result.spent_usd, result.spent_tokens, result.usage.cost_usd) == (0, 0, None)
        assert "CANARY" not in repr(result)
        assert result.error in {type(error).__name__, "Exception"}

    async def test_broken_stream_counts_what_it_has_read_and_said(self) -> None:
        result = await settled(priced(["One half. " * 4, LLMTruncated()]), asked(call_context=CallContext()))
        assert (result.usage.input_tokens, result.usage.cost_usd, result.error) == (None, None, "LLMTruncated")
        read = estimate_call(asked(), priced()).sent_tokens
        assert result.spent_tokens == read + 11
        assert result.spent_usd == read + 11 * 10

    async def test_silence_is_counted_as_read(self) -> None:
        result = await settled(priced([LLMTimeout()]), asked(call_context=CallContext()))
        assert result.spent_tokens == estimate_call(asked(), priced()).sent_tokens

    async def test_end_without_a_reason_is_an_error(self) -> None:
        """V6: a stream that ends without its end is no answer."""
        result = await settled(priced(["One", None]), asked(call_context=CallContext()))
        assert result.error == "LLMTruncated"

    async def test_unknown_price_stays_unknown(self) -> None:
        usage = Usage(backend="played", model="m", input_tokens=10, output_tokens=5)
        result = await settled(PlayedBackend(["x", AnswerEnd(usage=usage)]), asked(call_context=CallContext()))
        assert (result.spent_usd, result.spent_tokens) == (None, 15)

    async def test_whoever_stops_listening_has_cut_it_off(self) -> None:
        book = RecordingLedger()
        question = asked(call_context=CallContext(ledger=book))
        async with aclosing(RecordingBackend(priced(["One ", "half."])).stream(question)) as pieces:
            assert await anext(pieces) == TextPiece("One ")
        assert (book.settled[0].cancelled, book.settled[0].error, book.settled[0].reply) == (True, "", "One ")

    async def test_stopped_turn_is_settled_too(self) -> None:
        book, reached = RecordingLedger(), asyncio.Event()

        async def for_ever() -> None:
            reached.set()
            await asyncio.Event().wait()

        async def ask() -> None:
            async for _piece in RecordingBackend(priced(["One ", for_ever])).stream(
                asked(call_context=CallContext(ledger=book))
            ):
                pass

        task = asyncio.create_task(ask())
        await reached.wait()
        task.cancel()
        await asyncio.wait({task})
        assert (task.cancelled(), book.settled[0].cancelled) == (True, True)


async def test_call_that_no_budget_holds_is_not_made() -> None:
    backend = PlayedBackend()
    with pytest.raises(LLMBudgetSpent):
        await anext(
            RecordingBackend(backend).stream(asked(call_context=CallContext(ledger=RecordingLedger(refuses=True))))
        )
    assert not backend.asked


async def test_without_a_ledger_nothing_stands_between() -> None:
    pieces = [piece async for piece in RecordingBackend(PlayedBackend(["x"])).stream(asked())]
    assert pieces == [TextPiece("x"), AnswerEnd(usage=USAGE)]


class TestFigures:
    @given(st.text(max_size=200), st.integers(0, 5_000))
    def test_worst_is_never_below_a_token_a_byte_of_what_others_typed(self, text: str, output_tokens: int) -> None:
        """L2: what is reserved holds whatever a tokenizer makes of the learner's words."""
        figures = estimate_call(asked(text, output_tokens=output_tokens), priced())
        assert figures.worst_tokens >= len(text.encode("utf-8", "replace")) + output_tokens
        assert figures.worst_tokens >= figures.sent_tokens + output_tokens

    def test_pictures_and_tools_count(self) -> None:
        picture = ChatText(author="learner", text="", images=(Image(media_type="image/png", data=b""),) * 2)
        assert estimate_call(asked(messages=(picture,)), priced()).worst_tokens > 10_000

    def test_record_holds_what_was_sent_beside_the_prompt(self) -> None:
        class Verdict(BaseModel):
            right: bool

        messages = (
            ChatText(author="learner", text="\x00why\ud800?"),
            ToolRequest(id="1", name="calculator", arguments="{}"),
            ToolResponse(id="1", name="calculator", text="4"),
        )
        shown = request_as_json(asked(messages=messages, context="Greet.", schema=Verdict, otherwise="Look again."))
        assert shown == {
            "system": "React to it.",
            "context": "Greet.",
            "messages": [
                {"author": "learner", "text": "why??", "images": 0},
                {"tool": "calculator", "asked": "{}"},
                {"tool": "calculator", "answered": "4", "ok": True},
            ],
            "otherwise": "Look again.",
            "schema": "Verdict",
            "tools": [],
            "output_tokens": 1_000,
        }
