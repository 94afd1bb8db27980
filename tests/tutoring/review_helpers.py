"""Learners who have mastered something, and what they do when it comes back."""

from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone

from tests.tutoring.small_course import make_turn
from tutoring.course_storage import store_course
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.loader import read_course
from tutoring.mastery.records.progress import RecordedAnswer, open_question, record_attempt
from tutoring.models import Concept, Course, Mastery, Question, Review

TINY = Path(__file__).parent / "courses" / "data" / "tiny"


@cache
def _tiny() -> BuiltCourse:
    built = read_course(TINY)
    sharing = replace(built.course.concept("adding"), id="sharing", title="Sharing", goal=False, templates=())
    course = replace(built.course, concepts=(*built.course.concepts, sharing))
    return replace(built, course=course, hash=f"{built.hash[:-8]} sharing")  # Its catalogue is remembered by that.


def load_tiny() -> Course:
    """Store a course in which two concepts rest on halves: adding, its goal, and sharing, which has no exercises."""
    store_course(_tiny(), position=0)
    return Course.objects.get(slug="tiny")


def concept_of(slug: str = "halves") -> Concept:
    return Concept.objects.select_related("course").get(slug=slug)


def quiz(person: Any, *, right: bool = True, at: datetime | None = None, slug: str = "halves") -> RecordedAnswer:
    """Ask a question that wants a number, outside of reviews, and answer it."""
    concept = concept_of(slug)
    templates = [each for each in concept.value().templates if each.kind == "numeric"]
    number = Question.objects.filter(learner=person, concept=concept).count()
    asked = make_exercise(templates[number % len(templates)], seed=number, course=concept.course.catalogue())
    turn = make_turn(person)
    question = open_question(
        learner=person, session=turn.session, turn=turn, concept=concept, instance=asked, purpose="quiz", number=1
    )
    return answered(question, right=right, at=at)


def answered(question: Question, *, right: bool = True, at: datetime | None = None, **fields: Any) -> RecordedAnswer:
    """Answer a question, its first try or a later one."""
    asked = question.instance()
    return record_attempt(
        question,
        learner=question.learner,
        answer=right_answers(asked)[0] if right else wrong_answer(asked),
        idempotency_key=f"k{question.attempts.count()}",
        at=at,
        **{"time_taken_s": 20.0, **fields},
    )


def master(person: Any, *, at: datetime | None = None, slug: str = "halves") -> Review:
    """Let the person answer until the concept is mastered; return the card that this made."""
    at = at or timezone.now()
    while not Mastery.objects.filter(learner=person, concept__slug=slug, mastered_at__isnull=False).exists():
        quiz(person, at=at, slug=slug)
    return Review.objects.get(learner=person, concept__slug=slug)
