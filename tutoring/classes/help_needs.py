"""Why learners of a class need help now, and which misconceptions the class shows, within the class's policy."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.classes.help_rules import (
    RECENT_PERIOD,
    AnswerMark,
    HelpReason,
    MissStreak,
    misses_in_a_row,
    reasons_to_help,
    total_urgency,
)
from tutoring.classes.visible_evidence import VisibleEvidence, visible_evidence
from tutoring.courses.catalogue import Misconception
from tutoring.models import Attempt, Course, MasteryChange, Membership, MisconceptionState
from tutoring.pages.cards.question_context import block_html

NAMES_SHOWN = 2
QUOTE_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpNeed:
    """Why a learner needs help, in words, and how urgently."""

    reasons: tuple[HelpReason, ...] = ()
    words: tuple[str, ...] = ()
    """The reasons, each in a sentence."""

    @property
    def urgency(self) -> int:
        return total_urgency(self.reasons)


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
    """Empty if the only evidence is letters of choices."""
    resolved: int
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


def find_help_needs(
    places: Sequence[Membership],
    course: Course,
    *,
    shown: Iterable[RecentMisconception],
    titles: Mapping[str, str],
    now: datetime,
) -> dict[int, HelpNeed]:
    """Return for each learner why help is needed; two queries. `titles` are the concepts' titles, by id."""
    levels = [place.person_id for place in places if place.classroom.policy.shows_levels]
    answers = [place.person_id for place in places if place.classroom.policy.shows_answers]
    misses, last_answers = _miss_streaks(answers, course, now=now), _last_answers(levels)
    active: dict[int, dict[str, datetime]] = defaultdict(dict)
    for each in shown:
        if each.is_active:
            active[each.place.person_id][each.state.misconception] = each.traces[-1].when
    found = {place.person_id: HelpNeed() for place in places}
    for place in places:
        if place.person_id in levels:
            reasons = reasons_to_help(
                misses=misses.get(place.person_id, {}),
                misconceptions=active[place.person_id],
                last_answer=last_answers.get(place.person_id),
                joined=place.joined_at,
                now=now,
            )
            words = tuple(reason_words(reason, titles=titles, course=course) for reason in reasons)
            found[place.person_id] = HelpNeed(reasons=reasons, words=words)
    return found


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
    told = [trace for each in shown for trace in each.traces if not trace.picked]
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
        resolved=sum(each.state.status == MisconceptionState.Status.RESOLVED for each in shown),
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


def reason_words(reason: HelpReason, *, titles: Mapping[str, str], course: Course) -> str:
    """Return a reason in words for a teacher."""
    match reason.kind:
        case "misses":
            words = _("%(count)d wrong answers in a row on %(concept)s")
            return words % {"count": reason.number, "concept": titles.get(reason.about, reason.about)}
        case "misconception":
            known = course.catalogue().misconceptions.get(reason.about)
            return _("Answers suggest: %(idea)s") % {"idea": known.says if known else reason.about}
        case "quiet":
            return _("No answers for %(count)d days") % {"count": reason.number}
        case _:
            return _("No answers yet")


def advice_words(reason: HelpReason, *, concept: str = "", idea: ClassMisconception | None = None) -> str:
    """Return one thing that a teacher can do about it; `concept` is the title of the one that is missed."""
    match reason.kind:
        case "misses" if concept:
            words = _("Go through the last question on %(concept)s together. Have them explain each step.")
            return words % {"concept": concept}
        case "misses":
            return _("Go through the last question together. Have them explain each step.")
        case "misconception" if idea is not None:
            words = _("Show them the example and ask what they see, until they can say: %(idea)s")
            return words % {"idea": idea.correct_idea}
        case "misconception":
            return _("Show them an example where this idea fails, and ask what they see.")
        case "quiet":
            return _("Ask what stopped them, and open the lesson together.")
        case _:
            return _("Sit down with them for the first question.")


def _miss_streaks(people: Sequence[int], course: Course, *, now: datetime) -> dict[int, dict[str, MissStreak]]:
    """Return for each learner, by concept, how many of the latest answers in a row were wrong, and since when.

    The same answers are counted as in a mastery: no wrong retry, and none that a teacher left out.
    """
    lately = MasteryChange.objects.filter(
        mastery__learner_id__in=people,
        mastery__concept__course=course,
        attempt__created_at__gte=now - RECENT_PERIOD,
        left_out=False,
    )
    marks: dict[int, list[AnswerMark]] = defaultdict(list)
    rows = lately.order_by("attempt_id").values_list(
        "mastery__learner_id", "mastery__concept__slug", "attempt__correct", "attempt__created_at"
    )
    for person, concept, correct, at in rows if people else ():
        marks[person].append(AnswerMark(concept=concept, correct=correct, at=at))
    return {person: misses_in_a_row(each) for person, each in marks.items()}


def _last_answers(people: Sequence[int]) -> dict[int, datetime]:
    """Return when each learner answered last, in any course."""
    answered = Attempt.objects.filter(learner_id__in=people).order_by()
    return dict(answered.values_list("learner_id").annotate(last=Max("created_at"))) if people else {}
