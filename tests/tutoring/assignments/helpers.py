"""A class of Grace's with Ada and Ben, and what it is given to do from the course Tiny."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.tutoring.class_helpers import make_class
from tests.tutoring.review_helpers import load_tiny
from tutoring.assignments.changes import AssignmentDraft, create_assignment
from tutoring.assignments.quiz_work import ask_item, start_work
from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
from tutoring.models import Assignment, Classroom, Concept, Course, Question

DAY = timedelta(days=1)


def assign(classroom: Classroom, kind: str = "quiz", *slugs: str, **fields: Any) -> Assignment:
    """Give the whole class something that began yesterday and is due tomorrow; a quiz has two questions."""
    course = Course.objects.filter(slug="tiny").first() or load_tiny()
    names = slugs or ({"quiz": ("halves",), "concept": ("halves",), "path": ("adding",)}.get(kind, ()))
    now = timezone.now()
    targets = {name: fields.pop(name, ()) for name in ("groups", "people")}
    columns = {
        "title": f"The {kind}",
        "kind": kind,
        "course": course if names else None,
        "questions": 2,
        "starts_at": now - DAY,
        "due_at": now + DAY,
        **fields,
    }
    concepts = list(Concept.objects.filter(course=course, slug__in=names))
    author = classroom.memberships.get(role="teacher").person
    return create_assignment(classroom, AssignmentDraft(fields=columns, concepts=concepts, **targets), by=author)


def class_of(grace: Any, *learners: Any, **policy: str) -> Classroom:
    """Make the class, which its pupils joined a month ago."""
    classroom = make_class(grace, *learners, **policy)
    classroom.memberships.update(joined_at=timezone.now() - 30 * DAY)
    return classroom


def question_of(quiz: Assignment, person: Any, number: int = 1) -> Question:
    """Return the person's question of the quiz, asked now if it was not."""
    return ask_item(start_work(quiz, person), quiz.items.get(number=number), quiz)


def right(question: Question) -> str:
    return right_answers(question.instance())[0]


def wrong(question: Question) -> str:
    return wrong_answer(question.instance())


def send(client: Any, quiz: Assignment, number: int, answer: str = "", *, key: str = "k", action: str = "check") -> Any:
    """Post an answer to a question of the quiz."""
    fields = {"answer": answer, "action": action, "idempotency_key": key}
    return client.post(f"/assignments/{quiz.pk}/questions/{number}/", fields)
