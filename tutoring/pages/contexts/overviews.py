"""Contexts of home, courses, progress and evidence for one learner: few queries each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.models import Session
from tutoring.classes import listings
from tutoring.courses import catalogue
from tutoring.courses.pictures import Picture
from tutoring.mastery.records import reviews
from tutoring.models import Concept, Course, Cycle, Lesson, Mastery, MisconceptionState
from tutoring.pages.cards.question_context import Context, mastery_view, picture_to_svg
from tutoring.pages.contexts.reviews import review_offer, review_overview

RECENT_SESSIONS = 5
QUOTES_SHOWN = 3


def home_context(person: Person) -> Context:
    """Return the link to the last lesson, the due reviews, the courses, and recent conversations."""
    lessons = _recent_lessons(person)
    return {
        "continue_lesson": _continued(person, lessons[0]) if lessons else None,
        "review_offer": review_offer(person),
        "first_step": None if lessons else _first_step(),
        "courses": course_list(person),
        "recent": [
            {"title": one.title or _("A conversation"), "url": one.get_absolute_url()}
            for one in _recent_sessions(person, lessons)
        ],
        "newcomer": not lessons and person.level == "unknown",
        "level_url": reverse("level"),
        "changed_classes": listings.recently_changed_classes(person),
    }


def course_list(person: Person) -> list[Context]:
    """Return every course with how much of it the person has mastered."""
    mastered: dict[int, int] = defaultdict(int)
    for row in Mastery.objects.filter(learner_id=person.pk).select_related("concept"):
        mastered[row.concept.course_id] += row.is_mastered
    totals = dict(Concept.objects.values_list("course_id").annotate(total=Count("pk")).order_by())
    return [
        {
            "title": course.title,
            "summary": course.summary,
            "url": course.get_absolute_url(),
            "concepts_total": totals.get(course.pk, 0),
            "concepts_mastered": mastered[course.pk],
        }
        for course in Course.objects.listed()
    ]


def _named(concept: Concept) -> Context:
    return {"title": concept.title, "url": concept.get_absolute_url()}


def progress_context(person: Person) -> Context:
    """Return every concept the person has worked on, by course, the upcoming reviews, and the misconceptions watched."""
    courses = [{"title": course.title, "rows": rows} for course, rows in courses_met(person).items()]
    return {"courses": courses, "misconceptions": _misconceptions(person), **review_overview(person)}


def courses_met(person: Person) -> dict[Course, list[dict[str, Any]]]:
    """Return every concept the person has worked on, by course, with its mastery."""
    lessons = _met(person)
    masteries, kept = _masteries(person, lessons), reviews.recall_by_learner([person.pk])
    cycles = dict(
        Cycle.objects.filter(learner_id=person.pk).values_list("concept_id").annotate(count=Count("pk")).order_by()
    )
    by_course: dict[Course, list[dict[str, Any]]] = defaultdict(list)
    for concept in lessons:
        row = masteries.get(concept.pk)
        view = mastery_view(concept, row, kept=kept.get((person.pk, concept.pk)))
        by_course[concept.course].append(
            {
                "concept": concept,
                "concept_title": concept.title,
                "mastery": view,
                "cycles": cycles.get(concept.pk, 0),
                "last_practised": row.last_at if row else None,
                "evidence_url": view.evidence_url,
            }
        )
    return by_course


def _recent_lessons(person: Person) -> list[Lesson]:
    lessons = Lesson.objects.filter(learner_id=person.pk, session__archived=False, session__deleted_at=None)
    lessons = lessons.select_related("session", "concept__course").defer("concept__course__content")
    return list(lessons.order_by("-session__updated_at")[: RECENT_SESSIONS + 1])


def _recent_sessions(person: Person, lessons: Sequence[Lesson]) -> list[Session]:
    """Return the latest conversations, without the one that is offered to continue."""
    sessions = Session.objects.filter(owner_id=person.pk, archived=False).order_by("-updated_at")
    offered = [lesson.session_id for lesson in lessons[:1]]
    return list(sessions.exclude(pk__in=offered)[:RECENT_SESSIONS])


def _continued(person: Person, lesson: Lesson) -> Context:
    row = _masteries(person, [lesson.concept]).get(lesson.concept_id)
    return {
        "course_title": lesson.concept.course.title,
        "concept_title": lesson.concept.title,
        "url": lesson.session.get_absolute_url(),
        "mastery": mastery_view(lesson.concept, row, kept=reviews.recall_of(row)),
        "picture_svg": picture_to_svg(_first_picture(lesson.concept.value())),
    }


def _first_step() -> Context | None:
    """Return where a person without a lesson starts: the first concept of the first course; None without courses."""
    course = Course.objects.listed().first()
    concept = course.concepts.order_by("position").first() if course else None
    if course is None or concept is None:
        return None
    concept.course = course
    return _named(concept) | {
        "summary": concept.value().summary,
        "minutes": concept.value().minutes,
        "course": {"title": course.title, "url": course.get_absolute_url()},
        "picture_svg": picture_to_svg(_first_picture(concept.value())),
    }


def _first_picture(concept: catalogue.ConceptContent) -> Picture | None:
    """Return the picture that first explains a concept; None if it has none."""
    blocks = (block for pieces in concept.pieces.values() for piece in pieces for block in piece.blocks)
    return next((block for block in blocks if isinstance(block, Picture)), None)


def _met(person: Person) -> list[Concept]:
    """Return the concepts the person had a lesson or an answer on, in course order."""
    concepts = Concept.objects.filter(
        pk__in=Lesson.objects.filter(learner_id=person.pk).values("concept_id")
    ) | Concept.objects.filter(pk__in=Mastery.objects.filter(learner_id=person.pk).values("concept_id"))
    met = concepts.select_related("course").defer("course__content")
    return list(met.order_by("course__position", "course__title", "position"))


def _masteries(person: Person, concepts: Iterable[Concept]) -> Mapping[int, Mastery]:
    return {row.concept_id: row for row in Mastery.objects.filter(learner_id=person.pk, concept__in=concepts)}


def _misconceptions(person: Person) -> list[Context]:
    """Return what is or was suspected, the latest first, each with the learner's own words as evidence."""
    states = MisconceptionState.objects.filter(learner_id=person.pk).exclude(status=MisconceptionState.Status.NONE)
    shown: list[Context] = []
    for state in states.select_related("course").defer("course__content").order_by("-updated_at"):
        known = state.course.catalogue().misconceptions.get(state.misconception)
        if known is not None:
            shown.append({"says": known.says, "status": state.status, "evidence": _quotes(state)})
    return shown


def _quotes(state: MisconceptionState) -> list[Context]:
    """Return the latest words or answers that are evidence for the misconception."""
    spoke = [piece for piece in state.evidence if piece["source"] in ("malrule", "distractor", "likeness", "utterance")]
    latest = spoke[: -QUOTES_SHOWN - 1 : -1]
    return [{"quote": piece["quote"], "when": datetime.fromisoformat(piece["at"])} for piece in latest]
