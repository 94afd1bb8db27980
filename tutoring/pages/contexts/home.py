"""The context of a learner's home: what is to be done now, the goal, and the week."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, cast

from django.db.models import Exists, F, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from conversations.models import Session
from conversations.timestamps import weekday_date
from tutoring.classes import listings, messages, milestones
from tutoring.classes.retention import announced_deletion
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import lesson_state
from tutoring.mastery.records import goals
from tutoring.mastery.records.practice import mastered_on
from tutoring.models import Course, Goal, Lesson
from tutoring.pages.cards.contest_context import contest_news
from tutoring.pages.cards.grade_change_context import change_news
from tutoring.pages.cards.question_context import Context, picture_to_svg
from tutoring.pages.contexts import lesson_way
from tutoring.pages.contexts.course_map import MapConcept
from tutoring.pages.contexts.document_courses import own_course_links
from tutoring.pages.contexts.goal_pace import date_words, due_day, goal_pace, pace_words
from tutoring.pages.contexts.lesson_pictures import first_picture
from tutoring.pages.contexts.my_assignments import home_assignments
from tutoring.pages.contexts.overviews import course_list
from tutoring.pages.contexts.practice_week import week_context
from tutoring.pages.contexts.reviews import review_offer
from tutoring.pages.contexts.road import Road, minutes_words, road_of, strip_context
from tutoring.planner.pages.contexts.home_card import home_card

RECENT_SESSIONS: Final = 4
ABILITIES_SHOWN: Final = 3
COURSES_SHOWN: Final = 4
NOON, EVENING = 12, 18


def home_context(person: Person, *, at: datetime | None = None) -> Context:
    """Return what a learner's home shows."""
    at = at or timezone.now()
    sessions = _recent_sessions(person)
    latest = _latest_lesson(sessions)
    lesson = latest if latest and not lesson_state(latest.session.state).cycle.is_over else None
    places = listings.learner_places(person)
    begun = Lesson.objects.filter(concept__course=OuterRef("pk"), learner_id=person.pk)
    listed = list(Course.objects.listed_for(person).annotate(is_begun=Exists(begun)))
    course = _course_of(person, lesson, listed)
    road = _road_from(person, course, latest, is_over=lesson is None) if course else None
    reviews = review_offer(person, at=at)
    step = _next_step(sessions, lesson, road)
    given = home_assignments(person, at=at)
    is_new = not sessions and road is not None and not road.done
    adult = getattr(person, "is_adult", True)
    chooses = is_new and not given and len(listed) > 1
    step = None if chooses else step
    return {
        "heading": _heading(person, at, adult=adult, is_new=is_new),
        "intro": _intro(step, reviews, given, is_new=is_new),
        "newcomer": is_new,
        "asks_level": is_new and person.level == "unknown",
        "level_url": reverse("level"),
        "step": step,
        "choices": course_list(person, listed) if chooses else (),
        "other_courses": () if is_new else _other_courses(listed, course),
        "assignments": given,
        "reviews": reviews,
        "goal": _goal(person, road, at=at, adult=adult) if road and not chooses else None,
        "week": week_context(person, at=at),
        "planner": home_card(person, at=at),
        "abilities": _abilities(road),
        "recent": _recent(sessions, step),
        "own_courses": own_course_links(person),
        "contest_news": [*contest_news(person), *change_news(person)],
        "changed_classes": listings.recently_changed_classes(places),
        "messages_card": messages.home_card(person, is_pupil=bool(places)),
        "withdrawn_milestones": milestones.has_new_withdrawal(person, at=at),
        "deletion": announced_deletion(person, places, at=at),
        "client_id": uuid.uuid4().hex,
    }


