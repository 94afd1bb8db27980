"""Study sessions for the free slots before a test: spread evenly, reviews when they are due, the last day for review.

1. Each day that is not off offers places: sessions one after the other in its slots, with a break between them, at
   most so many a day.
2. The last day before a test gets one session that repeats what is tested, and due reviews, but nothing new. If it is
   the only day, the session that repeats is its last, and what is new comes before it.
3. A review that is due takes the first place on or after its day.
4. The sessions of the path take the other places in their order, as many on each day as on the others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

from django.utils.translation import gettext as _

from tutoring.planner.times.free_time import FreeSlot

BREAK_MINUTES: Final = 10
"""Between two sessions in one slot."""
ROUND_TO_MINUTES: Final = 5
"""A session begins at a round time."""
MOST_SESSIONS: Final = 500

type Purpose = Literal["learn", "review", "test_review"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DueReview:
    """A review by the spaced-repetition schedule."""

    concept: str
    """The concept's id."""
    due_at: datetime
    """Aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathConcept:
    """A concept of the learning path."""

    concept: str
    """The concept's id."""
    sessions: int
    """How many sessions it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """A test, or any time by which the plan has to be done."""

    at: datetime
    """Aware. Of a test on a day without a time: the midnight at which the day begins."""
    concept: str | None = None
    """What is tested, if it is one concept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """What a plan is made from."""

    slots: Sequence[FreeSlot]
    """Within the person's hours, in the person's zone, without overlaps, each on one day."""
    session_minutes: int
    path: Sequence[PathConcept] = ()
    """What is to be learned, in order."""
    reviews: Sequence[DueReview] = ()
    """A review of a concept of the path is left out: the concept is learned anyway."""
    deadline: Deadline | None = None
    most_a_day: int = 2
    days_off: frozenset[date] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSession:
    """A session of a plan, in the zone of its slot."""

    start: datetime
    end: datetime
    concept: str | None
    """`None` for a review of everything before a test without a concept."""
    purpose: Purpose
    why: str
    """The reason in words, translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """The sessions, and what finds no place."""

    sessions: tuple[PlannedSession, ...]
    """Sorted by start."""
    unplanned: tuple[tuple[str | None, int], ...]
    """Concepts that do not fit, with how many of their sessions; `None` for the review before a test."""


@dataclass(slots=True)
class _Day:
    """The places of a day, and what they are used for."""

    day: date
    places: list[FreeSlot]
    reviews: list[str] = field(default_factory=list)
    learned: list[str] = field(default_factory=list)
    repeats_test: bool = False
    is_for_review: bool = False

    @property
    def room(self) -> int:
        return len(self.places) - len(self.reviews) - len(self.learned) - self.repeats_test


def plan_study(request: StudyRequest) -> StudyPlan:
    """Return sessions inside the slots and before the deadline. The same request gives the same plan.

    Raises ValueError if the session's length or the number a day is not positive.
    """
    if request.session_minutes <= 0 or request.most_a_day <= 0:
        raise ValueError("the length of a session and the number a day have to be positive")
    days = _days(request)
    unplanned: Counter[str | None] = Counter()
    if request.deadline:
        if days:
            days[-1].repeats_test, days[-1].is_for_review = True, len(days) > 1
        else:
            unplanned[request.deadline.concept] += 1
    _place_reviews(request, days, unplanned)
    _place_path(request, days, unplanned)
    sessions = [session for day in days for session in _sessions(day, request.deadline)]
    return StudyPlan(sessions=tuple(sessions), unplanned=tuple(unplanned.items()))


def _days(request: StudyRequest) -> list[_Day]:
    """Return the days that have places before the deadline, in order, without the day of the test if there is another."""
    places: dict[date, list[FreeSlot]] = defaultdict(list)
    deadline = request.deadline.at if request.deadline else None
    for slot in sorted(request.slots, key=lambda each: each.start.astimezone(UTC)):
        if slot.start.date() not in request.days_off:
            places[slot.start.date()] += _places(slot, request.session_minutes, deadline)
    days = [_Day(day, found[: request.most_a_day]) for day, found in sorted(places.items()) if found]
    if deadline and len(days) > 1:
        test_day = deadline.astimezone(request.slots[0].start.tzinfo).date()
        days = [each for each in days if each.day != test_day]
    return days


def _places(slot: FreeSlot, minutes: int, deadline: datetime | None) -> list[FreeSlot]:
    """Return sessions that fit into a slot, one after the other, from a round time on."""
    zone = slot.start.tzinfo
    start, end = slot.start.astimezone(UTC), slot.end.astimezone(UTC)
    end = min(end, deadline.astimezone(UTC)) if deadline else end
    late = timedelta(minutes=start.minute % ROUND_TO_MINUTES, seconds=start.second, microseconds=start.microsecond)
    if late:
        start += timedelta(minutes=ROUND_TO_MINUTES) - late
    length = timedelta(minutes=minutes)
    found = []
    while start + length <= end:
        found.append(FreeSlot(start=start.astimezone(zone), end=(start + length).astimezone(zone)))
        start += length + timedelta(minutes=BREAK_MINUTES)
    return found


def _place_reviews(request: StudyRequest, days: list[_Day], unplanned: Counter[str | None]) -> None:
    learned = {each.concept for each in request.path}
    # One of several reviews of a concept is enough, the earliest.
    earliest: dict[str, datetime] = {}
    for review in sorted(request.reviews, key=lambda each: (each.due_at, each.concept)):
        if review.concept not in learned:
            earliest.setdefault(review.concept, review.due_at)
    for concept, due_at in earliest.items():
        due_on = due_at.astimezone(request.slots[0].start.tzinfo).date() if request.slots else due_at.date()
        if days and due_on > days[-1].day:
            continue
        day = next((each for each in days if each.day >= due_on and each.room > 0), None)
        if day:
            day.reviews.append(concept)
        else:
            unplanned[concept] += 1


def _place_path(request: StudyRequest, days: list[_Day], unplanned: Counter[str | None]) -> None:
    wanted = [each.concept for each in request.path for _number in range(min(max(0, each.sessions), MOST_SESSIONS))]
    open_days = [each for each in days if not each.is_for_review]
    counts = spread(min(len(wanted), MOST_SESSIONS), [each.room for each in open_days])
    concepts = iter(wanted)
    for day, count in zip(open_days, counts, strict=True):
        day.learned += [next(concepts) for _number in range(count)]
    unplanned.update(concepts)


def spread(number: int, rooms: Sequence[int]) -> list[int]:
    """Return how many of `number` things each place gets, as evenly as their rooms allow; less if there is no room.

    >>> spread(3, [2, 2, 2, 2, 2])
    [1, 0, 1, 0, 1]
    """
    counts = [0] * len(rooms)
    left = min(number, sum(max(0, room) for room in rooms))
    while left:
        open_places = [index for index, room in enumerate(rooms) if counts[index] < room]
        if left >= len(open_places):
            chosen: Iterable[int] = open_places
        else:
            # The middles of as many equal parts.
            chosen = [open_places[(2 * part + 1) * len(open_places) // (2 * left)] for part in range(left)]
        for index in chosen:
            counts[index] += 1
            left -= 1
    return counts


def _sessions(day: _Day, deadline: Deadline | None) -> Iterable[PlannedSession]:
    """Yield the sessions of a day: reviews first, then what is new, then what repeats for the test."""
    what: list[tuple[str | None, Purpose, str]] = []
    what += [(concept, "review", _("Its review is due.")) for concept in day.reviews]
    what += [(concept, "learn", _("It is next on the learning path.")) for concept in day.learned]
    if day.repeats_test and deadline:
        what.append((deadline.concept, "test_review", _("The last day before the test is for review.")))
    for place, (concept, purpose, why) in zip(day.places, what, strict=False):
        yield PlannedSession(start=place.start, end=place.end, concept=concept, purpose=purpose, why=why)
