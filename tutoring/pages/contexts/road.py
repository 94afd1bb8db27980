"""The road to a learner's goal: its stops in order, where they are, and what stands beside it."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.courses.catalogue import CourseContent
from tutoring.mastery.learning_path import following_concept
from tutoring.mastery.planned_path import PlannedPath
from tutoring.mastery.records.path_planning import open_goals
from tutoring.models import Course
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts import road_layout
from tutoring.pages.contexts.course_map import MapConcept, planned_concepts
from tutoring.pages.contexts.road_layout import RoadLayout

type Mark = Literal["done", "due", "here", "known", "open", "later"]

AHEAD: Final = ("here", "open", "later")
"""Marks of stops that are still to be learned."""
STRIP_STOPS: Final = 6
BEFORE_HERE: Final = 2
"""Stops before the learner's place that a strip shows."""
SIDE_STOPS: Final = 2
"""Stops beside the road that are shown at most."""
STRIP_LINE, WIDE_LINE = 13, 26
"""Letters of a title that fit next to each other."""
STRIP_NOTE_LINE: Final = 9
"""Letters of a note above a stop of the strip: wider, it would reach the sign of the learner's place beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadStop:
    """A concept on the road, or beside it."""

    concept: MapConcept
    mark: Mark
    is_goal: bool = False
    is_own: bool = True
    """Whether a goal is one that the learner chose, and not the course's."""

    @property
    def title(self) -> str:
        return self.concept.title

    @property
    def slug(self) -> str:
        return self.concept.value.id

    @property
    def url(self) -> str:
        return self.concept.url

    @property
    def goal_word(self) -> str:
        """Whose goal it is; empty for a stop that is none."""
        if not self.is_goal:
            return ""
        return _("your goal") if self.is_own else _("course goal")

    @property
    def note(self) -> str:
        """Its state in a few words."""
        if self.mark in ("here", "done", "due"):
            return {"here": _("you are here"), "done": _("done"), "due": _("due for review")}[self.mark]
        if self.is_goal:
            return self.goal_word
        if self.mark == "known":
            return _("you may know this")
        return minutes_words(self.concept.minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """The stops from the first to the goal; `here` is the number of the learner's place, after the last when all is done."""

    course: Course
    stops: tuple[RoadStop, ...]
    here: int
    own: bool
    """Whether it leads to goals that the learner chose, and not to the course's."""
    path: PlannedPath
    beside: tuple[tuple[int, RoadStop], ...] = ()
    """Optional stops, each with the number of the stop that it builds on."""
    concepts: tuple[MapConcept, ...] = ()
    """All concepts of the course."""

    @property
    def place(self) -> RoadStop | None:
        """The stop at which the learner is; None when all is done."""
        return self.stops[self.here] if self.here < len(self.stops) else None

    @property
    def goals(self) -> list[str]:
        return [goal.title for goal in self.path.goals]

    @property
    def left(self) -> int:
        """How many stops still have their lesson, or their check if that is all that is left."""
        return sum(stop.mark in AHEAD for stop in self.stops)

    @property
    def done(self) -> int:
        """How many stops are mastered, or known by the placement."""
        return len(self.stops) - self.left

    @property
    def known(self) -> int:
        """How many of those are not mastered: a placement found that the learner knows them."""
        return sum(stop.mark == "known" for stop in self.stops)

    @property
    def minutes_left(self) -> int:
        return sum(stop.concept.minutes for stop in self.stops if stop.mark in AHEAD)

    def stop(self, slug: str) -> RoadStop | None:
        every = (*self.stops, *(stop for _number, stop in self.beside))
        return next((stop for stop in every if stop.slug == slug), None)


def road_of(
    person: Person, course: Course, *, lesson: str = "", after: str = "", own: Sequence[str] | None = None
) -> Road | None:
    """Return the road to the person's goals in a course, else to the course's own; None in a course without lessons.

    `lesson` is the concept whose lesson is open: the person is there, if it lies on the road. `after` is the concept
    of a lesson that is over: without goals of their own, the person is at the concept that follows it. `own` are the
    person's goals, if they are at hand.
    """
    own = open_goals(person.pk, course) if own is None else own
    concepts, path = planned_concepts(person, course, own or _aims_of(course.catalogue()))
    if path is None:
        return None
    if after and not own:
        mastered = [each.value.id for each in concepts if each.state == "mastered"]
        lesson = lesson or following_concept(course.catalogue().requires, after, mastered=mastered) or ""
    stops = _stops(concepts, path, lesson=lesson, own=bool(own))
    here = next((number for number, stop in enumerate(stops) if stop.mark == "here"), len(stops))
    beside = tuple(_beside(concepts, stops))
    return Road(
        course=course, stops=stops, here=here, own=bool(own), path=path, beside=beside, concepts=tuple(concepts)
    )


def _aims_of(course: CourseContent) -> list[str]:
    """Return the concepts that the course leads to, else its last one."""
    return [each.id for each in course.concepts if each.goal] or [each.id for each in course.concepts[-1:]]


def _stops(concepts: Sequence[MapConcept], path: PlannedPath, *, lesson: str, own: bool) -> tuple[RoadStop, ...]:
    by_slug = {each.value.id: each for each in concepts}
    done = [each.id for each in path.known]
    ahead = [step.concept for step in path.steps if step.kind != "review" and step.concept not in done]
    known = [each for each in ahead if by_slug[each].looks_known and each != lesson]
    rest = [each for each in ahead if each not in known]
    # What the learner has said they do not know comes before the open lesson, if it does on the path.
    wanted = [each for each in rest if each == lesson or by_slug[each].is_disowned]
    here = next(iter([*wanted, *rest]), "")
    rest.sort(key=lambda slug: slug != here)
    # What looks known is passed, unless it is all that is left: a goal is confirmed by its own quiz.
    if not rest and known:
        here = known[-1]
    goals = {goal.id for goal in path.goals}
    order = [*_in_course_order([*done, *known], concepts), *rest]
    return tuple(
        RoadStop(concept=by_slug[slug], mark=_mark(by_slug[slug], here=here), is_goal=slug in goals, is_own=own)
        for slug in order
    )


def _in_course_order(slugs: Iterable[str], concepts: Sequence[MapConcept]) -> list[str]:
    wanted = set(slugs)
    return [each.value.id for each in concepts if each.value.id in wanted]


def _mark(concept: MapConcept, *, here: str) -> Mark:
    if concept.value.id == here:
        return "here"
    if concept.state == "mastered":
        return "due" if concept.is_due else "done"
    if concept.looks_known:
        return "known"
    return "later" if concept.state == "locked_hint" else "open"


def _beside(concepts: Sequence[MapConcept], stops: Sequence[RoadStop]) -> Iterable[tuple[int, RoadStop]]:
    """Yield optional stops that could begin now, at most one for each row of the drawing."""
    places = {stop.slug: number for number, stop in enumerate(stops)}
    rows: set[int] = set()
    for concept in concepts:
        below = [places[each] for each in concept.value.requires if each in places]
        free = concept.value.id not in places and concept.state in ("ready", "started") and not concept.looks_known
        row = max(below, default=-road_layout.ROW) // road_layout.ROW
        if free and below and row not in rows and len(rows) < SIDE_STOPS:
            rows.add(row)
            yield max(below), RoadStop(concept=concept, mark="open")


# --- Drawings ---


def strip_context(road: Road) -> Context:
    """Return the part of the road around the learner's place, and the goal, as a drawing and as a list."""
    last = len(road.stops) - 1
    first = max(0, min(road.here - BEFORE_HERE, last - STRIP_STOPS + 1))
    numbers = list(range(first, min(last + 1, first + STRIP_STOPS)))
    hidden = last - numbers[-1]
    if hidden:
        numbers[-1] = last
    here = sum(number < road.here for number in numbers)
    layout = road_layout.lay_out_strip(len(numbers), here)
    stops = [road.stops[number] for number in numbers]
    return {
        "layout": layout,
        "nodes": _nodes(stops, layout, STRIP_LINE),
        "between": hidden,
        "first_hidden": first,
    }


def wide_context(road: Road) -> Context:
    """Return the whole road for a wide screen, with what stands beside it."""
    layout = road_layout.lay_out_wide(len(road.stops), road.here)
    sides = []
    for number, stop in road.beside:
        (x, y), line = road_layout.side_road(layout.points[number])
        sides.append({"stop": stop, "x": x, "y": y, "road": line, "rightward": x > layout.width / 2})
    return {"layout": layout, "nodes": _nodes(road.stops, layout, WIDE_LINE), "sides": sides}


def tall_context(road: Road) -> Context:
    """Return the whole road for a phone."""
    layout = road_layout.lay_out_tall(len(road.stops), road.here)
    # Read from the goal at the top to the first stop, as it is seen.
    return {"layout": layout, "nodes": _nodes(road.stops, layout, WIDE_LINE)[::-1]}


def _nodes(stops: Sequence[RoadStop], layout: RoadLayout, line: int) -> list[Context]:
    return [
        {
            "stop": stop,
            "x": x,
            "y": y,
            "lines": textwrap.wrap(stop.title, line, max_lines=4, placeholder="…"),
            "note_lines": textwrap.wrap(stop.note, STRIP_NOTE_LINE),
        }
        for stop, (x, y) in zip(stops, layout.points, strict=True)
    ]


def minutes_words(minutes: int) -> str:
    """Return how long something takes, as far as that is known."""
    return ngettext("about %(count)d minute", "about %(count)d minutes", minutes) % {"count": minutes}
