"""Parser for server-sent event streams: bytes in, event data out."""

from collections.abc import AsyncIterable, AsyncIterator
from json import loads
from typing import Any

from pydantic_core import from_json

EVENT_BYTES = 1 << 18
"""Most bytes of one event; a provider that sends more is faulty and must not fill the memory."""


class EventTooLong(ValueError):
    """An event is longer than EVENT_BYTES."""


async def event_batches(chunks: AsyncIterable[bytes], *, event_bytes: int = EVENT_BYTES) -> AsyncIterator[list[bytes]]:
    """Yield the data of the events that each chunk completed, in order; the last one may lack its empty line.

    Lines end with LF or CRLF. Events that arrive together are yielded together. Raises EventTooLong.
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
    """Return the data of the events that these whole lines complete; the unfinished rest stays in `event`."""
    found: list[bytes] = []
    for line in text[:-1].split(b"\n"):
        if line.startswith(b"data:"):
            event.append(line[5:].strip())
        elif event and line in (b"", b"\r"):
            found.append(b"\n".join(event))
            event.clear()
    return found


def parse_event(data: bytes) -> Any:
    """Return an event's JSON. Raises ValueError if it is invalid."""
    try:
        return from_json(data)
    except ValueError:
        return loads(data)  # Accepts lone surrogates, which some servers send; `storable_text` drops them.


def storable_text(text: str) -> str:
    """Return text that every database can store: no NUL, no lone surrogate."""
    if "\0" in text or not text.isascii():
        return text.replace("\0", "").encode("utf-8", "ignore").decode()
    return text
