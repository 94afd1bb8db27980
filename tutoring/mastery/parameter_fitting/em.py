"""Fits the estimator's parameters by expectation-maximization. Needs numpy: import it late.

The model is that of `tutoring.mastery.knowledge_tracing`. No row is predicted from itself: item offsets leave the row's
own answer out, and the learner's residual uses earlier rows. μ is not fitted, since stored abilities were summed with
it; the bases take its place. The bound on P after a wrong answer is left out: it is not part of a hidden Markov model,
and it only matters where P is low already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, SkillParameters, logit
from tutoring.mastery.parameter_fitting.answer_columns import (
    AnswerColumns,
    Numbers,
    Places,
    logistic,
    residuals,
    to_columns,
)
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer

# Each moves the logistic parameters one Newton step; there is no convergence check. Chosen by hand.
ROUNDS = 40
# With 300 answers needed, the priors weigh a thirtieth. Chosen by hand.
PSEUDO_COUNT = 10.0
"""Number of answers that each prior of a concept counts as."""
# About eight answers: an author's difficulty is a fair guess. Chosen by hand.
OFFSET_PRECISION = 1.6
"""Precision of an item's offset around its author's."""
# Standard deviations of 0.5 and 2: item slopes are known well, those of ability hardly. Chosen by hand.
ITEM_PRECISION, ABILITY_PRECISION = 4.0, 0.25
"""Precision of the slopes around their priors."""
# Bounds that keep a concept identifiable: somebody who knows it is right in 60 to 98 %.
INITIAL, KNOWN = (logit(0.02), logit(0.98)), (logit(0.60), logit(0.98))
# Bounds: nobody learns half of the time at one opportunity, and T = 0 would never let P rise.
LEARN = (0.01, 0.50)
FORGET = (0.002, 0.02)
"""Above .02 the score tops out below the highest threshold a course may set."""
# Bounds around the priors (1.5, 5 to 6 and 3), so that one odd log cannot turn a slope around.
ITEM_SLOPE, ABILITY_SLOPE, PRIOR_SLOPE = (0.5, 2.5), (0.0, 12.0), (0.0, 8.0)
# A guess right in more than 60 % would make "unknown" look like "known".
EASIEST_GUESS, LOWEST_SHIFT = logit(0.60), -2.0
_TINY = 1e-9


@dataclass(slots=True)
class _Parameters:
    """Parameters of each concept, and shared slopes (item, ability) of the known and the unknown state."""

    initial: Numbers
    """In logits."""
    learn: Numbers
    forget: Numbers
    known: Numbers
    """In logits."""
    shift: Numbers
    by_ability: float
    known_slopes: Numbers
    unknown_slopes: Numbers


@dataclass(slots=True)
class _Beliefs:
    """Posterior of the hidden state: P before each row, and given all rows: known, learned or lost after it."""

    before: Numbers
    known: Numbers
    learned: Numbers
    lost: Numbers
    goes_on: Numbers
    """1 if the sequence continues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prior:
    """The prior of a regression: on its bases by PSEUDO_COUNT answers each, on its slopes by `precision`."""

    base: float
    reference: Numbers
    """The logit, by concept, to which its base is added in those answers."""
    slopes: Numbers
    precision: Numbers


def fit_parameters(
    history: Sequence[WeighedAnswer], concepts: Sequence[str], start: Mapping[str, SkillParameters]
) -> dict[str, SkillParameters]:
    """Return the maximum a posteriori parameters of `concepts`, starting from `start`.

    Answers on other concepts only inform the learners' abilities.
    """
    names = list(dict.fromkeys(each.concept for each in history))
    rows = to_columns(history, names, concepts)
    parameters = _parameters(names, start)
    offsets = rows.start.copy()
    own = np.zeros(len(rows.item))
    for _ in range(ROUNDS):
        offset = offsets[rows.item] - own
        residual = residuals(rows, offset)
        chances = _chances(rows, parameters, offset, residual)
        beliefs = _beliefs(rows, parameters, *chances, residual)
        own = _update_offsets(rows, parameters, beliefs, chances, offsets)
        _update_parameters(rows, parameters, beliefs, np.stack([offset, residual]))
    return {name: _skill(parameters, place) for place, name in enumerate(names) if name in set(concepts)}


def _parameters(names: Sequence[str], start: Mapping[str, SkillParameters]) -> _Parameters:
    skills = [start.get(name, DEFAULT_SKILL) for name in names]
    shared = next((start[name] for name in names if name in start), DEFAULT_SKILL)
    return _Parameters(
        initial=np.array([logit(each.initial) for each in skills]),
        learn=np.array([each.learn for each in skills]),
        forget=np.array([each.forget for each in skills]),
        known=np.array([logit(each.known_base) for each in skills]),
        shift=np.array([each.unknown_shift for each in skills]),
        by_ability=shared.prior_by_ability,
        known_slopes=np.array([shared.known_by_item, shared.known_by_ability]),
        unknown_slopes=np.array([shared.unknown_by_item, shared.unknown_by_ability]),
    )


