"""Event streams: bytes of an answer in, what its events say out."""

from collections.abc import AsyncIterable, AsyncIterator
from json import loads
from typing import Any

from pydantic_core import from_json

EVENT_BYTES = 1 << 18
"""The most of one event that is kept: a provider that sends more is at fault, and must not fill the memory."""


class EventTooLong(ValueError):
    """An event is longer than any that a provider has reason to send."""


async def event_batches(chunks: AsyncIterable[bytes], *, event_bytes: int = EVENT_BYTES) -> AsyncIterator[list[bytes]]:
    """Yield the data of the events that each chunk made whole, in order; the last one may lack its empty line.

    Lines end with LF or CRLF. What arrives together is yielded together. Raise Overlong.
    """
    line = bytearray()
    event: list[bytes] = []
    async for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end:
            found = _take(bytes(line) + chunk[:end], event)
            line = bytearray(chunk[end:])
            if found:
                yield found
        else:
            line += chunk
        if len(line) + sum(map(len, event)) > event_bytes:
            raise EventTooLong
    if found := _take(bytes(line) + b"\n\n", event):
        yield found


def _take(text: bytes, event: list[bytes]) -> list[bytes]:
    """Return the data of the events that end in these whole lines; what is left of the last one stays in `event`."""
    found: list[bytes] = []
    for line in text[:-1].split(b"\n"):
        if line.startswith(b"data:"):
            event.append(line[5:].strip())
        elif event and line in (b"", b"\r"):
            found.append(b"\n".join(event))
            event.clear()
    return found


def parse_event(data: bytes) -> Any:
    """Return the JSON of an event. Raise ValueError where it is none."""
    try:
        return from_json(data)
    except ValueError:
        return loads(data)  # Takes half of a surrogate pair, which some servers send; `printable` drops it.


def storable_text(text: str) -> str:
    """Return a piece of text as every database takes it: no NUL, no lone surrogate."""
    if "\0" in text or not text.isascii():
        return text.replace("\0", "").encode("utf-8", "ignore").decode()
    return text
