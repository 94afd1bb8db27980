"""The context of a course map for one learner: each concept's state, the path to the goals, and the drawing."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.courses import catalogue
from tutoring.mastery.learning_path import ConceptStanding
from tutoring.mastery.planned_path import PlannedPath
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.mastery.records import reviews
from tutoring.mastery.records.known_starts import Start, is_disowned, start_of
from tutoring.mastery.records.path_planning import plan_path
from tutoring.models import Concept, Course, Goal, Lesson, Mastery
from tutoring.pages.cards.question_context import Context, MasteryView, mastery_view
from tutoring.pages.contexts.map_layout import HEIGHT, WIDTH, MapLayout, lay_out
from tutoring.pages.contexts.path_list import path_context

type State = Literal["mastered", "started", "ready", "locked_hint"]
type Sign = Literal["due", "next", "mastered", "aside", "known", "started", "ready", "later"]

DROPPED_GOALS_SHOWN = 3
"""Dropped goals, latest first, that the map offers to bring back."""
LINE_LENGTH = 19
"""Letters of a title that fit next to each other in the drawing."""
LINE_HEIGHT = 18
BAND, ROUND = 42, 13
"""Pixels of a concept's left side, which has the color of its mastery, and of its corners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapConcept:
    """A concept on the map, with one learner's state."""

    concept: Concept
    value: catalogue.ConceptContent
    state: State
    mastery: MasteryView
    requires: tuple[Concept, ...]
    first: tuple[Concept, ...]
    """Required concepts that are neither mastered nor look known."""
    is_next: bool
    is_goal: bool
    """Whether it is the learner's own goal."""
    on_path: bool
    is_due: bool
    is_skipped: bool
    start: Start
    """What the learner can say against the placement: that they do not know it, or that they do after all."""
    looks_known: bool
    """Not shown to be mastered, but the placement, the first answers or a mastered concept that builds on it suggest it."""

    @property
    def is_disowned(self) -> bool:
        """Whether the placement took it as known, and the learner has said that they do not know it."""
        return self.start == "unknown"

    @property
    def title(self) -> str:
        return self.value.title

    @property
    def summary(self) -> str:
        return self.value.summary

    @property
    def minutes(self) -> int:
        return self.value.minutes

    @property
    def url(self) -> str:
        """Where it is learned; for a review that comes next, where that is taken."""
        return reverse("review") if self.is_next and self.is_due else self.concept.get_absolute_url()

    @property
    def start_url(self) -> str:
        """Where it is said whether it is known."""
        return reverse("change-start", args=[self.concept.course.slug, self.concept.slug])

    @property
    def sign(self) -> Sign:
        """The sign that the drawing shows of it."""
        marks: dict[Sign, bool] = {
            "due": self.is_due,
            "next": self.is_next,
            "mastered": self.state == "mastered",
            "aside": self.is_skipped,
            "known": self.looks_known,
            "started": self.state == "started",
            "ready": self.state == "ready",
        }
        return next((sign for sign, shown in marks.items() if shown), "later")

    @property
    def label(self) -> str:
        """Everything that the drawing shows of it, in words."""
        parts = [self.title, _state_words(self), *_mastery_words(self.mastery)]
        parts += [_("due for review")] * self.is_due + [_("next")] * self.is_next
        parts += [_("your goal")] * self.is_goal + [_("put aside")] * self.is_skipped
        if self.requires:
            parts.append(_("builds on %(titles)s") % {"titles": ", ".join(each.title for each in self.requires)})
        return "; ".join(parts)


def course_map_context(person: Person, course: Course) -> Context:
    """Return a course's map: each concept with its state, the path to the person's goals, and the drawing."""
    value = course.catalogue()
    rows = _rows(person, course, value)
    by_slug = {row.slug: row for row in rows}
    goals = Goal.objects.open().filter(learner_id=person.pk, concept__course=course).select_related("concept")
    aims = [goal.concept for goal in goals]
    masteries = _masteries(person, rows)
    path = _path(person, course, masteries, goals=[aim.slug for aim in aims if aim.slug in by_slug])
    stops = _stops(person, course, rows, masteries, path)
    return {
        "course": {"title": course.title, "summary": course.summary, "url": course.get_absolute_url()},
        "standards": value.standards if person.role != "learner" else "",
        "path_url": reverse("path", args=[course.slug]),
        "goals": [
            {"title": stop.title, "url": stop.url, "reached": stop.state == "mastered"}
            for stop in stops
            if stop.concept.is_goal
        ],
        "mastered": sum(stop.state == "mastered" for stop in stops),
        "concepts": stops,
        "drawing": map_drawing(stops, value, path),
        "path": path_context(path) if path else None,
        "own_goals": [{"slug": aim.slug, "title": aim.title, "gone": aim.slug not in by_slug} for aim in aims],
        "given_up": dropped_goals(person, course, stops),
    }


