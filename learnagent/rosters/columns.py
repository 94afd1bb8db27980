"""Which column of a roster holds what."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum

from learnagent.rosters.tables import Table


class Column(StrEnum):
    """What a column can hold."""

    NAME = "name"
    FIRST = "first"
    LAST = "last"
    USERNAME = "username"
    EMAIL = "email"
    GROUP = "group"
    AGE = "age"


SPELLINGS: Mapping[Column, str] = {
    Column.NAME: "name fullname pupil pupilname student studentname learner displayname schüler schülerin nom élève nombre",
    Column.FIRST: "firstname first given givenname forename vorname rufname prénom nombredepila",
    Column.LAST: "lastname last surname familyname family nachname familienname nomdefamille apellido apellidos",
    Column.USERNAME: "username user login loginname account benutzername benutzer identifiant usuario nombredeusuario",
    Column.EMAIL: "email mail emailaddress mailaddress emailadresse courriel correo",
    Column.GROUP: "group groups groupname team gruppe gruppen groupe grupo",
    Column.AGE: "age ageband agegroup alter âge edad",
}
"""Headers in several languages, without blanks and marks."""

type Columns = dict[int, Column]
"""Position of a column → what it holds."""


def _plain(header: str) -> str:
    letters = unicodedata.normalize("NFKD", header.casefold())
    return re.sub(r"[^a-z]", "", letters.replace("ß", "ss"))


_BY_SPELLING = {_plain(word): column for column, words in SPELLINGS.items() for word in words.split()}


def recognize_columns(header: Sequence[str]) -> Columns:
    """Return what the columns hold by their headers; of two alike, the first counts."""
    found: Columns = {}
    for place, text in enumerate(header):
        column = _BY_SPELLING.get(_plain(text))
        if column is not None and column not in found.values():
            found[place] = column
    return found


def has_names(columns: Columns) -> bool:
    """Tell whether the columns name people."""
    return not {Column.NAME, Column.FIRST, Column.LAST}.isdisjoint(columns.values())


def guess_columns(table: Table) -> tuple[Columns, bool]:
    """Return what the columns hold, and whether the first row is a header.

    Without a header, a single column holds names; of several columns, nothing is known.
    """
    found = recognize_columns(table[0])
    if found:
        return found, True
    is_list = all(len([cell for cell in row if cell]) == 1 and row[0] for row in table)
    return ({0: Column.NAME} if is_list else {}), False
