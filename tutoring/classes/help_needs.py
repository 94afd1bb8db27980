"""Why learners of a class need help now, and which misconceptions the class shows, within the class's policy."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.classes.answer_links import AnswerKey, FoundAnswer, answers_url, find_answers, question_words
from tutoring.classes.help_rules import (
    RECENT_PERIOD,
    AnswerMark,
    HelpReason,
    MissStreak,
    StuckQuestion,
    misses_in_a_row,
    reasons_to_help,
    total_urgency,
)
from tutoring.classes.misconception_evidence import VisibleEvidence, visible_evidence
from tutoring.courses.catalogue import Misconception
from tutoring.mastery.records.contests import contested_ideas
from tutoring.models import Attempt, Concept, Contest, Course, Membership, MisconceptionState, Question
from tutoring.pages.cards.question_context import block_html

NAMES_SHOWN = 2
QUOTE_SHOWN = 80
REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonLine:
    """A reason in a sentence, and where the answers behind it are; empty if there are none, or none may be shown."""

    words: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpNeed:
    """Why a learner needs help, in words, and how urgently."""

    reasons: tuple[HelpReason, ...] = ()
    lines: tuple[ReasonLine, ...] = ()
    """One for each reason."""

    @property
    def shown(self) -> tuple[ReasonLine, ...]:
        """The lines that a list shows."""
        return self.lines[:REASONS_SHOWN]

    @property
    def answers_url(self) -> str:
        """Where the answers behind the most urgent reason that has some are."""
        return next((line.url for line in self.lines if line.url), "")

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
    """Return for each learner why help is needed; four or five queries. `titles` are the concepts' titles, by id."""
    levels = [place.person_id for place in places if place.classroom.policy.shows_levels]
    answers = [place.person_id for place in places if place.classroom.policy.shows_answers]
    shown = list(shown)
    reported = contested_ideas(answers, course) if any(each.is_active for each in shown) else {}
    misses, last_answers = miss_streaks(answers, course, now=now), _last_answers(levels)
    active: dict[int, dict[str, RecentMisconception]] = defaultdict(dict)
    for each in shown:
        if each.is_active:
            active[each.place.person_id][each.state.misconception] = each
    reasons = {
        place.person_id: reasons_to_help(
            misses=misses.get(place.person_id, {}),
            misconceptions={one: each.traces[-1].when for one, each in active[place.person_id].items()},
            last_answer=last_answers.get(place.person_id),
            joined=place.joined_at,
            now=now,
        )
        for place in places
        if place.person_id in levels
    }
    stuck_on = {reason.question.question for each in reasons.values() for reason in each if reason.question}
    questions = _find_questions(stuck_on)
    signs = {key for each in active.values() for one in each.values() if (key := one.latest_answer)}
    found = find_answers(signs)
    needs = {}
    for place in places:
        lines = (
            ReasonLine(
                words=reason_words(reason, titles=titles, course=course, questions=questions)
                + _reported_words(reported, place.person_id, reason),
                url=_reason_url(reason, place, course, active[place.person_id], found=found),
            )
            for reason in reasons.get(place.person_id, ())
        )
        needs[place.person_id] = HelpNeed(reasons=reasons.get(place.person_id, ()), lines=tuple(lines))
    return needs


