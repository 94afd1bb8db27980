"""Selects the next template of a concept: desirably difficult for practice, most informative in a quiz."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Purpose = Literal["practice", "quiz", "review"]

# Desirable difficulty: hard enough to teach, likely enough to succeed. Chosen by hand.
PRACTICE_TARGET = 0.75
"""Predicted correctness (0–1) that practice aims at."""
# Below .4 most learners fail, above .9 an answer carries little information. Chosen by hand.
QUIZ_RANGE = (0.4, 0.9)
"""Predicted correctness (0–1) outside which a quiz question discourages or shows nothing."""
# Quizzes vary instead of repeating the single best template. Chosen by hand.
NEARLY_AS_TELLING = 0.75
"""Share of the best information from which a less often asked quiz question is preferred."""
# Twice in a row would test memory of the last answer. Chosen by hand.
SPACING = 3
"""A template comes at most once in this many consecutive questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCandidate:
    """A template that could be asked, and what is expected of asking it."""

    template: str
    answers: int
    """How often this learner has answered it."""
    predicted: float = 0.0
    """Predicted correctness (0–1); a review does not look at it."""
    information: float = 0.0
    """Expected information of the answer, as `mastery.expectation` gives it."""
    offset: float = 0.0
    """How much easier (+) or harder (−) than medium it has proved, in logits."""
    constructed: bool = True
    """Whether the answer is constructed, not picked."""


def choose_template(candidates: Sequence[TemplateCandidate], *, recent: Sequence[str], purpose: Purpose) -> str:
    """Return the template to ask; `recent` are the templates asked before, oldest first.

    Practice: predicted correctness nearest .75 among the least asked. Quiz: among those predicted in .4–.9 (or nearest)
    and nearly as informative as the best, the least asked, then the most informative. Review: the least asked with a
    constructed answer, then the most medium. No template comes twice in three questions unless there is no other. Ties
    go by id. Raises ValueError without candidates.
    """
    if not candidates:
        raise ValueError("there is no template to choose from")
    spaced = _without_recent(candidates, recent=recent)
    if purpose == "quiz":
        spaced = _most_informative(spaced)
    return min(spaced, key=_RANKS[purpose]).template


def _without_recent(candidates: Sequence[TemplateCandidate], *, recent: Sequence[str]) -> Sequence[TemplateCandidate]:
    """Return the candidates not asked recently; if there are none, those asked longest ago."""
    barred = list(recent)[-(SPACING - 1) :]
    free = [candidate for candidate in candidates if candidate.template not in barred]
    if free:
        return free
    last_asked = {template: position for position, template in enumerate(barred)}
    longest_ago = min(last_asked[candidate.template] for candidate in candidates)
    return [candidate for candidate in candidates if last_asked[candidate.template] == longest_ago]


def _most_informative(candidates: Sequence[TemplateCandidate]) -> Sequence[TemplateCandidate]:
    """Return the candidates nearest to the quiz range that are nearly as informative as the best."""
    nearest = min(map(_outside, candidates))
    inside = [candidate for candidate in candidates if _outside(candidate) == nearest]
    least = NEARLY_AS_TELLING * max(candidate.information for candidate in inside)
    return [candidate for candidate in inside if candidate.information >= least]


def _outside(candidate: TemplateCandidate) -> float:
    low, high = QUIZ_RANGE
    return round(max(low - candidate.predicted, candidate.predicted - high, 0.0), 6)


def _practice_rank(candidate: TemplateCandidate) -> tuple[int, float, str]:
    return candidate.answers, abs(candidate.predicted - PRACTICE_TARGET), candidate.template


def _quiz_rank(candidate: TemplateCandidate) -> tuple[int, float, str]:
    return candidate.answers, -round(candidate.information, 6), candidate.template


def _review_rank(candidate: TemplateCandidate) -> tuple[bool, int, float, str]:
    return not candidate.constructed, candidate.answers, abs(candidate.offset), candidate.template


_RANKS: dict[Purpose, Callable[[TemplateCandidate], tuple[float | str, ...]]] = {
    "practice": _practice_rank,
    "quiz": _quiz_rank,
    "review": _review_rank,
}
