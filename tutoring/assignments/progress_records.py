"""Reads how far pupils are with assignments: a fixed number of queries for any number of both."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef

from tutoring.assignments.progress import Progress, WorkFacts, progress_from
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.models import Assignment, AssignmentWork, Attempt, Concept, Mastery, Question, WorkQuestion

type Key = tuple[int, int]
"""An assignment and a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """What happened, by assignment or topic, and person."""

    topics: Mapping[int, Sequence[int]]
    works: Mapping[Key, AssignmentWork]
    masteries: Mapping[Key, tuple[datetime | None, datetime | None]]
    """By topic and person: when it was mastered, and when it was last answered."""
    answers: Mapping[Key, list[datetime]] = field(default_factory=dict)
    asked: Mapping[Key, list[tuple[int, bool]]] = field(default_factory=dict)
    """By quiz and person, for each answered question: of which try it is, and whether it was answered right."""

    def facts(self, assignment: Assignment, person: int) -> WorkFacts:
        work = self.works.get((assignment.pk, person))
        topics = self.topics[assignment.pk]
        known = [self.masteries.get((topic, person), (None, None)) for topic in topics]
        since = assignment.starts_at
        times = sorted(at for topic in topics for at in self.answers.get((topic, person), ()) if at >= since)
        asked = self.asked.get((assignment.pk, person), [])
        present = work.try_number if work else 1
        right = [sum(is_right for one, is_right in asked if one == number) for number in range(1, present + 1)]
        return WorkFacts(
            started_at=work.started_at if work else None,
            read_at=work.read_at if work else None,
            handed_in_at=work.handed_in_at if work else None,
            mastered=[mastered for mastered, _last in known],
            has_worked=any(last is not None and last >= since for _mastered, last in known) and not assignment.is_quiz,
            answers=times,
            answered=sum(one == present for one, _right in asked),
            right=right[-1],
            earlier=right[:-1],
        )


def progress_of(
    audiences: Mapping[Assignment, Collection[int]], *, now: datetime
) -> dict[Assignment, dict[int, Progress]]:
    """Return for each assignment how far each of these people is. The assignments come with their targets."""
    rows = _read(audiences)
    totals = {each: _total(each, rows.topics[each.pk]) for each in audiences}
    return {
        each: {person: progress_from(each, rows.facts(each, person), total=totals[each], now=now) for person in people}
        for each, people in audiences.items()
    }


def _total(assignment: Assignment, topics: Sequence[int]) -> int:
    return len(assignment.items.all()) if assignment.is_quiz else len(topics)


def _read(audiences: Mapping[Assignment, Collection[int]]) -> _Rows:
    people = {person for each in audiences.values() for person in each}
    topics = _topics(audiences)
    wanted = {topic for each in audiences if not each.is_quiz for topic in topics[each.pk]}
    known = Mastery.objects.filter(learner_id__in=people, concept_id__in=wanted)
    works = AssignmentWork.objects.filter(assignment__in=list(audiences), learner_id__in=people)
    return _Rows(
        topics=topics,
        works={(each.assignment_id, each.learner_id): each for each in works},
        masteries={
            (concept, learner): (mastered, last)
            for concept, learner, mastered, last in known.values_list(
                "concept_id", "learner_id", "mastered_at", "last_at"
            )
        },
        answers=_answers([each for each in audiences if each.kind == Assignment.Kind.CONCEPT], topics, people),
        asked=_asked([each for each in audiences if each.is_quiz], people),
    )


def _topics(assignments: Collection[Assignment]) -> dict[int, list[int]]:
    """Return the topics of each assignment; of a path, what leads to its goal too."""
    found = {each.pk: [concept.pk for concept in each.concepts.all()] for each in assignments}
    paths = [each for each in assignments if each.kind == Assignment.Kind.PATH]
    rows = Concept.objects.filter(course__in={each.course for each in paths}) if paths else []
    keys: dict[int | None, dict[str, int]] = defaultdict(dict)
    for row in rows:
        keys[row.course_id][row.slug] = row.pk
    for each in paths:
        own = keys[each.course_id]
        found[each.pk] = [own[slug] for slug in path_slugs(each) if slug in own]
    return found


def path_slugs(assignment: Assignment) -> list[str]:
    """Return the slugs of a path's topics, in the order of the course."""
    if assignment.course is None:
        return []
    concepts = assignment.course.catalogue().concepts
    goals = [concept.slug for concept in assignment.concepts.all()]
    needed = all_prerequisites({each.id: each.requires for each in concepts}, goals) | set(goals)
    return [each.id for each in concepts if each.id in needed]


def _answers(
    assignments: Sequence[Assignment], topics: Mapping[int, Sequence[int]], people: Collection[int]
) -> dict[Key, list[datetime]]:
    """Return when questions on the topics were answered for the first time, if a goal counts answers."""
    counted = [each for each in assignments if each.goal_number]
    found: dict[Key, list[datetime]] = defaultdict(list)
    if counted:
        rows = Attempt.objects.filter(
            learner_id__in=people,
            number=1,
            question__concept_id__in={topic for each in counted for topic in topics[each.pk]},
            created_at__gte=min(each.starts_at for each in counted),
        ).exclude(question__purpose=Question.Purpose.PLACEMENT)
        for topic, person, at in rows.values_list("question__concept_id", "learner_id", "created_at"):
            found[topic, person].append(at)
    return found


def _asked(quizzes: Sequence[Assignment], people: Collection[int]) -> dict[Key, list[tuple[int, bool]]]:
    found: dict[Key, list[tuple[int, bool]]] = defaultdict(list)
    if quizzes:
        right = Exists(Attempt.objects.filter(question=OuterRef("question"), correct=True))
        rows = WorkQuestion.objects.filter(
            work__assignment__in=quizzes,
            work__learner_id__in=people,
            question__status=Question.Status.ANSWERED,
        ).annotate(right=right)
        columns = ("work__assignment_id", "work__learner_id", "try_number", "right")
        for quiz, person, number, is_right in rows.values_list(*columns):
            found[quiz, person].append((number, is_right))
    return found
