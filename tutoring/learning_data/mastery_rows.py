"""Rows about what learners know: mastery scores, reviews and misconceptions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db.models.functions import TruncWeek
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.classes.board_cells import EMPTY_CELL, MasteryCell, level_words, mastery_cells
from tutoring.classes.misconception_evidence import ANSWER_SOURCES, WORD_SOURCES, visible_evidence
from tutoring.learning_data.tables import FigureRow, FigureRows, Scope, day_words, mean, percent, week_words
from tutoring.mastery.knowledge_tracing import known_score
from tutoring.models import Concept, Mastery, MasteryChange, MisconceptionState, Review
from tutoring.pages.cards.question_context import GROWING_FROM, reference_score

SIGNS = (*ANSWER_SOURCES, *WORD_SOURCES)

type CellKey = tuple[int, int]
"""The keys of a learner and a concept."""


def is_low(cell: MasteryCell) -> bool:
    """Tell whether a score is in the lowest of the levels that pages show."""
    return cell.score is not None and cell.score < GROWING_FROM


def mastery_rows(scope: Scope) -> FigureRows:
    """Return mastery scores: those of the class's board and of the learner's own pages."""
    if scope.query.by == "week":
        return _mastery_by_week(scope)
    cells = {key: cell for key, cell in _cells(scope).items() if _is_recent(cell, scope)}
    match scope.query.by:
        case "learner":
            return _mastery_by_learner(scope, cells)
        case "concept":
            return _mastery_by_concept(scope, cells)
    low = low_since([key for key, cell in cells.items() if is_low(cell)])
    stored = _stored_scores(cells) if any(cell.level == "mastered" for cell in cells.values()) else {}
    labels = _Labels(scope)
    rows = [
        FigureRow(
            name=labels.name(key),
            cells=(
                *labels.cells(key),
                None if cell.score is None else percent(cell.score),
                *([stored.get(key)] if stored else ()),
                level_words(cell),
                cell.answers,
                day_words(low[key]) if key in low else None,
                day_words(cell.last_at) if cell.last_at else None,
            ),
            value=None if cell.score is None else percent(cell.score),
            latest=cell.last_at,
            remark=_score_words(cell, low.get(key)),
            is_low=is_low(cell),
        )
        for key, cell in cells.items()
    ]
    columns = (
        *labels.columns,
        _("Score (%)"),
        *([_("After the last answer (%)")] if stored else ()),
        _("Level"),
        _("Answers that count"),
        _("Low since"),
        _("Last answer"),
    )
    fading = _("Mastery scores fade until the next review, as on the class page.")
    return FigureRows(
        title=scope.titled(_("Mastery")),
        columns=columns,
        rows=rows,
        unit="%",
        order="lowest",
        notes=(*_no_answers(scope, {learner for learner, _concept in cells}), *([fading] if stored else ())),
    )


def _score_words(cell: MasteryCell, low: datetime | None) -> str:
    if cell.score is None:
        return _("too few answers for a score")
    score = f"{percent(cell.score)}%"
    return _("%(score)s, low since %(day)s") % {"score": score, "day": day_words(low)} if low else score


def _stored_scores(cells: Mapping[CellKey, MasteryCell]) -> dict[CellKey, int | None]:
    """Return the scores in percent as they were after the last answers, before any fading; one query."""
    rows = Mastery.objects.filter(
        learner_id__in={learner for learner, _concept in cells}, concept_id__in={concept for _learner, concept in cells}
    )
    scores = {
        (learner, concept): known_score(probability, answers=answers)
        for learner, concept, probability, answers in rows.values_list(
            "learner_id", "concept_id", "probability", "answers"
        )
    }
    return {key: None if score is None else percent(score) for key, score in scores.items() if key in cells}


def low_since(keys: Sequence[CellKey]) -> dict[CellKey, datetime]:
    """Return since when each of these scores has been low without a break: the answer that brought it down; one query."""
    if not keys:
        return {}
    changes = MasteryChange.objects.filter(
        mastery__learner_id__in={learner for learner, _concept in keys},
        mastery__concept_id__in={concept for _learner, concept in keys},
        left_out=False,
    ).order_by("attempt__created_at", "pk")
    began: dict[CellKey, datetime | None] = dict.fromkeys(keys)
    for learner, concept, after, at in changes.values_list(
        "mastery__learner_id", "mastery__concept_id", "after", "attempt__created_at"
    ):
        key = (learner, concept)
        if key in began:
            began[key] = (began[key] or at) if round(reference_score(after), 2) < GROWING_FROM else None
    return {key: at for key, at in began.items() if at is not None}


def _cells(scope: Scope) -> Mapping[CellKey, MasteryCell]:
    cells = mastery_cells(scope.subjects.people, list(scope.concepts.values()), now=scope.now)
    return {key: cell for key, cell in cells.items() if cell.given}


def _is_recent(cell: MasteryCell, scope: Scope) -> bool:
    return scope.since is None or (cell.last_at is not None and cell.last_at >= scope.since)


def _no_answers(scope: Scope, learners: set[int]) -> tuple[str, ...]:
    """Return how many learners of the class there are no figures for."""
    missing = len(scope.subjects.people) - len(learners)
    if not scope.subjects.is_class or not missing:
        return ()
    words = ngettext(
        "%(count)d learner has no answers on this.", "%(count)d learners have no answers on this.", missing
    )
    return (words % {"count": missing},)


class _Labels:
    """How rows of a learner and a concept are named: only by what differs."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._with_learner = scope.subjects.is_class
        self._with_concept = scope.concept is None or not self._with_learner

    @property
    def columns(self) -> tuple[str, ...]:
        return (*[_("Learner")] * self._with_learner, *[_("Concept")] * self._with_concept)

    def cells(self, key: CellKey) -> tuple[str, ...]:
        learner, concept = self._scope.subjects.names[key[0]], str(self._scope.concepts[key[1]])
        return (*[learner] * self._with_learner, *[concept] * self._with_concept)

    def name(self, key: CellKey) -> str:
        return ", ".join(self.cells(key))


