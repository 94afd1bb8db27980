"""What each configured model answers, by a few tiny questions of its own: it costs next to nothing."""

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator
from contextlib import aclosing
from time import monotonic
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel

from agents.conf import llm_backends
from agents.errors import (
    LLMError,
    LLMInvalidOutput,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRejected,
    LLMSpendLimit,
    LLMTimeout,
    LLMTruncated,
)
from agents.llm.base import AnswerEnd, AnswerPiece, ChatText, Image, ModelRequest, ToolRequest
from agents.llm.sdk import SDKBackend
from agents.llm.wrappers.structured_output import StructuredBackend
from agents.tools import Tool, ToolResult, ToolUse
from learnagent.operations.doctor import Finding

ANSWER_WITHIN_S = 30.0
TOKENS = 300
"""Enough for models that think before they answer."""
SHAPES = {"schema": "schemas", "json": "JSON without a schema", "text": "JSON only if asked for in words"}


class ModelAnswer(BaseModel):
    word: Literal["yes"]


async def _never_run(arguments: Any, use: ToolUse) -> ToolResult:
    raise AssertionError("this tool is never run")


NOTE = Tool(name="note", description="Write down the learner's answer.", arguments=ModelAnswer, run=_never_run)


async def examine_models() -> AsyncIterator[Finding]:
    """Yield a finding for each model, under the aliases that it stands behind."""
    aliases: dict[SDKBackend, list[str]] = {}
    for alias, backends in llm_backends().items():
        for backend in backends:
            if isinstance(backend, SDKBackend):
                same = next((each for each in aliases if _identity(each) == _identity(backend)), backend)
                aliases.setdefault(same, []).append(alias)
    if not aliases:
        yield Finding(part="models", works=True, says="none is connected, so the tutor uses its built-in text")
    for backend, names in aliases.items():
        yield await examine_model(backend, part=f"model {', '.join(names)}")
        await backend.aclose()


def _identity(backend: SDKBackend) -> tuple[str, ...]:
    return backend.name, backend.model, backend.base_url


async def examine_model(backend: SDKBackend, *, part: str) -> Finding:
    who = f"{backend.name} {backend.model}"
    await backend.aopen()  # Loading the SDK is no part of the answer's time.
    started = monotonic()
    try:
        await _complete_answer(backend, _request("Say yes."))
    except LLMError as error:
        return Finding(part=part, works=False, says=f"{who}: {failure_reason(error, backend)}")
    ms = round((monotonic() - started) * 1000)
    abilities = [await _structured(backend), await _tools(backend), await _images(backend)]
    return Finding(
        part=part, works=True, says=f"{who} answers in {ms} ms; {', '.join(abilities)}; {price_label(backend)}"
    )


def price_label(backend: SDKBackend) -> str:
    price = backend.price
    if price is None:
        return "price unknown"
    if price.since is None:
        return "free of charge"
    return f"${price.input_usd:g} input, ${price.output_usd:g} output per million tokens since {price.since}"


def failure_reason(error: LLMError, backend: SDKBackend) -> str:
    """Return why a model did not answer, as far as it is known, in our own words."""
    parts = urlsplit(backend.base_url)
    place = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
    status = f" ({error.status})" if error.status else ""
    match error:
        case LLMKeyRejected():
            return f"the key was rejected{status}"
        case LLMSpendLimit():
            return f"the provider's spending limit has been reached{status}"
        case LLMRejected(status=404):
            return f"no such model or address{status}: {place}"
        case LLMRejected():
            return f"the request was rejected{status}"
        case LLMRateLimited(retry_after_s=seconds):
            return f"too many requests right now{status}" + (f", for another {seconds:g} s" if seconds else "")
        case LLMTimeout():
            return f"no answer in time{status}: {place}"
        case LLMTruncated():
            return "the answer was cut off"
        case LLMInvalidOutput():
            return "the answer has the wrong format"
        case _:
            return f"cannot be reached, or is down{status}: {place}"


async def _structured(backend: SDKBackend) -> str:
    try:
        await _complete_answer(StructuredBackend(backend), _request("Answer with the word yes.", schema=ModelAnswer))
    except LLMError as error:
        return f"no structured answers ({failure_reason(error, backend)})"
    return f"supports {SHAPES[backend.abilities.shape]}"


async def _tools(backend: SDKBackend) -> str:
    try:
        pieces = await _complete_answer(backend, _request("Use the tool with the word yes.", tools=(NOTE,)))
    except LLMError as error:
        return f"no tools ({failure_reason(error, backend)})"
    if not backend.abilities.tools:
        return "no tools"
    return "tools" if any(isinstance(piece, ToolRequest) for piece in pieces) else "tools (but it used none)"


async def _images(backend: SDKBackend) -> str:
    try:
        await _complete_answer(
            backend, _request("Which colour is this?", images=(Image(media_type="image/png", data=red_square()),))
        )
    except LLMError as error:
        return f"no images ({failure_reason(error, backend)})"
    return "images"


def _request(text: str, *, images: tuple[Image, ...] = (), **fields: Any) -> ModelRequest:
    said = ChatText(author="learner", text=text, images=images)
    return ModelRequest(agent="doctor", system="Answer in one word.", messages=(said,), output_tokens=TOKENS, **fields)


async def _complete_answer(backend: SDKBackend | StructuredBackend, asked: ModelRequest) -> list[AnswerPiece]:
    """Return the whole answer. Raise LLMError where there is none in time."""
    pieces: list[AnswerPiece] = []
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S), aclosing(backend.stream(asked)) as stream:
            async for piece in stream:
                pieces.append(piece)
    except TimeoutError:
        raise LLMTimeout from None
    assert isinstance(pieces[-1], AnswerEnd)
    return pieces


def red_square(side: int = 64) -> bytes:
    """Return a small picture as PNG."""
    rows = (b"\0" + b"\xff\0\0" * side) * side

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
