"""The misconceptions of a class: which, how many, who, with what evidence, and how that went over the weeks."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from tutoring.classes.answer_links import FoundAnswers, answers_url, find_answers
from tutoring.classes.class_misconceptions import RecentMisconception, filter_recent
from tutoring.classes.mastery_board import learners_of
from tutoring.classes.misconception_evidence import VisibleEvidence
from tutoring.models import ClassGroup, Classroom, Course, Membership, MisconceptionState
from tutoring.models.classes import NAME_MAX_LENGTH
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.progress_plot import bar_plot

WEEKS_SHOWN = 8
WEEK = timedelta(days=7)
QUOTES_SHOWN = 3
"""Of each learner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A learner who has shown a misconception."""

    place: Membership
    is_active: bool
    is_resolved: bool
    signs: tuple[VisibleEvidence, ...]
    """The latest first; at least one."""
    last_at: datetime

    @property
    def name(self) -> str:
        return str(self.place.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldIdea:
    """A misconception with all who have shown it in the weeks looked at."""

    id: str
    says: str
    concepts: tuple[str, ...]
    """Titles of the concepts that it belongs to."""
    holders: tuple[Holder, ...]
    """Those who still have it first, then by name."""
    weeks: tuple[tuple[date, int], ...] = field(default=())
    """Monday of each week, and how many learners showed it then."""

    @property
    def active(self) -> list[Holder]:
        """Those who have not resolved it."""
        return [each for each in self.holders if not each.is_resolved]

    @property
    def resolved(self) -> list[Holder]:
        return [each for each in self.holders if each.is_resolved]

    @property
    def plot(self) -> Context:
        return bar_plot([count for _monday, count in self.weeks])


def held_ideas(classroom: Classroom, course: Course, *, now: datetime | None = None) -> list[HeldIdea]:
    """Return the misconceptions seen in the last weeks, those of most learners first; two queries.

    None where the class does not show answers.
    """
    now = now or timezone.now()
    if not classroom.policy.shows_answers:
        return []
    places = {place.person_id: place for place in learners_of(classroom)}
    mondays = _mondays(now)
    since = timezone.make_aware(datetime.combine(mondays[0], datetime.min.time()))
    rows = MisconceptionState.objects.filter(learner_id__in=places, course=course, updated_at__gte=since)
    rows = rows.exclude(status=MisconceptionState.Status.NONE).order_by("pk")
    found: dict[str, list[RecentMisconception]] = defaultdict(list)
    for each in filter_recent(rows, places, since=since):
        found[each.state.misconception].append(each)
    known, titles = course.catalogue().misconceptions, {each.id: each.title for each in course.catalogue().concepts}
    ideas = [
        HeldIdea(
            id=one,
            says=known[one].says,
            concepts=tuple(titles[each] for each in known[one].concepts if each in titles),
            holders=_holders(shown),
            weeks=_weeks(shown, mondays),
        )
        for one, shown in found.items()
        if one in known
    ]
    return sorted(ideas, key=lambda each: (-len(each.active), -len(each.holders), each.says))


def held_idea(classroom: Classroom, course: Course, misconception: str) -> HeldIdea | None:
    """Return one of them, without holders if nobody has shown it; None if the course does not have it."""
    known = course.catalogue().misconceptions.get(misconception)
    if known is None:
        return None
    seen = next((each for each in held_ideas(classroom, course) if each.id == misconception), None)
    weeks = tuple((monday, 0) for monday in _mondays(timezone.now()))
    return seen or HeldIdea(id=known.id, says=known.says, concepts=(), holders=(), weeks=weeks)


def holder_rows(idea: HeldIdea) -> list[Context]:
    """Return who has shown it, each with what they said or answered, and where that is; one query."""
    keys = {
        (each.place.person_id, sign.when)
        for each in idea.holders
        for sign in each.signs[:QUOTES_SHOWN]
        if not sign.is_said
    }
    answers = find_answers(keys)
    return [
        {"holder": each, "signs": [_sign(each, sign, answers) for sign in each.signs[:QUOTES_SHOWN]]}
        for each in idea.holders
    ]


def make_group(classroom: Classroom, idea: HeldIdea) -> ClassGroup:
    """Return a group of those who have the misconception, named after it; an earlier one gets these people."""
    name = _("Works on: %(idea)s") % {"idea": idea.says}
    name = name if len(name) <= NAME_MAX_LENGTH else f"{name[: NAME_MAX_LENGTH - 1]}…"
    group, _is_new = ClassGroup.objects.get_or_create(classroom=classroom, name=name)
    group.members.set([each.place for each in idea.active or idea.holders])
    return group


def _sign(holder: Holder, sign: VisibleEvidence, answers: FoundAnswers) -> Context:
    answer = None if sign.is_said else answers.by_time.get((holder.place.person_id, sign.when))
    url = answers_url(holder.place, answer.course, answer.concept, attempt=answer.pk) if answer else ""
    return {"trace": sign, "question": answer.question if answer else "", "url": url}


def _holders(shown: Iterable[RecentMisconception]) -> tuple[Holder, ...]:
    holders = [
        Holder(
            place=each.place,
            is_active=each.is_active,
            is_resolved=each.state.status == MisconceptionState.Status.RESOLVED,
            signs=tuple(each.traces),
            last_at=each.traces[0].when,
        )
        for each in shown
    ]
    return tuple(sorted(holders, key=lambda each: (each.is_resolved, each.name.casefold(), each.place.pk)))


def _weeks(shown: Sequence[RecentMisconception], mondays: Sequence[date]) -> tuple[tuple[date, int], ...]:
    """Return how many learners showed it in each week."""
    people: dict[date, set[int]] = defaultdict(set)
    for each in shown:
        for trace in each.traces:
            day = timezone.localdate(trace.when)
            people[day - timedelta(days=day.weekday())].add(each.place.person_id)
    return tuple((monday, len(people[monday])) for monday in mondays)


def _mondays(now: datetime) -> list[date]:
    today = timezone.localdate(now)
    this = today - timedelta(days=today.weekday())
    return [this - number * WEEK for number in reversed(range(WEEKS_SHOWN))]
