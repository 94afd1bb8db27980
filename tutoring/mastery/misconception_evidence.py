"""Suspicion of misconceptions: odds updated by likelihood ratios λ.

The ratios are design priors, not fitted. "Careless or something else" always competes with λ = 1, so an answer that
fits no misconception changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

Status = Literal["none", "suspected", "active", "resolved"]
Source = Literal["malrule", "distractor"]

# From a base rate of .05 one malrule's answer gives .61: suspected (.5), not active (.8). Shared among rules that give
# the same answer.
MALRULE_RATIO = 30.0
# A distractor can be picked by chance, one in three or four: two are needed from a base rate of .05.
DISTRACTOR_RATIO = 6.0
LIKENESS_RATIO = 4.0
"""The most that similarity to labelled wrong answers raises the odds, if it is sure."""
# Tried with the wrong answers of Fractions' malrules and with random ones: from .7 a misconception is named eleven
# times as often if it is behind the answer.
LIKELY = 0.7
"""Probability from which such a similarity counts."""
# As much as a malrule: the author's own wording of the idea. Outside its lesson the same words may be about anything.
LESSON_UTTERANCE_RATIO = 30.0
"""A course's own pattern matched, in a lesson on a concept it belongs to."""
# Outside its lesson a pattern's words may be about something else: weak evidence. Chosen by hand.
OTHER_UTTERANCE_RATIO = 3.0
# One right answer may be luck: a quarter; two resolve (RESOLVING_NEEDED). Chosen by hand.
CONTRARY_RATIO = 0.25
"""A right answer on which the misconception would have failed, or a checked explanation of the corrective idea."""

# From .5 it is tested with a contrast case, from .8 it steers the lesson; it ends below .2 or after two right answers
# that it would have failed. Chosen by hand.
SUSPECTED = 0.5
ACTIVE = 0.8
RESOLVED_BELOW = 0.2
RESOLVING_NEEDED = 2
# Two at .3 leave little for a third: worth a question that separates them. Chosen by hand.
WORTH_PROBING = 0.3
# A month without evidence halves the distance to the base rate: children relearn and forget. Chosen by hand.
HALF_LIFE_DAYS = 30.0
# For misconceptions without a rate of their own; those of Fractions have .05 to .16.
DEFAULT_BASE_RATE = 0.05

