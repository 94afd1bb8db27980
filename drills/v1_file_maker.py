"""Makes v1 SQLite files as v1 did, with whatever may be wrong in them: for the drill and for tests."""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE captures (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, timestamp DATETIME DEFAULT CURRENT_TIMESTAMP,
  user_text TEXT, agent_text TEXT, metadata TEXT);
CREATE VIRTUAL TABLE captures_fts
USING fts5(session_id UNINDEXED, user_text, agent_text, content=captures, content_rowid=id);
CREATE TRIGGER captures_ai AFTER INSERT ON captures BEGIN
  INSERT INTO captures_fts(rowid, session_id, user_text, agent_text)
  VALUES (new.id, new.session_id, new.user_text, new.agent_text);
END;
"""
INSERT = "INSERT INTO captures (id, session_id, timestamp, user_text, agent_text, metadata) VALUES (?, ?, ?, ?, ?, ?)"
WORDS = [
    "half",
    "third",
    "quarter",
    "fraction",
    "piece",
    "equal",
    "share",
    "number",
    "line",
    "because",
    "bread",
    "why",
    "½",
    "größer",
    "分数",
    "🍕",
    "👩\u200d🏫",
]
ORPHANS_EVERY = 50
"""One session in so many has no owner in the mapping."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """What a file holds, as it was made."""

    rows: int
    rejected: int
    """Rows that cannot be stored as an exchange."""
    orphans: int
    """Rows of sessions that the mapping leaves out, without the rejected ones."""
    mapping: str
    """CSV of the sessions with an owner."""


def make_v1_file(path: Path, *, rows: int, owners: Sequence[str], seed: int = 1, session_size: int = 50) -> MadeFile:
    """Write the file; the same arguments give the same rows. About one row in 25 has something wrong with it."""
    chance = random.Random(seed)
    sessions = [f"session-{number}" for number in range(max(1, rows // session_size))]
    orphaned = {name for number, name in enumerate(sessions) if number % ORPHANS_EVERY == ORPHANS_EVERY - 1}
    counts: Counter[str] = Counter()

    def counted() -> Iterator[Row]:
        # One at a time: the memory of a drill's process counts as that of the processes it starts.
        for row, is_rejected in _rows(chance, sessions, rows):
            counts["rejected"] += is_rejected
            counts["orphans"] += row[1] in orphaned and not is_rejected
            yield row

    write_v1_file(path, counted())
    owned = [name for name in sessions if name not in orphaned]
    mapping = "".join(f"{name},{owners[number % len(owners)]}\n" for number, name in enumerate(owned))
    return MadeFile(rows=rows, rejected=counts["rejected"], orphans=counts["orphans"], mapping=mapping)


def write_v1_file(path: Path, rows: Iterable[Row], *, schema: str = SCHEMA) -> None:
    """Write a file of these rows; bytes among the values are stored as text, whatever they are."""
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript(schema)
        for row in rows:
            statement = INSERT
            if any(isinstance(value, bytes) for value in row):
                # Text that is no valid UTF-8 can only be bound as a blob.
                shown = ", ".join("CAST(? AS TEXT)" if isinstance(value, bytes) else "?" for value in row)
                statement = INSERT.replace("?, ?, ?, ?, ?, ?", shown)
            file.execute(statement, row)


def _rows(chance: random.Random, sessions: Sequence[str], count: int) -> Iterator[tuple[Row, bool]]:
    """Yield each row, and whether it cannot be stored."""
    previous: Row | None = None
    for number in range(1, count + 1):
        row, is_rejected = _row(chance, number, chance.choice(sessions))
        if previous is not None and chance.random() < 0.004:
            row, is_rejected = (number, *previous[1:]), False
        yield row, is_rejected
        previous = None if is_rejected else row


def _row(chance: random.Random, number: int, session: str) -> tuple[Row, bool]:
    at, said, reply = _time(number), _text(chance, 4), _text(chance, 12)
    metadata = json.dumps({"intent": chance.choice(["question", "statement"]), "source": "text"})
    sound = (number, session, at, said, reply, metadata)
    kind = chance.random()
    faults: list[tuple[Row, bool]] = [
        ((number, session, at, f"a\x00b {said}", reply, metadata), False),
        ((number, session, at, said, reply.encode() + b"\xff\xfe \xed\xa0\x80", metadata), False),
        ((number, session, at, "ä" * 10_000, "🍕" * 10_000, metadata), False),
        ((number, session, at, said, "x" * 10_001, None), False),
        ((number, session, at, None, reply, metadata), False),
        ((number, session, at, said, None, None), False),
        ((number, session, "not a time", said, reply, "{not json"), False),
        ((number, session, at, None, None, metadata), True),
        ((number, None, at, said, reply, metadata), True),
        ((number, session, at, said, "y" * 250_000, metadata), True),
    ]
    # Long texts are rarer than the others, or they would be most of the file.
    weights = [6, 6, 1, 1, 6, 6, 6, 4, 4, 0.1]
    return chance.choices(faults, weights)[0] if kind < 0.035 else (sound, False)


def _text(chance: random.Random, least: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(least, 4 * least)))


def _time(number: int) -> str:
    minutes, seconds = divmod(number * 7, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"2025-{1 + days // 28 % 12:02}-{1 + days % 28:02} {hours:02}:{minutes:02}:{seconds:02}"
