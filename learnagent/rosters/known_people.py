"""Who is known of the people in a roster: the members of its class, and accounts that its teacher may add."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import batched

from learnagent.accounts.models import Person
from learnagent.rosters.rows import RosterRow
from tutoring.models import Classroom, Membership, RosterAccount

AT_ONCE = 500
"""Values in one query."""


@dataclass(slots=True)
class KnownPerson:
    """Somebody with an account whom a row may mean."""

    pk: int
    display_name: str
    username: str
    email: str = ""
    roster_name: str = ""
    source_id: str = ""
    managed_by: int | None = None
    """The class whose teachers created the account; None for somebody who created their own."""
    place: int | None = None
    """Their place in the roster's class; None without one."""
    is_learner: bool = True
    groups: frozenset[str] = frozenset()
    """Casefolded names of their groups."""


@dataclass(slots=True)
class KnownPeople:
    """The people whom a roster's rows may mean, by what rows call them."""

    classroom: int | None
    """The roster's class; None if it does not exist yet."""
    own_classes: frozenset[int]
    """Classes of the teacher who imports: accounts created there may be added without asking."""
    by_username: dict[str, KnownPerson] = field(default_factory=dict)
    by_source: dict[str, KnownPerson] = field(default_factory=dict)
    by_name: dict[str, list[KnownPerson]] = field(default_factory=dict)

    def find(self, row: RosterRow) -> KnownPerson | None:
        """Return whom the row means; None for somebody new."""
        if row.source_id and row.source_id in self.by_source:
            return self.by_source[row.source_id]
        if row.username:
            return self.by_username.get(row.username)
        namesakes = self.by_name.get(row.name.casefold(), [])
        return next((person for person in namesakes if self._may_be(person, row)), None)

    def add(self, person: KnownPerson) -> None:
        """Let rows mean this person, unless they are known already."""
        if person.username in self.by_username:
            return
        self.by_username[person.username] = person
        if person.managed_by in self.own_classes and person.source_id:
            self.by_source[person.source_id] = person
        if person.managed_by in self.own_classes or person.place is not None:
            name = person.roster_name or person.display_name
            self.by_name.setdefault(name.casefold(), []).append(person)

    def _may_be(self, person: KnownPerson, row: RosterRow) -> bool:
        """Tell whether a namesake may be whom the row means: nothing in the row speaks against it."""
        if person.source_id and row.source_id and person.source_id != row.source_id:
            return False
        if person.place is None and person.managed_by != self.classroom:
            return bool(row.email) and person.email == row.email
        return not (row.email and person.email and person.email != row.email)


def know_people(classroom: Classroom | None, rows: Sequence[RosterRow], *, own: Collection[int]) -> KnownPeople:
    """Return the people whom the rows may mean. A few queries per 500 rows."""
    known = KnownPeople(classroom.pk if classroom else None, frozenset(own))
    accounts = RosterAccount.objects.filter(classroom_id__in=known.own_classes).select_related("person").order_by("pk")
    if classroom is not None:
        for member in _members(classroom):
            known.add(member)
        for account in accounts.filter(classroom=classroom):  # Whom a teacher removed.
            known.add(_person(account.person))
    for name, values in (
        ("source_id", {row.source_id for row in rows}),
        ("person__email", {row.email for row in rows}),
    ):
        for part in batched(values - {""}, AT_ONCE, strict=False):
            for account in accounts.filter(**{f"{name}__in": part}):
                known.add(_person(account.person))
    for person in _people_named({row.username for row in rows} - {""}):
        known.add(_person(person))
    return known


def _people_named(usernames: Iterable[str]) -> Iterator[Person]:
    people = Person.objects.select_related("roster_account")
    for part in batched(usernames, AT_ONCE, strict=False):
        yield from people.filter(username__in=part)


def _members(classroom: Classroom) -> Iterator[KnownPerson]:
    places = classroom.memberships.select_related("person__roster_account").prefetch_related("groups").order_by("pk")
    for place in places.iterator(chunk_size=AT_ONCE):
        member = _person(place.person)
        member.place = place.pk
        member.is_learner = place.role == Membership.Role.LEARNER
        member.groups = frozenset(group.name.casefold() for group in place.groups.all())
        yield member


def _person(person: Person) -> KnownPerson:
    account: RosterAccount | None = getattr(person, "roster_account", None)
    return KnownPerson(
        pk=person.pk,
        display_name=person.display_name,
        username=person.username,
        email=person.email,
        roster_name=account.name if account else "",
        source_id=account.source_id if account else "",
        managed_by=account.classroom_id if account else None,
        is_learner=person.role == "learner" and person.is_active,
    )
