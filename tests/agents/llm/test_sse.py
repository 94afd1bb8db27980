"""Event streams are read the same however they are cut, and never held at any length."""

from collections.abc import AsyncIterator, Iterable
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.llm.sse import EventTooLong, event_batches, parse_event, storable_text

DATA = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1, max_size=20)
EVENTS = st.lists(DATA.map(str.strip).filter(bool), max_size=6)


async def stream(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def read(chunks: Iterable[bytes], *, event_bytes: int = 100_000) -> list[list[bytes]]:
    return [batch async for batch in event_batches(stream(chunks), event_bytes=event_bytes)]


def run(chunks: Iterable[bytes]) -> list[bytes]:
    reading = read(chunks)
    try:
        reading.send(None)
    except StopIteration as done:
        return list(chain.from_iterable(done.value))
    raise AssertionError("nothing here waits")


@given(EVENTS, st.sampled_from(["\n", "\r\n"]), st.lists(st.integers(0, 200)), st.booleans())
def test_events_are_the_same_wherever_the_stream_is_cut(
    events: list[str], end: str, cuts: list[int], closed: bool
) -> None:
    lines = [f": keep alive{end}{end}event: x{end}data: {event}{end}" for event in events]
    text = (end.join(lines) + (end if closed else "")).encode()
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    chunks = [text[start:stop] for start, stop in pairwise(places)]
    assert run(chunks) == [event.strip().encode() for event in events]


@given(st.lists(st.binary(max_size=40)))
def test_any_bytes_are_read_to_their_end(chunks: list[bytes]) -> None:
    assert len(run(chunks)) <= b"".join(chunks).count(b"data:")


async def test_what_arrives_together_is_told_together() -> None:
    assert await read([b"data: 1\n\ndata:2\n\nda", b"ta: 3\n\n"]) == [[b"1", b"2"], [b"3"]]


async def test_lines_of_one_event_are_one() -> None:
    assert await read([b"data: [1,\ndata: 2]\n\n"]) == [[b"[1,\n2]"]]


@pytest.mark.parametrize("chunk", [b"a" * 60, b"data: " + b"a" * 60 + b"\n", b"data: a\n" * 40])
async def test_event_without_end_is_given_up(chunk: bytes) -> None:
    """V14: neither one long line nor ever more lines of one event."""
    with pytest.raises(EventTooLong):
        await read([chunk] * 100, event_bytes=1_000)


def test_half_of_a_character_is_left_out() -> None:
    assert storable_text(parse_event(b'{"text": "a\\ud83db"}')["text"]) == "ab"


@given(st.text(st.characters()))
def test_printable_text_is_valid_without_nul(text: str) -> None:
    assert "\0" not in storable_text(text).encode().decode()


@pytest.mark.parametrize("broken", [b"", b"{", b'{"a": 1', b"<html>", b"\xff"])
def test_what_is_no_json_is_refused(broken: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  Whichever of its kinds.
        parse_event(broken)
