"""What learners of a class say is wrong in their record, for the teachers who may see it by the class's policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString

from agents.people import Person
from conversations.web.markup import inline_to_html
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.mastery.records import contests
from tutoring.models import Attempt, Classroom, Contest, Membership, Policy

SHOWN_AT_MOST = 20
OF_LEVELS = (Contest.About.SCORE, Contest.About.START)
"""What teachers see who may see levels and no answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedGrade:
    """A verdict, a mastery number or something else in their record that a learner says is wrong."""

    pk: int
    name: str
    concept: str
    question: SafeString
    """The question's first line; empty for everything but a verdict."""
    answer: str
    reason: str
    about: str
    """`verdict`, `score`, `start` or `idea`, as `Contest.About` has them."""
    score: float | None
    """The number that the learner saw (0–1); None for a verdict and for an idea."""
    unfaded: float | None
    """The score before forgetting (0–1), where the one shown was lowered by it."""
    idea: str
    """The mistaken idea in words; empty for the rest."""
    is_right: bool
    """Whether the answer is graded as right."""
    can_leave_out: bool
    at: datetime
    url: str
    """Where a teacher decides: the learner's answers, or the learner."""
    decide_url: str
    classroom: Classroom


def is_told(person: Person, *, of_answers: bool) -> bool:
    """Tell whether a teacher sees what the person contests: an answer's verdict, or a number. One query."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER, classroom__archived_at=None)
    allowed = [Policy.Progress.EVIDENCE] if of_answers else [Policy.Progress.EVIDENCE, Policy.Progress.LEVELS]
    return places.filter(classroom__policy__mastery__in=allowed).exists()


def open_contests(classrooms: Sequence[Classroom]) -> list[ContestedGrade]:
    """Return what is contested in these classes and not decided, the oldest first.

    Two queries. Classes come with their policies. A learner of two of them is named once.
    """
    places = Membership.objects.filter(classroom__in=classrooms, role=Membership.Role.LEARNER)
    here = places.filter(person_id=OuterRef("learner_id"))
    rows = Contest.objects.open().filter(_allowed(here))
    rows = rows.select_related("learner", "concept__course", "attempt__question").defer("concept__course__content")
    found = list(rows.order_by("created_at", "pk")[:SHOWN_AT_MOST])
    by_person = _classes_of([row.learner_id for row in found], classrooms)
    return [_contested(row, by_person[row.learner_id]) for row in found]


def contests_of(places: Sequence[Membership]) -> dict[int, list[Contest]]:
    """Return by learner what is not decided, and ideas with or without a decision, as far as the class shows it.

    One query, none for nobody. The places are of one class.
    """
    if not places:
        return {}
    policy, about = places[0].classroom.policy, list(Contest.About)
    shown = about if policy.shows_answers else OF_LEVELS if policy.shows_levels else ()
    rows = Contest.objects.filter(learner_id__in=[place.person_id for place in places], about__in=shown)
    rows = rows.filter(Q(decided_at=None) | Q(about=Contest.About.IDEA)).order_by("created_at", "pk")
    found: dict[int, list[Contest]] = {}
    for row in rows.select_related("learner", "concept__course", "attempt__question").defer("concept__course__content"):
        found.setdefault(row.learner_id, []).append(row)
    return found


def open_in(classroom: Classroom, contests: Mapping[int, Sequence[Contest]]) -> list[ContestedGrade]:
    """Return those that are not decided, the oldest first."""
    rows = [row for own in contests.values() for row in own if row.decided_at is None]
    rows.sort(key=lambda row: (row.created_at, row.pk))
    return [_contested(row, classroom) for row in rows[:SHOWN_AT_MOST]]


def decided_contests(place: Membership) -> list[Contest]:
    """Return what the learner said was wrong and teachers decided about, as far as the class shows it, the latest first."""
    policy = place.classroom.policy
    rows = Contest.objects.filter(learner_id=place.person_id).exclude(decision="")
    if not policy.shows_answers:
        rows = rows.filter(about__in=OF_LEVELS) if policy.shows_levels else rows.none()
    return list(rows.select_related("concept", "decided_by").order_by("-decided_at", "-pk")[:SHOWN_AT_MOST])


def contest_of(place: Membership, pk: int) -> Contest:
    """Return a contest by the learner of this place that its teachers may see. Raise Http404 otherwise."""
    policy = place.classroom.policy
    rows = Contest.objects.filter(learner_id=place.person_id).select_related("concept__course", "attempt")
    found = rows.filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None or not (policy.shows_answers or (policy.shows_levels and found.about in OF_LEVELS)):
        raise Http404(not_found_text())
    return found


def _allowed(here: QuerySet[Membership]) -> Q:
    """Return which contests the policies show, where `here` are the learner's places in the classes."""
    answers = here.filter(classroom__policy__mastery=Policy.Progress.EVIDENCE)
    levels = here.filter(classroom__policy__mastery=Policy.Progress.LEVELS)
    return Q(Exists(answers)) | Q(Exists(levels), about__in=OF_LEVELS)


