"""Fits `agents.routing.classifier` on labelled examples and stores the weights. Needs numpy.

The calibration is fitted on leave-one-out scores.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from agents.routing import calibration
from agents.routing.calibration import Labels, Matrix
from agents.routing.features import (
    ARRAYS,
    EMBEDDING_SHARE,
    OUT_OF_SCOPE,
    RIDGE_WITH_MODEL,
    ClassifierWeights,
    Examples,
    Preparation,
    count_pieces,
    load_weights,
    normalize_rows,
    read_examples,
    similarity,
    weights_key,
)

# N-grams alone overfit more than embeddings do, so the penalty is eight times as large. Chosen by hand.
RIDGE = 0.4


def save_weights(path: Path, *, prepared: Preparation | None = None) -> None:
    """Fit on a file of examples, and store the weights next to it."""
    fitted = fit_weights(read_examples(path, prepared))
    rows = {name: getattr(fitted, name) for name in ARRAYS}
    rows["meanings"] = fitted.meanings.astype(np.float16)
    key = np.array(weights_key(path, prepared))
    np.savez_compressed(path.with_suffix(".npz"), **rows, labels=np.array(fitted.labels), key=key)


def are_weights_current(path: Path, *, prepared: Preparation | None = None) -> bool:
    """Tell whether the weights stored next to a file of examples were fitted on its present content."""
    return load_weights(path, prepared) is not None


def fit_weights(examples: Examples, *, with_model: bool = True) -> ClassifierWeights:
    """Return weights fitted on examples; without the sentence model, or with `with_model` false, on n-grams alone."""
    texts = [text for of_label in examples.values() for text in of_label]
    labels = np.repeat(np.arange(len(examples)), [len(of_label) for of_label in examples.values()])
    occurring = np.array([count_pieces(text) for text in texts])
    rarity = np.log((1 + len(texts)) / (1 + (occurring > 0).sum(axis=0))).astype(np.float32) + 1
    pieces = normalize_rows(occurring * rarity)
    alike: Matrix = pieces @ pieces.T
    share, ridge = 0.0, RIDGE
    centre, meanings = _meanings(texts if with_model else ())
    if len(meanings):
        share, ridge = EMBEDDING_SHARE, RIDGE_WITH_MODEL
        alike = share * similarity(meanings @ meanings.T) + (1 - share) * alike
    prior, weights, left_out = _ridge(alike, labels, ridge=ridge)
    nowhere = next((place for place, label in enumerate(examples) if label == OUT_OF_SCOPE), None)
    return ClassifierWeights(
        labels=tuple(examples),
        rarity=rarity,
        centre=centre,
        meanings=meanings,
        prior=prior,
        weights=share * weights,
        by_piece=(1 - share) * (pieces.T @ weights),
        calibration=calibration.fit_calibration(left_out, labels, nowhere=nowhere),
        nowhere_from=np.array(
            0.5 if nowhere is None else calibration.fit_scope_threshold(left_out, labels, nowhere=nowhere),
            dtype=np.float32,
        ),
    )


def _meanings(texts: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Return the mean embedding and a centered row of length 1 for each text; no rows without the model."""
    try:
        rows: Matrix = embeddings.embed(texts)
    except EmbeddingModelMissing:
        rows = np.empty((0, embeddings.DIMENSIONS), dtype=np.float32)
    centre: Matrix = rows.mean(axis=0) if len(rows) else np.zeros(embeddings.DIMENSIONS, dtype=np.float32)
    return centre, normalize_rows(rows - centre)


def _ridge(alike: Matrix, labels: Labels, *, ridge: float) -> tuple[Matrix, Matrix, Matrix]:
    """Return the labels' shares, the dual weights and the leave-one-out scores, both [n, labels]."""
    truth = np.eye(labels.max() + 1)[labels]
    shares = truth.mean(axis=0)
    inverse = np.linalg.inv(alike + ridge * np.eye(len(labels), dtype=alike.dtype))
    weights = inverse @ (truth - shares)
    left_out = truth - weights / np.diag(inverse)[:, None]
    return shares.astype(np.float32), weights.astype(np.float32), left_out


if __name__ == "__main__":
    for name in sys.argv[1:]:
        save_weights(Path(name))
