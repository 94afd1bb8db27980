"""The tool that plans study sessions: from the learning path and due reviews, into free time before a test."""

import math
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from agents.tools import Tool
from tutoring.mastery.records import path_planning, reviews
from tutoring.models import CalendarEvent, Concept, Course, Goal
from tutoring.planner.records import events
from tutoring.planner.records.changes import change_of_use, change_rows
from tutoring.planner.records.limits import LONGEST_TITLE
from tutoring.planner.records.search import meaningful_words
from tutoring.planner.times.free_time import FreeSlot
from tutoring.planner.times.study_plan import Deadline, DueReview, PathConcept, StudyRequest, plan_study
from tutoring.planner.tools.events import slots_of
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool
from tutoring.planner.tools.targets import done_before, rows_named, shown
from tutoring.planner.wording import day_words, listed, lowered, on_day, span_words

USUAL_DAYS: Final = 7
MOST_DAYS: Final = 28
"""How far ahead sessions are planned before a test that is later."""
MOST_SESSIONS: Final = 12
MINUTES_A_QUESTION: Final = 1.5
MOST_A_DAY: Final = 1
"""Sessions a day, as long as they all fit: a week should leave time for anything else."""
AFTER_SCHOOL: Final = 15
"""The hour from which a weekday has time to study, if the person's day begins earlier: the morning is for school."""
NOTICE: Final = timedelta(minutes=15)
SOME_SESSIONS: Final = 3
"""For a test on something that no course teaches."""
UNKNOWN: Final = ""
"""What is learned for such a test."""


