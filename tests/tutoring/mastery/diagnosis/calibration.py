"""Fit the weights of tutoring/mastery/diagnosis/likelihoods.py to the development set: python -m tests.tutoring.mastery.diagnosis.calibration"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tutoring.courses.catalogue import CourseContent
from tutoring.courses.files.loader import read_course
from tutoring.mastery.diagnosis import likelihoods

HERE = Path(__file__).parents[2] / "side_agents"
COURSE = Path(__file__).parents[4] / "courses" / "fractions"
STEPS, STEP_SIZE, DECAY = 1500, 0.05, 0.002

type Row = Mapping[str, Any]
type Case = tuple[Mapping[str, Mapping[str, float]], str | None]


@cache
def fractions() -> CourseContent:
    return read_course(COURSE).course


def rows_of(name: str) -> list[Row]:
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def answer_cases(rows: Sequence[Row]) -> Iterator[Case]:
    for row in rows:
        if "answer" in row and not row["correct"]:
            course = fractions()
            found = likelihoods.answer_features(row["question"], row["answer"], course=course, concept=row["topic"])
            yield found, row["label"]


def fitted(cases: Sequence[Case]) -> dict[str, float]:
    """Return the weights under which the labels are likeliest, "none" having the log odds 0."""
    names = [*next(iter(cases[0][0].values())), "bias"]
    most = max(len(features) for features, _label in cases)
    given, truth, there = (
        np.zeros((len(cases), most, len(names))),
        np.zeros((len(cases), most)),
        np.zeros((len(cases), most)),
    )
    for case, (features, label) in enumerate(cases):
        given[case, : len(features)] = [[*each.values(), 1.0] for each in features.values()]
        truth[case, : len(features)] = [idea == label for idea in features]
        there[case, : len(features)] = 1
    weights, mean, square = np.zeros(len(names)), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        powers = there * np.exp(np.clip(given @ weights, -30, 30))
        error = powers / (1 + powers.sum(axis=1, keepdims=True)) - truth
        slope = DECAY * weights + np.einsum("cif,ci->f", given, error) / len(cases)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= STEP_SIZE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def left_out(cases: Sequence[Case], folds: int = 5) -> Iterator[tuple[float, bool, bool]]:
    """Yield for each case, weights fitted to the others: the best idea's chance, whether it is right, whether there is one."""
    for fold in range(folds):
        weights = fitted([case for place, case in enumerate(cases) if place % folds != fold])
        yield from judged([case for place, case in enumerate(cases) if place % folds == fold], weights)


def judged(cases: Sequence[Case], weights: Mapping[str, float]) -> Iterator[tuple[float, bool, bool]]:
    for features, label in cases:
        chances = likelihoods.chances(
            {idea: likelihoods.weigh_features(each, weights) for idea, each in features.items()}
        )
        best = max(chances, key=lambda idea: chances[idea])
        yield chances[best], best == label, label is not None


def calibration_error(found: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Return the expected calibration error of confidences beside whether they were right."""
    total = 0.0
    for place in range(bins):
        held = [(sure, right) for sure, right in found if min(int(sure * bins), bins - 1) == place]
        total += abs(sum(sure for sure, _ in held) - sum(right for _, right in held))
    return total / len(found)


def report(name: str, found: Sequence[tuple[float, bool, bool]], detects: float = 0.5) -> str:
    wrong = [each for each in found if each[2]]
    none = [each for each in found if not each[2]]
    recall = sum(sure >= detects and right for sure, right, _ in wrong) / len(wrong)
    alarms = sum(sure >= detects for sure, _, _ in none) / max(1, len(none))
    first = sum(right for _, right, _ in wrong) / len(wrong)
    error = calibration_error([(sure, right) for sure, right, _ in found])
    loss = -sum(math.log(max(sure if right else 1 - sure, 1e-6)) for sure, right, _ in found) / len(found)
    return (
        f"{name}: first {first:.2f}, recall {recall:.2f}, false alarms {alarms:.2f}, ECE {error:.3f}, loss {loss:.3f}"
    )


if __name__ == "__main__":
    cases = list(answer_cases(rows_of("misconceptions_dev")))
    print("likelihoods.ANSWERS", fitted(cases))
    print(report("left out", list(left_out(cases))))
