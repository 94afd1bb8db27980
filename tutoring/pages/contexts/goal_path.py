"""The context of the page that shows the road to a learner's goal."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.mastery.records.practice import mastered_on
from tutoring.models import Course, Goal
from tutoring.pages.cards.question_context import Context, picture_to_svg
from tutoring.pages.contexts import lesson_way
from tutoring.pages.contexts.course_map import MapConcept, dropped_goals
from tutoring.pages.contexts.goal_pace import GoalPace, date_words, goal_pace, pace_words
from tutoring.pages.contexts.lesson_pictures import first_picture
from tutoring.pages.contexts.path_list import path_context
from tutoring.pages.contexts.road import Mark, Road, RoadStop, minutes_words, road_of, tall_context, wide_context


def goal_path_context(person: Person, course: Course, *, stop: str = "", at: datetime | None = None) -> Context:
    """Return the road, the card of one stop, and the steps as a list. `stop` is the concept whose card is shown."""
    at = at or timezone.now()
    goals = Goal.objects.open().filter(learner_id=person.pk, concept__course=course).select_related("concept")
    known = {each.id for each in course.catalogue().concepts}
    aims = list(goals)
    lesson = lesson_way.open_lesson(person, course)
    road = road_of(
        person,
        course,
        lesson=lesson[0].slug if lesson else "",
        own=[goal.concept.slug for goal in aims if goal.concept.slug in known],
    )
    page: Context = {
        "course": {"title": course.title, "url": course.get_absolute_url()},
        "own_goals": [
            {
                "slug": goal.concept.slug,
                "title": goal.concept.title,
                "due_on": goal.due_on,
                "gone": goal.concept.slug not in known,
            }
            for goal in aims
        ],
        "path_url": reverse("path", args=[course.slug]),
        "today": timezone.localdate(at),
    }
    if road is None:
        return page | {"road": None}
    minutes = {lesson[0].slug: lesson[1]} if lesson else {}
    days = mastered_on(person.pk, course_id=course.pk)
    pace = goal_pace(
        days,
        left=road.left,
        due_on=min((goal.due_on for goal in aims if goal.due_on), default=None),
        today=timezone.localdate(at),
    )
    return page | {
        "road": road,
        "heading": ", ".join(road.goals) if road.own else _("Your path through %(title)s") % {"title": course.title},
        "words": _words(road, pace) if road.left else _("You have finished this path."),
        "date_words": date_words(pace),
        "marks": _marks(road),
        "wide": wide_context(road),
        "tall": tall_context(road),
        "card": _card(road, (road.stop(stop) if stop else None) or road.place or road.stops[-1], minutes),
        "path": _list(road, minutes),
        "given_up": dropped_goals(person, course, road.concepts),
    }


def _marks(road: Road) -> list[tuple[Mark, str]]:
    """Return what the rings of this road mean."""
    shown = {stop.mark for stop in road.stops}
    meanings: list[tuple[Mark, str]] = [
        ("done", _("you can do it")),
        ("due", _("mastered before, now due for review")),
        ("here", _("you are here")),
        ("known", _("you may know this")),
        ("open", _("you can start this")),
        ("later", _("easier once you’ve finished the lessons before it")),
    ]
    return [(mark, words) for mark, words in meanings if mark in shown]


def _list(road: Road, minutes: Mapping[str, int]) -> Context:
    """Return the road as a list; what could begin as well is named without the learner's place.

    `minutes` are what is left of a lesson that is under way, by concept.
    """
    place = road.place
    known = [each.value.id for each in road.concepts if each.looks_known and each.state != "mastered"]
    steps: dict[str, Any] = path_context(road.path, known=known, here=place.slug if place else "")
    title = place.title if place else ""
    concepts = {each.value.id: each for each in road.concepts}
    for step in steps["steps"]:
        step["minutes"] = minutes.get(step["slug"], step["minutes"])
        step["start"] = concepts[step["slug"]].start
        step["start_url"] = concepts[step["slug"]].start_url
    return steps | {"others": [each for each in steps["others"] if each["title"] != title]}


def _words(road: Road, pace: GoalPace) -> str:
    """Return what is done, what is left, and how long that takes in all."""
    whole = _("That takes %(minutes)s in all.") % {"minutes": minutes_words(road.minutes_left)}
    return " ".join(filter(None, (_behind(road), pace_words(pace), whole if road.minutes_left else "")))


def _behind(road: Road) -> str:
    if road.known:
        words = _("You know or have mastered %(done)d of %(total)d topics.")
        return words % {"done": road.done, "total": len(road.stops)}
    done = ngettext("%(count)d stop done.", "%(count)d stops done.", road.done) % {"count": road.done}
    return done if road.done else ""


def _card(road: Road, stop: RoadStop, minutes: Mapping[str, int]) -> Context:
    concept = stop.concept
    opens = [each.title for each in road.concepts if concept.value.id in each.value.requires]
    return {
        "stop": stop,
        "concept": concept,
        "minutes": minutes.get(stop.slug, concept.minutes),
        "picture_svg": picture_to_svg(first_picture(concept.value)),
        "requires": [each.title for each in concept.requires],
        "opens": opens,
        "action": _action(concept),
    }


def _action(concept: MapConcept) -> str:
    """Return the word on the button that leads to the concept."""
    if concept.is_due:
        return _("Review")
    words = {"mastered": _("Look at it again"), "started": _("Continue")}
    return words.get(concept.state, _("Start"))


def courses_of(person: Person) -> Sequence[int]:
    """Return the courses of the person's goals, the newest first; one query."""
    aims = Goal.objects.open().filter(learner_id=person.pk).order_by("-pk")
    return list(dict.fromkeys(aims.values_list("concept__course_id", flat=True)))
