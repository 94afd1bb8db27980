"""Short answers judged by reference answers, beside what people say of them: 224 answers to 16 questions, half of them frozen.

Every run gives the same figures.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bench.harness import ROOT
from bench.report import Gate, Report
from tutoring.grading import Embed, TextKey, grade
from tutoring.grading.semantic_grader import text_embedding

ANSWERS = ROOT / "tests" / "tutoring" / "grading" / "short_answers.jsonl"


class Judged(NamedTuple):
    label: str
    """right, partly, wrong, or contradiction: the opposite of a reference."""
    verdict: str
    score: float


def run() -> Report:
    rows = {
        f"{half}, by {way}": figures(judged(half, embed=embed))
        for half in ("dev", "frozen")
        for way, embed in (("words", None), ("meaning", text_embedding()))
    }
    frozen = rows["frozen, by meaning"]
    missed, refused = 1 - frozen["contradictions_wrong"], 1 - frozen["right_accepted"]
    return Report(
        title="short answers; nothing is fitted to the frozen half",
        rows=rows,
        gates=(
            Gate(claim="contradictions not judged wrong, frozen", seen=missed, at_most=0.15),
            Gate(claim="wrong answers accepted, frozen", seen=frozen["wrong_accepted"], at_most=0.1),
            Gate(claim="right answers not accepted, frozen", seen=refused, at_most=0.35),
        ),
    )


def judged(half: str, *, embed: Embed | None) -> Iterator[Judged]:
    """Yield the answers of the questions of one half, as they are judged."""
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"] != half:
            continue
        key = TextKey(references=tuple(row["references"]), question=row["question"])
        for label, answer in row["answers"]:
            judgement = grade(key, answer, embed=embed)
            yield Judged(label, judgement.verdict, judgement.score)


def figures(answers: Iterable[Judged]) -> dict[str, float]:
    """Return the shares (0–1) of each kind of answers that were judged so."""
    found = list(answers)

    def share(label: str, *verdicts: str) -> float:
        of_label = [each for each in found if each.label == label]
        return sum(each.verdict in verdicts for each in of_label) / len(of_label)

    return {
        "right_accepted": share("right", "correct"),
        "right_judged_wrong": share("right", "wrong"),
        "partly_accepted": share("partly", "correct"),
        "wrong_accepted": share("wrong", "correct"),
        "contradictions_accepted": share("contradiction", "correct"),
        "contradictions_wrong": share("contradiction", "wrong"),
        "agreement": sum((each.label == "right") == (each.verdict == "correct") for each in found) / len(found),
    }
