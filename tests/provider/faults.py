"""Whatever a provider does wrong: every provider's fault of the reliability matrix by its id, on the wire.

Each fault ends the request, so that none of them needs the answer's end.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from types import ModuleType
from typing import Any, NoReturn

from tests.provider.answers import Answer
from tests.provider.event_stream import RenderedAnswer, compact
from tests.provider.http import Connection
from tests.provider.model_request import ProviderRequest
from tests.provider.schemas import smallest_value

VARIANTS: dict[str, tuple[str, ...]] = {
    "V1": ("429",),
    "V2": ("429",),
    "V3": ("429", "400"),
    "V4": ("500", "503", "529"),
    "V5": ("401", "400"),
    "V6": ("end", "mid"),
    "V7": ("reset", "cut"),
    "V8": ("error",),
    "V9": ("json",),
    "V10": ("html",),
    "V11": ("drip",),
    "V12": ("pings",),
    "V13": ("hang",),
    "V14": ("tokens", "line"),
    "V15": ("json", "unknown", "many", "loop"),
    "V17": ("503", "reset"),
}
"""Id → its variants, the usual one first."""
TOKENS_SIZE, LINE_SIZE = 20 << 20, 50 << 20
"""Bytes of V14's endless answer, and of its one line."""
TOOL_CALLS = 30
_EXAMPLE_KEY = "sk-live-4f3c2b1a0987654321fedcba"
_PORTAL = b"<!doctype html><title>Welcome</title><h1>Please sign in to use this network</h1>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    id: str
    variant: str
    after: int | None = None
    """Pieces of the answer that come before it; None is its usual place."""

    @classmethod
    def parse(cls, text: str, *, after: int | None = None) -> "Fault":
        """Read `V4` or `V4:529`. Raise ValueError for a fault or variant that there is not."""
        name, _, variant = text.partition(":")
        if name not in VARIANTS or (variant and variant not in VARIANTS[name]):
            raise ValueError(f"no fault {text!r}; there are {', '.join(sorted(all_faults()))}")
        return cls(id=name, variant=variant or VARIANTS[name][0], after=after)

    def cut_at(self, pieces: int) -> int:
        """Return after how many of the pieces it strikes."""
        if self.after is not None:
            return min(self.after, pieces)
        return pieces if (self.id, self.variant) == ("V6", "end") else pieces // 2


def all_faults() -> Iterator[str]:
    """Name every fault with each of its variants."""
    for name, variants in VARIANTS.items():
        yield from (f"{name}:{variant}" for variant in variants)


def size_of(fault: Fault) -> int:
    """Return the letters of V14's answer."""
    return LINE_SIZE if fault.variant == "line" else TOKENS_SIZE


def asks_tools(fault: Fault, asked: ProviderRequest) -> Answer:
    """Return V15's answer: tools used wrongly, too often, or without end."""
    name, schema = next(iter(asked.tools.items()), ("look_up", {"type": "object"}))
    match fault.variant:
        case "json":
            return Answer(tools=((name, '{"question": "1/2'),))
        case "unknown":
            return Answer(tools=(("no_such_tool", {}),))
        case "many":
            return Answer(tools=((name, smallest_value(schema)),) * TOOL_CALLS)
        case _:
            return Answer(tools=((name, smallest_value(schema)),))


async def refuse(fault: Fault, connection: Connection, wire: ModuleType, key: str) -> bool:
    """Play a fault that strikes before any part of an answer; tell whether this is one."""
    match fault.id:
        case "V10":
            await connection.whole(200, _PORTAL, headers={}, content_type="text/html; charset=utf-8")
        case "V13":
            await asyncio.Event().wait()
        case "V17" if fault.variant == "reset":
            connection.cut(reset=True)
        case "V1" | "V2" | "V3" | "V4" | "V5" | "V17":
            status, headers = int(fault.variant), _retry_after(fault)
            body = _error(fault, status, wire, key)
            await connection.whole(status, compact(body), headers={"request-id": "req_1"} | headers)
        case _:
            return False
    return True


def _retry_after(fault: Fault) -> dict[str, str]:
    seconds = {"V1": "1", "V2": "3600"}.get(fault.id)
    return {"retry-after": seconds} if seconds else {}


def _error(fault: Fault, status: int, wire: ModuleType, key: str) -> Any:
    match fault.id:
        case "V3":
            message, kind, code = wire.SPEND_CAP[status]
            return wire.error(status, message, kind=kind, code=code)
        case "V5":
            shown = key if key.startswith("sk-") else _EXAMPLE_KEY
            return wire.error(status, f"Incorrect API key provided: {shown}. Check the key of your account.")
        case "V1" | "V2":
            return wire.error(status, "Too many requests. Please wait before you try again.")
        case _:
            return wire.error(status, "The server is overloaded or not ready yet.")


async def break_stream(
    fault: Fault, connection: Connection, wire: ModuleType, rendered: RenderedAnswer, beat_s: float
) -> None:
    """Play a fault in the middle of a stream whose pieces before it were sent."""
    match fault.id:
        case "V6":
            await connection.finish()
        case "V7":
            connection.cut(reset=fault.variant == "reset")
        case "V8":
            await connection.chunk(wire.error_event())
            await connection.finish()
        case "V9":
            rest = rendered.pieces[fault.cut_at(len(rendered.pieces)) :]
            await connection.chunk(b"".join((wire.BROKEN, *rest, rendered.ending)))
            await connection.finish()
        case "V11":
            await _beat(connection, wire.PIECE[0] + b"drip " + wire.PIECE[1], beat_s)
        case "V12":
            await _beat(connection, wire.PING, beat_s)
        case "V14":
            await _flood(fault, connection, wire)
            await connection.chunk(rendered.ending)
            await connection.finish()


async def _beat(connection: Connection, data: bytes, beat_s: float) -> NoReturn:
    for _ in count():
        await connection.chunk(data)
        await asyncio.sleep(beat_s)
    raise AssertionError


async def _flood(fault: Fault, connection: Connection, wire: ModuleType) -> None:
    before, after = wire.PIECE
    if fault.variant == "line":
        await connection.chunk(before)
        await connection.chunks(LINE_SIZE)
        await connection.chunk(after)
        return
    words = before + b"token " * 170 + after
    for _ in range(TOKENS_SIZE // 1_020):
        await connection.chunk(words)


async def break_whole(
    fault: Fault,
    connection: Connection,
    wire: ModuleType,
    data: bytes,
    beat_s: float,
    content_type: str = "application/json",
) -> None:
    """Play in an answer that is not streamed what would strike in the middle of a stream."""
    match fault.id:
        case "V7":
            head = {"content-length": str(len(data))}
            await connection.whole(200, data[: len(data) // 2], headers=head, content_type=content_type)
            connection.cut(reset=fault.variant == "reset")
        case "V8":
            await connection.whole(200, compact(wire.error(500, "Overloaded")), headers={})
        case "V9":
            await connection.whole(200, data[: len(data) // 2], headers={}, content_type=content_type)
        case "V11" | "V12":
            await connection.begin(headers={}, content_type=content_type)
            await _beat(connection, b" ", beat_s)
        case _:  # V6 and V14 are in the body.
            await connection.whole(200, data, headers={}, content_type=content_type)
