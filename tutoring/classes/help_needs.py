"""Why learners of a class need help now, and which misconceptions the class shows, within the class's policy."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.classes.answer_links import FoundAnswer, FoundAnswers, answers_url, find_answers
from tutoring.classes.class_misconceptions import RecentMisconception
from tutoring.classes.contested import contests_of
from tutoring.classes.help_marks import Mark, ReasonKey, marks_in
from tutoring.classes.help_rules import (
    PLACEMENTS_BEGUN,
    RECENT_PERIOD,
    HelpReason,
    MissStreak,
    OpenContests,
    OpenPlacement,
    StuckQuestion,
    reasons_to_help,
    total_urgency,
)
from tutoring.classes.tallies import Tallies, load_tallies, miss_streaks
from tutoring.models import Concept, Contest, Course, DiagnosticResult, Membership, Question

REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonLine:
    """A reason in a sentence, and where the answers behind it are; empty if there are none, or none may be shown."""

    words: str
    url: str = ""
    name: str = ""
    """What names the reason among those of its learner."""
    evidence: str = ""
    before: Mark | None = None
    """What a teacher did about the same reason before there was new evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandledReason:
    """A reason that a teacher dismissed or followed up, without new evidence since."""

    line: ReasonLine
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpNeed:
    """Why a learner needs help, in words, and how urgently."""

    reasons: tuple[HelpReason, ...] = ()
    lines: tuple[ReasonLine, ...] = ()
    """One for each reason."""
    handled: tuple[HandledReason, ...] = ()
    advice: str = ""
    """One thing that a teacher can do."""
    action_url: str = ""
    """Where it is done; empty if that is nowhere in the program."""
    action_label: str = ""

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


def find_help_needs(
    places: Sequence[Membership],
    course: Course,
    *,
    shown: Iterable[RecentMisconception],
    concepts: Iterable[Concept],
    tallies: Tallies,
    now: datetime,
    contests: Mapping[int, Sequence[Contest]] | None = None,
) -> dict[int, HelpNeed]:
    """Return for each learner why help is needed; at most three queries. The places are of one class, with their people.

    What a teacher dismissed or followed up is not among the reasons as long as its evidence is the same.
    """
    levels = {place.person_id for place in places if place.classroom.policy.shows_levels}
    if not levels:
        return {place.person_id: HelpNeed() for place in places}
    answers = {place.person_id for place in places if place.classroom.policy.shows_answers}
    concepts = list(concepts)
    record = _Record(
        course=course,
        titles={each.slug: each.title for each in concepts},
        active=_active_ideas(shown),
        contests=contests_of(places) if contests is None else contests,
        misses=miss_streaks(tallies, answers, {each.pk: each.slug for each in concepts}, now=now),
    )
    reasons = {
        place.person_id: reasons_to_help(
            misses=record.misses.get(place.person_id, {}),
            misconceptions=record.signs_of(place.person_id),
            last_answer=tallies.last_answers.get(place.person_id),
            joined=place.joined_at,
            contests=record.open_contests(place.person_id),
            placement=_open_placement(place),
            now=now,
        )
        for place in places
        if place.person_id in levels
    }
    found = record.find_answers(reasons)
    marks = marks_in(places[0].classroom)
    return {place.person_id: _need(place, reasons.get(place.person_id, ()), record, found, marks) for place in places}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """What is known of the learners of a class in one course."""

    course: Course
    titles: Mapping[str, str]
    """Of its concepts, by id."""
    active: Mapping[int, Mapping[str, RecentMisconception]]
    """By learner and misconception."""
    contests: Mapping[int, Sequence[Contest]]
    misses: Mapping[int, Mapping[str, MissStreak]]

    def signs_of(self, person: int) -> dict[str, tuple[datetime, datetime]]:
        """Return the times of the first and the last sign of each of a learner's misconceptions."""
        own = self.active.get(person, {})
        return {one: (each.traces[-1].when, each.traces[0].when) for one, each in own.items()}

    def open_contests(self, person: int) -> OpenContests | None:
        waiting = [each for each in self.contests.get(person, ()) if each.decided_at is None]
        if not waiting:
            return None
        return OpenContests(
            count=len(waiting),
            latest=max(each.pk for each in waiting),
            since=min(each.created_at for each in waiting),
        )

    def find_answers(self, reasons: Mapping[int, Sequence[HelpReason]]) -> FoundAnswers:
        """Return the answers behind the reasons; one query, none without any."""
        stuck = [reason.question.attempt for each in reasons.values() for reason in each if reason.question]
        signs = [key for each in self.active.values() for one in each.values() if (key := one.latest_answer)]
        return find_answers(signs, attempts=stuck)


