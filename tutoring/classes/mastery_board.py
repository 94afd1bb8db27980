"""The board of a class: learners by concepts, who needs help now, which misconceptions show. Few queries, any size."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from tutoring.classes.board_cells import EMPTY_CELL, MasteryCell, mastery_cells
from tutoring.classes.class_misconceptions import (
    ClassMisconception,
    RecentMisconception,
    class_misconceptions,
    recent_misconceptions,
)
from tutoring.classes.contested import contests_of
from tutoring.classes.help_needs import HelpNeed, find_help_needs, with_placements
from tutoring.classes.tallies import load_tallies
from tutoring.models import Classroom, Concept, Contest, Course, Mastery, Membership

type Sort = Literal["help", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerRow:
    """One learner, a cell for each concept, and why help is needed."""

    pk: int
    name: str
    username: str
    url: str
    cells: tuple[MasteryCell, ...]
    need: HelpNeed

    def cells_html(self, paths: Sequence[str]) -> SafeString:
        """Return the table cells; `paths` are the ends of the addresses of the answers behind each, or empty."""
        urls = (f"{self.url}{path}" if path else "" for path in paths)
        return mark_safe("".join(cell.html(url) for cell, url in zip(self.cells, urls, strict=True)))

    @property
    def mean(self) -> float:
        """Mean of the known scores; 1 without any, so that unknown learners are not sorted as weak."""
        scores = [cell.score for cell in self.cells if cell.score is not None]
        return sum(scores) / len(scores) if scores else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassBoard:
    """A class and a course, within the class's policy: without concepts if levels are not shown."""

    course: Course
    concepts: tuple[Concept, ...]
    rows: tuple[LearnerRow, ...]
    seen: tuple[ClassMisconception, ...]
    shows_answers: bool
    contests: Mapping[int, Sequence[Contest]]
    """What is reported as wrong, by learner."""

    @property
    def lines(self) -> list[tuple[LearnerRow, SafeString]]:
        """The rows, each with its cells."""
        paths = [f"{self.course.slug}/{each.slug}/" if self.shows_answers else "" for each in self.concepts]
        return [(row, row.cells_html(paths)) for row in self.rows]

    @property
    def needing(self) -> list[LearnerRow]:
        return [row for row in sorted(self.rows, key=_by_need) if row.need.lines]

    @property
    def handled(self) -> list[LearnerRow]:
        """Who has reasons that a teacher dismissed or followed up."""
        return [row for row in sorted(self.rows, key=_by_name) if row.need.handled]

    @property
    def answers(self) -> int:
        """All answers given, with those that do not count."""
        return sum(cell.given for row in self.rows for cell in row.cells)


def class_board(
    classroom: Classroom,
    course: Course,
    *,
    concepts: Sequence[Concept] | None = None,
    sort: Sort = "help",
    now: datetime | None = None,
) -> ClassBoard:
    """Return the class's board for a course; at most ten queries, whatever the size. `concepts` are the course's."""
    now = now or timezone.now()
    places = learners_of(classroom, now=now)
    every = tuple(course.concepts.order_by("position") if concepts is None else concepts)
    shown = recent_misconceptions(places, course, now=now)
    people = [place.person_id for place in places]
    tallies = load_tallies(people)
    contests = contests_of(places)
    found = find_help_needs(places, course, shown=shown, concepts=every, tallies=tallies, contests=contests, now=now)
    columns = every if classroom.policy.shows_levels else ()
    mistaken = _mistaken_concepts(shown, course)
    cells = mastery_cells(people, columns, mistaken=mistaken, now=now, tallies=tallies)
    rows = [
        _row(place, [cells.get((place.person_id, each.pk), EMPTY_CELL) for each in columns], found[place.person_id])
        for place in places
    ]
    return ClassBoard(
        course=course,
        concepts=columns,
        rows=tuple(sorted(rows, key=_by_need if sort == "help" else _by_name)),
        seen=tuple(class_misconceptions(places, course, shown=shown)),
        shows_answers=classroom.policy.shows_answers,
        contests=contests,
    )


def _row(place: Membership, cells: Iterable[MasteryCell], need: HelpNeed) -> LearnerRow:
    return LearnerRow(
        pk=place.person_id,
        name=str(place.person),
        username=place.person.get_username(),
        url=reverse("class-learner", args=[place.classroom.code, place.person_id]),
        cells=tuple(cells),
        need=need,
    )


def learners_of(classroom: Classroom, *, now: datetime | None = None) -> list[Membership]:
    """Return the learners' places, with the people and the class; with `now` also with the placements they began lately."""
    rows = classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person")
    places = list(with_placements(rows, now=now) if now is not None else rows)
    for place in places:
        place.classroom = classroom
    return places


def shown_course(classroom: Classroom, courses: Sequence[Course], *, chosen: str = "") -> Course | None:
    """Return the chosen course, otherwise the one the class worked on last, otherwise the first; None without any."""
    by_slug = {course.slug: course for course in courses}
    if chosen in by_slug or len(courses) < 2:
        return by_slug.get(chosen) or next(iter(courses), None)
    learners = classroom.memberships.filter(role=Membership.Role.LEARNER).values("person_id")
    worked_on = Mastery.objects.filter(learner_id__in=learners, concept__course__is_personal=False)
    by_course = worked_on.values_list("concept__course__slug")
    latest = by_course.annotate(last=Max("last_at")).order_by("-last").first()
    return by_slug.get(latest[0], courses[0]) if latest and classroom.policy.shows_levels else courses[0]


def _mistaken_concepts(shown: Iterable[RecentMisconception], course: Course) -> set[tuple[int, str]]:
    """Return the learners, each with the slug of a concept about which a wrong idea is at work."""
    known = course.catalogue().misconceptions
    active = [each for each in shown if each.is_active and each.state.misconception in known]
    return {(each.place.person_id, slug) for each in active for slug in known[each.state.misconception].concepts}


def _by_name(row: LearnerRow) -> tuple[str, int]:
    return row.name.casefold(), row.pk


def _by_need(row: LearnerRow) -> tuple[int, float, str, int]:
    return -row.need.urgency, row.mean, *_by_name(row)