def _other_courses(listed: Sequence[Course], current: Course | None) -> list[Context]:
    """Return links to the courses beside the current one and those from documents, which have a card of their own."""
    others = [each for each in listed if each != current and not each.is_personal]
    shown = sorted(others, key=lambda each: not each.is_begun)[:COURSES_SHOWN]  # type: ignore[attr-defined]  # Annotated.
    return [{"title": each.title, "url": each.get_absolute_url(), "is_begun": each.is_begun} for each in shown]  # type: ignore[attr-defined]


def _heading(person: Person, at: datetime, *, adult: bool, is_new: bool) -> str:
    if not adult:
        return _greeting(person, at)
    return _("Welcome, %(name)s") % {"name": person} if is_new else weekday_date(timezone.localtime(at))


def _greeting(person: Person, at: datetime) -> str:
    hour = timezone.localtime(at).hour
    if hour < NOON:
        return _("Good morning, %(name)s") % {"name": person}
    words = _("Good afternoon, %(name)s") if hour < EVENING else _("Good evening, %(name)s")
    return words % {"name": person}


def _recent_sessions(person: Person) -> list[Session]:
    """Return the latest conversations, with their lessons."""
    rows = Session.objects.filter(owner_id=person.pk, archived=False, deleted_at=None).select_related("lesson__concept")
    return list(rows.order_by("-updated_at")[: RECENT_SESSIONS + 1])


def _recent(sessions: Sequence[Session], step: Context | None) -> list[Context]:
    """Return links to the latest conversations, without the one that the next step leads to."""
    others = [each for each in sessions if step is None or each.get_absolute_url() != step["url"]]
    return [
        {"title": each.title or _("A conversation"), "url": each.get_absolute_url()}
        for each in others[:RECENT_SESSIONS]
    ]


def _road_from(person: Person, course: Course, latest: Lesson | None, *, is_over: bool) -> Road | None:
    """Return the road with the person at their latest lesson, or past it when it is over."""
    here = latest.concept.slug if latest and latest.concept.course_id == course.pk else ""
    return road_of(person, course, lesson="" if is_over else here, after=here if is_over else "")


def _latest_lesson(sessions: Sequence[Session]) -> Lesson | None:
    """Return the latest lesson; None if a placement came after it."""
    for session in sessions:
        if placement_of(session.state).under_way:
            return None
        lesson = getattr(session, "lesson", None)
        if lesson is not None:
            lesson.session = session
            return cast(Lesson, lesson)
    return None


def _course_of(person: Person, lesson: Lesson | None, courses: Sequence[Course]) -> Course | None:
    """Return the course of the open lesson, else of the newest goal, an open one first, else the first."""
    by_key = {each.pk: each for each in courses}
    if lesson is not None:
        return by_key[lesson.concept.course_id]
    aims = Goal.objects.filter(learner_id=person.pk, dropped_at=None)
    aims = aims.order_by(F("reached_at").desc(nulls_first=True), "-pk")
    first = aims.values_list("concept__course_id", flat=True).first()
    return by_key.get(first) if first else next(iter(courses), None)


# --- What comes next ---


def _next_step(sessions: Sequence[Session], lesson: Lesson | None, road: Road | None) -> dict[str, Any] | None:
    """Return the one thing to do next: a placement, a lesson under way, or the next stop of the road."""
    if sessions and (placing := placement_of(sessions[0].state)).under_way:
        number = min(len(placing.answers) + 1, placing.most)
        words = _("Question %(number)d of up to %(most)d.") % {"number": number, "most": placing.most}
        url = sessions[0].get_absolute_url()
        return {
            "title": _("Find out where to start"),
            "words": words,
            "url": url,
            "action": _("Continue"),
            "minutes": 0,
        }
    concepts = road.concepts if road else ()
    taught = next((each for each in concepts if lesson and each.concept.pk == lesson.concept_id), None)
    place = road.place if road else None
    if place is not None and place.concept.is_disowned and place.concept != taught:
        return _concept_step(place.concept, words=_("You said that you don’t know this yet."), action=_("Start"))
    if lesson is not None and taught is not None:
        return _lesson_step(lesson, taught)
    if place is None:
        return None
    return _concept_step(place.concept, words=place.concept.summary, action=_("Start"))