def _active_ideas(shown: Iterable[RecentMisconception]) -> Mapping[int, Mapping[str, RecentMisconception]]:
    active: dict[int, dict[str, RecentMisconception]] = defaultdict(dict)
    for each in shown:
        if each.is_active:
            active[each.place.person_id][each.state.misconception] = each
    return active


def _need(
    place: Membership,
    reasons: Sequence[HelpReason],
    record: _Record,
    found: FoundAnswers,
    marks: Mapping[ReasonKey, Mark],
) -> HelpNeed:
    """Return why a learner needs help, without what is done already."""
    own = {reason.name: marks.get((place.person_id, reason.name)) for reason in reasons}
    done = {name: mark for name, mark in own.items() if mark is not None}
    waiting = [each for each in reasons if each.name not in done or done[each.name].evidence != each.evidence]
    lines = tuple(_line(place, each, record, found, done.get(each.name)) for each in waiting)
    handled = tuple(
        HandledReason(line=_line(place, each, record, found, None), mark=done[each.name])
        for each in reasons
        if each not in waiting
    )
    advice, action_url = _action(place, waiting, lines, record)
    return HelpNeed(
        reasons=tuple(waiting),
        lines=lines,
        handled=handled,
        advice=advice,
        action_url=action_url,
        action_label=_action_label(waiting[0]) if waiting and action_url else "",
    )


def _action_label(reason: HelpReason) -> str:
    match reason.kind:
        case "misconception":
            return _("Open the mini-lesson")
        case "contested":
            return _("Decide")
    return _("See the answers")


def _action(
    place: Membership, reasons: Sequence[HelpReason], lines: Sequence[ReasonLine], record: _Record
) -> tuple[str, str]:
    """Return one thing to do about the most urgent reason, and where."""
    if not reasons:
        return "", ""
    first, course = reasons[0], record.course
    known = course.catalogue().misconceptions.get(first.about) if first.kind == "misconception" else None
    words = advice_words(
        first, concept=record.titles.get(first.about, ""), correct_idea=known.correct_idea if known else ""
    )
    if known is not None:
        url = reverse("class-misconception", args=[place.classroom.code, known.id])
        return words, f"{url}?course={course.slug}"
    return words, lines[0].url


def _line(
    place: Membership, reason: HelpReason, record: _Record, found: FoundAnswers, before: Mark | None
) -> ReasonLine:
    words = reason_words(reason, titles=record.titles, course=record.course, found=found)
    reported = any(
        each.about == Contest.About.IDEA and each.misconception == reason.about
        for each in record.contests.get(place.person_id, ())
    )
    if reason.kind == "misconception" and reported:
        words += _(" (They reported this as wrong.)")
    url = _reason_url(reason, place, record.course, record.active.get(place.person_id, {}), found=found)
    return ReasonLine(words=words, url=url, name=reason.name, evidence=reason.evidence, before=before)


def with_placements(places: QuerySet[Membership], *, now: datetime) -> QuerySet[Membership]:
    """Return the places with the placements that their learners began lately without a result."""
    results = DiagnosticResult.objects.filter(session_id=OuterRef("session_id"), created_at__gte=OuterRef("opened_at"))
    asked = Question.objects.filter(
        ~Exists(results), learner_id=OuterRef("person_id"), purpose=Question.Purpose.PLACEMENT,
        opened_at__gte=now - RECENT_PERIOD,
    )  # fmt: skip
    counted = asked.order_by().values("learner_id")
    return places.annotate(
        placements_begun=Subquery(counted.annotate(found=Count("session_id", distinct=True)).values("found")),
        placement_at=Subquery(counted.annotate(found=Max("opened_at")).values("found")),
    )


def _open_placement(place: Membership) -> OpenPlacement | None:
    """Return the placements that a learner began and did not finish; None without any, or where they are not loaded."""
    begun, last_at = getattr(place, "placements_begun", None), getattr(place, "placement_at", None)
    return OpenPlacement(begun=begun, last_at=last_at) if begun and last_at else None


