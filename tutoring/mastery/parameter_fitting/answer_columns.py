"""A history of answers as numpy columns, for fitting. Imports numpy, see `tutoring.mastery.parameter_fitting.em`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, RESIDUAL_SHRINKAGE, guess_chance, logit
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer

type Numbers = NDArray[np.float64]
type Places = NDArray[np.intp]


@dataclass(slots=True)
class AnswerColumns:
    """The answers as columns, in order; `steps` has the rows at each position of their sequences.

    A sequence is one learner's answers on one concept. Longer ones come first, so that a step's rows continue the first
    rows of the step before.
    """

    learner: Places
    concept: Places
    item: Places
    guess: Numbers
    """Guess probability of the item's kind, in logits."""
    right: Numbers
    counts: Numbers
    """1 for evidence, 0 for an opportunity without evidence."""
    start: Numbers
    """Each item's offset by its author."""
    placed: Numbers
    """Initial probability from a placement; NaN without one."""
    fitted: Numbers
    """1 for rows of the concepts that are fitted."""
    steps: list[Places]


def to_columns(history: Sequence[WeighedAnswer], names: Sequence[str], fitted: Sequence[str]) -> AnswerColumns:
    """Return the history as columns, its concepts numbered as in `names`."""
    learner = _number_values([each.learner for each in history])
    concept = _number_values([each.concept for each in history])
    item = _number_values([each.item for each in history])
    guesses = {kind: logit(guess_chance(kind)) for kind in {each.kind for each in history}}
    start = np.zeros(item.max() + 1)
    start[item[::-1]] = [each.offset for each in reversed(history)]  # As it was first met.
    wanted = np.isin(np.asarray(names), np.asarray(fitted))
    return AnswerColumns(
        learner=learner,
        concept=concept,
        item=item,
        guess=np.array([guesses[each.kind] for each in history]),
        right=np.array([float(each.correct or 0) for each in history]),
        counts=np.array([float(each.correct is not None) for each in history]),
        start=start,
        placed=np.array([np.nan if each.placed is None else each.placed for each in history]),
        fitted=wanted[concept].astype(float),
        steps=_steps(learner * len(names) + concept),
    )


def _number_values(values: Sequence[object]) -> Places:
    """Return each value's code, from 0 in order of appearance."""
    codes: dict[object, int] = {}
    return np.array([codes.setdefault(value, len(codes)) for value in values], dtype=np.intp)


def _steps(sequence: Places) -> list[Places]:
    order = np.argsort(sequence, kind="stable")
    _, first, length = np.unique(sequence[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(first, length)
    rank = np.repeat(np.argsort(np.argsort(-length, kind="stable")), length)
    by_step = order[np.lexsort((rank, place))]
    return np.split(by_step, np.cumsum(np.bincount(place))[:-1])


def residuals(rows: AnswerColumns, offset: Numbers) -> Numbers:
    """Return r = R/(N+8) of each row's learner before it."""
    order = np.argsort(rows.learner, kind="stable")
    surprise = (rows.counts * (rows.right - logistic(DEFAULT_SKILL.mean + offset)))[order]
    answers = rows.counts[order]
    begins = np.searchsorted(rows.learner[order], rows.learner[order])
    residual = np.empty(len(order))
    residual[order] = _running_sums(surprise, begins) / (_running_sums(answers, begins) + RESIDUAL_SHRINKAGE)
    return residual


def _running_sums(values: Numbers, begins: Places) -> Numbers:
    """Return the sum of the values before each position, from the start of its group."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    since: Numbers = sums[:-1] - sums[begins]
    return since


def logistic(logits: Numbers) -> Numbers:
    """Return chances (0–1)."""
    chances: Numbers = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances
