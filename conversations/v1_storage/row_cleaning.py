"""Turns a v1 row into an exchange that every database can store, and says what had to be changed or is unusable."""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from agents.wire.rejections import Rejection
from agents.wire.strict_json import loads
from conversations.models import TEXT_MAX_LENGTH, V1RowProblem
from conversations.v1_storage.v1_file import V1Row, V1Value
from conversations.validators import validate_session_key

LONGEST_TEXT = 200_000
"""Bytes of a text in UTF-8 at most: less than what a client of a socket is sent before it has to confirm."""
LONGEST_METADATA = 100_000
"""Bytes of metadata at most."""
DEEPEST_METADATA = 50
"""Levels of metadata at most; SQLite itself takes no more than 1000."""
LONGEST_RAW = 20_000
"""Bytes of a rejected row's value that are kept."""
NUL, SHOWN_NUL = "\x00", "\u2400"
RAW_KEY = "v1_raw"
"""The key in a capture's metadata with the values that could not be stored as they were: column → base64."""
NEIGHBOURS = 50
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
"""Times before it are errors: v1 is younger."""
CLOCKS_DIFFER = timedelta(days=1)
MILLISECONDS_FROM = 1e11
"""Numbers from here on are milliseconds since 1970, smaller ones are seconds."""
LONE_SURROGATE = re.compile("[\ud800-\udfff]")

Reason = V1RowProblem.Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    reason: str
    """`V1RowProblem.Reason`"""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanRow:
    """A row as it is stored."""

    row: int
    origin: str
    v1_id: str
    session_id: str
    """Empty if it is unusable."""
    timestamp: datetime
    user_text: str
    agent_text: str
    metadata: Mapping[str, Any]
    problems: Sequence[RowProblem]
    is_rejected: bool
    raw: Mapping[str, str] = field(default_factory=dict)
    """A rejected row's values in base64, by column."""


@dataclass(slots=True)
class _Cleaning:
    """What is noted while a row is cleaned."""

    encoding: str
    problems: list[RowProblem] = field(default_factory=list)
    raw: dict[str, str] = field(default_factory=dict)
    is_rejected: bool = False

    def note(self, reason: str, detail: str = "") -> None:
        self.problems.append(RowProblem(reason=reason, detail=detail))

    def reject(self, reason: str, detail: str = "") -> None:
        self.note(reason, detail)
        self.is_rejected = True

    def decoded(self, value: V1Value) -> str:
        """Return a value as text; what is not valid in the file's encoding becomes U+FFFD."""
        # Numbers are cast to text in the file's encoding too, blobs are bytes of nobody knows what.
        encoding = "utf-8" if value.kind == "blob" else self.encoding
        return LONE_SURROGATE.sub("\ufffd", value.data.decode(encoding, "replace"))


def clean_row(
    row: V1Row,
    *,
    encoding: str,
    timestamps_around: Callable[[int], Sequence[V1Value]],
    is_duplicate: bool = False,
) -> CleanRow:
    """Return the row as it is stored; the same row always gives the same.

    `timestamps_around`: row → the timestamps of its neighbours, one of which stands in for an unusable one.
    """
    cleaning = _Cleaning(encoding=encoding)
    values = row.values
    session_id = _session_id(cleaning, values["session_id"])
    texts = {column: _text(cleaning, column, values[column]) for column in ("user_text", "agent_text")}
    if not any(texts.values()) and not cleaning.is_rejected:
        cleaning.reject(Reason.NO_TEXT)
    timestamp = _timestamp(cleaning, row, timestamps_around)
    metadata = _metadata(cleaning, values["metadata"])
    if is_duplicate:
        cleaning.note(Reason.DUPLICATE)
    return CleanRow(
        row=row.row,
        origin=row.origin(),
        v1_id=cleaning.decoded(values["id"]).replace(NUL, SHOWN_NUL)[:40],
        session_id=session_id,
        timestamp=timestamp,
        metadata=metadata | ({RAW_KEY: cleaning.raw} if cleaning.raw else {}),
        problems=cleaning.problems,
        is_rejected=cleaning.is_rejected,
        raw={name: _encoded(value.data[:LONGEST_RAW]) for name, value in values.items()}
        if cleaning.is_rejected
        else {},
        **texts,
    )


