"""A v1 file of 5,000 rows: imported as the command does, and its rows stored by hand without any check."""

import resource
from collections.abc import Callable
from itertools import batched, count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from uuid import uuid4

from bench.contenders import temporary_django

ROWS = 5_000
MESSAGES = 100_000
_seeds = count(1)
"""A file that was imported before costs nothing."""


def sample_import() -> dict[str, float]:
    """Import a file that is new to the database, with everything that may be wrong in it."""
    temporary_django.prepare_django()
    from conversations.models import V1Import
    from conversations.v1_storage.importer import import_file
    from conversations.v1_storage.owners import SessionOwners
    from conversations.v1_storage.v1_file import V1File

    def brought_over(path: Path, owner: Any) -> float:
        with V1File(path) as file:
            run: V1Import = import_file(file, file.summarize(), SessionOwners(everybody=owner))
        return float(ROWS - run.imported - run.rejected)

    return _figures(brought_over)


def sample_rows() -> dict[str, float]:
    """Store the same texts as turns and messages by Django's own means, a hundred rows at a time."""
    temporary_django.prepare_django()
    from django.db import transaction

    from conversations.models import Message, Session, Turn
    from conversations.v1_storage.v1_file import V1File

    def stored(path: Path, owner: Any) -> float:
        session = Session.objects.create(owner=owner, key=uuid4().hex)
        with V1File(path) as file:
            numbered = enumerate(file.rows(upto=ROWS), 1)
            for rows in batched(numbered, 100, strict=False):
                turns = [
                    Turn(session=session, owner=owner, number=number, client_id=uuid4().hex, status="done")
                    for number, _ in rows
                ]
                with transaction.atomic():
                    Turn.objects.bulk_create(turns)
                    Message.objects.bulk_create(
                        Message(session=session, turn=turn, author=author, text=_text(row, column))
                        for turn, (_, row) in zip(turns, rows, strict=True)
                        for author, column in (("learner", "user_text"), ("team", "agent_text"))
                    )
        return 0.0

    return _figures(stored)


def _text(row: Any, column: str) -> str:
    return str(row.values[column].data.decode(errors="replace").replace("\x00", ""))


def _figures(store: Callable[[Path, Any], float]) -> dict[str, float]:
    from django.contrib.auth import get_user_model

    from drills.v1_file_maker import make_v1_file

    owner = get_user_model().objects.create(username=uuid4().hex)
    with TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder) / "v1.sqlite3"
        make_v1_file(path, rows=ROWS, owners=[owner.username], seed=next(_seeds))
        cpu, wall = process_time(), perf_counter()
        lost = store(path, owner)
        scale = MESSAGES / (2 * ROWS)
        return {
            "cpu_s_100k": (process_time() - cpu) * scale,
            "wall_s_100k": (perf_counter() - wall) * scale,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "lost": lost,
        }
