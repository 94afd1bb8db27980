"""The cells of a class's board: how far a learner is with a concept, from how many answers, and where it is going."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from django.db.models import F, FilteredRelation, OuterRef, Q, Subquery
from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tutoring.classes.tallies import Tallies, load_tallies
from tutoring.mastery.knowledge_tracing import ENOUGH_ANSWERS, Belief, is_mastered, mastery_score
from tutoring.mastery.records import reviews
from tutoring.mastery.spaced_review import effective_probability
from tutoring.models import Concept, Mastery, MasteryChange, Review
from tutoring.pages.cards.answer_counts import count_words
from tutoring.pages.cards.question_context import Level, level_of

type Trend = Literal["", "rising", "falling"]
TREND_ANSWERS = 5
"""The trend is over so many of the latest answers that count."""
TREND_FROM = 0.1
"""A change of the mastery score (0–1) from which it rises or falls."""


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
    trend: Trend = ""
    """Where the score went with the latest answers."""

    def html(self, url: str) -> SafeString:
        """Return the table cell: a mark, and in words the evidence behind it; it leads to `url` if there is one."""
        opening, inside = _drawn(get_language(), self)
        if url and self.given:
            inside = mark_safe(f'<a href="{escape(url)}">{inside}</a>')
        return mark_safe(f"{opening}{inside}</td>")  # Both are safe already; a page has thousands.


EMPTY_CELL = MasteryCell()
LEVEL_WORDS: Mapping[Level, Any] = {
    "none": gettext_lazy("not enough evidence"),
    "starting": gettext_lazy("starting"),
    "growing": gettext_lazy("growing"),
    "nearly": gettext_lazy("nearly there"),
    "mastered": gettext_lazy("mastered"),
}


def mastery_cells(
    people: Sequence[int],
    concepts: Sequence[Concept],
    *,
    now: datetime,
    mistaken: Collection[tuple[int, str]] = (),
    tallies: Tallies | None = None,
) -> dict[tuple[int, int], MasteryCell]:
    """Return the mastery of each learner and concept, by their keys; two queries, one with their `tallies`.

    `mistaken` are the learners, each with the slug of a concept about which a wrong idea is at work.
    """
    if not concepts:
        return {}
    slugs = {concept.pk: concept.slug for concept in concepts}
    cells = {
        (learner, concept): _cell(*evidence, before=before, card=(card, due_at, reviewed_at), now=now)
        for learner, concept, *evidence, before, card, due_at, reviewed_at in _mastery_rows(people, concepts)
    }
    for key, given in (tallies or load_tallies(people)).given.items():
        if key[1] in slugs:
            cell = cells.get(key, EMPTY_CELL)
            cells[key] = replace(cell, given=max(given.count, cell.answers), last_at=given.last_at)
    return {
        (learner, concept): replace(cell, wrong_idea=True) if (learner, slugs[concept]) in mistaken else cell
        for (learner, concept), cell in cells.items()
    }


def _mastery_rows(people: Sequence[int], concepts: Sequence[Concept]) -> Any:
    """Return the values of each mastery, of its review card, and its probability some answers ago; one query.

    Values instead of model rows: a page has hundreds.
    """
    earlier = MasteryChange.objects.filter(mastery=OuterRef("pk"), left_out=False).order_by("-pk")
    own_card = FilteredRelation("learner__reviews", condition=Q(learner__reviews__concept=F("concept")))
    rows = Mastery.objects.filter(learner_id__in=people, concept__in=concepts).annotate(
        own_card=own_card, earlier=Subquery(earlier.values("before")[TREND_ANSWERS - 1 : TREND_ANSWERS])
    )
    return rows.values_list(
        "learner_id", "concept_id", "probability", "answers", "unassisted", "templates", "threshold",
        "earlier", "own_card__card", "own_card__due_at", "own_card__reviewed_at",
    )  # fmt: skip


def _recall(
    card: Any, due_at: datetime | None, reviewed_at: datetime | None, *, now: datetime
) -> reviews.Recall | None:
    if card is None or due_at is None or reviewed_at is None:
        return None
    return reviews.recall_at(Review(card=card, due_at=due_at, reviewed_at=reviewed_at), at=now)


def _trend(before: float | None, after: float) -> Trend:
    """Return where the probability went; nothing before there are enough answers to tell."""
    moved = mastery_score(after) - mastery_score(before) if before is not None else 0.0
    if abs(moved) < TREND_FROM:
        return ""
    return "rising" if moved > 0 else "falling"


def _cell(
    probability: float,
    answers: int,
    unassisted: int,
    templates: Sequence[str],
    threshold: float,
    *,
    before: float | None,
    card: tuple[Any, datetime | None, datetime | None],
    now: datetime,
) -> MasteryCell:
    """Return a cell for a mastery row; mastered concepts fade over time."""
    if answers < ENOUGH_ANSWERS:
        return MasteryCell(answers=answers, given=answers)
    belief = Belief(probability=probability, answers=answers, unassisted=unassisted, templates=frozenset(templates))
    mastered = is_mastered(belief, threshold=threshold)
    fading = _recall(*card, now=now) if mastered else None
    score = mastery_score(effective_probability(probability, fading.recall) if fading else probability)
    level = level_of(score, mastered=mastered)
    return MasteryCell(
        level=level,
        score=round(score, 2),
        answers=answers,
        given=answers,
        due=fading is not None and fading.due,
        trend=_trend(before, probability),
    )


@lru_cache(maxsize=16384)
def _drawn(language: str, cell: MasteryCell) -> tuple[SafeString, SafeString]:
    """Return the start of a cell and what stands in it; cached, because a page has hundreds and few change."""
    icon = "clock" if cell.due else "check" if cell.level == "mastered" else ""
    drawn = render_to_string("components/icon.html", {"name": icon}).strip() if icon else ""
    marks = ["is-due" * cell.due, "is-mistaken" * cell.wrong_idea, cell.trend and f"is-{cell.trend}"]
    words = _evidence_words(cell)
    opening = format_html('<td class="{}" title="{}">', " ".join(filter(None, [cell.level, *marks])), words)
    return opening, format_html('{}<span class="unseen">{}</span>', mark_safe(drawn), words)


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
    if cell.trend:
        moved = _("rising") if cell.trend == "rising" else _("falling")
        words = _("%(words)s, %(trend)s") % {"words": words, "trend": moved}
    return _("%(words)s; misconception seen") % {"words": words} if cell.wrong_idea else words
