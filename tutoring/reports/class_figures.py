"""The figures of a class in a period, for each pupil: a fixed number of queries, however many pupils and answers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from math import ceil
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce, Least, TruncDate

from tutoring.classes.misconception_evidence import visible_evidence
from tutoring.mastery.records.practice import LONGEST_S, UNKNOWN_S
from tutoring.mastery.records.reviews import recall_by_learner
from tutoring.models import Attempt, Classroom, Mastery, Membership, MisconceptionState, Question
from tutoring.reports.periods import ReportPeriod

SPENT = Sum(Least(Coalesce("time_taken_s", UNKNOWN_S), LONGEST_S))


@dataclass(frozen=True, slots=True, kw_only=True)
class PupilFigures:
    """What one pupil did in a period."""

    days: int = 0
    """Days with an answer."""
    seconds: float = 0.0
    answers: int = 0
    first_tries: int = 0
    first_right: int = 0
    """First tries that were right without help."""
    mastered: int = 0
    new_ideas: int = 0
    resolved_ideas: int = 0

    @property
    def minutes(self) -> int:
        return ceil(self.seconds / 60)

    @property
    def success(self) -> int | None:
        """The percentage of first tries that were right; None without any."""
        return round(100 * self.first_right / self.first_tries) if self.first_tries else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFigures:
    """What a class did in a period. Wrong ideas are counted only where the class shows answers."""

    pupils: Mapping[int, PupilFigures]
    """By person, all pupils of the class."""
    by_day: Mapping[date, PupilFigures] = field(default_factory=dict)
    """Time, answers and topics mastered of all pupils together."""

    @property
    def active(self) -> int:
        """Pupils with an answer."""
        return sum(each.answers > 0 for each in self.pupils.values())

    @property
    def total(self) -> PupilFigures:
        every = list(self.pupils.values())
        names = ("seconds", "answers", "first_tries", "first_right", "mastered", "new_ideas", "resolved_ideas")
        return PupilFigures(**{name: sum(getattr(each, name) for each in every) for name in names})


def places_of(classroom: Classroom) -> list[Membership]:
    """Return the places of the class's pupils with the people, by name; one query."""
    rows = classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person")
    places = sorted(rows, key=lambda place: (str(place.person).casefold(), place.pk))
    for place in places:
        place.classroom = classroom
    return places


def class_figures(places: Sequence[Membership], period: ReportPeriod, *, by_day: bool = False) -> ClassFigures:
    """Return the figures of these pupils, all of one class with its policy; four queries, two more with `by_day`."""
    people = [place.person_id for place in places]
    answers, mastered = _answers(people, period), _mastered(people, period)
    ideas = _ideas(places, period) if places and places[0].classroom.policy.shows_answers else {}
    pupils = {
        person: PupilFigures(**answers.get(person, {}), mastered=mastered[person], **ideas.get(person, {}))
        for person in people
    }
    return ClassFigures(pupils=pupils, by_day=_by_day(people, period) if by_day else {})


def fading_now(people: Collection[int]) -> Counter[int]:
    """Return by person how many topics are due for review now; one query."""
    return Counter(person for (person, _concept), kept in recall_by_learner(people).items() if kept.due)


def _in_period(people: Collection[int], period: ReportPeriod) -> Any:
    return Attempt.objects.filter(
        learner__in=people, created_at__gte=period.start, created_at__lt=period.end,
        question__concept__course__is_personal=False,
    )  # fmt: skip


def _answers(people: Collection[int], period: ReportPeriod) -> dict[int, dict[str, Any]]:
    first = Q(number=1, left_out=False) & ~Q(question__purpose=Question.Purpose.PLACEMENT)
    rows = _in_period(people, period).values("learner_id").order_by()
    counted = rows.annotate(
        days=Count(TruncDate("created_at"), distinct=True),
        seconds=SPENT,
        answers=Count("pk"),
        first_tries=Count("pk", filter=first),
        first_right=Count("pk", filter=first & Q(correct=True, assisted=False)),
    )
    return {row.pop("learner_id"): row for row in counted}


def _reached(people: Collection[int], period: ReportPeriod) -> Any:
    return Mastery.objects.filter(
        learner__in=people, mastered_at__gte=period.start, mastered_at__lt=period.end,
        concept__course__is_personal=False,
    )  # fmt: skip


def _mastered(people: Collection[int], period: ReportPeriod) -> Counter[int]:
    rows = _reached(people, period)
    return Counter(rows.values_list("learner_id", flat=True))


def _ideas(places: Sequence[Membership], period: ReportPeriod) -> dict[int, dict[str, int]]:
    """Return how many wrong ideas first showed in the period, and how many were resolved, as far as teachers see them."""
    by_person = {place.person_id: place for place in places}
    states = MisconceptionState.objects.filter(learner__in=by_person, updated_at__gte=period.start)
    found: dict[int, dict[str, int]] = defaultdict(lambda: {"new_ideas": 0, "resolved_ideas": 0})
    for state in states.exclude(status=MisconceptionState.Status.NONE):
        seen = visible_evidence(state, by_person[state.learner_id])
        if not seen:
            continue
        found[state.learner_id]["new_ideas"] += _is_in(min(each.when for each in seen), period)
        is_resolved = state.status == MisconceptionState.Status.RESOLVED
        found[state.learner_id]["resolved_ideas"] += is_resolved and _is_in(state.updated_at, period)
    return found


def _is_in(when: datetime, period: ReportPeriod) -> bool:
    return period.start <= when < period.end


def _by_day(people: Collection[int], period: ReportPeriod) -> dict[date, PupilFigures]:
    rows = _in_period(people, period).annotate(day=TruncDate("created_at")).values("day").order_by("day")
    spent = {row["day"]: row for row in rows.annotate(seconds=SPENT, answers=Count("pk"))}
    mastered = Counter(_reached(people, period).annotate(day=TruncDate("mastered_at")).values_list("day", flat=True))
    return {
        day: PupilFigures(
            seconds=spent[day]["seconds"] if day in spent else 0.0,
            answers=spent[day]["answers"] if day in spent else 0,
            mastered=mastered[day],
        )
        for day in sorted(spent.keys() | mastered.keys())
    }
