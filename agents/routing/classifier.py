"""A small classifier of short texts, fitted on labelled examples.

Texts are compared with the examples: by the sentence model's embeddings and by shared pieces of words, or by these alone
where the model is missing. A ridge regression over the comparisons scores every label; its calibration turns scores into
probabilities. `agents.routing.training` fits both.

To fit takes seconds where there are thousands of examples: `python -m agents.routing.training EXAMPLES.yaml` keeps the outcome
beside them, for as long as they stay as they are.
"""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.local_models import embeddings
from agents.local_models.inference import cached_inference
from agents.routing.features import (
    OUT_OF_SCOPE,
    ClassifierWeights,
    Examples,
    Preparation,
    count_pieces,
    load_weights,
    normalize_rows,
    probabilities,
    read_examples,
    similarity,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Matrix = NDArray[np.floating]


CACHE_SIZE = 256
"""Questions whose scores are kept, the latest ones of all classifiers."""

_fitting = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    label: str | None
    """None: out of scope."""
    confidence: float
    """How likely the label is right, 0–1."""


def load_classifier(path: Path, *, with_model: bool = True, prepared: Preparation | None = None) -> "Classifier":
    """Return the classifier of a file of examples: as it was kept, else fitted now, once in a process.

    `prepared` is what is done to each example first; who asks the classifier does it to the texts too.
    """
    with _fitting:
        return _make_classifier(path, with_model, prepared)


@cached_inference(remembered=None)
def _make_classifier(path: Path, with_model: bool, prepared: Preparation | None) -> "Classifier":
    uses_model = with_model and embeddings.is_available()
    found = load_weights(path, prepared) if uses_model else None
    return Classifier(found or fit_weights(read_examples(path, prepared), with_model=uses_model))


def fit_weights(examples: Examples, *, with_model: bool = True) -> ClassifierWeights:
    """Fit on examples; without the sentence model, or `with_model` false, on the pieces of words alone."""
    from agents.routing import training

    return training.fit_weights(examples, with_model=with_model)


class Classifier:
    """Classifies in about 5 ms, from any thread."""

    def __init__(self, fitted: ClassifierWeights) -> None:
        self._fitted = fitted

    @property
    def uses_model(self) -> bool:
        """Whether the sentence model takes part."""
        return len(self._fitted.meanings) > 0

    def classify(self, text: str) -> Classification:
        """Return the likeliest label of a text, None if it belongs nowhere, with its probability."""
        likely = self.probabilities(text)
        nowhere = likely.pop(OUT_OF_SCOPE, 0.0)
        if not likely or nowhere >= self._fitted.nowhere_from:
            return Classification(label=None, confidence=nowhere)
        label = max(likely, key=likely.__getitem__)
        return Classification(label=label, confidence=likely[label])

    def probabilities(self, text: str) -> dict[str, float]:
        """Return how likely each label is; they add up to 1."""
        shares = probabilities(self._scores(text)[None], self._fitted.calibration)[0]
        return dict(zip(self._fitted.labels, shares.tolist(), strict=True))

    def scores(self, text: str) -> dict[str, float]:
        """Return how much speaks for each label, from about 0, nothing, to about 1; no probabilities."""
        return dict(zip(self._fitted.labels, self._scores(text).tolist(), strict=True))

    @cached_inference(remembered=CACHE_SIZE)
    def _scores(self, text: str) -> "Matrix":
        """Return a score for each label: [labels]."""
        import numpy as np

        # Not by `@`: its threads wait for each other on a busy machine.
        known = self._fitted
        words = normalize_rows((count_pieces(text) * known.rarity)[None])[0]
        scores: Matrix = known.prior + np.einsum("i,ij->j", words, known.by_piece)
        if self.uses_model:
            meaning = normalize_rows(embeddings.embed([text]) - known.centre)[0]
            scores = scores + np.einsum(
                "i,ij->j", similarity(np.einsum("ij,j->i", known.meanings, meaning)), known.weights
            )
        return scores
