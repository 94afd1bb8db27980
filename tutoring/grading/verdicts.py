"""Verdicts of the grader."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

type Verdict = Literal["correct", "equivalent_not_in_form", "sign_error", "partial", "wrong", "unparsable"]

# Half for the right value in another form, and for a part. A sign error is named, and earns nothing. Chosen by hand.
SCORES: dict[str, float] = {
    "correct": 1.0,
    "equivalent_not_in_form": 0.5,
    "sign_error": 0.0,
    "partial": 0.5,
    "wrong": 0.0,
    "unparsable": 0.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFailure:
    """The first case that a program fails. `reason` is a code, `call` is empty if the program fails by itself.

    Values and output are as Python shows them; expected ones are None if they do not matter. `line` is that of an error
    in the learner's program.
    """

    reason: str
    call: str = ""
    expected_value: str | None = None
    expected_output: str | None = None
    value: str = ""
    output: str = ""
    error: str = ""
    hint: str = ""
    line: int | None = None
    says: str = ""
    passed: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict with its score (0–1); `unparsable` is a free retry and never counts against the learner.

    `missing` names the ideas a text lacks, `chosen` the letters of a choice (of an order in the given order, of a match
    "A=2"), and `reason` is a code: the required form, "rounded", "unit", "negated", "contradicts", "swapped" (named
    values), "breaks" (a line of a working), "unfinished", or why an answer cannot be read. `confidence` is the
    probability (0–1) that people would judge a text alike; None if no such figure is known, as for numbers.
    """

    verdict: Verdict
    score: float
    missing: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    reason: str = ""
    confidence: float | None = None
    failure: CaseFailure | None = None
    """Of a program: the first case that it fails."""

    @property
    def is_correct(self) -> bool:
        return self.verdict == "correct"


def judged(verdict: Verdict, reason: str = "", *, score: float | None = None) -> Judgement:
    """Return a judgement with the verdict's usual score."""
    return Judgement(verdict=verdict, score=SCORES[verdict] if score is None else score, reason=reason)


def unreadable_code(judgement: Judgement) -> str:
    """Return why an answer could not be read; of a program that does not run, with line and error: "syntax 2: …"."""
    failure = judgement.failure
    if failure is None or judgement.reason == "not_run":
        return judgement.reason
    line = f" {failure.line}" if failure.line else ""
    return f"{judgement.reason}{line}: {failure.error}" + (f"\n{failure.hint}" if failure.hint else "")


def failure_to_json(failure: CaseFailure | None) -> dict[str, Any]:
    """Return a failure under its name in a stored judgement; nothing without one."""
    return {"failure": asdict(failure)} if failure is not None else {}


def failure_from_json(judgement: Mapping[str, Any]) -> CaseFailure | None:
    """Return the failure of a stored judgement."""
    return CaseFailure(**judgement["failure"]) if judgement.get("failure") else None
