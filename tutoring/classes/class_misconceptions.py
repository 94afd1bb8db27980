"""The misconceptions of a class: which were shown lately, by whom, with what evidence."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from tutoring.classes.answer_links import AnswerKey
from tutoring.classes.help_rules import RECENT_PERIOD
from tutoring.classes.misconception_evidence import VisibleEvidence, visible_evidence
from tutoring.courses.catalogue import Misconception
from tutoring.models import Course, Membership, MisconceptionState
from tutoring.pages.cards.question_context import block_html

NAMES_SHOWN = 2
QUOTE_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentMisconception:
    """A misconception that a learner has shown lately in what a teacher may see."""

    place: Membership
    state: MisconceptionState
    traces: Sequence[VisibleEvidence]
    """The latest first; at least one."""

    @property
    def is_active(self) -> bool:
        return self.state.status == MisconceptionState.Status.ACTIVE

    @property
    def latest_answer(self) -> AnswerKey | None:
        """The latest answer that showed it; None if it was only said."""
        return next(((self.state.learner_id, trace.when) for trace in self.traces if not trace.is_said), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMisconception:
    """A misconception in a class: how many have shown it lately, who, an example answer, and how many have resolved it."""

    id: str
    says: str
    correct_idea: str
    count: int
    who: str
    people: tuple[tuple[int, str], ...]
    """Key and name of each of them."""
    case: tuple[SafeString, ...]
    """A case that shows what is true, in blocks."""
    quote: str
    """Something said in a conversation; empty without: an answer says little without its question."""
    resolved: int
    holders: tuple[tuple[int, str], ...]
    """Key and name of those who have not resolved it."""
    share: int
    """Percent of the learners."""


def recent_misconceptions(places: Sequence[Membership], course: Course, *, now: datetime) -> list[RecentMisconception]:
    """Return the misconceptions shown lately; the places come with class, policy and person. One query."""
    by_person = {place.person_id: place for place in places if place.classroom.policy.shows_answers}
    if not by_person:
        return []
    since = now - RECENT_PERIOD
    states = MisconceptionState.objects.filter(learner_id__in=by_person, course=course, updated_at__gte=since)
    states = states.exclude(status=MisconceptionState.Status.NONE).order_by("pk")
    fields = states.only("learner_id", "course_id", "misconception", "status", "evidence")
    return filter_recent(fields, by_person, since=since)


def filter_recent(
    states: Iterable[MisconceptionState], places: Mapping[int, Membership], *, since: datetime
) -> list[RecentMisconception]:
    """Return those of these misconceptions with visible evidence since then; `places` by person."""
    seen = ((state, visible_evidence(state, places[state.learner_id], since=since)) for state in states)
    return [
        RecentMisconception(place=places[state.learner_id], state=state, traces=found) for state, found in seen if found
    ]


def class_misconceptions(
    places: Sequence[Membership], course: Course, *, shown: Iterable[RecentMisconception]
) -> list[ClassMisconception]:
    """Return the misconceptions shown lately, the most frequent first."""
    known = course.catalogue().misconceptions
    by_id: dict[str, list[RecentMisconception]] = defaultdict(list)
    for each in shown:
        if each.state.misconception in known:
            by_id[each.state.misconception].append(each)
    found = [_seen(known[one], each, learners=len(places)) for one, each in by_id.items()]
    return sorted(found, key=lambda seen: (-seen.count, seen.says))


def _seen(known: Misconception, shown: Sequence[RecentMisconception], *, learners: int) -> ClassMisconception:
    unresolved = [each.place for each in shown if each.state.status != MisconceptionState.Status.RESOLVED]
    holders = tuple((place.person_id, str(place.person)) for place in unresolved)
    told = [trace for each in shown for trace in each.traces if trace.is_said]
    latest = max(told, key=lambda trace: trace.when, default=None)
    return ClassMisconception(
        id=known.id,
        says=known.says,
        correct_idea=known.correct_idea,
        count=len(shown),
        who=_names([str(each.place.person) for each in shown]),
        case=tuple(block_html(block) for block in known.contrast.blocks),
        people=tuple((each.place.person_id, str(each.place.person)) for each in shown),
        quote=latest.quote[:QUOTE_SHOWN] if latest else "",
        resolved=len(shown) - len(holders),
        holders=holders,
        share=round(100 * len(shown) / max(1, learners)),
    )


def _names(names: Sequence[str]) -> str:
    """Return the names: two by name, the others by number."""
    named, others = ", ".join(names[:NAMES_SHOWN]), len(names) - NAMES_SHOWN
    if others <= 0:
        return named
    return ngettext("%(names)s and %(count)d more", "%(names)s and %(count)d more", others) % {
        "names": named,
        "count": others,
    }
