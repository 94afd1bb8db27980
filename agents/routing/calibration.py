"""Calibration of a classifier: weights from scores to probabilities, and the out-of-scope threshold. Needs numpy.

A multinomial logistic regression with a bias for each label and one slope shared by all, so that a label with few
examples is calibrated by all of them (temperature scaling with biases, Guo et al. 2017). The out-of-scope label has a
slope of its own, since its examples have nothing in common.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.routing.features import probabilities

type Matrix = NDArray[np.floating]
type Labels = NDArray[np.intp]

# Small on purpose: it only keeps the biases of rare labels finite. Chosen by hand; no data.
BIAS_L2: Final = 1e-3
"""L2 penalty of the biases."""
# 200 gradient steps stopped far too early with 150 labels (error .312 on CLINC150, now .065); Newton needs 5 to 10.
MAX_NEWTON_STEPS: Final = 100
# A Gaussian prior on the slope (mean 6, sd 4) for files with a handful of examples: left out, these score lower than
# real texts will, and cannot fix a slope. Chosen by hand; with thousands of examples it has no effect.
_EXPECTED_SLOPE, _SLOPE_PRECISION, _LEAST_SLOPE = 6.0, 1 / 16, 1.0
# The cap keeps a Newton step from overshooting on nearly separable data (a label with one or two examples).
_LONGEST_STEP, _STILL = 3.0, 1e-8
# Every fifth row, as in `bench classifier`. Fewer folds would leave rare labels without training rows.
_FOLDS = 5
# Keeps the Hessian invertible; too small to change a weight.
_RIDGE = 1e-9


def fit_calibration(scores: Matrix, labels: Labels, *, nowhere: int | None) -> Matrix:
    """Return the weights [labels + 1, labels] that turn scores and a constant 1 into logits, fitted to convergence.

    `nowhere` is the index of the out-of-scope label, if there is one.
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
    """Return the out-of-scope threshold: the probability of `nowhere` that gets most validation rows right.

    Cross-validated: each fold is scored with the calibration fitted on the others.
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
    # Rows below the threshold are right if their label is; rows above it are right if they are out of scope.
    order = np.argsort(likely, kind="stable")
    below = np.concatenate([[0], np.cumsum((right_elsewhere & belongs)[order])])
    above = np.concatenate([np.cumsum(~belongs[order][::-1])[::-1], [0]])
    most = np.flatnonzero(below + above == (below + above).max())
    edges = np.concatenate([[0.0], likely[order], [1.0]])
    middle = most[len(most) // 2]
    return float((edges[middle] + edges[middle + 1]) / 2)


def _newton(scores: Matrix, truth: Matrix, groups: Matrix, slopes: Matrix, biases: Matrix) -> Matrix:
    """Return the Newton step of slopes and biases for the mean negative log-likelihood."""
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
