"""Answers about the learner's goal, from the record: whether it is reached, and how long the way to it is."""

from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.models import Course, Goal
from tutoring.pages.contexts.road import Road, minutes_words, road_of

GOAL_TOPICS: Final = frozenset({"goal_reached", "way_length"})
"""Topics of questions about the system that are about the goal."""


def answer_about_goal(person: Person, about: str) -> str:
    """Return the answer to a question on one of the GOAL_TOPICS; empty without a goal.

    Empty for any other topic too, without a query.
    """
    if about not in GOAL_TOPICS:
        return ""
    goals = Goal.objects.filter(learner_id=person.pk, dropped_at=None).select_related("concept")
    ahead = goals.filter(reached_at=None).order_by("-pk").first()
    if ahead is not None:
        road = road_of(person, Course.objects.get(pk=ahead.concept.course_id))
        return _on_the_way(road, about) if road is not None and road.own else ""
    reached = goals.order_by("-reached_at", "-pk").first()
    if reached is None or reached.reached_at is None:
        return ""
    words = (
        _("Yes. You reached your goal on %(day)s: %(goal)s.")
        if about == "goal_reached"
        else _("You’re already there. You reached your goal on %(day)s: %(goal)s.")
    )
    return words % {
        "day": date_format(timezone.localtime(reached.reached_at), "MONTH_DAY_FORMAT"),
        "goal": reached.wish,
    }


def _on_the_way(road: Road, about: str) -> str:
    """Return how much of the road is left, in topics and in minutes."""
    names = {
        "goal": ", ".join(f"*{each}*" for each in road.goals),
        "done": road.done,
        "total": len(road.stops),
        "minutes": minutes_words(road.minutes_left),
        "url": f"/learn/{road.course.slug}/path/",
    }
    if about == "way_length":
        said = _(
            "Reaching your goal, %(goal)s, will take %(minutes)s. You know or have mastered %(done)d of %(total)d "
            "topics. [See your path](%(url)s)."
        )
        return said % names
    said = _(
        "Not yet. Your goal is %(goal)s. You know or have mastered %(done)d of %(total)d topics, and the rest will "
        "take %(minutes)s. [See your path](%(url)s)."
    )
    return said % names
