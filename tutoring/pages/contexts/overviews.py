"""Contexts of courses, progress and evidence for one learner: few queries each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from agents.people import Person
from tutoring.classes import contested
from tutoring.mastery.learning_path import FADED
from tutoring.mastery.records import reviews
from tutoring.models import Attempt, Concept, Contest, Course, Cycle, Lesson, Mastery, MisconceptionState
from tutoring.pages.cards.answer_counts import given_answers
from tutoring.pages.cards.contest_context import idea_context
from tutoring.pages.cards.question_context import Context, mastery_view, picture_to_svg
from tutoring.pages.contexts.lesson_pictures import first_picture
from tutoring.pages.contexts.progress_plot import progress_plot
from tutoring.pages.contexts.reviews import review_overview

QUOTES_SHOWN, STRENGTHS_SHOWN = 3, 3


def course_list(person: Person, courses: Sequence[Course]) -> list[Context]:
    """Return courses, each with its picture, its length, and how much of it the person has mastered."""
    mastered: dict[int, int] = defaultdict(int)
    begun: set[int] = set()
    for row in Mastery.objects.filter(learner_id=person.pk).select_related("concept"):
        mastered[row.concept.course_id] += row.is_mastered
        begun.add(row.concept.course_id)
    return [_course_card(course, mastered=mastered[course.pk], is_begun=course.pk in begun) for course in courses]


def _course_card(course: Course, *, mastered: int, is_begun: bool) -> Context:
    concepts = course.catalogue().taught
    picture = next((found for each in concepts if (found := first_picture(each)) is not None), None)
    return {
        "title": course.title,
        "summary": course.summary,
        "url": course.get_absolute_url(),
        "picture_svg": picture_to_svg(picture),
        "hours": max(round(sum(each.minutes for each in concepts) / 60), 1),
        "concepts_total": len(concepts),
        "concepts_mastered": mastered,
        "is_begun": is_begun,
    }


def progress_context(person: Person, *, at: datetime | None = None) -> Context:
    """Return progress over the weeks, every concept the person has worked on, upcoming reviews, and misconceptions."""
    at = at or timezone.now()
    met = courses_met(person)
    return {
        "plot": progress_plot(person, at=at),
        "courses": [{"title": course.title, "rows": rows} for course, rows in met.items()],
        "misconceptions": _misconceptions(person),
        **_strengths([row for rows in met.values() for row in rows]),
        **review_overview(person, at=at),
    }


def _strengths(rows: Sequence[dict[str, Any]]) -> Context:
    """Return what is held best and what is fading, each with its mastery; what is due is no strength."""
    held = [row for row in rows if row["mastery"].fading is not None]
    fading = [row for row in held if row["mastery"].fading.due or row["mastery"].fading.recall < FADED]
    best = sorted((row for row in held if row not in fading), key=lambda row: -row["mastery"].score)
    return {"strengths": best[:STRENGTHS_SHOWN], "fading": sorted(fading, key=lambda row: row["mastery"].score)}


def courses_met(person: Person) -> dict[Course, list[dict[str, Any]]]:
    """Return every concept the person has worked on, by course, with its mastery."""
    lessons = _met(person)
    masteries, kept = _masteries(person, lessons), reviews.recall_by_learner([person.pk])
    given = given_answers([person.pk], lessons)
    cycles = dict(
        Cycle.objects.filter(learner_id=person.pk).values_list("concept_id").annotate(count=Count("pk")).order_by()
    )
    by_course: dict[Course, list[dict[str, Any]]] = defaultdict(list)
    for concept in lessons:
        row = masteries.get(concept.pk)
        answers = given.get((person.pk, concept.pk))
        view = mastery_view(concept, row, kept=kept.get((person.pk, concept.pk)), given=answers.count if answers else 0)
        by_course[concept.course].append(
            {
                "concept": concept,
                "concept_title": concept.title,
                "mastery": view,
                "cycles": cycles.get(concept.pk, 0),
                "last_practised": answers.last_at if answers else row.last_at if row else None,
                "evidence_url": view.evidence_url,
            }
        )
    return by_course


def _met(person: Person) -> list[Concept]:
    """Return the concepts the person had a lesson or an answer on, in course order."""
    lessons = Lesson.objects.filter(learner_id=person.pk).values("concept_id")
    masteries = Mastery.objects.filter(learner_id=person.pk).values("concept_id")
    answered = Attempt.objects.filter(learner_id=person.pk).values("question__concept_id")
    concepts = Concept.objects.filter(Q(pk__in=lessons) | Q(pk__in=masteries) | Q(pk__in=answered))
    met = concepts.select_related("course").defer("course__content")
    return list(met.order_by("course__position", "course__title", "position"))


def _masteries(person: Person, concepts: Iterable[Concept]) -> Mapping[int, Mastery]:
    return {row.concept_id: row for row in Mastery.objects.filter(learner_id=person.pk, concept__in=concepts)}


def _misconceptions(person: Person) -> list[Context]:
    """Return what is or was suspected, the latest first, with the learner's own words, and what they say against it."""
    told = contested.is_told(person, of_answers=True)
    contests = Contest.objects.filter(learner_id=person.pk, about=Contest.About.IDEA).select_related("concept")
    said = {(each.concept.course_id, each.misconception): each for each in contests.order_by("pk")}
    states = MisconceptionState.objects.filter(learner_id=person.pk).exclude(status=MisconceptionState.Status.NONE)
    shown: list[Context] = []
    for state in states.select_related("course").defer("course__content").order_by("-updated_at"):
        known = state.course.catalogue().misconceptions.get(state.misconception)
        if known is not None:
            contest = idea_context(state, said.get((state.course_id, state.misconception)), is_told=told)
            shown.append({"says": known.says, "status": state.status, "evidence": _quotes(state), "contest": contest})
    return shown


def _quotes(state: MisconceptionState) -> list[Context]:
    """Return the latest words or answers that are evidence for the misconception."""
    spoke = [piece for piece in state.evidence if piece["source"] in ("malrule", "distractor", "likeness", "utterance")]
    latest = spoke[: -QUOTES_SHOWN - 1 : -1]
    return [{"quote": piece["quote"], "when": datetime.fromisoformat(piece["at"])} for piece in latest]
