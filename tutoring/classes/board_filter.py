"""Which part of a class's board is shown: one group, one concept or standard, only who needs help."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from tutoring.classes.mastery_board import ClassBoard, LearnerRow, Sort
from tutoring.courses.standards import concepts_with_standard
from tutoring.models import ClassGroup, Classroom, Concept, Course


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFilter:
    """What a teacher chose to see."""

    course: str = ""
    sort: Sort = "help"
    only_help: bool = False
    group: int | None = None
    concept: str = ""
    standard: str = ""
    """A code of the course's standards, or the beginning of one."""

    @property
    def address(self) -> str:
        """The choice as the query of an address."""
        chosen = {
            "course": self.course,
            "sort": self.sort,
            "show": "help" if self.only_help else "",
            "group": self.group or "",
            "concept": self.concept,
            "standard": self.standard,
        }
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def is_narrow(self) -> bool:
        return self.only_help or self.group is not None or bool(self.concept or self.standard)


def read_filter(query: Mapping[str, str]) -> BoardFilter:
    """Return the choice in an address; what it does not know is left out."""
    group = query.get("group", "")
    return BoardFilter(
        course=query.get("course", ""),
        sort="name" if query.get("sort") == "name" else "help",
        only_help=query.get("show") == "help",
        group=int(group) if group.isascii() and group.isdecimal() and len(group) <= 18 else None,
        concept=query.get("concept", ""),
        standard=query.get("standard", ""),
    )


def narrow(board: ClassBoard, chosen: BoardFilter, groups: Sequence["GroupChoice"]) -> ClassBoard:
    """Return the part of the board that was chosen.

    A group, concept or standard that the class and its course do not have is not chosen.
    """
    group = next((each for each in groups if each.pk == chosen.group), None)
    rows = [row for row in board.rows if group is None or row.pk in group.people]
    rows = [row for row in rows if row.need.lines] if chosen.only_help else rows
    places = _chosen_places(board, chosen)
    rows = [replace(row, cells=tuple(row.cells[place] for place in places)) for row in rows]
    if chosen.sort == "help" and len(places) == 1 and (chosen.concept or chosen.standard):
        rows.sort(key=_by_score)
    return replace(board, rows=tuple(rows), concepts=tuple(board.concepts[place] for place in places))


def _chosen_places(board: ClassBoard, chosen: BoardFilter) -> Sequence[int]:
    """Return the places of the columns to show: of one concept, or of those with the standard; all if there are none."""
    every = range(len(board.concepts))
    slugs = {chosen.concept}
    if chosen.standard and not chosen.concept:
        slugs = {each.id for each in concepts_with_standard(board.course.catalogue(), chosen.standard)}
    return [place for place in every if board.concepts[place].slug in slugs] or every


def _by_score(row: LearnerRow) -> tuple[float, bool, str]:
    """Put the lowest score first, and those without a score last."""
    score = row.cells[0].score
    return (score if score is not None else 2.0), not row.need.lines, row.name.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChoice:
    """A group of a class, with the keys of its people."""

    pk: int
    name: str
    people: frozenset[int]


def groups_of(classroom: Classroom) -> list[GroupChoice]:
    """Return the groups of the class by name; one query."""
    rows = ClassGroup.objects.filter(classroom=classroom).values_list("pk", "name", "members__person_id")
    people: dict[tuple[int, str], set[int]] = {}
    for pk, name, person in rows.order_by("name", "pk"):
        people.setdefault((pk, name), set()).update([person] if person is not None else [])
    return [GroupChoice(pk=pk, name=name, people=frozenset(own)) for (pk, name), own in people.items()]


def courses_with_concepts(classroom: Classroom) -> dict[Course, list[Concept]]:
    """Return the courses of a class that have concepts, in the order they are offered, each with its concepts; one query."""
    taught = Course.objects.taught_in(classroom).values("pk")
    rows = Concept.objects.filter(course__in=taught).select_related("course").defer("course__content")
    found: dict[Course, list[Concept]] = {}
    for each in rows.order_by("course__position", "course__title", "position"):
        found.setdefault(each.course, []).append(each)
    return found
