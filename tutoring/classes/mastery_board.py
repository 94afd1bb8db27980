"""The board of a class: learners by concepts, who needs help now, which misconceptions show. Few queries, any size."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

from django.db.models import Max
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tutoring.classes.help_needs import (
    ClassMisconception,
    HelpNeed,
    RecentMisconception,
    class_misconceptions,
    find_help_needs,
    recent_misconceptions,
)
from tutoring.mastery.knowledge_tracing import ENOUGH_ANSWERS, Belief, is_mastered, mastery_score
from tutoring.mastery.records import reviews
from tutoring.mastery.spaced_review import effective_probability
from tutoring.models import Classroom, Concept, Course, Mastery, Membership
from tutoring.pages.cards.answer_counts import count_words, given_answers
from tutoring.pages.cards.question_context import Level, level_of

type Sort = Literal["help", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteryCell:
    """A mastery as a teacher sees it: `score` is None while there is too little evidence."""

    level: Level = "none"
    score: float | None = None
    answers: int = 0
    """Those that count toward the score."""
    given: int = 0
    """All answers, with those that do not count."""
    last_at: datetime | None = field(default=None, compare=False)
    """When the last of them was given."""
    due: bool = False
    """Whether it is mastered and due for review."""
    wrong_idea: bool = False
    """Whether a wrong idea about the concept is at work."""

    def html(self, url: str) -> SafeString:
        """Return the table cell: a mark, and in words the evidence behind it; it leads to `url` if there is one."""
        inside = _cell_html(get_language(), self)
        classes = " ".join(filter(None, [self.level, "is-due" * self.due, "is-mistaken" * self.wrong_idea]))
        inside = format_html('<a href="{}">{}</a>', url, inside) if url and self.given else inside
        return format_html('<td class="{}" title="{}">{}</td>', classes, _evidence_words(self), inside)


EMPTY_CELL = MasteryCell()
LEVEL_WORDS: Mapping[Level, Any] = {
    "none": gettext_lazy("not enough evidence"),
    "starting": gettext_lazy("starting"),
    "growing": gettext_lazy("growing"),
    "nearly": gettext_lazy("nearly there"),
    "mastered": gettext_lazy("mastered"),
}


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
        return format_html_join("", "{}", ((cell.html(url),) for cell, url in zip(self.cells, urls, strict=True)))

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

    @property
    def lines(self) -> list[tuple[LearnerRow, SafeString]]:
        """The rows, each with its cells."""
        paths = [f"{self.course.slug}/{each.slug}/" if self.shows_answers else "" for each in self.concepts]
        return [(row, row.cells_html(paths)) for row in self.rows]

    @property
    def needing(self) -> list[LearnerRow]:
        return [row for row in sorted(self.rows, key=_by_need) if row.need.lines]

    @property
    def answers(self) -> int:
        """All answers given, with those that do not count."""
        return sum(cell.given for row in self.rows for cell in row.cells)

    @property
    def mark(self) -> str:
        """The same for boards that look the same."""
        return sha256(repr((self.rows, self.seen)).encode()).hexdigest()[:16]


def class_board(
    classroom: Classroom, course: Course, *, sort: Sort = "help", now: datetime | None = None
) -> ClassBoard:
    """Return the class's board for a course; at most ten queries, whatever the size."""
    now = now or timezone.now()
    places, concepts = learners_of(classroom), tuple(course.concepts.order_by("position"))
    shown = recent_misconceptions(places, course, now=now)
    titles = {concept.slug: concept.title for concept in concepts}
    found = find_help_needs(places, course, shown=shown, titles=titles, now=now)
    if not classroom.policy.shows_levels:
        concepts = ()
    mistaken = _mistaken_concepts(shown, course)
    people = [place.person_id for place in places]
    cells = mastery_cells(people, concepts, mistaken=mistaken, now=now)
    rows = [
        _row(place, [cells.get((place.person_id, each.pk), EMPTY_CELL) for each in concepts], found[place.person_id])
        for place in places
    ]
    return ClassBoard(
        course=course,
        concepts=concepts,
        rows=tuple(sorted(rows, key=_by_need if sort == "help" else _by_name)),
        seen=tuple(class_misconceptions(places, course, shown=shown)),
        shows_answers=classroom.policy.shows_answers,
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


def learners_of(classroom: Classroom) -> list[Membership]:
    """Return the learners' places, with the people and the class."""
    places = list(classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person"))
    for place in places:
        place.classroom = classroom
    return places


def shown_course(classroom: Classroom, courses: Sequence[Course], *, chosen: str = "") -> Course | None:
    """Return the chosen course, otherwise the one the class worked on last, otherwise the first; None without any."""
    by_slug = {course.slug: course for course in courses}
    if chosen in by_slug or len(courses) < 2:
        return by_slug.get(chosen) or next(iter(courses), None)
    learners = classroom.memberships.filter(role=Membership.Role.LEARNER).values("person_id")
    worked_on = Mastery.objects.filter(learner_id__in=learners).values_list("concept__course__slug")
    latest = worked_on.annotate(last=Max("last_at")).order_by("-last").first()
    return by_slug.get(latest[0], courses[0]) if latest and classroom.policy.shows_levels else courses[0]


def _mistaken_concepts(shown: Iterable[RecentMisconception], course: Course) -> set[tuple[int, str]]:
    """Return the learners, each with the slug of a concept about which a wrong idea is at work."""
    known = course.catalogue().misconceptions
    active = [each for each in shown if each.is_active and each.state.misconception in known]
    return {(each.place.person_id, slug) for each in active for slug in known[each.state.misconception].concepts}


def mastery_cells(
    people: Sequence[int],
    concepts: Sequence[Concept],
    *,
    now: datetime,
    mistaken: Collection[tuple[int, str]] = (),
) -> dict[tuple[int, int], MasteryCell]:
    """Return the mastery of each learner and concept, by their keys; three queries.

    `mistaken` are the learners, each with the slug of a concept about which a wrong idea is at work.
    """
    if not concepts:
        return {}
    # Values instead of model rows: a page has hundreds.
    values = Mastery.objects.filter(learner_id__in=people, concept__in=concepts).values_list(
        "learner_id", "concept_id", "probability", "answers", "unassisted", "templates", "threshold"
    )
    kept, slugs = reviews.recall_by_learner(people, at=now), {concept.pk: concept.slug for concept in concepts}
    cells = {
        (learner, concept): _cell(*evidence, kept=kept.get((learner, concept)))
        for learner, concept, *evidence in values
    }
    for key, given in given_answers(people, concepts).items():
        cell = cells.get(key, EMPTY_CELL)
        cells[key] = replace(cell, given=max(given.count, cell.answers), last_at=given.last_at)
    return {
        (learner, concept): replace(cell, wrong_idea=(learner, slugs[concept]) in mistaken)
        for (learner, concept), cell in cells.items()
    }


def _cell(
    probability: float,
    answers: int,
    unassisted: int,
    templates: Sequence[str],
    threshold: float,
    *,
    kept: reviews.Recall | None,
) -> MasteryCell:
    """Return a cell for a mastery row; mastered concepts fade over time."""
    if answers < ENOUGH_ANSWERS:
        return MasteryCell(answers=answers, given=answers)
    belief = Belief(probability=probability, answers=answers, unassisted=unassisted, templates=frozenset(templates))
    mastered = is_mastered(belief, threshold=threshold)
    fading = kept if mastered else None
    score = mastery_score(effective_probability(probability, fading.recall) if fading else probability)
    level = level_of(score, mastered=mastered)
    return MasteryCell(
        level=level, score=round(score, 2), answers=answers, given=answers, due=fading is not None and fading.due
    )


@lru_cache(maxsize=4096)
def _cell_html(language: str, cell: MasteryCell) -> SafeString:
    """Return what stands in a cell; cached, because a page has hundreds and many are alike."""
    icon = "clock" if cell.due else "check" if cell.level == "mastered" else ""
    drawn = render_to_string("components/icon.html", {"name": icon}).strip() if icon else ""
    return format_html('{}<span class="unseen">{}</span>', mark_safe(drawn), _evidence_words(cell))


def level_words(cell: MasteryCell) -> str:
    """Return how far it is, in words."""
    return _("mastered, now fading") if cell.due else str(LEVEL_WORDS[cell.level])


def _evidence_words(cell: MasteryCell) -> str:
    """Return in words how far it is, and from how many answers; or why nothing is said."""
    if not cell.answers:
        return _with_idea(count_words(given=cell.given, counted=0), cell)
    numbers = {"count": cell.answers, "given": cell.given}
    if cell.given > cell.answers:
        count = _("from %(count)d of %(given)d answers") % numbers
    else:
        count = ngettext("from %(count)d answer", "from %(count)d answers", cell.answers) % numbers
    if cell.score is None:
        return _with_idea(_("not enough evidence %(count)s") % {"count": count}, cell)
    words = _("%(level)s: %(score)d%% %(count)s")
    return _with_idea(words % {"level": level_words(cell), "score": round(100 * cell.score), "count": count}, cell)


def _with_idea(words: str, cell: MasteryCell) -> str:
    return _("%(words)s; misconception seen") % {"words": words} if cell.wrong_idea else words


def _by_name(row: LearnerRow) -> tuple[str, int]:
    return row.name.casefold(), row.pk


def _by_need(row: LearnerRow) -> tuple[int, float, str, int]:
    return -row.need.urgency, row.mean, *_by_name(row)
