"""Fits small linear classifiers over vectors: softmax regression, deterministic."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tutoring.understanding.classifiers.heads import Head

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.heads import Matrix

# Of Nesterov's accelerated gradient: enough for the third digit of every probability.
STEPS = 1500


def fit_head(
    rows: "Matrix", labels: Sequence[str], *, decay: float, weights: "Matrix | None" = None, steps: int = STEPS
) -> Head:
    """Return a head fitted to rows [n, d] with labels; `decay` is the L2 penalty, `weights` [n] the sample weights.

    Rows in single precision are fitted in single precision, in a third of the time.
    """
    import numpy as np

    names = tuple(sorted(set(labels)))
    exact = rows.dtype if rows.dtype == np.float32 else np.float64
    truth = np.eye(len(names), dtype=exact)[[names.index(each) for each in labels]]
    data = np.hstack([rows, np.ones((len(rows), 1))]).astype(exact)
    counts = np.ones(len(rows), dtype=exact) if weights is None else np.asarray(weights, dtype=exact)
    counts = counts / counts.sum()
    penalty = np.full((data.shape[1], 1), decay, dtype=exact)
    penalty[-1] = 0
    # Step size 1/L: L is at most half the largest eigenvalue of the weighted second moments, plus the penalty.
    top = _largest_eigenvalue(data * np.sqrt(counts)[:, None])
    step = 1 / (0.5 * top + decay)
    fitted = ahead = np.zeros((data.shape[1], len(names)), dtype=exact)
    for number in range(steps):
        scores = data @ ahead
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        gradient = data.T @ ((shares - truth) * counts[:, None]) + penalty * ahead
        moved = ahead - step * gradient
        ahead = moved + number / (number + 3) * (moved - fitted)
        fitted = moved
    return Head(labels=names, weights=fitted.astype(np.float32))


def _largest_eigenvalue(rows: "Matrix") -> float:
    """Return the largest eigenvalue of the rows' second moments, by twenty steps of the power method."""
    import numpy as np

    vector = np.ones(rows.shape[1], dtype=rows.dtype) / np.sqrt(rows.shape[1]).astype(rows.dtype)
    length = 0.0
    for _step in range(20):
        image = rows.T @ (rows @ vector)
        length = float(np.linalg.norm(image))
        vector = image / length
    # The power method approaches it from below; 5 % more keeps the step size stable.
    return 1.05 * length


def as_arrays(heads: Mapping[str, Head]) -> "dict[str, Matrix]":
    """Return heads as arrays for `numpy.savez`: weights in half floats, labels in text."""
    import numpy as np

    arrays: dict[str, Matrix] = {}
    for name, head in heads.items():
        arrays[f"{name}.weights"] = head.weights.astype(np.float16)
        arrays[f"{name}.labels"] = np.array(head.labels)
    return arrays
