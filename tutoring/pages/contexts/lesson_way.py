"""Where a learner is in a lesson: the steps done and about how many are left, the goal, and what comes next."""

from collections.abc import Sequence
from typing import Final, Literal

from agents.people import Person
from conversations.models import Session
from tutoring.courses.catalogue import CourseContent
from tutoring.courses.quiz_limits import MINIMUM_QUESTIONS
from tutoring.dialogue.queries.following_topic import following_title
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import LessonState, lesson_state
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.models import Attempt, Concept, Course, Lesson, Question
from tutoring.pages.cards.question_context import Context

type StepMark = Literal["done", "helped", "now", "left"]

PIECES_IN_ROUND: Final = 4
"""About how many steps explain a concept in the first round; later rounds have one."""
# A quiz ends between its minimum and its maximum; most end after one more than the minimum (see the learners drill).
QUESTIONS_IN_QUIZ: Final = MINIMUM_QUESTIONS + 1
USUAL_STEPS: Final = PIECES_IN_ROUND + QUESTIONS_IN_QUIZ
"""Steps for which a lesson's minutes are meant; who begins with the quiz has fewer."""
MISTAKES_IN_QUIZ: Final = 2
"""With so many, a quiz hardly ends with mastery. Chosen by hand."""
MOST_MARKS: Final = 16
"""More steps than this are told in words alone."""


def lesson_way(session: Session, concept: Concept, held: LessonState) -> Context:
    """Return the steps of the lesson on a concept: `{steps, done, here, total, left, again, over, next}`; three queries."""
    marks = _marks_of(session, concept)
    over = held.cycle.is_over
    left = 0 if over else max(1, steps_left(held, marks))
    left_marks: list[StepMark] = ["left"] * (left - 1)
    ahead: list[StepMark] = ["now", *left_marks] if left else []
    return {
        "steps": [*marks, *ahead][-MOST_MARKS:],
        "done": len(marks),
        "here": len(marks) + 1,
        "total": len(marks) + left,
        "left": left,
        # A later round makes the total grow, which reads like a punishment.
        "again": held.cycle.round > 1,
        "over": over,
        "next": following_title(session, concept),
    }


def minutes_left(way: Context, minutes: int) -> int:
    """Return about how many of a lesson's `minutes` are left, by its steps; at least one."""
    done, left = int(str(way["done"])), int(str(way["left"]))
    return max(1, round(minutes * left / max(USUAL_STEPS, done + left)))


def open_lesson(person: Person, course: Course) -> tuple[Concept, int] | None:
    """Return the concept of the learner's latest lesson in a course if it is not over, and the minutes left of it."""
    rows = Lesson.objects.filter(learner_id=person.pk, concept__course=course)
    rows = rows.filter(session__archived=False, session__deleted_at=None).select_related("session", "concept")
    lesson = rows.order_by("-session__updated_at").first()
    if lesson is None or placement_of(lesson.session.state).under_way:
        return None
    held = lesson_state(lesson.session.state)
    lesson.concept.course = course
    if held.cycle.is_over or not held.explained:
        return None
    return lesson.concept, minutes_left(
        lesson_way(lesson.session, lesson.concept, held), lesson.concept.value().minutes
    )


def goal_context(goals: Sequence[str], course: CourseContent, concept: str, url: str) -> Context | None:
    """Return the learner's goal in the course, and which stop on the way to it a concept is; None without a goal."""
    known = {each.id: each for each in course.concepts}
    goal = next((known[each] for each in goals if each in known), None)
    if goal is None:
        return None
    way = {*all_prerequisites(course.requires, [goal.id]), goal.id}
    stops = [each.id for each in course.concepts if each.id in way]
    at = stops.index(concept) + 1 if concept in stops else None
    return {"title": goal.title, "at": at, "of": len(stops), "url": url}


def _marks_of(session: Session, concept: Concept) -> list[StepMark]:
    closed = Question.objects.filter(session=session, concept=concept, status=Question.Status.ANSWERED)
    rows = closed.exclude(purpose=Question.Purpose.PLACEMENT).order_by("closed_at", "pk")
    right = set(
        Attempt.objects.filter(question__in=rows, number=1, correct=True, question__hints_used=0).values_list(
            "question_id", flat=True
        )
    )
    return ["done" if pk in right else "helped" for pk in rows.values_list("pk", flat=True)]


def steps_left(held: LessonState, marks: Sequence[StepMark]) -> int:
    """Return about how many steps are left in this round, and in another one that mistakes in the quiz will bring."""
    if held.cycle.state == "quiz_active":
        left = QUESTIONS_IN_QUIZ - len(held.cycle.asked) + 1
        answered = len(held.cycle.asked) - 1
        mistakes = marks[-answered:].count("helped") if answered else 0
        if mistakes >= MISTAKES_IN_QUIZ:
            return max(left, 0) + 1 + QUESTIONS_IN_QUIZ
        return max(left, 2) if mistakes else left
    pieces = PIECES_IN_ROUND if held.cycle.round == 1 else 1
    return max(0, pieces - held.explained_in_cycle + 1) + QUESTIONS_IN_QUIZ
