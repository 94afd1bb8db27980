"""Misconceptions named in answers whose right answer is known: alarms at right ones, and what is named in wrong ones.

Every run gives the same figures.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from bench.harness import ROOT
from bench.report import Gate, Report

SIMILAR_ANSWERS = ROOT / "tests" / "tutoring" / "mastery" / "diagnosis" / "similar_answers_data"
ALARMS_AT_MOST = 0.10


def run() -> Report:
    rows = {
        f"{name}{way}": figures(name, keyed=keyed)
        for name in ("keyed", "keyed_held_out")
        for way, keyed in ((", key not told", False), ("", True))
    }
    held_out, untold = rows["keyed_held_out"], rows["keyed_held_out, key not told"]
    alarms, lost = held_out["alarm_at_right"], untold["detected_in_wrong"] - held_out["detected_in_wrong"]
    return Report(
        title="answers to 98 questions, right and wrong, of a library of 46 misconceptions; 30 written when the rules were fixed",
        rows=rows,
        gates=(
            Gate(claim="share of right answers with an alarm", seen=alarms, at_most=ALARMS_AT_MOST),
            Gate(claim="share of wrong answers that lose theirs by the key", seen=lost, at_most=0.02),
        ),
    )


def figures(name: str, *, keyed: bool) -> dict[str, float]:
    """Return the shares (0–1) of the answers that were judged so, with or without the right answer known."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    import django

    django.setup()
    from tutoring.side_agents.analyse_command.misconception import analysis, classifier_of

    classifier = classifier_of(SIMILAR_ANSWERS / "library.jsonl")
    asked = [json.loads(line) for line in (SIMILAR_ANSWERS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    given = asked if keyed else [{name: row[name] for name in row if name != "answer_key"} for row in asked]
    found = [(row["shows"], analysis(told, classifier)) for row, told in zip(asked, given, strict=True)]
    right = [each for shows, each in found if shows is None]
    wrong = [(shows, each) for shows, each in found if shows is not None]
    return {
        "alarm_at_right": _share([each["misconception_detected"] for each in right]),
        "detected_in_wrong": _share([each["misconception_detected"] for _shows, each in wrong]),
        "first_is_right": _share([_ranked(each)[:1] == [shows] for shows, each in wrong]),
        "among_three": _share([shows in _ranked(each) for shows, each in wrong]),
        "ranked_of_right": _share([bool(each["top3"]) for each in right]),
        "confidence_off": _calibration_error(found),
    }


def _ranked(found: dict[str, Any]) -> list[str]:
    return [name for name, _confidence in found["top3"]]


def _calibration_error(found: Sequence[tuple[str | None, dict[str, Any]]]) -> float:
    """Return the expected calibration error (0–1) of the confidence in what was named, or in none showing."""
    from tutoring.mastery.parameter_fitting.prediction_scores import calibration_error

    sure = [each["confidence"] for _shows, each in found]
    return calibration_error(sure, [shows == each["misconception_type"] for shows, each in found]) or 0.0


def _share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)
