"""Cross-validation of the general heads on labelled rows: to choose thresholds, and to compare features."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tutoring.understanding.training import general_heads_fitting
from tutoring.understanding.training.general_heads_fitting import LabelledMessage

# A head takes under a minute to fit; four keep three quarters of the rows for training.
FOLDS: Final = 4
# The candidates .6 to 2.5 for the calibrating power; both optima lie at 1.0 and 1.1.
SHARPNESSES: Final = tuple(round(0.6 + 0.1 * step, 1) for step in range(20))


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldPrediction:
    """The prediction for a row by a head that was fitted without it."""

    row: LabelledMessage
    chances: dict[str, float]

    @property
    def label(self) -> str:
        return max(self.chances, key=lambda label: self.chances[label])

    @property
    def is_right(self) -> bool:
        return self.label in (self.row.label, *self.row.also)


def fold_of(row: LabelledMessage) -> int:
    """Return the fold of a row; rows that reply to the same question, or have the same text, share one."""
    words = (row.asked or row.text).strip().lower()
    return int(hashlib.sha256(words.encode()).hexdigest(), 16) % FOLDS


def predict_folds(name: str, rows: Sequence[LabelledMessage]) -> list[FoldPrediction]:
    """Return the prediction for each row by a head fitted on the other folds. Raises EmbeddingModelMissing."""
    import numpy as np

    from tutoring.understanding.classifiers import features
    from tutoring.understanding.parsing.spelling_cleanup import tidy_text

    centre = np.mean(
        [features.meaning_vector(tidy_text(row.text)) for row in general_heads_fitting.intent_rows()], axis=0
    )
    given = general_heads_fitting.row_vectors(rows, centre)
    folds = np.array([fold_of(row) for row in rows])
    found: list[FoldPrediction] = []
    for fold in range(FOLDS):
        others = [row for row, place in zip(rows, folds, strict=True) if place != fold]
        head = general_heads_fitting.fit_one_head(name, others, given[folds != fold])
        for place in np.flatnonzero(folds == fold).tolist():
            found.append(FoldPrediction(row=rows[place], chances=head.probabilities(given[place])))
    return found


def sharpness(found: Sequence[FoldPrediction]) -> float:
    """Return the power that calibrates the probabilities best, by log-loss."""
    import numpy as np

    def loss(power: float) -> float:
        logs = []
        for each in found:
            raised = {label: chance**power for label, chance in each.chances.items()}
            right = sum(raised.get(label, 0.0) for label in (each.row.label, *each.row.also))
            logs.append(np.log(max(right / sum(raised.values()), 1e-9)))
        return -float(np.mean(logs))

    return min(SHARPNESSES, key=loss)


def label_scores(found: Sequence[FoldPrediction]) -> dict[str, tuple[float, float, int]]:
    """Return recall, precision and rows of each label; another label of a row is as good as its own."""
    by_label = {}
    for label in sorted({each.row.label for each in found}):
        own = [each for each in found if each.row.label == label]
        said = [each for each in found if each.label == label]
        right = sum(label in (each.row.label, *each.row.also) for each in said)
        by_label[label] = (sum(each.is_right for each in own) / len(own), right / max(1, len(said)), len(own))
    return by_label


def report_lines(name: str, rows: Sequence[LabelledMessage]) -> Iterator[str]:
    """Yield a report on a head: its scores on the folds, and accuracy against coverage by threshold."""
    found = predict_folds(name, rows)
    by_label = label_scores(found)
    mean = sum(2 * recall * precision / (recall + precision or 1) for recall, precision, _rows in by_label.values())
    right = sum(each.is_right for each in found) / len(found)
    yield f"{name}: accuracy {right:.3f}, macro-F1 {mean / len(by_label):.3f} on {len(found)} rows; sharpness {sharpness(found)}"
    for label, (recall, precision, count) in by_label.items():
        yield f"  {label}: recall {recall:.2f}, precision {precision:.2f} of {count}"
    power = sharpness(found)
    ranked = sorted(((_chance(each, power), each.is_right) for each in found), reverse=True)
    for part in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        kept = ranked[: int(part * len(ranked))]
        yield f"  from {kept[-1][0]:.2f}: {part:.0%} of rows, {sum(held for _chance, held in kept) / len(kept):.3f} right"


def _chance(each: FoldPrediction, power: float) -> float:
    raised = {label: float(chance**power) for label, chance in each.chances.items()}
    return raised[each.label] / sum(raised.values())