# Bounds that two or three pieces of contrary evidence can still overcome.
_LOWEST_ODDS, _HIGHEST_ODDS = 0.01, 99.0
_RESOLVED_ODDS = RESOLVED_BELOW / (1 - RESOLVED_BELOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """One misconception of one learner."""

    id: str
    odds: float
    """Odds (0.01–99) that the learner holds it."""
    resolving: int = 0
    """Pieces of contrary evidence since it last showed."""
    explained: bool = False
    """One of them is an explanation; a second explanation adds nothing, since one must be an item."""
    noticed: bool = False
    """It has been suspected, now or earlier."""

    @property
    def confidence(self) -> float:
        """Probability (0–1)."""
        return self.odds / (1 + self.odds)

    @property
    def status(self) -> Status:
        """Once suspected it stays so until resolved; whether to act on it depends on the confidence."""
        if self.noticed and (self.resolving >= RESOLVING_NEEDED or self.confidence < RESOLVED_BELOW):
            return "resolved"
        if self.confidence >= ACTIVE:
            return "active"
        return "suspected" if self.noticed or self.confidence >= SUSPECTED else "none"


Suspicions = Mapping[str, Suspicion]


def first_suspicion(misconception: str, base_rate: float = DEFAULT_BASE_RATE) -> Suspicion:
    """Return the suspicion before any evidence; `base_rate` (0–1) is the course's."""
    return Suspicion(id=misconception, odds=_clipped(base_rate / (1 - min(base_rate, 0.99))))


def weigh_answer(
    suspicions: Suspicions,
    *,
    matching: Iterable[str],
    could_match: Iterable[str],
    correct: bool,
    source: Source,
    base_rates: Mapping[str, float] | None = None,
) -> dict[str, Suspicion]:
    """Return the suspicions after one answer.

    `matching` are the misconceptions that give exactly this answer, `could_match` those that would have shown on this
    item. A wrong answer raises the matching ones (a malrule's ratio divided by their number); a right one lowers all
    that could have matched. Anything else changes nothing.
    """
    matching = tuple(dict.fromkeys(matching))
    if correct:
        return _each(suspicions, could_match, base_rates, lambda suspicion: _lower_odds(suspicion, by_item=True))
    ratio = MALRULE_RATIO / max(1, len(matching)) if source == "malrule" else DISTRACTOR_RATIO
    return _each(suspicions, matching, base_rates, lambda suspicion: _multiply_odds(suspicion, ratio))


def weigh_likeness(
    suspicions: Suspicions, *, misconception: str, chance: float, base_rates: Mapping[str, float] | None = None
) -> dict[str, Suspicion]:
    """Return the suspicions after a wrong answer similar to those of a misconception, with this probability (0–1)."""
    ratio = 1 + (LIKENESS_RATIO - 1) * chance
    ids = (misconception,) if chance >= LIKELY else ()
    return _each(suspicions, ids, base_rates, lambda suspicion: _multiply_odds(suspicion, ratio))


def weigh_utterance(
    suspicions: Suspicions,
    ids: Iterable[str],
    *,
    in_lesson: bool = True,
    base_rates: Mapping[str, float] | None = None,
) -> dict[str, Suspicion]:
    """Return the suspicions after an utterance that matches patterns of `ids`.

    `in_lesson`: the lesson is on a concept they belong to. Leave out what was negated, quoted or asked.
    """
    ratio = LESSON_UTTERANCE_RATIO if in_lesson else OTHER_UTTERANCE_RATIO
    return _each(suspicions, ids, base_rates, lambda suspicion: _multiply_odds(suspicion, ratio))


def weigh_classified(
    suspicions: Suspicions,
    *,
    misconception: str,
    confidence: float,
    base_rates: Mapping[str, float] | None = None,
) -> dict[str, Suspicion]:
    """Return the suspicions after a side agent's judgement with this confidence (0–1) that a misconception shows.

    The evidence is the ratio to the base rate, at most that of a course's own pattern.
    """
    base_rate = (base_rates or {}).get(misconception, DEFAULT_BASE_RATE)
    likely = min(confidence, 0.99)
    ratio = (likely / (1 - likely)) / first_suspicion(misconception, base_rate).odds
    ratio = min(LESSON_UTTERANCE_RATIO, max(1.0, ratio))
    return _each(suspicions, (misconception,), base_rates, lambda suspicion: _multiply_odds(suspicion, ratio))


def weigh_explanation(
    suspicions: Suspicions, ids: Iterable[str], *, base_rates: Mapping[str, float] | None = None
) -> dict[str, Suspicion]:
    """Return the suspicions after the learner explained the corrective idea of `ids` correctly."""
    return _each(suspicions, ids, base_rates, lambda suspicion: _lower_odds(suspicion, by_item=False))


def decay_suspicion(suspicion: Suspicion, *, days: float, base_rate: float = DEFAULT_BASE_RATE) -> Suspicion:
    """Return the suspicion `days` later: its odds move back to the base rate with a half-life of 30 days."""
    resting = first_suspicion(suspicion.id, base_rate).odds
    remaining = 0.5 ** (max(0.0, days) / HALF_LIFE_DAYS)
    return replace(suspicion, odds=resting + (suspicion.odds - resting) * remaining)


def scale_suspicion(suspicion: Suspicion, ratio: float) -> Suspicion:
    """Return the suspicion with its odds times `ratio`, for example to take evidence back."""
    return replace(suspicion, odds=_clipped(suspicion.odds * ratio))


def strongest_suspicion(suspicions: Suspicions, at_least: float = SUSPECTED) -> Suspicion | None:
    """Return the unresolved suspicion of the greatest confidence, if that is `at_least` (0–1); ties go by id."""
    unresolved = [s for s in suspicions.values() if s.status in ("suspected", "active") and s.confidence >= at_least]
    return min(unresolved, key=lambda suspicion: (-suspicion.odds, suspicion.id), default=None)


def candidates_to_separate(suspicions: Suspicions) -> tuple[str, ...]:
    """Return the ids of two or more candidates (≥ .3), strongest first, that a discriminating item should separate."""
    likely = [s for s in suspicions.values() if s.status != "resolved" and s.confidence >= WORTH_PROBING]
    ordered = sorted(likely, key=lambda suspicion: (-suspicion.odds, suspicion.id))
    return tuple(suspicion.id for suspicion in ordered) if len(ordered) > 1 else ()


def count_separated(wrong: Mapping[str, Iterable[str]], candidates: Iterable[str]) -> int:
    """Return how many of the candidates' wrong answers to an exercise differ; `wrong` maps answers to misconceptions.

    0 if it separates none: they all give one wrong answer, or none of them fails here.
    """
    wanted = frozenset(candidates)
    groups = {wanted.intersection(ids) for ids in wrong.values()} - {frozenset[str]()}
    return 0 if groups == {wanted} else len(groups)


def _each(
    suspicions: Suspicions,
    ids: Iterable[str],
    base_rates: Mapping[str, float] | None,
    change: Callable[[Suspicion], Suspicion],
) -> dict[str, Suspicion]:
    changed = dict(suspicions)
    for misconception in dict.fromkeys(ids):
        base_rate = (base_rates or {}).get(misconception, DEFAULT_BASE_RATE)
        changed[misconception] = change(changed.get(misconception) or first_suspicion(misconception, base_rate))
    return changed


def _multiply_odds(suspicion: Suspicion, ratio: float) -> Suspicion:
    odds = _clipped(suspicion.odds * ratio)
    return replace(
        suspicion,
        odds=odds,
        resolving=0,
        explained=False,
        noticed=suspicion.noticed or odds >= SUSPECTED / (1 - SUSPECTED),
    )


def _lower_odds(suspicion: Suspicion, *, by_item: bool) -> Suspicion:
    odds = _clipped(suspicion.odds * CONTRARY_RATIO)
    if not suspicion.noticed:
        return replace(suspicion, odds=odds)
    counts = by_item or not suspicion.explained
    resolving = min(RESOLVING_NEEDED, suspicion.resolving + counts)
    if resolving == RESOLVING_NEEDED:
        odds = min(odds, _RESOLVED_ODDS)  # A relapse needs evidence of its own, not what has been answered since.
    return replace(suspicion, odds=odds, resolving=resolving, explained=suspicion.explained or not by_item)


def _clipped(odds: float) -> float:
    return min(_HIGHEST_ODDS, max(_LOWEST_ODDS, odds))