def _skill(parameters: _Parameters, place: int) -> SkillParameters:
    return replace(
        DEFAULT_SKILL,
        initial=float(logistic(parameters.initial[place])),
        learn=float(parameters.learn[place]),
        forget=float(parameters.forget[place]),
        known_base=float(logistic(parameters.known[place])),
        unknown_shift=float(parameters.shift[place]),
        prior_by_ability=parameters.by_ability,
        known_by_item=float(parameters.known_slopes[0]),
        known_by_ability=float(parameters.known_slopes[1]),
        unknown_by_item=float(parameters.unknown_slopes[0]),
        unknown_by_ability=float(parameters.unknown_slopes[1]),
    )


def _chances(rows: AnswerColumns, of: _Parameters, offset: Numbers, residual: Numbers) -> tuple[Numbers, Numbers]:
    """Return P(right | known) and P(right | unknown) of each row."""
    moved = np.stack([offset, residual])
    known = of.known[rows.concept] + of.known_slopes @ moved
    unknown = rows.guess + of.shift[rows.concept] + of.unknown_slopes @ moved
    return logistic(known), logistic(unknown)


def _beliefs(rows: AnswerColumns, of: _Parameters, known: Numbers, unknown: Numbers, residual: Numbers) -> _Beliefs:
    """Run the forward pass, as the estimator does, and the backward pass."""
    right = rows.right > 0
    if_known = np.where(rows.counts > 0, np.where(right, known, 1 - known), 1.0)
    if_unknown = np.where(rows.counts > 0, np.where(right, unknown, 1 - unknown), 1.0)
    before, after = np.empty(len(right)), np.empty(len(right))
    first = rows.steps[0]
    placed, unplaced = rows.placed[first], of.initial[rows.concept[first]] + of.by_ability * residual[first]
    belief = np.where(np.isnan(placed), logistic(unplaced), placed)
    for number, step in enumerate(rows.steps):
        if number:
            on = rows.concept[step]
            last = after[rows.steps[number - 1][: len(step)]]
            belief = last * (1 - of.forget[on]) + (1 - last) * of.learn[on]
        before[step] = belief
        likely = belief * if_known[step]
        after[step] = likely / np.maximum(likely + (1 - belief) * if_unknown[step], _TINY)
    return _smoothed(rows, of, before, after)


def _smoothed(rows: AnswerColumns, of: _Parameters, before: Numbers, after: Numbers) -> _Beliefs:
    known, learned, lost, goes_on = after.copy(), *np.zeros((3, len(after)))
    for now, then in zip(rows.steps[-2::-1], rows.steps[:0:-1], strict=True):
        step = now[: len(then)]
        on, belief = rows.concept[step], after[step]
        up = known[then] / np.maximum(before[then], _TINY)
        down = (1 - known[then]) / np.maximum(1 - before[then], _TINY)
        lost[step] = belief * of.forget[on] * down
        learned[step] = (1 - belief) * of.learn[on] * up
        known[step] = belief * (1 - of.forget[on]) * up + lost[step]
        goes_on[step] = 1.0
    return _Beliefs(before=before, known=known, learned=learned, lost=lost, goes_on=goes_on)


def _update_offsets(
    rows: AnswerColumns, of: _Parameters, beliefs: _Beliefs, chances: tuple[Numbers, Numbers], offsets: Numbers
) -> Numbers:
    """Move the items' offsets one Newton step in place; return each row's own contribution."""
    known, unknown = chances
    belief = beliefs.before
    predicted = np.clip(belief * known + (1 - belief) * unknown, 1e-4, 1 - 1e-4)
    slope = belief * of.known_slopes[0] * known * (1 - known)
    slope += (1 - belief) * of.unknown_slopes[0] * unknown * (1 - unknown)
    spread = predicted * (1 - predicted)
    pull = rows.counts * (rows.right - predicted) * slope / spread
    weight = rows.counts * slope**2 / spread
    weights = np.bincount(rows.item, weight, len(offsets)) + OFFSET_PRECISION
    pulls = np.bincount(rows.item, pull, len(offsets)) - OFFSET_PRECISION * (offsets - rows.start)
    # Small steps, and at most four logits: an item that everyone gets right must not run away.
    offsets += np.clip(pulls / weights, -0.5, 0.5)
    np.clip(offsets, -4, 4, out=offsets)
    own: Numbers = pull / (weights[rows.item] - weight)
    return own