def _mastery_by_learner(scope: Scope, cells: Mapping[CellKey, MasteryCell]) -> FigureRows:
    rows = []
    for learner, name in scope.subjects.names.items():
        own = [cell for (pk, _concept), cell in cells.items() if pk == learner]
        rows.append(_mean_row(name, own))
    columns = (_("Learner"), _("Mean score (%)"), _("Scores"), _("Mastered"), _("Low"))
    return FigureRows(title=scope.titled(_("Mean mastery")), columns=columns, rows=rows, unit="%", order="lowest")


def _mastery_by_concept(scope: Scope, cells: Mapping[CellKey, MasteryCell]) -> FigureRows:
    rows = []
    for key, concept in scope.concepts.items():
        of_it = [cell for (_learner, pk), cell in cells.items() if pk == key]
        if of_it:
            rows.append(_mean_row(str(concept), of_it))
    columns = (_("Concept"), _("Mean score (%)"), _("Scores"), _("Mastered"), _("Low"))
    return FigureRows(title=scope.titled(_("Mean mastery")), columns=columns, rows=rows, unit="%", order="lowest")


def _mean_row(name: str, cells: Sequence[MasteryCell]) -> FigureRow:
    known = [cell.score for cell in cells if cell.score is not None]
    average = mean(known)
    value = None if average is None else percent(average)
    mastered, low = sum(cell.level == "mastered" for cell in cells), sum(map(is_low, cells))
    latest = max((cell.last_at for cell in cells if cell.last_at), default=None)
    return FigureRow(name=name, cells=(name, value, len(known), mastered, low), value=value, latest=latest)


def _mastery_by_week(scope: Scope) -> FigureRows:
    """Return for each week the mean of the scores after its last answers, one for each learner and concept."""
    changes = MasteryChange.objects.filter(
        mastery__learner_id__in=scope.subjects.people, mastery__concept_id__in=scope.concepts, left_out=False
    )
    if scope.since is not None:
        changes = changes.filter(attempt__created_at__gte=scope.since)
    weeks: dict[datetime, dict[int, float]] = defaultdict(dict)
    for week, mastery, after in (
        changes.annotate(week=TruncWeek("attempt__created_at"))
        .order_by("attempt__created_at", "pk")
        .values_list("week", "mastery_id", "after")
    ):
        weeks[week][mastery] = reference_score(after)
    rows = []
    for week, scores in sorted(weeks.items()):
        value = percent(sum(scores.values()) / len(scores))
        rows.append(
            FigureRow(name=week_words(week), cells=(week_words(week), value, len(scores)), value=value, latest=week)
        )
    return FigureRows(
        title=scope.titled(_("Mastery by week")), columns=(_("Week from"), _("Mean score (%)"), _("Scores")),
        rows=rows, unit="%", shape="line",
        notes=(_("Each score is the score after the last answer of that week."),) if rows else (),
    )  # fmt: skip


def review_rows(scope: Scope) -> FigureRows:
    """Return the mastered concepts with the day on which each is due for review."""
    cells = _cells(scope)
    cards = Review.objects.filter(learner_id__in=scope.subjects.people, concept_id__in=scope.concepts)
    rows = [
        row
        for row in cards.order_by("due_at", "pk")
        if cells.get((row.learner_id, row.concept_id), EMPTY_CELL).level == "mastered"
        and (scope.since is None or row.due_at >= scope.since)
    ]
    if scope.query.by:
        return _reviews_counted(scope, rows)
    labels = _Labels(scope)
    return FigureRows(
        title=scope.titled(_("Reviews")),
        columns=(*labels.columns, _("Due on"), _("Due now"), _("Reviews done")),
        rows=[
            FigureRow(
                name=labels.name(key := (row.learner_id, row.concept_id)),
                cells=(*labels.cells(key), day_words(row.due_at), _yes(row.due_at <= scope.now), row.times),
                # The longest due come first.
                value=(row.due_at - scope.now).total_seconds(),
                latest=row.due_at,
                remark=_("due on %(day)s") % {"day": day_words(row.due_at)},
            )
            for row in rows
        ],
        shape=None,
        order="lowest",
    )


