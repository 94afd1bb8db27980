"""Scores of predictions: probabilities (0–1) against right and wrong answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


# The usual number; fewer answers than 50 leave bins empty, see acceptance.py.
BINS = 10
_ALMOST_NOTHING = 1e-12


def auc(predicted: Sequence[float], correct: Sequence[int]) -> float | None:
    """Return the probability (0–1) that a right answer was predicted above a wrong one, ties counting half.

    None if all are right, all wrong, or there are none.
    """
    import numpy as np

    right = np.asarray(correct, dtype=bool)
    ones, zeros = int(right.sum()), int((~right).sum())
    if not ones or not zeros:
        return None
    _, place, counts = np.unique(np.asarray(predicted, dtype=float), return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return float((middle[place[right]].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def rmse(predicted: Sequence[float], correct: Sequence[int]) -> float | None:
    """Return the root of the mean squared difference (0–1); None without answers."""
    import numpy as np

    if not len(predicted):
        return None
    return float(np.sqrt(np.mean((np.asarray(predicted, dtype=float) - np.asarray(correct, dtype=float)) ** 2)))


def calibration_error(predicted: Sequence[float], correct: Sequence[int]) -> float | None:
    """Return the expected calibration error (0–1) over ten bins of equal width; None without answers."""
    import numpy as np

    if not len(predicted):
        return None
    chances = np.asarray(predicted, dtype=float)
    bins = np.minimum(BINS - 1, (chances * BINS).astype(int))
    gaps = np.bincount(bins, weights=chances - np.asarray(correct, dtype=float), minlength=BINS)
    return float(np.abs(gaps).sum() / len(chances))


def log_loss(predicted: Sequence[float], correct: Sequence[int]) -> float | None:
    """Return the mean negative log probability (nats) of the given answers; None without answers."""
    import numpy as np

    if not len(predicted):
        return None
    chances = np.clip(np.asarray(predicted, dtype=float), _ALMOST_NOTHING, 1 - _ALMOST_NOTHING)
    return float(-np.mean(np.log(np.where(np.asarray(correct, dtype=bool), chances, 1 - chances))))


SIGNIFICANCE_Z = 1.645
"""Standard errors that a gain, or a loss of calibration, must exceed: 95 %, one-sided."""
