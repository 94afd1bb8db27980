"""Fits the weights from a classifier's scores to probabilities, and from which a text belongs nowhere. It needs numpy.

A multinomial logistic regression with a bias for each label and one slope for them all: what a score is worth is learned from
every example, however few a label has (temperature scaling with biases, Guo et al. 2017). The label of what belongs nowhere
has a slope of its own, since its examples are like nothing in common.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.routing.features import probabilities

type Matrix = NDArray[np.floating]
type Labels = NDArray[np.intp]

BIAS_L2: Final = 1e-3
"""L2 of the biases."""
MAX_NEWTON_STEPS: Final = 100
"""Newton steps at most; five to ten are taken."""
_EXPECTED_SLOPE, _SLOPE_PRECISION, _LEAST_SLOPE = 6.0, 1 / 16, 1.0
"""What a handful of examples is held to: left out one at a time, they are less like their label than any text will be."""
_LONGEST_STEP, _STILL = 3.0, 1e-8
_FOLDS = 5
_RIDGE = 1e-9


def fit_calibration(scores: Matrix, labels: Labels, *, nowhere: int | None) -> Matrix:
    """Return the weights [labels + 1, labels] from scores and a one to logits, fitted to convergence.

    `nowhere` is the label of what belongs nowhere, if there is one.
    """
    count = scores.shape[1]
    groups = np.zeros((count, 1 if nowhere is None else 2))
    groups[:, 0] = 1
    if nowhere is not None:
        groups[nowhere] = 0, 1
    truth = np.eye(count)[labels]
    slopes, biases = np.full(groups.shape[1], _EXPECTED_SLOPE), np.zeros(count)
    for _ in range(MAX_NEWTON_STEPS):
        step = _newton(scores, truth, groups, slopes, biases)
        slopes, biases = np.maximum(slopes - step[: len(slopes)], _LEAST_SLOPE), biases - step[len(slopes) :]
        if np.abs(step).max() < _STILL:
            break
    return np.vstack([np.diag(groups @ slopes), biases])


def fit_scope_threshold(scores: Matrix, labels: Labels, *, nowhere: int) -> float:
    """Return the probability of `nowhere` from which it is the answer: the one by which most validation rows go right.

    Every fifth row in turn is validation, judged by what the others calibrate.
    """
    judged = np.empty(scores.shape)
    for fold in range(_FOLDS):
        held_out = np.arange(len(labels)) % _FOLDS == fold
        if held_out.all() or not held_out.any():
            return 0.5
        weights = fit_calibration(scores[~held_out], labels[~held_out], nowhere=nowhere)
        judged[held_out] = probabilities(scores[held_out], weights)
    likely = judged[:, nowhere].copy()
    judged[:, nowhere] = -1
    right_elsewhere = judged.argmax(axis=1) == labels
    belongs = labels != nowhere
    # Below a threshold go the first rows of this order: right if their label is; the rest if they belong nowhere.
    order = np.argsort(likely, kind="stable")
    below = np.concatenate([[0], np.cumsum((right_elsewhere & belongs)[order])])
    above = np.concatenate([np.cumsum(~belongs[order][::-1])[::-1], [0]])
    most = np.flatnonzero(below + above == (below + above).max())
    edges = np.concatenate([[0.0], likely[order], [1.0]])
    middle = most[len(most) // 2]
    return float((edges[middle] + edges[middle + 1]) / 2)


def _newton(scores: Matrix, truth: Matrix, groups: Matrix, slopes: Matrix, biases: Matrix) -> Matrix:
    """Return the step of the slopes and biases down the mean negative log-likelihood."""
    rows = len(scores)
    logits = scores * (groups @ slopes) + biases
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances = raised / raised.sum(axis=1, keepdims=True)
    missed, weighed = chances - truth, chances * scores
    means = weighed @ groups
    held = _SLOPE_PRECISION / rows
    pull = ((missed * scores) @ groups).sum(axis=0) / rows + held * (slopes - _EXPECTED_SLOPE)
    gradient = np.concatenate([pull, missed.mean(axis=0) + BIAS_L2 * biases])
    of_slopes = groups.T @ ((weighed * scores).sum(axis=0)[:, None] * groups) / rows - means.T @ means / rows
    of_slopes += held * np.eye(len(slopes))
    across = groups.T * weighed.mean(axis=0) - means.T @ chances / rows
    of_biases = np.diag(chances.mean(axis=0) + BIAS_L2) - chances.T @ chances / rows
    curvature = np.block([[of_slopes, across], [across.T, of_biases]]) + _RIDGE * np.eye(len(gradient))
    step = np.linalg.solve(curvature, gradient)
    return np.asarray(step * min(1.0, _LONGEST_STEP / max(np.abs(step).max(), _STILL)))
