"""A copy of all that is kept of a person: a ZIP with each kind of row as JSON and as CSV."""

import io
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.privacy import PersonalTable, apps_to_read, files_of, personal_tables
from agents.wire.csv_export import csv_lines
from learnagent.accounts.models import Person

CHUNK_BYTES = 64 * 1024
BYTE_ORDER_MARK = "\ufeff"
"""Without it, some spreadsheet programs do not recognize UTF-8."""


class _ArchiveBuffer(io.RawIOBase):
    """Takes what a ZipFile writes, to be handed on; it cannot go back, and need not."""

    def __init__(self) -> None:
        self.held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.held += data
        return len(data)

    def taken(self) -> bytes:
        taken = bytes(self.held)
        self.held.clear()
        return taken


def archive_chunks(person: Person) -> Iterator[bytes]:
    """Yield the bytes of the ZIP as they come to be: what is kept is never in memory all at once."""
    sink = _ArchiveBuffer()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for name, pieces in chain(_files(person), files_of(person)):
            with archive.open(name, "w") as file:
                for piece in pieces:
                    file.write(piece)
                    if len(sink.held) >= CHUNK_BYTES:
                        yield sink.taken()
    yield sink.taken()


def count_rows(person: Person) -> dict[str, int]:
    """Return how many rows of each kind are kept of the person, by the part's name."""
    return {part.name: part.of(person).count() for part in personal_tables()}


def write_copy(person: Person, path: Path) -> int:
    """Write the copy to a file that only its owner can read, whole or not at all; return its bytes."""
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".copy-")
    try:
        with os.fdopen(handle, "wb") as file:
            size = sum(file.write(piece) for piece in archive_chunks(person))
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
    return size


async def stream_chunks(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the pieces to a server that serves others meanwhile, each made in the request's own thread."""
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece


def _files(person: Person) -> Iterator[tuple[str, Iterable[bytes]]]:
    everything = personal_tables()
    yield "README.txt", [_about(person, everything).encode()]
    for part in everything:
        yield f"{part.name}.json", map(str.encode, _json(part, person))
        yield f"{part.name}.csv", map(str.encode, _csv(part, person))


def _about(person: Person, everything: Sequence[PersonalTable]) -> str:
    """Return what is in the copy, and what is not."""
    now = timezone.localtime()
    lines = [
        _("This is what learnagent at %(place)s stores about %(name)s as of %(day)s.")
        % {"place": settings.PUBLIC_URL, "name": person.username, "day": f"{now:%Y-%m-%d %H:%M %Z}"},
        _("Each kind of data is included twice, with the same rows: as JSON for programs and as CSV for spreadsheets."),
        _("The files you uploaded are in the “documents” folder. Each comes with the text that was read from it."),
        "",
        *(f"{part.name}: {part.title}. {part.why}" for part in everything),
        "",
        _("Not included:"),
        *(f"- {why}" for room in apps_to_read() for why in room.LEFT_OUT.values()),
    ]
    return "\r\n".join(str(line) for line in lines) + "\r\n"


def _json(part: PersonalTable, person: Person) -> Iterator[str]:
    before = "[\n"
    for rows in part.rows(person):
        yield before + ",\n".join(json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False) for row in rows)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _csv(part: PersonalTable, person: Person) -> Iterator[str]:
    yield BYTE_ORDER_MARK + csv_lines([part.fields])
    for rows in part.rows(person):
        yield csv_lines([_cell(row[name]) for name in part.fields] for row in rows)


def _cell(value: object) -> object:
    """Return the value as a table shows it: dates as ISO 8601, what has parts as JSON, numbers as they are."""
    match value:
        case None | str() | int() | float():
            return value
        case datetime():
            return value.isoformat()
        case Mapping() | list():
            return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
        case _:
            return str(value)
