"""Compares new parameters with those in force on held-out answers, beyond chance. Needs numpy: import it late.

Answers of one learner depend on each other, so noise is measured over learners: by the spread of their gains, and for a
concept's calibration by resampling them. With few held-out answers a calibration error is chance (Roelofs et al. 2022:
the binned estimate is biased upwards in small samples); such a concept only counts in the log-loss over all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tutoring.mastery.parameter_fitting import prediction_scores
from tutoring.mastery.parameter_fitting.prediction_scores import SIGNIFICANCE_Z

# A concept with three held-out answers once refused every refit (2026-11-23). 50 answers fill ten bins with five each.
HELD_OUT_ANSWERS_NEEDED: Final = 50
"""Held-out answers from which a concept's calibration is compared."""
HELD_OUT_LEARNERS_NEEDED: Final = 8
"""Held-out learners needed for that."""
# The standard error of a bootstrap is stable from some hundred resamples.
RESAMPLES: Final = 200
# Fixed, so that a refit is decided in the same way each time.
_SEED = 20

type Numbers = NDArray[np.float64]
type Flags = NDArray[np.bool_]
type Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutPredictions:
    """Held-out answers in order: learner, concept, predicted probability (0–1) of a right answer, verdict."""

    learners: Codes
    concepts: Sequence[str]
    predicted: Numbers
    correct: Flags

    @property
    def loss(self) -> float:
        """Log-loss in nats an answer."""
        return prediction_scores.log_loss(self.predicted.tolist(), self.correct.tolist()) or 0.0

    @property
    def auc(self) -> float | None:
        return prediction_scores.auc(self.predicted.tolist(), self.correct.tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptChange:
    """The change of a concept's calibration on its held-out answers."""

    concept: str
    answers: int
    """Held-out ones."""
    before: float
    """Expected calibration error (0–1) with the parameters in force."""
    after: float
    noise: float
    """Standard error of the difference."""

    def is_worse(self, *, by: float) -> bool:
        """Tell whether calibration is worse by more than `by`, and by more than chance."""
        worse = self.after - self.before
        return worse > by and worse > SIGNIFICANCE_Z * self.noise


def gain_noise(before: HeldOutPredictions, after: HeldOutPredictions) -> float:
    """Return the standard error, in nats per answer, of the gain in log-loss."""
    gains = _losses(before) - _losses(after)
    _, who = np.unique(before.learners, return_inverse=True)
    # Of a ratio of sums over learners (Cochran 1977, cluster sampling): residuals about the mean gain.
    residuals = np.bincount(who, gains - gains.mean())
    people = len(residuals)
    if people < 2:
        return float("inf")
    return float(np.sqrt(people / (people - 1) * (residuals**2).sum()) / len(gains))


def concept_changes(before: HeldOutPredictions, after: HeldOutPredictions) -> Iterator[ConceptChange]:
    """Yield the change of each concept with enough held-out answers of enough learners."""
    names = np.array(before.concepts)
    for concept in dict.fromkeys(before.concepts):
        here = names == concept
        learners = before.learners[here]
        if here.sum() < HELD_OUT_ANSWERS_NEEDED or len(np.unique(learners)) < HELD_OUT_LEARNERS_NEEDED:
            continue
        correct = before.correct[here]
        old, new = before.predicted[here], after.predicted[here]
        yield ConceptChange(
            concept=concept,
            answers=int(here.sum()),
            before=prediction_scores.calibration_error(old.tolist(), correct.tolist()) or 0.0,
            after=prediction_scores.calibration_error(new.tolist(), correct.tolist()) or 0.0,
            noise=_calibration_noise(learners, old, new, correct),
        )


def _losses(foreseen: HeldOutPredictions) -> Numbers:
    chances = np.clip(foreseen.predicted, 1e-12, 1 - 1e-12)
    return np.asarray(-np.log(np.where(foreseen.correct, chances, 1 - chances)))


def _calibration_noise(learners: Codes, old: Numbers, new: Numbers, correct: Flags) -> float:
    """Return the standard deviation of the calibration errors' difference over resampled learners."""
    _, who = np.unique(learners, return_inverse=True)
    people = int(who.max()) + 1
    drawn = np.random.default_rng(_SEED).multinomial(people, np.full(people, 1 / people), RESAMPLES).astype(float)
    answers = drawn @ np.bincount(who, minlength=people)
    errors = [np.abs(drawn @ _gaps(who, chances, correct, people)).sum(axis=1) / answers for chances in (old, new)]
    return float(np.std(errors[1] - errors[0], ddof=1))


def _gaps(who: Codes, chances: Numbers, correct: Flags, people: int) -> Numbers:
    """Return the summed overestimation of each learner's answers in each bin: [learners, bins]."""
    bins = np.minimum(prediction_scores.BINS - 1, (chances * prediction_scores.BINS).astype(int))
    found = np.bincount(who * prediction_scores.BINS + bins, chances - correct, people * prediction_scores.BINS)
    return np.asarray(found.reshape(people, prediction_scores.BINS))
