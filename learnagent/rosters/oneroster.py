"""OneRoster 1.1 files: a ZIP of CSV files with the classes of a school and who is in them."""

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from django.utils.translation import gettext as _

from learnagent.accounts.models import Person
from learnagent.rosters.rows import RosterRow, checked
from learnagent.rosters.tables import MAX_ROWS, UnreadableRoster, decode, read_table
from tutoring.models.classes import NAME_MAX_LENGTH, SOURCE_ID_MAX_LENGTH

MANIFEST, USERS, CLASSES, ENROLLMENTS = "manifest.csv", "users.csv", "classes.csv", "enrollments.csv"
COLUMNS: Final = {
    MANIFEST: ("propertyName", "value"),
    USERS: ("sourcedId", "givenName", "familyName", "username"),
    CLASSES: ("sourcedId", "title"),
    ENROLLMENTS: ("classSourcedId", "userSourcedId", "role"),
}
"""The files that are read, and the columns that each needs. Others, such as `orgs.csv`, are not needed here."""
MAX_FILES: Final = 50
MAX_UNPACKED: Final = 10_000_000
"""Bytes of one unpacked file."""
MAX_ENROLLMENTS: Final = 50_000
MAX_CLASSES: Final = 200

type Record = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolClass:
    """A class in OneRoster files."""

    source_id: str
    title: str
    rows: tuple[RosterRow, ...]
    teachers: int
    """How many teachers the files name; they are not imported."""


def is_zip(data: bytes) -> bool:
    """Tell whether these are the bytes of a ZIP file."""
    return data.startswith(b"PK\x03\x04")


def read_school(data: bytes) -> tuple[SchoolClass, ...]:
    """Return the classes in a ZIP of OneRoster files. Raises UnreadableRoster."""
    files = _unpack(data)
    _check_manifest(files)
    classes = _current_classes(files[CLASSES])
    members, teachers = _enrolled(files)
    return tuple(
        SchoolClass(
            source_id=record["sourcedId"][:SOURCE_ID_MAX_LENGTH],
            title=(record["title"] or record["sourcedId"])[:NAME_MAX_LENGTH],
            rows=tuple(sorted(members[record["sourcedId"]].values(), key=lambda row: row.number)),
            teachers=teachers[record["sourcedId"]],
        )
        for record in classes
    )


def _enrolled(files: Mapping[str, Sequence[Record]]) -> tuple[dict[str, dict[str, RosterRow]], dict[str, int]]:
    """Return by class the pupils, by their ids, and the number of teachers."""
    users = {record["sourcedId"]: (number, record) for number, record in enumerate(files[USERS], start=2)}
    members, teachers = defaultdict[str, dict[str, RosterRow]](dict), defaultdict[str, int](int)
    for number, record in enumerate(files[ENROLLMENTS], start=2):
        place, user = record["classSourcedId"], users.get(record["userSourcedId"])
        if record["role"] == "student":
            row = _row(user, record, number)
            # Of two enrollments of one pupil, the one that lasts counts.
            if row.source_id not in members[place] or members[place][row.source_id].is_deleted:
                members[place][row.source_id] = row
        elif record["role"] == "teacher" and not _is_deleted(record):
            teachers[place] += 1
    return members, teachers


def _current_classes(records: Sequence[Record]) -> list[Record]:
    """Return the classes that are not to be deleted, by title."""
    classes = [record for record in records if not _is_deleted(record)]
    if not classes:
        raise UnreadableRoster(_("There are no classes in this file."))
    if len(classes) > MAX_CLASSES:
        raise UnreadableRoster(_("The file has more than %(limit)d classes. Export fewer.") % {"limit": MAX_CLASSES})
    return sorted(classes, key=lambda record: record["title"].casefold())


def _row(user: tuple[int, Record] | None, enrollment: Record, line: int) -> RosterRow:
    source_id = enrollment["userSourcedId"]
    if user is None:
        problem = _("users.csv has no user %(id)s.") % {"id": source_id}
        # No user has this number: theirs are lines of users.csv.
        return RosterRow(number=MAX_ROWS + line, name=source_id, source_id=source_id, problem=problem)
    number, record = user
    disabled = record.get("enabledUser", "").casefold() == "false"
    return checked(
        RosterRow(
            number=number,
            name=f"{record['givenName']} {record['familyName']}".strip(),
            username=Person.normalize_username(record["username"]),
            email=record.get("email", "").lower(),
            source_id=source_id,
            is_deleted=_is_deleted(enrollment) or _is_deleted(record),
            problem=_("users.csv says that this user is disabled.") if disabled else "",
        )
    )


def _is_deleted(record: Record) -> bool:
    return record.get("status", "").casefold() == "tobedeleted"


def _check_manifest(files: Mapping[str, Sequence[Record]]) -> None:
    said = {record["propertyName"].casefold(): record["value"].casefold() for record in files[MANIFEST]}
    version = said.get("oneroster.version", "")
    if not version.startswith("1."):
        raise UnreadableRoster(
            _(
                "manifest.csv does not say that these are OneRoster 1.1 files. Export them again from your school’s system."
            )
        )
    for name in (USERS, CLASSES, ENROLLMENTS):
        if said.get(f"file.{name.removesuffix('.csv').casefold()}") == "absent":
            raise UnreadableRoster(_("manifest.csv says that %(file)s is absent. Export it too.") % {"file": name})


def _unpack(data: bytes) -> dict[str, list[Record]]:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_FILES:
                raise UnreadableRoster(_("The ZIP file has more than %(limit)d files.") % {"limit": MAX_FILES})
            by_name = {PurePosixPath(entry.filename).name: entry for entry in entries}
            _refuse_spreadsheets(by_name)
            return {name: _records(archive, by_name.get(name), name) for name in COLUMNS}
    except (BadZipFile, ZlibError, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise UnreadableRoster(_("The ZIP file is damaged or has a password. Export it again.")) from error


def _refuse_spreadsheets(names: Mapping[str, ZipInfo]) -> None:
    if "[Content_Types].xml" in names or "mimetype" in names:
        raise UnreadableRoster(
            _("This is a spreadsheet. Open it in your spreadsheet program, save it as CSV, and choose that file.")
        )


def _records(archive: ZipFile, entry: ZipInfo | None, name: str) -> list[Record]:
    if entry is None:
        raise UnreadableRoster(_("%(file)s is missing in the ZIP file.") % {"file": name})
    with archive.open(entry) as file:
        # What the ZIP says of a file's size may be untrue.
        data = file.read(MAX_UNPACKED + 1)
    if len(data) > MAX_UNPACKED:
        raise UnreadableRoster(_("%(file)s is too large: it can have up to 10 MB.") % {"file": name})
    if not data.strip():
        raise UnreadableRoster(_("%(file)s is empty.") % {"file": name})
    header, *rows = read_table(decode(data), most=MAX_ENROLLMENTS if name == ENROLLMENTS else MAX_ROWS)
    missing = [column for column in COLUMNS[name] if column not in header]
    if missing:
        raise UnreadableRoster(_("%(file)s has no column %(column)s.") % {"file": name, "column": ", ".join(missing)})
    return [dict(zip(header, [*row, *[""] * len(header)], strict=False)) for row in rows]
