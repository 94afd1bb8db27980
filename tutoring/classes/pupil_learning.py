"""What a pupil did and does: the map, rounds, reviews, the path and time, for the teachers of a class."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from math import ceil
from typing import Final

from django.urls import reverse
from django.utils import timezone

from agents.people import Person
from tutoring.mastery.records.practice import PracticeDay, practice_by_day
from tutoring.mastery.records.reviews import scheduled_reviews
from tutoring.models import Course, Cycle, Membership
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.course_map import MapConcept, map_drawing
from tutoring.pages.contexts.practice_week import start_of
from tutoring.pages.contexts.road import AHEAD, Road, road_of

CYCLES_SHOWN, REVIEWS_SHOWN = 20, 12
WEEKS: Final = 4
NEXT_SHOWN: Final = 4


def learning_context(place: Membership, courses: Sequence[Course], *, at: datetime | None = None) -> Context:
    """Return the sections of a pupil's page that show levels; a fixed number of queries for each course."""
    at = at or timezone.now()
    roads = [road for course in courses if (road := road_of(place.person, course)) is not None]
    return {
        "maps": [_map(place, road) for road in roads],
        "cycles": _cycles(place.person_id),
        "paths": [_path(road) for road in roads if road.stops],
        "reviews": _reviews(place.person, at),
        "time": _time(place.person_id, at),
    }


def _map(place: Membership, road: Road) -> Context:
    """Return the drawing of the course's map and the list of its concepts, each with the page of its answers."""
    urls = {stop.value.id: _answers_url(place, stop) for stop in road.concepts}
    return {
        "title": road.course.title,
        "drawing": map_drawing(road.concepts, road.course.catalogue(), road.path),
        "rows": [{"stop": stop, "url": urls[stop.value.id]} for stop in road.concepts],
    }


def _answers_url(place: Membership, stop: MapConcept) -> str:
    """Return where the concept's answers are; empty without any, and where the class does not show them."""
    where = [place.classroom.code, place.person_id, stop.concept.course.slug, stop.concept.slug]
    has_answers = place.classroom.policy.shows_answers and stop.mastery.answers
    return reverse("class-evidence", args=where) if has_answers else ""


def _cycles(learner_id: int) -> list[Cycle]:
    """Return the latest rounds of explanation, quiz and feedback, the latest first."""
    rows = (
        Cycle.objects.filter(learner_id=learner_id, concept__course__is_personal=False)
        .select_related("concept")
        .order_by("-started_at", "-pk")
    )
    return list(rows[:CYCLES_SHOWN])


def _path(road: Road) -> Context:
    """Return how far the pupil is on the way to their goals, or the course's, and what comes next."""
    ahead = [stop.title for stop in road.stops[road.here :] if stop.mark in AHEAD]
    return {
        "course": road.course.title,
        "goals": ", ".join(road.goals),
        "is_own": road.own,
        "done": road.done,
        "total": len(road.stops),
        "next": ahead[:NEXT_SHOWN],
    }


def _reviews(person: Person, at: datetime) -> Context:
    rows = scheduled_reviews(person, at=at)
    return {
        "due": [row for row in rows if row.due_at <= at],
        "later": [row for row in rows if row.due_at > at][:REVIEWS_SHOWN],
        "done": sum(row.times for row in rows),
    }


def _time(learner_id: int, at: datetime) -> Context:
    """Return the days of practice of four weeks, and the minutes of each week."""
    today = timezone.localdate(at)
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    days = practice_by_day(learner_id, since=start_of(first))
    weeks = [_week(first + timedelta(weeks=number), days) for number in range(WEEKS)]
    minutes = ceil(sum(day.seconds for day in days.values()) / 60)
    return {"weeks": weeks, "days": len(days), "minutes": minutes}


def _week(monday: date, days: Mapping[date, PracticeDay]) -> Context:
    inside = [found for day, found in days.items() if monday <= day < monday + timedelta(days=7)]
    return {"monday": monday, "days": len(inside), "minutes": ceil(sum(day.seconds for day in inside) / 60)}
