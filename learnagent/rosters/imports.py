"""Carrying out the plan of an import: all of it or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext as _

from learnagent.accounts.models import AgeBand, Person
from learnagent.rosters.plans import Action, Plan, PlannedRow, plan_import
from learnagent.rosters.rows import RosterRow
from learnagent.rosters.tables import UnreadableRoster
from tutoring.classes.groups import TooManyGroups, add_members, make_groups
from tutoring.classes.membership import make_class
from tutoring.classes.teacher_access import classes_for
from tutoring.models import Classroom, Membership, RosterAccount

BATCH = 500
"""Rows stored by one statement."""


class ClassNotOpen(LookupError):
    """The class was deleted or archived in the meantime, or its teacher left it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRoster:
    """The rows for one class."""

    code: str
    """Empty for a class that the import creates."""
    title: str
    rows: tuple[RosterRow, ...]
    source_id: str = ""
    """The `sourcedId` of the class in OneRoster files."""


def own_class_ids(teacher: Person) -> frozenset[int]:
    """Return the classes that this person teaches; of an admin no others either, since ids of two schools may be alike."""
    taught = Membership.objects.filter(person=teacher, role=Membership.Role.TEACHER)
    return frozenset(taught.values_list("classroom_id", flat=True))


def preview(teacher: Person, rosters: Sequence[ClassRoster]) -> list[Plan]:
    """Return what importing these would do; nothing is stored. Raises ClassNotOpen."""
    own, coming, plans = own_class_ids(teacher), set[str](), list[Plan]()
    for roster in rosters:
        classroom = _open_class(teacher, roster.code) if roster.code else None
        plans.append(plan_import(classroom, roster.rows, own=own, coming=coming))
        coming |= {each.row.source_id for each in plans[-1].of(Action.NEW) if each.row.source_id}
    return plans


@transaction.atomic
def import_rosters(teacher: Person, rosters: Sequence[ClassRoster], *, age_band: str) -> list[tuple[Classroom, Plan]]:
    """Import the rows into their classes, and return what was done. Raises ClassNotOpen and UnreadableRoster.

    What happens is planned anew: the class may have changed since the preview.
    """
    done = []
    for roster in rosters:
        classroom = _open_class(teacher, roster.code, lock=True) if roster.code else make_class(teacher, roster.title)
        if roster.source_id and classroom.source_id != roster.source_id:
            classroom.source_id = roster.source_id
            classroom.save(update_fields=["source_id"])
        plan = plan_import(classroom, roster.rows, own=own_class_ids(teacher))
        _carry_out(plan, classroom, teacher, age_band)
        done.append((classroom, plan))
    return done


def _open_class(teacher: Person, code: str, *, lock: bool = False) -> Classroom:
    """Return the class, locked against another import at the same time. Raises ClassNotOpen."""
    if lock:
        Classroom.objects.select_for_update().filter(code=code).first()
    classroom = classes_for(teacher).filter(code=code, archived_at=None).first()
    if classroom is None:
        raise ClassNotOpen(code)
    return classroom


def _carry_out(plan: Plan, classroom: Classroom, teacher: Person, age_band: str) -> None:
    people = _create_people(plan.of(Action.NEW), classroom, teacher, age_band)
    people |= {each.row.number: each.person.pk for each in plan.rows if each.person is not None}
    joining = [people[each.row.number] for each in plan.of(Action.NEW, Action.ADD)]
    Membership.objects.bulk_create([Membership(classroom=classroom, person_id=pk) for pk in joining], batch_size=BATCH)
    _rename(plan.of(Action.UPDATE), classroom)
    leaving = [each.person.pk for each in plan.of(Action.REMOVE) if each.person is not None]
    classroom.memberships.filter(role=Membership.Role.LEARNER, person_id__in=leaving).delete()
    _fill_groups(plan.of(Action.NEW, Action.ADD, Action.UPDATE), classroom, people)


def _create_people(
    planned: Sequence[PlannedRow], classroom: Classroom, teacher: Person, age_band: str
) -> dict[int, int]:
    """Store the new accounts, without passwords; return row number → person."""
    made = Person.objects.bulk_create(
        [
            Person(
                username=each.username,
                display_name=each.row.name,
                email=each.row.email,
                age_band=each.row.age_band or age_band or AgeBand.CHILD,
                language=teacher.language,
                zone=teacher.zone,
                password=make_password(None),
            )
            for each in planned
        ],
        batch_size=BATCH,
    )
    pairs = list(zip(planned, made, strict=True))
    RosterAccount.objects.bulk_create(
        [
            RosterAccount(person=person, classroom=classroom, name=each.row.name, source_id=each.row.source_id)
            for each, person in pairs
        ],
        batch_size=BATCH,
    )
    return {each.row.number: person.pk for each, person in pairs}


def _rename(planned: Sequence[PlannedRow], classroom: Classroom) -> None:
    """Bring the names and ids of accounts up to date. A name that a pupil chose themselves stays."""
    rows = {each.person.pk: each.row for each in planned if each.person is not None}
    accounts = RosterAccount.objects.filter(classroom=classroom).select_related("person")
    changed, people = [], []
    for account in accounts.iterator(chunk_size=BATCH):
        row = rows.get(account.person_id)
        if row is None:
            continue
        if account.person.display_name == account.name:
            account.person.display_name = row.name
            people.append(account.person)
        account.name, account.source_id = row.name, row.source_id or account.source_id
        changed.append(account)
    RosterAccount.objects.bulk_update(changed, ["name", "source_id"], batch_size=BATCH)
    Person.objects.bulk_update(people, ["display_name"], batch_size=BATCH)


def _fill_groups(planned: Sequence[PlannedRow], classroom: Classroom, people: dict[int, int]) -> None:
    with_groups = [each for each in planned if each.row.groups]
    if not with_groups:
        return
    try:
        groups = make_groups(classroom, (group for each in with_groups for group in each.row.groups))
    except TooManyGroups as error:
        raise UnreadableRoster(_("A class can have up to 100 groups. Use fewer groups in the file.")) from error
    learners = classroom.memberships.filter(role=Membership.Role.LEARNER)
    places = dict(learners.values_list("person_id", "pk"))
    add_members(
        (groups[group.casefold()], places[people[each.row.number]]) for each in with_groups for group in each.row.groups
    )
