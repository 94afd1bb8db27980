"""The pupils of a class as its teachers list them: who they are, their groups, whether they have signed in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Max, Q, QuerySet
from django.db.models.expressions import Value
from django.db.models.functions import Coalesce, Lower, NullIf

from conversations.models import Turn
from tutoring.models import Classroom, Membership

ON_A_PAGE = 100
MAX_SEARCH = 80
MAX_DIGITS = 19
"""From this many digits on, a key is too large for the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pupil:
    """A pupil in the list of a class."""

    pk: int
    name: str
    username: str
    groups: tuple[str, ...]
    joined_at: datetime
    active_at: datetime | None
    """When they last wrote something; None if they never did, or if the class does not show it."""
    has_card: bool
    """Whether teachers of this class can print sign-in cards for them."""
    has_signed_in: bool


def pupils_of(classroom: Classroom) -> QuerySet[Membership]:
    """Return the learners' places in the class with their people, by name."""
    name = Lower(Coalesce(NullIf("person__display_name", Value("")), "person__username"))
    places = classroom.memberships.filter(role=Membership.Role.LEARNER)
    return places.select_related("person__roster_account").order_by(name, "pk")


def chosen_pupils(classroom: Classroom, keys: Iterable[str]) -> QuerySet[Membership]:
    """Return the places of those of these people who are learners of the class."""
    return pupils_of(classroom).filter(person_id__in=parse_keys(keys))


def parse_keys(texts: Iterable[str]) -> set[int]:
    """Return the keys that a form sent; what is no number, or too long for one, is left out."""
    return {int(text) for text in texts if text.isdecimal() and len(text) < MAX_DIGITS}


def waiting_pupils(classroom: Classroom) -> QuerySet[Membership]:
    """Return the places of those whose account this class's teachers created and who have never signed in."""
    return pupils_of(classroom).filter(person__roster_account__classroom=classroom, person__last_login=None)


def pupil_page(classroom: Classroom, *, search: str = "", number: str = "1") -> tuple[Page[Membership], list[Pupil]]:
    """Return a page of the list and its pupils; the same number of queries however many there are."""
    places = pupils_of(classroom)
    if words := search.replace("\x00", "").strip()[:MAX_SEARCH]:
        places = places.filter(Q(person__display_name__icontains=words) | Q(person__username__icontains=words))
    page = Paginator(places.prefetch_related("groups"), ON_A_PAGE).get_page(number)
    rows = list(page.object_list)
    active = _last_turns(rows) if classroom.policy.shows_levels else {}
    return page, [_pupil(place, classroom, active.get(place.person_id)) for place in rows]


def is_managed(place: Membership) -> bool:
    """Tell whether the teachers of the place's class created this pupil's account, and may print cards for it."""
    account = getattr(place.person, "roster_account", None)
    return account is not None and account.classroom_id == place.classroom_id and place.person.role == "learner"


def _pupil(place: Membership, classroom: Classroom, active_at: datetime | None) -> Pupil:
    return Pupil(
        pk=place.person_id,
        name=str(place.person),
        username=place.person.username,
        groups=tuple(group.name for group in place.groups.all()),
        joined_at=place.joined_at,
        active_at=active_at,
        has_card=is_managed(place),
        has_signed_in=place.person.last_login is not None,
    )


def _last_turns(places: Sequence[Membership]) -> dict[int, datetime]:
    turns = Turn.objects.filter(owner_id__in=[place.person_id for place in places])
    return dict(turns.values_list("owner_id").annotate(at=Max("created_at")).order_by())