def _classes_of(people: Sequence[int], classrooms: Sequence[Classroom]) -> dict[int, Classroom]:
    """Return for each person the class of theirs that shows most; no query if there is nothing to choose."""
    if not people or len(classrooms) == 1:
        return dict.fromkeys(people, classrooms[0])
    by_pk = {each.pk: each for each in classrooms}
    places = Membership.objects.filter(
        classroom__in=classrooms, person_id__in=people, role=Membership.Role.LEARNER
    ).order_by("pk")
    found: dict[int, Classroom] = {}
    for person, classroom in places.values_list("person_id", "classroom_id"):
        if person not in found or by_pk[classroom].policy.shows_answers:
            found[person] = by_pk[classroom]
    return found


def _contested(row: Contest, classroom: Classroom) -> ContestedGrade:
    attempt = row.attempt
    return ContestedGrade(
        pk=row.pk,
        name=str(row.learner),
        concept=row.concept.title,
        question=inline_to_html(attempt.question.stem.strip().partition("\n")[0] if attempt else ""),
        answer=_answer(attempt) if attempt else "",
        reason=row.reason if classroom.policy.shows_answers else "",
        about=row.about,
        score=row.score,
        unfaded=row.unfaded,
        idea=_idea(row),
        is_right=attempt is not None and attempt.correct,
        can_leave_out=contests.can_leave_out(row),
        at=row.created_at,
        url=teacher_url(row, classroom),
        decide_url=reverse("class-contest", args=[classroom.code, row.learner_id, row.pk]),
        classroom=classroom,
    )


def _idea(contest: Contest) -> str:
    """Return the mistaken idea in words; its id if the course no longer has it."""
    if not contest.misconception:
        return ""
    known = contest.concept.course.catalogue().misconceptions.get(contest.misconception)
    return known.says if known is not None else contest.misconception


def _answer(attempt: Attempt) -> str:
    """Return the answer in a line; none for own words, which follow the rule for conversations."""
    question = attempt.question
    if question.kind in ("choice", "multi") and not attempt.judgement.get("chosen"):
        return ""
    return question.shown(attempt.answer)


def teacher_url(contest: Contest, classroom: Classroom) -> str:
    """Return where a teacher of the class sees it: at that answer, or on the learner's page. It comes with its course."""
    if not classroom.policy.shows_answers or contest.about == Contest.About.IDEA:
        return reverse("class-learner", args=[classroom.code, contest.learner_id])
    concept = contest.concept
    where = [classroom.code, contest.learner_id, concept.course.slug, concept.slug]
    url = reverse("class-evidence", args=where)
    return f"{url}?from={contest.attempt_id}#answer-{contest.attempt_id}" if contest.attempt_id else url
