"""How well the small classifier names texts that it was not fitted on, and how far its confidence can be believed.

Of the examples that ship, every fifth is held out. Every run gives the same figures.
"""

import os
from collections.abc import Sequence
from typing import Final

from bench.harness import ROOT
from bench.report import Gate, Report

EXAMPLES: Final = {
    "routing, 6 labels": "tutoring/understanding/routing/examples.yaml",
    "safety, 5 labels": "tutoring/understanding/data/danger.yaml",
    "wrong ideas, 43 labels": "courses/fractions/sayings.yaml",
}
HELD_OUT: Final = 5
MAY_ERR: Final = 0.15


def run() -> Report:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    rows = {name: _figures(path) for name, path in EXAMPLES.items()}
    return Report(
        title="examples that were not fitted on",
        rows=rows,
        gates=tuple(
            Gate(claim=f"calibration error, {name}", seen=row["calibration_error"], at_most=MAY_ERR)
            for name, row in rows.items()
        ),
    )


def _figures(path: str) -> dict[str, float]:
    from agents.routing.classifier import Classifier, fit_weights
    from agents.routing.features import OUT_OF_SCOPE, read_examples
    from tutoring.mastery.parameter_fitting.prediction_scores import calibration_error

    examples = read_examples(ROOT / path)
    fitted = fit_weights(
        {label: [text for place, text in enumerate(texts) if place % HELD_OUT] for label, texts in examples.items()}
    )
    classifier = Classifier(fitted)
    asked = [(label, text) for label, texts in examples.items() for text in texts[::HELD_OUT]]
    guesses = [classifier.classify(text) for _label, text in asked]
    found = [(label, guess.label or OUT_OF_SCOPE) for (label, _text), guess in zip(asked, guesses, strict=True)]
    sure = [guess.confidence for guess in guesses]
    return {
        "named_right": _share([said == label for label, said in found if label != OUT_OF_SCOPE]),
        "refused": _share([said == OUT_OF_SCOPE for label, said in found if label != OUT_OF_SCOPE]),
        "nowhere_turned_away": _share([said == label for label, said in found if label == OUT_OF_SCOPE]),
        "calibration_error": calibration_error(sure, [label == said for label, said in found]) or 0.0,
    }


def _share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)