def _reason_url(
    reason: HelpReason,
    place: Membership,
    course: Course,
    active: Mapping[str, RecentMisconception],
    *,
    found: FoundAnswers,
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
            answer = found.by_time.get(key) if key else None
            return answers_url(place, answer.course, answer.concept, attempt=answer.pk) if answer else ""
        case "contested":
            return f"{reverse('class-learner', args=[place.classroom.code, place.person_id])}#contested"
    return ""


def reason_words(reason: HelpReason, *, titles: Mapping[str, str], course: Course, found: FoundAnswers) -> str:
    """Return a reason in words for a teacher; `found` has the questions on which learners are stuck."""
    match reason.kind:
        case "stuck" if reason.question:
            return stuck_words(reason.question, found.by_key.get(reason.question.attempt))
        case "misses":
            words = _("%(count)d wrong answers in a row on %(concept)s")
            return words % {"count": reason.number, "concept": titles.get(reason.about, reason.about)}
        case "misconception":
            known = course.catalogue().misconceptions.get(reason.about)
            return _("Answers suggest: %(idea)s") % {"idea": known.says if known else reason.about}
        case "contested":
            words = ngettext("Reported %(count)d thing as wrong", "Reported %(count)d things as wrong", reason.number)
            return words % {"count": reason.number}
        case "placement" if reason.number >= PLACEMENTS_BEGUN:
            return _("Began the first questions %(count)d times and never finished them") % {"count": reason.number}
        case "placement":
            return _("Began the first questions and left before the end")
        case "quiet":
            return _("No answers for %(count)d days") % {"count": reason.number}
        case _:
            return _("No answers yet")


def stuck_words(stuck: StuckQuestion, asked: FoundAnswer | None) -> str:
    """Return how often a learner tried a question, and how it ended."""
    words = ngettext("%(count)d try on “%(question)s”", "%(count)d tries on “%(question)s”", stuck.tries)
    tried = words % {"count": stuck.tries, "question": asked.question if asked else "…"}
    return _("%(tried)s, %(ended)s") % {"tried": tried, "ended": _ended_words(stuck, asked)}


def _ended_words(stuck: StuckQuestion, asked: FoundAnswer | None) -> str:
    if stuck.gave_up:
        return _("then “I don’t know”")
    match asked.status if asked else Question.Status.OPEN:
        case Question.Status.ANSWERED:
            return _("then shown the answer")
        case Question.Status.ABANDONED:
            return _("then skipped")
    return _("not solved yet")


def advice_words(reason: HelpReason, *, concept: str = "", correct_idea: str = "") -> str:
    """Return one thing that a teacher can do about it; `concept` is the title of the one that is missed."""
    match reason.kind:
        case "stuck":
            return _("Look at this question with your pupil. Ask what they see, and let them explain each step.")
        case "misses" if concept:
            words = _("Go through the last question on %(concept)s with your pupil. Ask them to explain each step.")
            return words % {"concept": concept}
        case "misses":
            return _("Go through the last question with your pupil. Ask them to explain each step.")
        case "misconception" if correct_idea:
            words = _("Show them the example, and keep asking what they see until they can say: %(idea)s")
            return words % {"idea": correct_idea}
        case "misconception":
            return _("Show them an example where this idea fails, and ask what they see.")
        case "contested":
            return _("Look at what they reported, and decide.")
        case "placement":
            return _("Answer the first questions together, or let them start with the first topic.")
        case "quiet":
            return _("Ask what stopped them, and open the lesson together.")
        case _:
            return _("Sit down with them for the first question.")


def stuck_question(place: Membership, concept: Concept, *, now: datetime) -> tuple[StuckQuestion, str] | None:
    """Return the question of a concept on which the learner is stuck, and how in words; at most two queries."""
    people = {place.person_id}
    streaks = miss_streaks(load_tallies(people), people, {concept.pk: concept.slug}, now=now)
    streak = streaks.get(place.person_id, {}).get(concept.slug)
    stuck = streak.stuck_question if streak else None
    if stuck is None:
        return None
    return stuck, stuck_words(stuck, find_answers((), attempts=[stuck.attempt]).by_key.get(stuck.attempt))
