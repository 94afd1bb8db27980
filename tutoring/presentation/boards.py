"""A class at a glance: learners by concepts, who needs help now, which misconceptions show. Few queries, any size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tutoring.models import Classroom, Concept, Course, Mastery, Membership
from tutoring.presentation.contexts import Level, level_of
from tutoring.presentation.needs import Need, Seen, needs, seen_in_class, showing

type Sort = Literal["help", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A mastery as a teacher sees it: `score` is None while there is too little evidence."""

    level: Level = "none"
    score: float | None = None
    answers: int = 0

    @property
    def number(self) -> str:
        """The score without its leading 0, as there is room for; empty where there is none."""
        return "" if self.score is None else f"{self.score:.2f}".removeprefix("0")

    @property
    def words(self) -> str:
        """What it rests on."""
        return _words_in(get_language(), self.answers, enough=self.score is not None)


NOTHING_YET = Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One learner, a cell for each concept, and why help is needed."""

    pk: int
    name: str
    username: str
    url: str
    cells: tuple[Cell, ...]
    need: Need

    @property
    def mean(self) -> float:
        """Mean of the scores there are; 1 without any: nobody is placed by what is not known."""
        scores = [cell.score for cell in self.cells if cell.score is not None]
        return sum(scores) / len(scores) if scores else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A class and a course, as far as the class's policy goes: without concepts where levels are not shown."""

    course: Course
    concepts: tuple[Concept, ...]
    rows: tuple[Row, ...]
    seen: tuple[Seen, ...]

    @property
    def needing(self) -> list[Row]:
        return [row for row in sorted(self.rows, key=_by_need) if row.need.words]

    @property
    def answers(self) -> int:
        return sum(cell.answers for row in self.rows for cell in row.cells)

    @property
    def mark(self) -> str:
        """The same for boards that look the same."""
        return sha256(repr((self.rows, self.seen)).encode()).hexdigest()[:16]


def board(classroom: Classroom, course: Course, *, sort: Sort = "help", now: datetime | None = None) -> Board:
    """Return the class's board for a course; six queries, whatever the size."""
    now = now or timezone.now()
    places, concepts = learners_of(classroom), tuple(course.concepts.order_by("position"))
    shown = showing(places, course, now=now)
    titles = {concept.slug: concept.title for concept in concepts}
    found = needs(places, course, shown=shown, titles=titles, now=now)
    if not classroom.policy.shows_levels:
        concepts = ()
    cells = _cells(places, concepts)
    rows = [
        Row(
            pk=place.person_id,
            name=str(place.person),
            username=place.person.get_username(),
            url=reverse("class-learner", args=[classroom.code, place.person_id]),
            cells=tuple(cells.get((place.person_id, concept.pk), NOTHING_YET) for concept in concepts),
            need=found[place.person_id],
        )
        for place in places
    ]
    return Board(
        course=course,
        concepts=concepts,
        rows=tuple(sorted(rows, key=_by_need if sort == "help" else _by_name)),
        seen=tuple(seen_in_class(places, course, shown=shown)),
    )


def learners_of(classroom: Classroom) -> list[Membership]:
    """Return the learners' places, with the people and the class."""
    places = list(classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person"))
    for place in places:
        place.classroom = classroom
    return places


def course_of(classroom: Classroom, courses: Sequence[Course], *, chosen: str = "") -> Course | None:
    """Return the course that was chosen, else the one the class worked on last, else the first; None without any."""
    by_slug = {course.slug: course for course in courses}
    if chosen in by_slug or len(courses) < 2:
        return by_slug.get(chosen) or next(iter(courses), None)
    learners = classroom.memberships.filter(role=Membership.Role.LEARNER).values("person_id")
    worked_on = Mastery.objects.filter(learner_id__in=learners).values_list("concept__course__slug")
    latest = worked_on.annotate(last=Max("last_at")).order_by("-last").first()
    return by_slug.get(latest[0], courses[0]) if latest and classroom.policy.shows_levels else courses[0]


def _cells(places: Iterable[Membership], concepts: Sequence[Concept]) -> dict[tuple[int, int], Cell]:
    """Return what is known of each learner and concept, by their keys."""
    if not concepts:
        return {}
    people = [place.person_id for place in places]
    rows = Mastery.objects.filter(learner_id__in=people, concept__in=concepts)
    return {
        (row.learner_id, row.concept_id): Cell(level=level_of(row), score=row.score, answers=row.answers)
        for row in rows
    }


@lru_cache(maxsize=1024)
def _words_in(language: str, answers: int, *, enough: bool) -> str:
    """Return how much a number rests on; remembered, for there are hundreds on a page."""
    count = ngettext("from %(count)d answer", "from %(count)d answers", answers) % {"count": answers}
    if enough:
        return count
    return _("not enough evidence: %(count)s") % {"count": count} if answers else _("nothing answered yet")


def _by_name(row: Row) -> tuple[str, int]:
    return row.name.casefold(), row.pk


def _by_need(row: Row) -> tuple[int, float, str, int]:
    return -row.need.urgency, row.mean, *_by_name(row)
