"""Rosters that were uploaded and wait to be confirmed."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.core.cache import cache

from learnagent.accounts.models import Person
from learnagent.rosters.columns import Columns, guess_columns, has_names
from learnagent.rosters.imports import ClassRoster
from learnagent.rosters.oneroster import SchoolClass, is_zip, read_school
from learnagent.rosters.rows import rows_of
from learnagent.rosters.tables import Table, decode, read_table
from tutoring.models import Classroom

KEPT_S: Final = 30 * 60
"""Seconds that an upload waits."""
NEW_CLASS: Final = "new class"
"""Where a class of OneRoster files goes if it gets a class of its own; no code has a blank."""


@dataclass(slots=True, kw_only=True)
class Upload:
    """A roster and what was chosen for it. It holds a table or the classes of OneRoster files."""

    token: str
    age_band: str
    table: Table = field(default_factory=list)
    columns: Columns = field(default_factory=dict)
    has_header: bool = True
    school: tuple[SchoolClass, ...] = ()
    targets: dict[str, str] = field(default_factory=dict)
    """Id of a class in OneRoster files → code of the class it goes to, or NEW_CLASS; those left out are missing."""

    @property
    def needs_choices(self) -> bool:
        """Whether it is not known which column holds the names, or where the classes go."""
        return not (self.targets if self.school else has_names(self.columns))

    def rosters(self, code: str) -> list[ClassRoster]:
        """Return the rows for each class, where `code` is the class whose page the upload was made on."""
        if not self.school:
            rows = rows_of(self.table, self.columns, has_header=self.has_header)
            return [ClassRoster(code=code, title="", rows=tuple(rows))]
        return [
            ClassRoster(
                code="" if target == NEW_CLASS else target, title=each.title, rows=each.rows, source_id=each.source_id
            )
            for each in self.school
            if (target := self.targets.get(each.source_id))
        ]


def read_upload(data: bytes, *, age_band: str) -> Upload:
    """Return what was uploaded. Raises UnreadableRoster."""
    token = secrets.token_hex(16)
    if is_zip(data):
        return Upload(token=token, age_band=age_band, school=read_school(data))
    table = read_table(decode(data))
    columns, has_header = guess_columns(table)
    return Upload(token=token, age_band=age_band, table=table, columns=columns, has_header=has_header)


def guess_targets(school: Sequence[SchoolClass], classroom: Classroom, own: Sequence[Classroom]) -> dict[str, str]:
    """Return where each class of OneRoster files goes: where it went before, else a single one to this class."""
    by_source = {each.source_id: each.code for each in own if each.source_id}
    guessed = {each.source_id: by_source[each.source_id] for each in school if each.source_id in by_source}
    if len(school) == 1 and not guessed and not classroom.source_id:
        guessed[school[0].source_id] = classroom.code
    return guessed


def keep_upload(upload: Upload, person: Person, code: str) -> None:
    """Keep the upload for half an hour."""
    cache.set(_key(person, code, upload.token), upload, KEPT_S)


def kept_upload(token: str, person: Person, code: str) -> Upload | None:
    """Return this person's upload for this class; None if it was imported or is too old."""
    upload: Upload | None = cache.get(_key(person, code, token))
    return upload


def claim_upload(upload: Upload, person: Person, code: str) -> bool:
    """Take the upload out of the cache; whether nobody was faster, so that two presses import it once."""
    return cache.delete(_key(person, code, upload.token))


def _key(person: Person, code: str, token: str) -> str:
    return f"roster-{person.pk}-{code}-{''.join(each for each in token[:32] if each.isalnum())}"