class PlanStudy(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The test or topic to study for, in words.")
    day_from: date | None = Field(default=None, description="Today, if it is not given.")
    day_to: date | None = Field(default=None, description="The last day, if no test ends the plan.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """What is to be studied."""

    path: tuple[PathConcept, ...]
    titles: dict[str, str]
    rows: dict[str, Concept]
    reviews: tuple[DueReview, ...] = ()


def plan_sessions(use: PlannerUse, wanted: PlanStudy) -> PlannerResult:
    """Store study sessions in free time; those planned before for these days are replaced."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    first = max(wanted.day_from or use.now.date(), use.now.date())
    test = _test(use, wanted, first)
    last = wanted.day_to or first + timedelta(days=USUAL_DAYS - 1)
    if test is not None and (wanted.day_to is None or test.starts_at.astimezone(use.zone).date() <= last):
        last = min(test.starts_at.astimezone(use.zone).date(), first + timedelta(days=MOST_DAYS))
    else:
        test = None
    settings = use.settings()
    material = _material(use, test.title if test is not None else wanted.target)
    old = [
        each.event
        for each in events.events_between(
            use.workspace, use.now, use.midnight(last + timedelta(days=1)), kind=CalendarEvent.Kind.STUDY
        )
        if not each.event.rule and each.start > use.now
    ]
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        for each in old:
            if (row := events.locked_event(use.workspace, each.pk)) is not None:
                recorder.remove(row)
        slots = _after_school(use, slots_of(use, first, last, minutes=settings.session_minutes))
        deadline = Deadline(at=test.starts_at.astimezone(use.zone)) if test is not None else None
        request = StudyRequest(
            slots=slots,
            session_minutes=settings.session_minutes,
            path=material.path,
            reviews=material.reviews,
            deadline=deadline,
            most_a_day=MOST_A_DAY,
        )
        plan = plan_study(request)
        if plan.unplanned and test is not None:
            plan = plan_study(replace(request, most_a_day=2))
        made = [
            events.create_event(
                recorder,
                title=_title(each.concept, material, test),
                kind=CalendarEvent.Kind.STUDY,
                start=each.start,
                end=each.end,
                zone=str(use.zone),
                concept=material.rows.get(each.concept or ""),
                notes=each.why,
            )
            for each in plan.sessions[:MOST_SESSIONS]
        ]
        recorder.words = _words(use, made, test, last)
    return PlannerResult(
        status="done" if made else "none",
        words=recorder.words,
        rows=[shown(use, each) for each in made],
        change=recorder.change_id,
    )


def _test(use: PlannerUse, wanted: PlanStudy, first: date) -> CalendarEvent | None:
    """Return the test that is named, else the next one; None if none is to come."""
    coming = events.events_between(
        use.workspace, use.midnight(first), use.midnight(first + timedelta(days=60)), kind=CalendarEvent.Kind.TEST
    )
    tests = [each.event for each in coming if each.start > use.now]
    if wanted.target:
        named = {each.pk for each in rows_named(use, "event", wanted.target, None)}
        return next((each for each in tests if each.pk in named), None)
    return tests[0] if tests else None


def _material(use: PlannerUse, about: str) -> _Material:
    """Return the steps of the learning path in the course that the test is about, and the reviews that are due."""
    course = _course(use, about)
    if course is None:
        unknown = (PathConcept(concept=UNKNOWN, sessions=SOME_SESSIONS),) if about else ()
        return _Material(path=unknown, titles={UNKNOWN: about}, rows={})
    goals = path_planning.open_goals(use.person.pk, course)
    value = course.catalogue()
    if not goals:
        # Without a goal of their own, a test is about what the course leads to.
        goals = [each.id for each in value.concepts if each.goal] or [each.id for each in value.concepts[-1:]]
    planned = path_planning.plan_path(use.person.pk, course, goals=goals)
    minutes = use.settings().session_minutes
    steps = [each for each in planned.steps if each.kind in ("learn", "check")][:MOST_SESSIONS]
    path = tuple(
        PathConcept(concept=each.concept, sessions=max(1, math.ceil(each.least * MINUTES_A_QUESTION / minutes)))
        for each in steps
    )
    cards = [each for each in reviews.scheduled_reviews(use.person) if each.concept.course_id == course.pk]
    due = tuple(DueReview(concept=each.concept.slug, due_at=each.due_at.astimezone(use.zone)) for each in cards)
    rows = {each.slug: each for each in Concept.objects.filter(course=course)}
    return _Material(path=path, titles={each.id: each.title for each in value.concepts}, rows=rows, reviews=due)


def _course(use: PlannerUse, about: str) -> Course | None:
    """Return the course that the words are about, else that of the person's latest goal; None for another subject."""
    courses = list(Course.objects.listed_for(use.person))
    if about:
        words = set(meaningful_words(about))
        fitting = [each for each in courses if words & set(meaningful_words(each.title))]
        fitting = fitting or [
            course
            for course in courses
            if any(words & set(meaningful_words(each.title)) for each in course.catalogue().concepts)
        ]
        return fitting[0] if fitting else None
    goal = Goal.objects.open().filter(learner_id=use.person.pk).select_related("concept__course").last()
    if goal is not None:
        return goal.concept.course
    return courses[0] if len(courses) == 1 else None


def _after_school(use: PlannerUse, slots: tuple[FreeSlot, ...]) -> tuple[FreeSlot, ...]:
    """Return the slots without the mornings of weekdays, from the next hour on."""
    length = timedelta(minutes=use.settings().session_minutes)
    # Who asks for a plan wants no session this minute.
    soonest = (use.now + NOTICE).replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    found = []
    for each in slots:
        start = max(each.start, soonest)
        if start.weekday() < 5 and start.hour < AFTER_SCHOOL:
            start = start.replace(hour=AFTER_SCHOOL, minute=0, second=0, microsecond=0)
        if each.end - start >= length:
            found.append(FreeSlot(start=start, end=each.end))
    return tuple(found)


def _title(concept: str | None, material: _Material, test: CalendarEvent | None) -> str:
    topic = material.titles.get(concept or "", "") if concept is not None else ""
    if topic:
        return _("Study: %(topic)s") % {"topic": topic}
    return _("Review: %(test)s") % {"test": test.title} if test is not None else _("Study")


def _words(use: PlannerUse, made: list[CalendarEvent], test: CalendarEvent | None, last: date) -> str:
    if not made:
        if test is not None:
            return _("I found no free time to study before %(test)s.") % {"test": test.title}
        return _(
            "There is nothing to plan study sessions for yet. Tell me about a test, or choose a goal, and I’ll plan for it."
        )
    count = len(made)
    if test is not None:
        day = on_day(test.starts_at.astimezone(use.zone).date(), use.now)
        lead = ngettext(
            "I planned %(count)d study session before the %(test)s %(day)s:",
            "I planned %(count)d study sessions before the %(test)s %(day)s:",
            count,
        ) % {"count": count, "test": lowered(test.title), "day": day}
    else:
        lead = ngettext(
            "I planned %(count)d study session until %(day)s:",
            "I planned %(count)d study sessions until %(day)s:",
            count,
        ) % {"count": count, "day": day_words(last, use.now)}
    lines = [
        f"{span_words(each.starts_at.astimezone(use.zone), each.ends_at.astimezone(use.zone), use.now)}: "
        f"{each.title.removeprefix(_('Study: %(topic)s') % {'topic': ''})}"
        for each in made
    ]
    return f"{lead}\n{listed(lines, most=MOST_SESSIONS)}"


PLAN_STUDY = Tool(
    name="plan_study",
    description=(
        "Plans study sessions in the person's free time, from the learning path and due reviews, before a test or for a "
        "week. Use it when the person asks to plan studying or a week."
    ),
    arguments=PlanStudy,
    run=planner_tool(plan_sessions),
    has_effect=True,
    timeout_s=20.0,
)
TOOLS = (PLAN_STUDY,)
