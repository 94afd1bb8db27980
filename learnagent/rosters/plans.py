"""What an import would do with each row of a roster, before anything is stored."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from django.utils.translation import gettext as _

from learnagent.rosters.known_people import KnownPerson, know_people
from learnagent.rosters.rows import RosterRow
from learnagent.rosters.usernames import make_usernames
from tutoring.models import Classroom


class Action(StrEnum):
    """What happens with a row."""

    NEW = "new"
    ADD = "add"
    UPDATE = "update"
    REMOVE = "remove"
    SAME = "same"
    INVITE = "invite"
    DUPLICATE = "duplicate"
    REFUSED = "refused"

    @property
    def label(self) -> str:
        """The action in words for a teacher."""
        match self:
            case Action.NEW:
                return _("new")
            case Action.ADD:
                return _("added to this class")
            case Action.UPDATE:
                return _("updated")
            case Action.REMOVE:
                return _("removed from this class")
            case Action.SAME:
                return _("no change")
            case Action.INVITE:
                return _("must join with the class code")
            case Action.DUPLICATE:
                return _("duplicate")
            case Action.REFUSED:
                return _("left out")
        assert_never(self)


LEFT_OUT = (Action.REFUSED, Action.DUPLICATE, Action.INVITE)
CHANGES = (Action.NEW, Action.ADD, Action.UPDATE, Action.REMOVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """A row, and what an import does with it."""

    row: RosterRow
    action: Action
    username: str = ""
    person: KnownPerson | None = None
    """Whom the row means; None for somebody new."""
    reason: str = ""
    """Why the row is left out, in words."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import does with the rows for one class."""

    rows: tuple[PlannedRow, ...]

    @property
    def counts(self) -> Counter[Action]:
        return Counter(each.action for each in self.rows)

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not any(each.action in CHANGES for each in self.rows)

    def of(self, *actions: Action) -> list[PlannedRow]:
        """Return the rows with which this happens."""
        return [each for each in self.rows if each.action in actions]


def plan_import(
    classroom: Classroom | None, rows: Sequence[RosterRow], *, own: Collection[int], coming: Collection[str] = ()
) -> Plan:
    """Return what an import into the class (None: into a new one) does with each row.

    `own` holds the other classes of the teacher who imports, `coming` the ids of people to whom the same import gives an
    account in another class first.
    """
    known = know_people(classroom, rows, own={*own, classroom.pk} if classroom else own)
    seen: dict[object, int] = {}
    planned = []
    for row in rows:
        person = None if row.problem else known.find(row)
        keys = [] if row.problem else _keys(row, person)
        twin = next((seen[key] for key in keys if key in seen), None)
        seen |= {key: row.number for key in keys if key not in seen}
        planned.append(_duplicate(row, twin) if twin else _decide(row, person, classroom, known.own_classes, coming))
    return Plan(tuple(_with_usernames(planned)))


def _keys(row: RosterRow, person: KnownPerson | None) -> list[object]:
    """Return what two rows that mean the same person have in common."""
    if person is not None:
        return [person.pk]
    ids: list[object] = [("id", row.source_id)] if row.source_id else []
    usernames: list[object] = [("username", row.username)] if row.username else []
    return ids + usernames or [(row.name.casefold(), row.email)]


def _duplicate(row: RosterRow, twin: int) -> PlannedRow:
    reason = _(
        "The same pupil is in line %(line)d. If they are two pupils, give each a username in a column of its own."
    )
    return PlannedRow(row=row, action=Action.DUPLICATE, reason=reason % {"line": twin})


def _decide(
    row: RosterRow,
    person: KnownPerson | None,
    classroom: Classroom | None,
    own: Collection[int],
    coming: Collection[str],
) -> PlannedRow:
    if row.problem:
        return PlannedRow(row=row, action=Action.REFUSED, reason=row.problem)
    if person is None:
        is_coming = bool(row.source_id) and row.source_id in coming
        action = Action.SAME if row.is_deleted else Action.ADD if is_coming else Action.NEW
        return PlannedRow(row=row, action=action)
    if row.source_id and person.source_id and row.source_id != person.source_id:
        return PlannedRow(row=row, action=Action.REFUSED, reason=_("Another pupil has this username."))
    if not person.is_learner:
        return PlannedRow(row=row, action=Action.REFUSED, reason=_("This username is not a pupil’s."))
    if person.place is not None:
        return PlannedRow(
            row=row, action=_member_action(row, person, classroom), username=person.username, person=person
        )
    if row.is_deleted:
        return PlannedRow(row=row, action=Action.SAME, username=person.username, person=person)
    if person.managed_by is not None and person.managed_by in own:
        return PlannedRow(row=row, action=Action.ADD, username=person.username, person=person)
    reason = _("Somebody has an account with this username. Only they can add it to a class: give them the class code.")
    return PlannedRow(row=row, action=Action.INVITE, username=person.username, reason=reason)


def _member_action(row: RosterRow, person: KnownPerson, classroom: Classroom | None) -> Action:
    is_ours = classroom is not None and person.managed_by == classroom.pk
    if row.is_deleted:
        return Action.REMOVE
    is_renamed = is_ours and person.roster_name != row.name
    is_linked = is_ours and bool(row.source_id) and person.source_id != row.source_id
    is_grouped = not {group.casefold() for group in row.groups} <= person.groups
    return Action.UPDATE if is_renamed or is_linked or is_grouped else Action.SAME


def _with_usernames(planned: Sequence[PlannedRow]) -> list[PlannedRow]:
    """Return the rows with a username for each new account."""
    new = [each for each in planned if each.action == Action.NEW]
    given = {each.row.username for each in new if each.row.username}
    unnamed = [each for each in new if not each.row.username]
    made = dict(zip(map(id, unnamed), make_usernames([each.row.name for each in unnamed], taken=given), strict=True))
    names = {id(each): each.row.username for each in new} | made
    return [replace(each, username=names[id(each)]) if id(each) in names else each for each in planned]
