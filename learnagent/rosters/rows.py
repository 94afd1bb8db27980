"""The people in a roster as values, each checked by itself."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from agents.wire.csv_export import escape_formula
from learnagent.accounts.models import AgeBand, Person
from learnagent.rosters.columns import Column, Columns
from learnagent.rosters.tables import Table
from tutoring.models.classes import NAME_MAX_LENGTH, SOURCE_ID_MAX_LENGTH
from tutoring.models.rosters import ROSTER_NAME_MAX_LENGTH

MAX_GROUPS_OF_A_ROW = 10
ADULT_FROM, TEEN_FROM = 18, 13
OLDEST = 120
_BETWEEN_GROUPS = re.compile(r"[;|]")
"""No comma, which group names may contain."""
_LETTER = re.compile(r"[^\W\d_]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRow:
    """One person in a roster."""

    number: int
    """The line in the file, counted from 1 without blank lines."""
    name: str
    username: str = ""
    """As the file has it; empty if it names none."""
    email: str = ""
    groups: tuple[str, ...] = ()
    age_band: str = ""
    """Empty if the file does not say."""
    source_id: str = ""
    """The `sourcedId` in OneRoster files."""
    is_deleted: bool = False
    """Whether OneRoster files say `tobedeleted`."""
    problem: str = ""
    """Why this row cannot be imported, in words; empty if it can."""


def rows_of(table: Table, columns: Columns, *, has_header: bool) -> list[RosterRow]:
    """Return the people in the table."""
    return list(_rows(table, columns, has_header=has_header))


def _rows(table: Table, columns: Columns, *, has_header: bool) -> Iterator[RosterRow]:
    for number, cells in enumerate(table, start=1):
        if number == 1 and has_header:
            continue
        values = {column: cells[place] for place, column in columns.items() if place < len(cells)}
        groups = [part.strip() for part in _BETWEEN_GROUPS.split(values.get(Column.GROUP, ""))]
        yield checked(
            RosterRow(
                number=number,
                name=_full_name(values),
                username=Person.normalize_username(values.get(Column.USERNAME, "")),
                email=values.get(Column.EMAIL, "").lower(),
                groups=tuple(dict.fromkeys(part for part in groups if part)),
            ),
            age=values.get(Column.AGE, ""),
        )


def _full_name(values: Mapping[Column, str]) -> str:
    """Return the full name. Beside first names, a column "name" has last names, as in German; and the other way round."""
    name, first, last = (values.get(column, "") for column in (Column.NAME, Column.FIRST, Column.LAST))
    if name and first and last:
        return name
    return " ".join(filter(None, (first, name, last)))


def checked(row: RosterRow, *, age: str = "") -> RosterRow:
    """Return the row with its age band, and with a problem if it cannot be imported."""
    band = _age_band(age)
    problem = row.problem or _name_problem(row.name) or _account_problem(row) or _group_problem(row.groups)
    if band is None:
        problem = problem or _("“%(age)s” is not an age. Use a number, or child, teen or adult.") % {"age": age}
    return replace(row, age_band=band or "", problem=problem)


def _name_problem(name: str) -> str:
    if not name:
        return _("There is no name in this row.")
    if escape_formula(name) != name:
        return _("A name can’t start with = + - or @.")
    if not _LETTER.search(name) or _CONTROL.search(name):
        return _("This is not a name.")
    if len(name) > ROSTER_NAME_MAX_LENGTH:
        return _("A name can be up to %(limit)d characters long.") % {"limit": ROSTER_NAME_MAX_LENGTH}
    return ""


def _account_problem(row: RosterRow) -> str:
    if row.username:
        try:
            Person._meta.get_field("username").run_validators(row.username)
        except ValidationError as error:
            return " ".join(error.messages)
        if escape_formula(row.username) != row.username:
            return _("A username in a roster can’t start with + - or @.")
    try:
        if row.email:
            validate_email(row.email)
    except ValidationError:
        return _("The email address is not valid.")
    if len(row.email) > 254 or len(row.source_id) > SOURCE_ID_MAX_LENGTH:
        return _("This row has an entry that is too long.")
    return ""


def _group_problem(groups: tuple[str, ...]) -> str:
    if len(groups) > MAX_GROUPS_OF_A_ROW:
        return _("A pupil in a roster can be in up to %(limit)d groups.") % {"limit": MAX_GROUPS_OF_A_ROW}
    if any(
        len(group) > NAME_MAX_LENGTH or escape_formula(group) != group or _CONTROL.search(group) for group in groups
    ):
        return _("A group’s name can’t start with = + - or @, and can be up to %(limit)d characters long.") % {
            "limit": NAME_MAX_LENGTH
        }
    return ""


def _age_band(age: str) -> str | None:
    """Return the band that an age in years or a band's name means; empty for nothing, None for anything else."""
    words = age.casefold()
    if not words or words in AgeBand.values:
        return words
    if not re.fullmatch(r"[0-9]{1,3}", words) or int(words) > OLDEST:
        return None
    years = int(words)
    return AgeBand.ADULT if years >= ADULT_FROM else AgeBand.TEEN if years >= TEEN_FROM else AgeBand.CHILD
