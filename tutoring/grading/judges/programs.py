"""Grades programs by what they did, and what a learner says that a program prints. Nothing is run here."""

import re
from collections.abc import Callable, Mapping, Sequence

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.programs.answer_text import MAX_CODE, code_in
from tutoring.grading.programs.keys import CodeKey, ProgramCase, TraceKey
from tutoring.grading.programs.outcomes import (
    ENDLESS,
    NOT_RUN,
    Outcome,
    Outcomes,
    comparable_output,
    is_same_value,
    outcome_of,
    passes,
)
from tutoring.grading.programs.words_used import words_used
from tutoring.grading.verdicts import CaseFailure, Judgement, judged

# As with arrangements: half of the cases. Chosen by hand.
PARTLY_FROM = 0.5
_QUOTED = re.compile(r"""(['"])(.*)\1""")


def judge_trace(key: TraceKey, answer: str) -> Judgement:
    """Return the judgement of what a program is said to print. Spaces at the ends of lines do not matter.

    `reason` names what alone is wrong: "quotes", "case", "one_line", or "line 2", the first line that differs. With
    other spaces within a line it is right, but not written as Python does: "spacing".
    """
    if not answer.strip():
        raise Unparsable("empty")
    if len(answer) > MAX_CODE:
        raise Unparsable("too_long")
    said, right = comparable_output(code_in(answer)), comparable_output(key.prints)
    right_lines = right.strip("\n")
    if right.strip() == said.strip():
        return judged("correct")
    for reason, same in _ALIKE.items():
        if same(said, right_lines):
            return judged("equivalent_not_in_form" if reason == "spacing" else "wrong", reason)
    pairs = zip([*said.split("\n"), ""], [*right_lines.split("\n"), ""], strict=False)
    differing = next((number for number, (ours, theirs) in enumerate(pairs, start=1) if ours != theirs), 1)
    return judged("wrong", f"line {differing}" if "\n" in right_lines else "")


def _unquoted(text: str) -> str:
    return "\n".join(_QUOTED.sub(r"\2", line) for line in text.split("\n"))


def _unspaced(text: str) -> str:
    return "\n".join("".join(line.split()) for line in text.split("\n"))


_ALIKE: Mapping[str, Callable[[str, str], bool]] = {
    "quotes": lambda said, right: _unquoted(said) == _unquoted(right),
    "spacing": lambda said, right: _unspaced(said) == _unspaced(right),
    "case": lambda said, right: said.casefold() == right.casefold(),
    "one_line": lambda said, right: "\n" not in said and said.split() == right.split(),
}
"""What alone can be wrong, and whether it is."""


def program_in(answer: str) -> str:
    """Return the program of an answer. Raises Unparsable "empty" or "too_long"."""
    code = code_in(answer)
    if not code.strip():
        raise Unparsable("empty")
    if len(code) > MAX_CODE:
        raise Unparsable("too_long")
    return code


def judge_code(key: CodeKey, answer: str, outcomes: Outcomes) -> Judgement:
    """Return the judgement of a program by the outcomes of its runs.

    What is no try: a program with a syntax error, one that needs what the sandbox lacks, one that was not run, and the
    unchanged start. A program that passes but lacks a word or uses a forbidden one is right, but not in the required
    form. Raises Unparsable "empty", "too_long" or "unchanged".
    """
    code = program_in(answer)
    if code == code_in(key.starter):
        raise Unparsable("unchanged")
    judgement = judge_cases(code, key.cases, outcomes)
    return _in_form(key, code) if judgement.is_correct else judgement


def _in_form(key: CodeKey, code: str) -> Judgement:
    used = words_used(code)
    if lacking := next((word for word in key.needs if word not in used), ""):
        return judged("equivalent_not_in_form", f"needs {lacking}")
    if forbidden := next((word for word in key.without if word in used), ""):
        return judged("equivalent_not_in_form", f"without {forbidden}")
    return judged("correct")


def judge_cases(code: str, cases: Sequence[ProgramCase], outcomes: Outcomes) -> Judgement:
    """Return the judgement of a program by the outcomes of its cases; the first that fails is told."""
    ran = [outcome_of(code, case, outcomes) for case in cases]
    passed = [passes(case, outcome) for case, outcome in zip(cases, ran, strict=True)]
    if all(passed):
        return judged("correct")
    first = passed.index(False)
    case, outcome = cases[first], ran[first]
    alone = outcomes.get(code, NOT_RUN)
    failure = _failure(case, outcome, is_alone=bool(alone.problem), passed=sum(passed), of=len(cases))
    if outcome.problem in ("syntax", "missing", "not_run"):
        return Judgement(verdict="unparsable", score=0.0, reason=outcome.problem, failure=failure)
    share = sum(passed) / len(cases)
    verdict = judged("partial" if share >= PARTLY_FROM else "wrong").verdict
    return Judgement(verdict=verdict, score=share, reason=failure.reason, failure=failure)


def _failure(case: ProgramCase, outcome: Outcome, *, is_alone: bool, passed: int, of: int) -> CaseFailure:
    return CaseFailure(
        reason=_reason(case, outcome),
        call="" if is_alone else case.call,
        expected_value=case.value,
        expected_output=None if case.prints is None else comparable_output(case.prints),
        value=outcome.value,
        output=comparable_output(outcome.output)[:_SHOWN],
        error=outcome.error,
        hint=outcome.hint,
        line=outcome.line,
        says=case.says,
        passed=passed,
        of=of,
    )


_SHOWN = 600
"""Characters of a program's output that are shown to its author."""


def _reason(case: ProgramCase, outcome: Outcome) -> str:
    """Return what is wrong: the kind of an error, or how value or output differ from what is expected."""
    if outcome.problem:
        return outcome.problem if outcome.problem in (*ENDLESS, "syntax", "missing", "not_run") else "error"
    if case.value is not None and not is_same_value(case.value, outcome.value):
        return _difference_of_values(case.value, outcome)
    expected, printed = comparable_output(case.prints or ""), comparable_output(outcome.output)
    if not printed:
        return "prints_nothing"
    for reason in ("quotes", "spacing", "case"):
        if _ALIKE[reason](printed, expected):
            return f"prints_{reason}"
    return "prints"


def _difference_of_values(expected: str, outcome: Outcome) -> str:
    printed = comparable_output(outcome.output)
    if outcome.value == "None":
        said = expected[1:-1] if _QUOTED.fullmatch(expected) else expected
        return "prints_instead" if printed and said in printed else "returns_nothing"
    if _unquoted(expected) == _unquoted(outcome.value):
        return "quotes"
    return "value"
