"""What must be true of the database after a drill: nothing lost, nothing twice, nothing half (reliability, NL)."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

ADDRESS = "postgresql"
"""File of a data folder that names its database, where that is PostgreSQL; without it the folder has one itself."""
_EVIDENCE = (
    "SELECT COUNT(*) FROM tutoring_attempt a JOIN tutoring_question q ON q.id = a.question_id "
    "WHERE a.correct OR NOT (a.assisted OR q.kind = 'text' OR a.verdict = 'equivalent_not_in_form')"
)
"""How many answers change mastery: a wrong one does only where nothing helped with it."""
SETTLED = frozenset({"done", "stopped", "degraded", "failed", "interrupted"})


def rows(data: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return what the folder's database says; it is read as it stands, beside a server or after it."""
    address = data / ADDRESS
    if address.exists():
        with psycopg.connect(address.read_text()) as connection:
            return connection.execute(query.replace("?", "%s"), values).fetchall()
    with closing(sqlite3.connect(f"file:{data}/learnagent.sqlite3?mode=ro", uri=True, timeout=30)) as file:
        return file.execute(query, values).fetchall()


def empty_log(data: Path) -> None:
    """Move what SQLite wrote ahead into the database, as a server does every five minutes."""
    if not (data / ADDRESS).exists():
        with closing(sqlite3.connect(data / "learnagent.sqlite3", timeout=30)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def count(data: Path, table: str) -> int:
    number: int = rows(data, f"SELECT COUNT(*) FROM {table}")[0][0]
    return number


def status_of(data: Path, client_id: str) -> str:
    """Return the status of the turn that a client began under this id; empty where there is none."""
    found = rows(data, "SELECT status FROM conversations_turn WHERE client_id = ?", client_id)
    return found[0][0] if found else ""


def faults(data: Path, *, said: Sequence[str], session: str, attempts: int) -> list[str]:
    """Return every breach: `said` is what the session's learner said, in order, `attempts` how many answers in all."""
    return [*order_faults(data, said=said, session=session), *turn_faults(data, attempts=attempts)]


def turn_faults(data: Path, *, attempts: int) -> list[str]:
    """Return every breach but for the order of a session, over all turns: `attempts` is how many answers in all."""
    found = [*integrity(data), *_counted_once(data, attempts=attempts)]
    turns = rows(data, "SELECT id, number, kind, status, attempt FROM conversations_turn ORDER BY session_id, number")
    for turn in turns:
        found += [f"turn {turn[1]}: {fault}" for fault in _turn(data, *turn)]
    return found


def integrity(data: Path) -> Iterator[str]:
    """Yield what is wrong with the database as a whole."""
    if (data / ADDRESS).exists():
        # PostgreSQL checks its keys and pages by itself.
        return
    for (verdict,) in rows(data, "PRAGMA integrity_check"):
        if verdict != "ok":
            yield f"integrity_check: {verdict}"
    for broken in rows(data, "PRAGMA foreign_key_check"):
        yield f"a foreign key leads nowhere: {broken}"


def order_faults(data: Path, *, said: Sequence[str], session: str) -> Iterator[str]:
    """Yield where a session does not hold what its learner said, each once and in order."""
    found = rows(
        data,
        "SELECT t.number, m.text FROM conversations_message m JOIN conversations_turn t ON t.id = m.turn_id "
        "JOIN conversations_session s ON s.id = t.session_id "
        "WHERE s.key = ? AND m.author = 'learner' ORDER BY t.number",
        session,
    )
    if [text for _, text in found] != list(said):
        yield f"said {list(said)}, stored {[text for _, text in found]}"
    if [number for number, _ in found] != list(range(1, len(found) + 1)):
        yield f"turns are numbered {[number for number, _ in found]}"


def _counted_once(data: Path, *, attempts: int) -> Iterator[str]:
    evidence = rows(data, _EVIDENCE)[0][0]
    for table, expected in (("tutoring_attempt", attempts), ("tutoring_masterychange", evidence)):
        if (number := count(data, table)) != expected:
            yield f"{number} rows in {table}, not {expected}"
    answers = rows(data, "SELECT COALESCE(SUM(answers), 0) FROM tutoring_mastery")[0][0]
    if answers != evidence:
        yield f"mastery counts {answers} answers, not {evidence}"
    for table, named in (("tutoring_question", "turn_id, number"), ("conversations_finding", "turn_id, kind, name")):
        for twice in rows(data, f"SELECT {named} FROM {table} GROUP BY {named} HAVING COUNT(*) > 1"):
            yield f"twice in {table}: {twice}"


def _turn(data: Path, pk: str, number: int, kind: str, status: str, attempt: int) -> Iterator[str]:
    if status not in SETTLED:
        yield f"is {status}"
        return
    events = [
        body if isinstance(body, dict) else json.loads(body)
        for (body,) in rows(data, "SELECT body FROM conversations_event WHERE turn_id = ? ORDER BY seq", pk)
    ]
    types = [event["type"] for event in events]
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        yield f"events are numbered {[event['seq'] for event in events]}"
    if types.count("turn_started") != 1 or types[0] != "turn_started":
        yield "does not start with its one turn_started"
    if types.count("turn_finished") != 1 or types[-1] != "turn_finished":
        yield "does not end with its one turn_finished"
        return
    yield from _reply(data, pk, status=status, events=events)
    runs = rows(data, "SELECT COUNT(*) FROM agents_run WHERE turn_id = ?", pk)[0][0]
    if runs != 1 and (runs or status in {"done", "degraded"}):
        yield f"{runs} runs recorded"


def _reply(data: Path, pk: str, *, status: str, events: list[dict[str, Any]]) -> Iterator[str]:
    last = max((event["seq"] for event in events if event["type"] == "turn_resumed"), default=0)
    spoken = "".join(event["text"] for event in events if event["type"] == "reply_text" and event["seq"] > last)
    stored = rows(data, "SELECT text FROM conversations_message WHERE turn_id = ? AND author = 'team'", pk)
    if [(spoken,)] != stored or events[-1]["reply"] != spoken:
        yield f"pieces {spoken!r}, turn_finished {events[-1]['reply']!r}, replies {stored}"
    if events[-1]["status"] != status:
        yield f"turn_finished says {events[-1]['status']}, the turn {status}"