def _update_parameters(rows: AnswerColumns, of: _Parameters, beliefs: _Beliefs, moved: Numbers) -> None:
    """Do the M step in place; for the logistic parameters one Newton step."""
    concepts, weight = len(of.known), rows.fitted * beliefs.goes_on

    def share(part: Numbers, whole: Numbers, expected: float) -> Numbers:
        parts, wholes = (np.bincount(rows.concept, weight * each, concepts) for each in (part, whole))
        ratio: Numbers = (parts + PSEUDO_COUNT * expected) / (wholes + PSEUDO_COUNT)
        return ratio

    wanted = np.bincount(rows.concept, rows.fitted, concepts) > 0
    learn = np.clip(share(beliefs.learned, 1 - beliefs.known, DEFAULT_SKILL.learn), *LEARN)
    forget = np.clip(share(beliefs.lost, beliefs.known, DEFAULT_SKILL.forget), *FORGET)
    of.learn, of.forget = np.where(wanted, learn, of.learn), np.where(wanted, forget, of.forget)
    _update_initial(rows, of, beliefs, moved[1], wanted)
    _update_chances(rows, of, beliefs, moved, wanted)


def _update_initial(
    rows: AnswerColumns, of: _Parameters, beliefs: _Beliefs, residual: Numbers, wanted: NDArray[np.bool_]
) -> None:
    first = rows.steps[0]
    prior = _Prior(
        base=logit(DEFAULT_SKILL.initial),
        reference=np.zeros(len(of.initial)),
        slopes=np.array([DEFAULT_SKILL.prior_by_ability]),
        precision=np.array([ABILITY_PRECISION]),
    )
    initial, slopes = _newton(
        rows.concept[first], of.initial, np.array([of.by_ability]), residual[None, first],
        right=beliefs.known[first], weight=rows.fitted[first] * np.isnan(rows.placed[first]), prior=prior,
    )  # fmt: skip
    of.initial = np.where(wanted, np.clip(initial, *INITIAL), of.initial)
    of.by_ability = float(np.clip(slopes[0], *PRIOR_SLOPE))


def _update_chances(
    rows: AnswerColumns, of: _Parameters, beliefs: _Beliefs, moved: Numbers, wanted: NDArray[np.bool_]
) -> None:
    evidence, precision = rows.counts * rows.fitted, np.array([ITEM_PRECISION, ABILITY_PRECISION])
    answers = np.bincount(rows.concept, minlength=len(of.known))
    guess = np.bincount(rows.concept, rows.guess, len(of.known)) / answers
    prior = _Prior(
        base=logit(DEFAULT_SKILL.known_base),
        reference=np.zeros(len(of.known)),
        slopes=np.array([DEFAULT_SKILL.known_by_item, DEFAULT_SKILL.known_by_ability]),
        precision=precision,
    )
    known, known_slopes = _newton(
        rows.concept, of.known, of.known_slopes, moved,
        right=rows.right, weight=evidence * beliefs.known, prior=prior,
    )  # fmt: skip
    prior = _Prior(
        base=0.0,
        reference=guess,
        slopes=np.array([DEFAULT_SKILL.unknown_by_item, DEFAULT_SKILL.unknown_by_ability]),
        precision=precision,
    )
    shift, unknown_slopes = _newton(
        rows.concept, of.shift, of.unknown_slopes, moved,
        right=rows.right, weight=evidence * (1 - beliefs.known), prior=prior, offset=rows.guess,
    )  # fmt: skip
    lowest, highest = zip(ITEM_SLOPE, ABILITY_SLOPE, strict=True)
    of.known_slopes, of.unknown_slopes = (np.clip(each, lowest, highest) for each in (known_slopes, unknown_slopes))
    of.known = np.where(wanted, np.clip(known, *KNOWN), of.known)
    of.shift = np.where(wanted, np.clip(shift, LOWEST_SHIFT, EASIEST_GUESS - guess), of.shift)


def _newton(
    concept: Places,
    bases: Numbers,
    slopes: Numbers,
    moved: Numbers,
    *,
    right: Numbers,
    weight: Numbers,
    prior: _Prior,
    offset: Numbers | float = 0.0,
) -> tuple[Numbers, Numbers]:
    """Return bases and slopes of a weighted logistic regression after one Newton step.

    The logit of a row is offset + base of its concept + slopes · moved.
    """
    count = len(bases)
    chance = logistic(offset + bases[concept] + slopes @ moved)
    pull, spread = weight * (right - chance), weight * chance * (1 - chance)
    expected, held = logistic(prior.reference + prior.base), logistic(prior.reference + bases)
    gradient = np.concatenate([
        np.bincount(concept, pull, count) + PSEUDO_COUNT * (expected - held),
        moved @ pull - prior.precision * (slopes - prior.slopes),
    ])  # fmt: skip
    across = np.stack([np.bincount(concept, spread * each, count) for each in moved])
    curvature = np.block([
        [np.diag(np.bincount(concept, spread, count) + PSEUDO_COUNT * held * (1 - held)), across.T],
        [across, (moved * spread) @ moved.T + np.diag(prior.precision)],
    ])  # fmt: skip
    step = np.clip(np.linalg.solve(curvature, gradient), -1, 1)
    return bases + step[:count], slopes + step[count:]
