"""v1 files of a few rows, and ways to import and look at them."""

from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from agents.models import Flag
from agents.rollout.flags import forget_flags, get_or_make_flag
from agents.rollout.known_flags import STORAGE
from conversations.models import Message, Turn, V1Import
from conversations.v1_storage.importer import import_file
from conversations.v1_storage.owners import SessionOwners
from conversations.v1_storage.v1_file import V1File
from conversations.v1_storage.verifier import Verification, verify_file
from drills.v1_file_maker import write_v1_file

AT = "2025-03-01 10:00:00"


def row(number: int, said: Any = "Is a half more?", reply: Any = "Yes.", *, session: Any = "s", **other: Any) -> tuple:
    return (number, session, other.get("at", AT), said, reply, other.get("metadata"))


def v1_file(folder: Path, *rows: tuple, name: str = "v1.sqlite3", **options: Any) -> Path:
    path = folder / name
    path.unlink(missing_ok=True)
    write_v1_file(path, rows, **options)
    return path


def imported(path: Path, owner: Any = None, **by_session: Any) -> V1Import:
    """Import the file for one owner, or by session for several."""
    with V1File(path) as file:
        owners = {session: person.pk for session, person in by_session.items()}
        return import_file(file, file.summarize(), SessionOwners(everybody=owner, by_session=owners))


def read_from(mode: str) -> None:
    """Set the storage mode as if its guard had let it."""
    flag = get_or_make_flag(STORAGE)
    Flag.objects.filter(pk=flag.pk).update(mode=mode)
    forget_flags()


def verified(path: Path) -> Verification:
    with V1File(path) as file:
        return verify_file(file, file.summarize())


def texts_of(owner: Any, key: str = "s") -> list[tuple[str, str]]:
    """Return what v2's storage has of a conversation."""
    turns = Turn.objects.filter(session__owner=owner, session__key=key).order_by("number")
    stored = {(each.turn_id, each.author): each.text for each in Message.objects.filter(turn__in=turns)}
    return [(stored.get((turn.pk, "learner"), ""), stored.get((turn.pk, "team"), "")) for turn in turns]


@contextmanager
def refusing(table: str):
    """Make the database refuse new rows of a table, as a full or damaged one does."""
    name = f"refuse_{table}"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"CREATE TRIGGER {name} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'refused'); END")
        else:
            cursor.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'refused'; END $$"
            )
            cursor.execute(f"CREATE TRIGGER {name} BEFORE INSERT ON {table} EXECUTE FUNCTION {name}()")
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}" + ("" if connection.vendor == "sqlite" else f" ON {table}"))
        if connection.vendor != "sqlite":
            cursor.execute(f"DROP FUNCTION {name}")
