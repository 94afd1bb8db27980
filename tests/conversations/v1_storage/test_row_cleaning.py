"""Whatever stands in a row, what is stored of it can be stored, and what was changed is told."""

import base64
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.v1_storage.row_cleaning import UNKNOWN_TIME, clean_row, parse_timestamp
from conversations.v1_storage.v1_file import COLUMNS, NULL, V1Row, V1Value
from conversations.validators import is_storable

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def value(of):
    match of:
        case None:
            return NULL
        case bytes():
            return V1Value(kind="text", data=of, length=len(of))
        case int():
            return V1Value(kind="integer", data=str(of).encode(), length=len(str(of)))
        case float():
            return V1Value(kind="real", data=str(of).encode(), length=len(str(of)))
        case _:
            return value(of.encode())


def v1_row(**columns):
    sound = {"id": 1, "session_id": "s", "timestamp": "2025-03-01 12:00:00", "user_text": "a", "agent_text": "b"}
    values = {**dict.fromkeys(COLUMNS), **sound, **columns}
    return V1Row(row=1, values={name: value(of) for name, of in values.items()})


def cleaned(around=(), *, encoding="utf-8", **columns):
    return clean_row(
        v1_row(**columns), encoding=encoding, timestamps_around=lambda row: [value(each) for each in around]
    )


def reasons(clean):
    return {str(each.reason) for each in clean.problems}


def test_sound_row_stays_as_it_is():
    clean = cleaned(user_text="½ 🍕", agent_text="👩‍🏫 " + "x" * 9_000, metadata='{"intent": "question"}')
    assert (clean.user_text, clean.timestamp, clean.metadata) == ("½ 🍕", NOON, {"intent": "question"})
    assert (reasons(clean), clean.is_rejected) == (set(), False)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"user_text": None, "agent_text": None}, "no_text"),
        ({"user_text": "", "agent_text": ""}, "no_text"),
        ({"session_id": None}, "no_session"),
        ({"session_id": ""}, "no_session"),
        ({"session_id": "x" * 129}, "no_session"),
        ({"session_id": "a\x00b"}, "no_session"),
        ({"session_id": b"\xff"}, "no_session"),
        ({"session_id": "../s"}, "no_session"),
        ({"agent_text": "x" * 200_001}, "too_long"),
    ],
)
def test_unusable_rows_are_rejected_with_their_bytes(columns, reason):
    """R6"""
    clean = cleaned(**columns)
    assert clean.is_rejected
    assert reason in reasons(clean)
    assert clean.raw.keys() == {*COLUMNS}


@pytest.mark.parametrize(
    ("columns", "reason", "stored"),
    [
        ({"user_text": "a\x00b"}, "replaced", "a\u2400b"),
        ({"user_text": b"a\xffb"}, "replaced", "a\ufffdb"),
        ({"user_text": b"a\xed\xa0\x80b"}, "replaced", "a\ufffd\ufffd\ufffdb"),
        ({"user_text": None}, "null_text", ""),
        ({"user_text": "x" * 10_001}, "long_text", "x" * 10_001),
    ],
)
def test_damaged_texts_are_stored_and_told(columns, reason, stored):
    """R6: the bytes that could not be stored are kept in the metadata."""
    clean = cleaned(**columns)
    assert (clean.user_text, reasons(clean), clean.is_rejected) == (stored, {reason}, False)
    if reason == "replaced":
        raw = columns["user_text"]
        assert base64.b64decode(clean.metadata["v1_raw"]["user_text"]) == (
            raw if isinstance(raw, bytes) else raw.encode()
        )


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("2025-03-01 12:00:00", NOON),
        ("2025-03-01T12:00:00.000000", NOON),
        ("2025-03-01T13:00:00+01:00", NOON),
        ("2025-03-01T12:00:00Z", NOON),
        (1740830400, NOON),
        (1740830400.0, NOON),
        (1740830400000, NOON),
        ("yesterday", None),
        ("", None),
        (None, None),
        ("9999-99-99", None),
        ("9999-12-31T23:59:59-23:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        (-5, None),
        (2**62, None),
        ("1740830400", None),
    ],
)
def test_timestamps(written, at):
    assert parse_timestamp(value(written)) == at


def test_neighbour_stands_in_for_an_unusable_time():
    clean = cleaned(timestamp="soon", around=("no", "2025-03-01 12:00:00"))
    assert (clean.timestamp, reasons(clean)) == (NOON, {"bad_time"})
    assert cleaned(timestamp="soon").timestamp == UNKNOWN_TIME


@pytest.mark.parametrize(
    "written",
    ["{", "[1]", "3", '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": 1e999}', '{"a": "\\u0000"}', '{"a": "\\ud800"}',
     '{"a":' * 5_000 + "1" + "}" * 5_000, '{"a": "' + "x" * 100_001 + '"}', b'{"a": "\xff"}'],
)  # fmt: skip
def test_unreadable_metadata_is_kept_as_bytes(written):
    clean = cleaned(metadata=written)
    assert (clean.metadata.keys(), reasons(clean)) == ({"v1_raw"}, {"bad_metadata"})


def test_text_of_a_utf_16_file_is_read():
    columns = {
        name: of.encode("utf-16-le") for name, of in [("session_id", "s"), ("user_text", "ä🍕"), ("agent_text", "b")]
    }
    clean = cleaned(encoding="utf-16-le", timestamp="2025-03-01 12:00".encode("utf-16-le"), id=b"1\x00", **columns)
    assert (clean.session_id, clean.user_text, clean.timestamp, reasons(clean)) == ("s", "ä🍕", NOON, set())


ANYTHING = st.one_of(st.none(), st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")), st.integers(), st.floats())  # fmt: skip


@settings(deadline=None)
@given(
    columns=st.fixed_dictionaries(dict.fromkeys(COLUMNS, ANYTHING)), encoding=st.sampled_from(["utf-8", "utf-16-le"])
)
def test_whatever_a_row_holds_can_be_stored(columns, encoding):
    first, second = (cleaned(encoding=encoding, **columns) for _ in range(2))
    assert first == second
    for text in (first.user_text, first.agent_text, first.session_id, first.v1_id):
        assert is_storable(text)
    written = json.dumps(first.metadata, ensure_ascii=False, allow_nan=False)
    assert is_storable(written)
    assert "\\u0000" not in written.replace("\\\\", "")
    assert first.is_rejected or (first.session_id and (first.user_text or first.agent_text))