def _lesson_step(lesson: Lesson, concept: MapConcept) -> dict[str, Any]:
    way: Any = lesson_way.lesson_way(lesson.session, concept.concept, lesson_state(lesson.session.state))
    left = ngettext("About %(count)d step to go.", "About %(count)d steps to go.", way["left"]) % {"count": way["left"]}
    where = _("You are on step %(number)d.") % {"number": way["here"]}
    step = _concept_step(concept, words=f"{where} {left}", action=_("Continue"))
    return step | {"url": lesson.session.get_absolute_url(), "minutes": lesson_way.minutes_left(way, concept.minutes)}


def _concept_step(concept: MapConcept, *, words: str, action: str) -> dict[str, Any]:
    return {
        "title": concept.title,
        "words": words,
        "url": concept.concept.get_absolute_url(),
        "action": action,
        "minutes": concept.minutes,
        "picture_svg": picture_to_svg(first_picture(concept.value)),
    }


def _intro(step: dict[str, Any] | None, reviews: Context | None, given: Sequence[Context], *, is_new: bool) -> str:
    """Return how much there is to do today, in a sentence."""
    if is_new:
        return _(
            "Here you learn with a team. A tutor talks with you, and the others work out how you got your answers."
        )
    count = int(step is not None) + int(reviews is not None) + sum(bool(each["is_urgent"]) for each in given)
    if not count:
        return _("Nothing is due today.")
    minutes = (step["minutes"] if step else 0) + (cast(int, reviews["minutes"]) if reviews else 0)
    things = ngettext("%(count)d thing to do today", "%(count)d things to do today", count) % {"count": count}
    return f"{things}, {minutes_words(minutes)}." if minutes else f"{things}."


# --- The goal, and what was reached ---


def _goal(person: Person, road: Road, *, at: datetime, adult: bool) -> Context:
    today = timezone.localdate(at)
    days = mastered_on(person.pk, course_id=road.course.pk)
    pace = goal_pace(days, left=road.left, due_on=due_day(person, road.course), today=today)
    reached = None if road.own else goals.latest_reached(person.pk, road.course)
    return {
        "own": road.own,
        "reached": reached.wish if reached else "",
        "reached_words": _reached_words(reached, road) if reached else "",
        "choose_url": f"{road.course.get_absolute_url()}#ideas-title",
        "known": road.known,
        "title": ", ".join(road.goals),
        "url": reverse("path", args=[road.course.slug]),
        "course_title": road.course.title,
        "done": road.done,
        "total": len(road.stops),
        "fading": sum(stop.mark == "due" for stop in road.stops),
        "pace": pace,
        "pace_words": pace_words(pace) if road.left else _("You have reached your goal."),
        "date_words": date_words(pace),
        "strip": None if adult else strip_context(road),
    }


def _reached_words(goal: Goal, road: Road) -> str:
    """Return when the goal was reached, and what the course still has, which nobody has to do."""
    day = date_format(timezone.localtime(goal.reached_at), "MONTH_DAY_FORMAT")
    said = _("You reached this goal on %(day)s.") % {"day": day}
    more = ngettext("The course has %(count)d more topic.", "The course has %(count)d more topics.", road.left)
    return f"{said} {more % {'count': road.left}}" if road.left else said


def _abilities(road: Road | None) -> Context | None:
    """Return what the learner can do, the latest first and what is due before it."""
    concepts = [each for each in road.concepts if each.state == "mastered"] if road else []
    if not concepts:
        return None
    fading = [each for each in concepts if each.is_due]
    shown = [*fading, *(each for each in reversed(concepts) if not each.is_due)][:ABILITIES_SHOWN]
    return {
        "total": len(concepts),
        "shown": [
            {"words": each.value.can or each.title, "due": each.is_due, "url": each.mastery.evidence_url}
            for each in shown
        ],
    }
