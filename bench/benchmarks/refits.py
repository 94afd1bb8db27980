"""Refits on logs as courses have them: a few concepts much practised, many hardly at all, with noise and unlike items.

Every run gives the same figures.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import median
from typing import Final

from bench.report import Gate, Report
from bench.simulated_logs import Course, history
from tutoring.mastery.parameter_fitting import refit_decision
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.refit_decision import Refit

COURSE: Final = Course(learners=700, skills=60, items=20, each=9, spread=0.7, tail=0.9, noise=0.06, item_spread=0.9)
SEED: Final = 1
MUST_GAIN_AUC: Final = 0.01


def run() -> Report:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    leaps, degrees = (history(replace(COURSE, world=world), seed=SEED) for world in ("leaps", "degrees"))
    found = {
        "by leaps": refit_decision.refit(leaps, {}),
        "by degrees": refit_decision.refit(degrees, {}),
        "already in force": _again(leaps),
        "fitted to learners who guess": refit_decision.refit([*_with_guessers(leaps)], {}),
    }
    rows = {name: _row(refit, answers=leaps) for name, refit in found.items() if refit is not None}
    taken = ("by leaps", "by degrees")
    return Report(
        title="36,000 answers of 700 learners on 60 concepts, from 700 learners on the first to 15 on the last",
        rows=rows,
        gates=(
            *(Gate(claim=f"refused: {name}", seen=1 - rows[name]["accepted"], at_most=0) for name in taken),
            *(Gate(claim=f"accepted: {name}", seen=rows[name]["accepted"], at_most=0) for name in rows.keys() - taken),
            *(
                Gate(
                    claim=f"AUC short of a gain of {MUST_GAIN_AUC}: {name}",
                    seen=MUST_GAIN_AUC - (rows[name]["auc_after"] - rows[name]["auc_before"]),
                    at_most=0,
                )
                for name in taken
            ),
        ),
    )


def _again(answers: Sequence[WeighedAnswer]) -> Refit | None:
    first = refit_decision.refit(answers, {})
    return refit_decision.refit(answers, first.parameters) if first else None


def _with_guessers(answers: Sequence[WeighedAnswer]) -> Iterator[WeighedAnswer]:
    """Yield the log with the answers of those who are fitted to right or wrong by chance: what is found holds of nobody."""
    random = Random(SEED)
    for each in answers:
        yield each if refit_decision.is_held_out(each.learner) else each._replace(correct=random.random() < 0.5)


def _row(found: Refit, *, answers: Sequence[WeighedAnswer]) -> dict[str, float]:
    counts = [sum(each.concept == name for each in answers) for name in {each.concept for each in answers}]
    return {
        "accepted": float(found.is_accepted),
        "loss_before": found.loss_before,
        "loss_after": found.loss_after,
        "noise": found.noise,
        "auc_before": found.auc_before or 0.0,
        "auc_after": found.auc_after or 0.0,
        "concepts_fitted": float(len(found.parameters)),
        "concepts_counted": float(len(found.changes)),
        "concepts_kept": float(len(found.kept)),
        "answers_on_the_middle_concept": median(counts),
    }