def _reason_url(
    reason: HelpReason,
    place: Membership,
    course: Course,
    active: Mapping[str, RecentMisconception],
    *,
    found: Mapping[AnswerKey, FoundAnswer],
) -> str:
    """Return where the answers behind a reason are; empty without any, and if the class does not show them."""
    match reason.kind:
        case "stuck" if reason.question:
            # The page puts this question first: it needs no place in the list.
            return answers_url(place, course.slug, reason.about, attempt=reason.question.attempt, starts=False)
        case "misses":
            return answers_url(place, course.slug, reason.about)
        case "misconception":
            key = active[reason.about].latest_answer
            answer = found.get(key) if key else None
            return answers_url(place, answer.course, answer.concept, attempt=answer.pk) if answer else ""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question in a few words, and how it ended."""

    words: str
    status: str


def _find_questions(keys: Collection[UUID]) -> Mapping[UUID, AskedQuestion]:
    """Return these questions; one query, none for no keys."""
    rows = Question.objects.filter(pk__in=keys).values_list("pk", "stem", "status") if keys else ()
    return {pk: AskedQuestion(words=question_words(stem), status=status) for pk, stem, status in rows}


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


def reason_words(
    reason: HelpReason, *, titles: Mapping[str, str], course: Course, questions: Mapping[UUID, AskedQuestion]
) -> str:
    """Return a reason in words for a teacher; `questions` are those on which learners are stuck."""
    match reason.kind:
        case "stuck" if reason.question:
            return stuck_words(reason.question, questions.get(reason.question.question))
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


def stuck_words(stuck: StuckQuestion, asked: AskedQuestion | None) -> str:
    """Return how often a learner tried a question, and how it ended."""
    words = ngettext("%(count)d try on “%(question)s”", "%(count)d tries on “%(question)s”", stuck.tries)
    tried = words % {"count": stuck.tries, "question": asked.words if asked else "…"}
    return _("%(tried)s, %(ended)s") % {"tried": tried, "ended": _ended_words(stuck, asked)}


def _ended_words(stuck: StuckQuestion, asked: AskedQuestion | None) -> str:
    if stuck.gave_up:
        return _("then “I don’t know”")
    match asked.status if asked else Question.Status.OPEN:
        case Question.Status.ANSWERED:
            return _("then shown the answer")
        case Question.Status.ABANDONED:
            return _("then skipped")
    return _("not solved yet")


def _reported_words(reported: Mapping[tuple[int, str], Contest], person: int, reason: HelpReason) -> str:
    """Return what a learner says against an idea, to be put after it; empty if nothing."""
    is_reported = reason.kind == "misconception" and (person, reason.about) in reported
    return _(" (They reported this as wrong.)") if is_reported else ""


def advice_words(reason: HelpReason, *, concept: str = "", idea: ClassMisconception | None = None) -> str:
    """Return one thing that a teacher can do about it; `concept` is the title of the one that is missed."""
    match reason.kind:
        case "stuck":
            return _("Look at this question with your pupil. Ask what they see, and let them explain each step.")
        case "misses" if concept:
            words = _("Go through the last question on %(concept)s with your pupil. Ask them to explain each step.")
            return words % {"concept": concept}
        case "misses":
            return _("Go through the last question with your pupil. Ask them to explain each step.")
        case "misconception" if idea is not None:
            words = _("Show them the example, and keep asking what they see until they can say: %(idea)s")
            return words % {"idea": idea.correct_idea}
        case "misconception":
            return _("Show them an example where this idea fails, and ask what they see.")
        case "quiet":
            return _("Ask what stopped them, and open the lesson together.")
        case _:
            return _("Sit down with them for the first question.")


def miss_streaks(
    people: Sequence[int], course: Course, *, now: datetime, concept: str = ""
) -> dict[int, dict[str, MissStreak]]:
    """Return for each learner, by concept, the latest answers in a row that were wrong; of all, or of one, by its slug.

    Every answer is one of them, at a step of the lesson and a retry too. A placement asks what is too hard on purpose,
    and an answer that a teacher left out says nothing. One query.
    """
    lately = Attempt.objects.filter(
        learner_id__in=people, question__concept__course=course, created_at__gte=now - RECENT_PERIOD
    ).exclude(question__purpose=Question.Purpose.PLACEMENT)
    if concept:
        lately = lately.filter(question__concept__slug=concept)
    lately = lately.exclude(change__left_out=True).exclude(contest__decision=Contest.Decision.LEFT_OUT)
    # A right value in another form is neither wrong nor right.
    rows = lately.exclude(verdict="equivalent_not_in_form").order_by("pk")
    marks: dict[int, list[AnswerMark]] = defaultdict(list)
    fields = ("learner_id", "pk", "question_id", "question__concept__slug", "correct", "gave_up", "created_at")
    for person, pk, question, slug, correct, gave_up, at in rows.values_list(*fields) if people else ():
        marks[person].append(
            AnswerMark(attempt=pk, question=question, concept=slug, correct=correct, gave_up=gave_up, at=at)
        )
    return {person: misses_in_a_row(each) for person, each in marks.items()}


def stuck_question(place: Membership, concept: Concept, *, now: datetime) -> tuple[StuckQuestion, str] | None:
    """Return the question of a concept on which the learner is stuck, and how in words; at most two queries."""
    streaks = miss_streaks([place.person_id], concept.course, now=now, concept=concept.slug)
    streak = streaks.get(place.person_id, {}).get(concept.slug)
    stuck = streak.stuck_question if streak else None
    if stuck is None:
        return None
    return stuck, stuck_words(stuck, _find_questions([stuck.question]).get(stuck.question))


def _last_answers(people: Sequence[int]) -> dict[int, datetime]:
    """Return when each learner answered last, in any course."""
    answered = Attempt.objects.filter(learner_id__in=people).order_by()
    return dict(answered.values_list("learner_id").annotate(last=Max("created_at"))) if people else {}