def _session_id(cleaning: _Cleaning, value: V1Value) -> str:
    text = cleaning.decoded(value)
    try:
        if value.kind == "null" or "\ufffd" in text:
            raise ValueError
        return validate_session_key(text)
    except (Rejection, ValueError):
        cleaning.reject(Reason.NO_SESSION, value.kind)
        return ""


def _text(cleaning: _Cleaning, column: str, value: V1Value) -> str:
    if value.kind == "null":
        cleaning.note(Reason.NULL_TEXT, column)
        return ""
    text = cleaning.decoded(value)
    if not value.is_whole or len(text.encode()) > LONGEST_TEXT:
        cleaning.reject(Reason.TOO_LONG, f"{column}: {value.length} bytes")
        return ""
    if len(text) > TEXT_MAX_LENGTH:
        cleaning.note(Reason.LONG_TEXT, f"{column}: {len(text)} characters")
    stored = text.replace(NUL, SHOWN_NUL)
    if _changes(stored, value, cleaning):
        cleaning.note(Reason.REPLACED, column)
        cleaning.raw[column] = _encoded(value.data)
    return stored


def _changes(stored: str, value: V1Value, cleaning: _Cleaning) -> bool:
    """Return whether the text as stored is not the value's bytes."""
    encoding = "utf-8" if value.kind == "blob" else cleaning.encoding
    return stored.encode(encoding) != value.data


def _timestamp(cleaning: _Cleaning, row: V1Row, around: Callable[[int], Sequence[V1Value]]) -> datetime:
    value = row.values["timestamp"]
    if (at := parse_timestamp(value, cleaning.encoding)) is not None:
        return at
    cleaning.note(Reason.BAD_TIME, value.kind)
    cleaning.raw["timestamp"] = _encoded(value.data[:LONGEST_RAW])
    usable = (parse_timestamp(each, cleaning.encoding) for each in around(row.row))
    return next((each for each in usable if each is not None), UNKNOWN_TIME)


def parse_timestamp(value: V1Value, encoding: str = "utf-8") -> datetime | None:
    """Return the time of an ISO 8601 text or of a number since 1970, in UTC; None if it is neither, or not of v1's life.

    A text without an offset is in UTC, as SQLite writes it.
    """
    try:
        text = value.data[:200].decode(encoding).strip()
        at = _from_number(float(text)) if value.kind in ("integer", "real") else datetime.fromisoformat(text)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if EARLIEST <= at <= timezone.now() + CLOCKS_DIFFER else None


def _from_number(number: float) -> datetime:
    return datetime.fromtimestamp(number / 1000 if number >= MILLISECONDS_FROM else number, tz=UTC)


def _metadata(cleaning: _Cleaning, value: V1Value) -> dict[str, Any]:
    """Return the row's metadata; unreadable ones are kept as raw bytes."""
    if value.kind == "null" or not value.data.strip():
        return {}
    text = cleaning.decoded(value)
    try:
        if len(value.data) > LONGEST_METADATA:
            raise ValueError
        found = loads(text)
        if (
            not isinstance(found, dict)
            or _is_deeper(found, DEEPEST_METADATA)
            or not _is_storable(found)
            or "\ufffd" in text
        ):
            raise ValueError
    except ValueError:
        cleaning.note(Reason.BAD_METADATA, f"{value.length} bytes")
        cleaning.raw["metadata"] = _encoded(value.data[:LONGEST_METADATA])
        return {}
    return found


def _is_deeper(found: object, levels: int) -> bool:
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _is_storable(found: dict[str, Any]) -> bool:
    written = json.dumps(found, ensure_ascii=False)
    return "\\u0000" not in written and not LONE_SURROGATE.search(written)


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