def planned_concepts(
    person: Person, course: Course, goals: Sequence[str]
) -> tuple[list[MapConcept], PlannedPath | None]:
    """Return the course's concepts with the person's states, and the path to these goals; None without goals."""
    rows = _rows(person, course, course.catalogue())
    masteries = _masteries(person, rows)
    path = _path(person, course, masteries, goals=goals)
    return _stops(person, course, rows, masteries, path), path


def dropped_goals(person: Person, course: Course, stops: Sequence[MapConcept]) -> list[Context]:
    """Return the goals dropped or replaced last, which can be set again."""
    open_to = {stop.concept.slug for stop in stops if not stop.is_goal and stop.state != "mastered"}
    dropped = Goal.objects.filter(learner_id=person.pk, concept__course=course).exclude(dropped_at=None)
    rows = dropped.order_by("-dropped_at").values_list("concept__slug", "concept__title")[:DROPPED_GOALS_SHOWN]
    return [{"slug": slug, "title": title} for slug, title in dict(rows).items() if slug in open_to]


def _rows(person: Person, course: Course, value: catalogue.CourseContent) -> list[Concept]:
    """Return the concepts with their course; retired ones only for those who have begun them."""
    known = {concept.id for concept in value.taught}
    if len(known) < len(value.concepts):
        begun = Lesson.objects.filter(learner_id=person.pk, concept__course=course).values_list(
            "concept__slug", flat=True
        )
        known |= {concept.id for concept in value.concepts}.intersection(begun)
    rows = [row for row in course.concepts.order_by("position") if row.slug in known]
    for row in rows:
        row.course = course
    return rows


def _masteries(person: Person, rows: Sequence[Concept]) -> dict[str, Mastery]:
    by_pk = {row.pk: row for row in rows}
    masteries = {}
    for row in Mastery.objects.filter(learner_id=person.pk, concept__in=rows):
        row.concept = by_pk[row.concept_id]
        masteries[row.concept.slug] = row
    return masteries


def _path(
    person: Person, course: Course, masteries: Mapping[str, Mastery], *, goals: Sequence[str]
) -> PlannedPath | None:
    return plan_path(person.pk, course, masteries=masteries, goals=goals) if goals else None


def _stops(
    person: Person, course: Course, rows: Sequence[Concept], masteries: Mapping[str, Mastery], path: PlannedPath | None
) -> list[MapConcept]:
    value, by_slug = course.catalogue(), {row.slug: row for row in rows}
    kept = reviews.recall_by_concept(person.pk, course) if any(row.mastered_at for row in masteries.values()) else {}
    started = set(Lesson.objects.filter(learner_id=person.pk, concept__in=rows).values_list("concept_id", flat=True))
    mastered = {slug for slug, row in masteries.items() if row.is_mastered}
    checks = {slug for slug, row in masteries.items() if _looks_known(row)}
    checks |= {step.concept for step in path.steps if step.kind == "check"} if path else set()
    below = all_prerequisites(value.requires, mastered) - mastered
    checks |= {slug for slug in below if slug not in masteries or not masteries[slug].answers}
    checks -= {slug for slug, row in masteries.items() if is_disowned(row)}
    carrying = mastered | checks
    states = {
        row.slug: _state(row, value, mastered=mastered, carrying=carrying, started=row.pk in started) for row in rows
    }
    following = _following(states, path, known=checks)
    goals = {goal.id for goal in path.goals} if path else set()
    on_path = _on_path(path) if path else frozenset[str]()
    aside = {concept.id for concept in path.put_aside} if path else set()
    return [
        MapConcept(
            concept=row,
            value=value.concept(row.slug),
            state=states[row.slug],
            mastery=mastery_view(row, masteries.get(row.slug), kept=kept.get(row.slug)),
            requires=(requires := tuple(by_slug[each] for each in value.prerequisites(row.slug) if each in by_slug)),
            first=tuple(each for each in requires if each.slug not in carrying),
            is_next=row.slug == following,
            is_goal=row.slug in goals,
            on_path=row.slug in on_path,
            is_due=row.slug in mastered and row.slug in kept and kept[row.slug].due,
            is_skipped=row.slug in aside,
            start=start_of(masteries.get(row.slug)),
            looks_known=row.slug in checks,
        )
        for row in rows
    ]