def _reviews_counted(scope: Scope, rows: Iterable[Review]) -> FigureRows:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    names = {
        "learner": lambda row: scope.subjects.names[row.learner_id],
        "concept": lambda row: str(scope.concepts[row.concept_id]),
        "week": lambda row: week_words(row.due_at),
    }
    column = {"learner": _("Learner"), "concept": _("Concept"), "week": _("Due in the week of")}[scope.query.by]
    for row in rows:
        counted = counts[names[scope.query.by](row)]
        counted[0] += row.due_at <= scope.now
        counted[1] += 1
    found = [
        FigureRow(name=name, cells=(name, due, every), value=float(every if scope.query.by == "week" else due))
        for name, (due, every) in counts.items()
    ]
    return FigureRows(
        title=scope.titled(_("Reviews due")), columns=(column, _("Due now"), _("All")), rows=found, order="highest"
    )


def misconception_rows(scope: Scope) -> FigureRows:
    """Return the misconceptions seen, with what a teacher may see of them by the class's agreement."""
    found = list(_seen(scope))
    if scope.query.by:
        return _misconceptions_counted(scope, found)
    learner = [_("Learner")] * scope.subjects.is_class
    rows = [
        FigureRow(
            name=", ".join([*[scope.subjects.names[state.learner_id]] * scope.subjects.is_class, says]),
            cells=(
                *[scope.subjects.names[state.learner_id]] * scope.subjects.is_class,
                says,
                str(MisconceptionState.Status(state.status).label),
                len(times),
                day_words(min(times)),
                day_words(max(times)),
            ),
            latest=max(times),
            remark=_("last seen on %(day)s") % {"day": day_words(max(times))},
        )
        for state, says, _concepts, times in found
    ]
    columns = (*learner, _("Mistaken idea"), _("Status"), _("Times seen"), _("First seen"), _("Last seen"))
    return FigureRows(title=scope.titled(_("Mistaken ideas")), columns=columns, rows=rows, shape=None, order="latest")


type SeenIdea = tuple[MisconceptionState, str, Sequence[str], Sequence[datetime]]
"""A state, the idea in words, the titles of its concepts that were asked about, and when it was seen."""


def _seen(scope: Scope) -> Iterator[SeenIdea]:
    courses = {concept.course_id: concept.course for concept in scope.concepts.values()}
    states = MisconceptionState.objects.filter(learner_id__in=scope.subjects.people, course_id__in=courses)
    for state in states.exclude(status=MisconceptionState.Status.NONE).order_by("pk"):
        known = courses[state.course_id].catalogue().misconceptions.get(state.misconception)
        titles = [str(each) for each in scope.concepts.values() if known and _is_about(each, state, known.concepts)]
        times = [at for at in _evidence_times(state, scope) if scope.since is None or at >= scope.since]
        # Without a concept in the query, an idea that belongs to none is shown too.
        if known is not None and times and (titles or scope.concept is None):
            yield state, known.says, titles, times


def _is_about(concept: Concept, state: MisconceptionState, slugs: Iterable[str]) -> bool:
    return concept.course_id == state.course_id and concept.slug in slugs


def _evidence_times(state: MisconceptionState, scope: Scope) -> list[datetime]:
    if not scope.subjects.is_class:
        # The evidence has also what speaks against the idea.
        return [datetime.fromisoformat(piece["at"]) for piece in state.evidence if piece["source"] in SIGNS]
    return [piece.when for piece in visible_evidence(state, scope.subjects.places[state.learner_id])]


def _misconceptions_counted(scope: Scope, found: Sequence[SeenIdea]) -> FigureRows:
    active: dict[str, int] = defaultdict(int)
    every: dict[str, int] = defaultdict(int)
    for state, _says, concepts, _times in found:
        for name in [scope.subjects.names[state.learner_id]] if scope.query.by == "learner" else concepts:
            every[name] += 1
            active[name] += state.status == MisconceptionState.Status.ACTIVE
    rows = [
        FigureRow(name=name, cells=(name, active[name], count), value=float(count)) for name, count in every.items()
    ]
    first = _("Learner") if scope.query.by == "learner" else _("Concept")
    return FigureRows(
        title=scope.titled(_("Mistaken ideas")), columns=(first, _("Active"), _("All")), rows=rows, order="highest"
    )


def _yes(is_so: bool) -> str:
    return _("yes") if is_so else _("no")
