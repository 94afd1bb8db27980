"""Recording of model calls: every attempt is opened in the ledger before the call and settled after it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import cache
from typing import Any

from pydantic import BaseModel

from agents import tracing
from agents.errors import AgentsError, LLMTimeout, LLMTruncated
from agents.llm.base import (
    AnswerEnd,
    AnswerPiece,
    ChatText,
    LLMBackend,
    Message,
    ModelRequest,
    TextPiece,
    ToolRequest,
    ToolResponse,
)
from agents.llm.call_context import CallFigures, CallResult, Ledger
from agents.llm.prices import Price
from agents.llm.token_usage import Usage
from agents.llm.wrappers.base import BackendWrapper

CHARACTERS_PER_TOKEN = 4
"""A usual value, for estimates."""
MESSAGE_OVERHEAD_TOKENS = 16
"""Most tokens a message takes besides its text."""
IMAGE_TOKENS = 5_000


class RecordingBackend(BackendWrapper):
    """Records every call and enforces budgets. It wraps the time limits, so that timeouts are recorded too."""

    def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        ledger = asked.call_context.ledger
        return self.inner.stream(asked) if ledger is None else self._recorded(asked, ledger)

    async def _recorded(self, asked: ModelRequest, ledger: Ledger) -> AsyncGenerator[AnswerPiece]:
        figures = estimate_call(asked, self.inner)
        entry = await ledger.open(asked.call_context, figures)
        span = tracing.span(
            f"chat {figures.model}",
            {"gen_ai.provider.name": figures.backend, "gen_ai.request.model": figures.model},
        )
        clock = asyncio.get_running_loop().time
        began = clock()
        first: float | None = None
        said: list[str] = []
        ended: AnswerEnd | None = None
        error: BaseException | None = None
        try:
            async with aclosing(self.inner.stream(asked)) as pieces:
                async for piece in pieces:
                    if first is None:
                        first = clock()
                    if isinstance(piece, TextPiece):
                        said.append(piece.text)
                    elif isinstance(piece, ToolRequest):
                        said.append(piece.arguments)
                    else:
                        ended = piece
                    yield piece
            if ended is None:
                raise LLMTruncated
        except BaseException as raised:
            error = raised
            raise
        finally:
            first_ms = None if first is None else round((first - began) * 1000, 3)
            ms = round((clock() - began) * 1000, 3)
            reply = "".join(said)
            result = call_result(figures, self.inner, reply, ended, error, ms=ms, first_ms=first_ms)
            _end_span(span, result)
            await ledger.settle(entry, result)


def _end_span(span: tracing.Span, result: CallResult) -> None:
    counts = {"input_tokens": result.usage.input_tokens, "output_tokens": result.usage.output_tokens}
    span.set({f"gen_ai.usage.{name}": count for name, count in counts.items() if count is not None})
    if result.error:
        span.fail(result.error)
    elif result.cancelled:
        span.fail("cancelled")
    span.end()


def estimate_call(asked: ModelRequest, backend: LLMBackend) -> CallFigures:
    """Return what is known of a call before it starts."""
    sent = sum(len(text) for text in _texts(asked)) // CHARACTERS_PER_TOKEN + 1
    most = _max_input_tokens(asked)
    return CallFigures(
        agent=asked.agent,
        backend=backend.name,
        model=backend.model,
        prompt_version=asked.prompt.version if asked.prompt else "",
        asked=request_as_json(asked),
        worst_usd=_usd(backend.price, most, asked.output_tokens),
        worst_tokens=most + asked.output_tokens,
        sent_usd=_usd(backend.price, sent, 0),
        sent_tokens=sent,
    )


def call_result(
    figures: CallFigures,
    backend: LLMBackend,
    reply: str,
    ended: AnswerEnd | None,
    error: BaseException | None,
    *,
    ms: float,
    first_ms: float | None,
) -> CallResult:
    """Return how a call ended. A caller that stops after the end has got the whole answer."""
    usage = ended.usage if ended is not None else Usage(backend=backend.name, model=backend.model)
    failed = isinstance(error, Exception) and ended is None
    spent_usd, spent_tokens = usage.cost_usd, (usage.input_tokens or 0) + (usage.output_tokens or 0)
    if usage.input_tokens is None or usage.output_tokens is None:
        written = len(reply) // CHARACTERS_PER_TOKEN + bool(reply)
        # A provider that rejected the request or was never reached has read nothing.
        read = 0 if failed and first_ms is None and not isinstance(error, LLMTimeout) else figures.sent_tokens
        spent_usd, spent_tokens = _usd(backend.price, read, written), read + written
    return CallResult(
        usage=usage,
        ms=ms,
        first_ms=first_ms,
        reply=_storable(reply),
        spent_usd=spent_usd,
        spent_tokens=spent_tokens,
        error=_name_of(error) if failed else "",
        cancelled=error is not None and not failed and ended is None,
    )


def request_as_json(asked: ModelRequest) -> dict[str, Any]:
    """Return what was sent besides the prompt; for images only their number."""
    beside = asked.system.removeprefix(asked.prompt.text.strip()) if asked.prompt else asked.system
    return {
        "system": _storable(beside.strip()),
        "context": _storable(asked.context),
        "messages": [_as_json(message) for message in asked.messages],
        "otherwise": _storable(asked.otherwise),
        "schema": asked.schema.__name__ if asked.schema else "",
        "tools": [tool.name for tool in asked.tools],
        "output_tokens": asked.output_tokens,
    }


def _as_json(message: Message) -> dict[str, Any]:
    match message:
        case ChatText(author=author, text=text, images=images):
            return {"author": author, "text": _storable(text), "images": len(images)}
        case ToolRequest(name=name, arguments=arguments):
            return {"tool": name, "asked": _storable(arguments)}
        case ToolResponse(name=name, text=text, ok=ok):
            return {"tool": name, "answered": _storable(text), "ok": ok}


def _texts(asked: ModelRequest) -> Iterator[str]:
    yield asked.system
    yield asked.context
    for message in asked.messages:
        yield message.arguments if isinstance(message, ToolRequest) else message.text


def _max_input_tokens(asked: ModelRequest) -> int:
    """Return the most tokens that the request can have.

    A token has at least one byte. Our own prose has at least two bytes per token; other text may be anything.
    """
    ours = len(f"{asked.system}{asked.context}".encode("utf-8", "replace"))
    theirs = sum(len(text.encode("utf-8", "replace")) for text in _texts(asked)) - ours
    shapes = sum(_length_of(tool.arguments) + len(tool.description) for tool in asked.tools)
    shapes += _length_of(asked.schema) if asked.schema else 0
    frames = MESSAGE_OVERHEAD_TOKENS * (len(asked.messages) + len(asked.tools) + 1)
    pictures = sum(IMAGE_TOKENS * len(each.images) for each in asked.messages if isinstance(each, ChatText))
    return (ours + shapes) // 2 + 1 + theirs + frames + pictures


@cache
def _length_of(shape: type[BaseModel]) -> int:
    return len(json.dumps(shape.model_json_schema()))


def _storable(text: str) -> str:
    """Return text that every database can store: no NUL, no lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _usd(price: Price | None, read: int, written: int) -> float | None:
    """Return the cost of these tokens; None if unknown."""
    return None if price is None else price.usd(read, written)


def _name_of(error: BaseException | None) -> str:
    return type(error).__name__ if isinstance(error, AgentsError) else "Exception"