def _on_path(path: PlannedPath) -> frozenset[str]:
    """Return the concepts that lead to the goals, behind the learner and ahead, and the goals."""
    ahead = {step.concept for step in path.steps if step.reason.goal}
    return frozenset(ahead.union(each.id for each in (*path.goals, *path.known)))


def _state(
    concept: Concept, value: catalogue.CourseContent, *, mastered: set[str], carrying: set[str], started: bool
) -> State:
    """Return mastered, started, locked_hint (something it builds on has too little mastery) or ready; none is locked."""
    if concept.slug in mastered:
        return "mastered"
    if started:
        return "started"
    return "ready" if carrying.issuperset(value.prerequisites(concept.slug)) else "locked_hint"


def _looks_known(row: Mastery) -> bool:
    """Tell whether a placement, or too few answers, suggest that the concept is known."""
    return ConceptStanding(probability=row.probability, answers=row.answers, mastered=row.is_mastered).taken_as_known


def _following(states: Mapping[str, State], path: PlannedPath | None, *, known: Collection[str]) -> str | None:
    """Return the path's next step; without a path, the started concept, otherwise the first that is ready.

    Concepts that look known come last.
    """
    if path is not None and path.following is not None:
        return path.following.concept
    in_turn = sorted(states, key=lambda slug: slug in known)
    return next((slug for wanted in ("started", "ready") for slug in in_turn if states[slug] == wanted), None)


def _state_words(stop: MapConcept) -> str:
    if stop.state == "mastered":
        return _("mastered")
    if stop.looks_known:
        return _("you may know this already")
    if stop.state == "started":
        return _("started")
    return _("ready to start") if stop.state == "ready" else _("easier after the topics it builds on")


def _mastery_words(view: MasteryView) -> list[str]:
    if view.enough and view.score is not None:
        answers = ngettext("%(count)d answer", "%(count)d answers", view.answers) % {"count": view.answers}
        return [_("%(score)s from %(answers)s") % {"score": f"{view.score:.0%}", "answers": answers}]
    return [_("not enough answers yet")] if view.answers else []


# --- The drawing ---


def map_drawing(
    stops: Sequence[MapConcept], value: catalogue.CourseContent, path: PlannedPath | None
) -> Context | None:
    """Return the drawing of the map, in pixels, with the concepts in reading order. None without concepts."""
    if not stops:
        return None
    layout: MapLayout = lay_out({stop.value.id: stop.value.requires for stop in stops})
    highlighted = {stop.value.id for stop in stops if stop.on_path}
    return {
        "width": layout.width,
        "height": layout.height,
        "lines": [
            {"path": line.path, "on_path": {line.start, line.end} <= highlighted}
            for line in sorted(layout.lines, key=lambda line: {line.start, line.end} <= highlighted)
        ],
        "nodes": [_node(stop, layout.places[stop.value.id]) for stop in _in_path_order(stops, path)],
        "node_width": WIDTH,
        "node_height": HEIGHT,
    }


def _in_path_order(stops: Sequence[MapConcept], path: PlannedPath | None) -> list[MapConcept]:
    """Return the steps of the path first, in their order, and then all others in course order."""
    place = {step.concept: number for number, step in enumerate(path.steps)} if path else {}
    return sorted(stops, key=lambda stop: place.get(stop.value.id, len(place)))


def _node(stop: MapConcept, at: tuple[int, int]) -> Context:
    left, top = at
    lines = textwrap.wrap(stop.title, LINE_LENGTH, max_lines=3, placeholder="…")
    first = top + HEIGHT / 2 - (len(lines) - 1) * LINE_HEIGHT / 2
    return {
        "stop": stop,
        "left": left,
        "top": top,
        "right": left + WIDTH,
        "middle": top + HEIGHT // 2,
        "band": f"M{left + BAND} {top}H{left + ROUND}a{ROUND} {ROUND} 0 0 0 -{ROUND} {ROUND}"
        f"v{HEIGHT - 2 * ROUND}a{ROUND} {ROUND} 0 0 0 {ROUND} {ROUND}H{left + BAND}Z",
        "sign_at": left + BAND // 2,
        "text_at": left + BAND + 11,
        "title": [{"text": line, "at": f"{first + number * LINE_HEIGHT:.1f}"} for number, line in enumerate(lines)],
    }
