"""What a program did when it ran, and whether that is what a case asks for."""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tutoring.grading.programs.answer_text import plain_lines
from tutoring.grading.programs.keys import ProgramCase

NONE = "None"
_TOLERANCE = 1e-9
"""Relative difference of floats that count as equal: 0.1 + 0.2 is 0.3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a program ended. `value` is its last expression as Python shows it, `line` counts from 1."""

    value: str = NONE
    output: str = ""
    problem: str = ""
    """Empty if it ran to its end; else the kind: syntax, error, missing, timeout, memory, output, or not_run."""
    error: str = ""
    """In Python's words: "NameError: name 'y' is not defined"."""
    hint: str = ""
    line: int | None = None


type Outcomes = Mapping[str, Outcome]
"""Outcomes by the text of the program."""

NOT_RUN = Outcome(problem="not_run")
"""The program was not run, through no fault of its own."""
ENDLESS = frozenset({"timeout", "memory", "output"})


def case_program(code: str, case: ProgramCase) -> str:
    """Return the program that is run for a case."""
    return f"{code}\n{case.call}" if case.call else code


def programs_of(code: str, cases: Sequence[ProgramCase]) -> tuple[str, ...]:
    """Return the programs to run for all cases: first the code alone, whose errors are told without a case."""
    return tuple(dict.fromkeys((code, *(case_program(code, case) for case in cases))))


def outcome_of(code: str, case: ProgramCase, outcomes: Outcomes) -> Outcome:
    """Return what the code did in a case, with only what the call printed. Without the outcome it is NOT_RUN."""
    alone, run = outcomes.get(code, NOT_RUN), outcomes.get(case_program(code, case), NOT_RUN)
    if alone.problem or not case.call:
        return alone
    return Outcome(
        value=run.value,
        output=run.output.removeprefix(alone.output),
        problem=run.problem,
        error=run.error,
        hint=run.hint,
        line=run.line if run.line is not None and run.line <= code.count("\n") + 1 else None,
    )


def passes(case: ProgramCase, outcome: Outcome) -> bool:
    """Tell whether the outcome is what the case asks for."""
    if outcome.problem:
        return False
    prints = case.prints is None or comparable_output(outcome.output) == comparable_output(case.prints)
    return prints and (case.value is None or is_same_value(case.value, outcome.value))


def signature(code: str, cases: Sequence[ProgramCase], outcomes: Outcomes) -> tuple[object, ...]:
    """Return what the code does in all cases, equal for programs that behave alike."""
    ran = [outcome_of(code, case, outcomes) for case in cases]
    return tuple(
        chain.from_iterable(
            (
                each.problem and (each.problem, each.error.partition(":")[0]),
                "" if each.problem else _comparable_value(each.value),
                "" if each.problem else comparable_output(each.output),
            )
            for each in ran
        )
    )


def comparable_output(text: str) -> str:
    """Return printed text without what nobody sees: spaces at the ends of lines, and empty lines at the end."""
    return "\n".join(plain_lines(text)).rstrip("\n")


def is_same_value(expected: str, shown: str) -> bool:
    """Tell whether two values, written as Python shows them, are equal: 2 and 2.0 are, 5 and '5' are not, nor 1 and True."""
    if expected == shown:
        return True
    try:
        return _are_equal(ast.literal_eval(expected), ast.literal_eval(shown))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def _are_equal(first: object, second: object) -> bool:
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    match first, second:
        case int() | float(), int() | float():
            return first == second or _are_close(first, second)
        case list(), list():
            return len(first) == len(second) and all(map(_are_equal, first, second))
        case tuple(), tuple():
            return len(first) == len(second) and all(map(_are_equal, first, second))
        case dict(), dict():
            pairs = first.keys() == second.keys()
            return pairs and all(_are_equal(value, second[name]) for name, value in first.items())
        case _:
            return type(first) is type(second) and first == second


def _are_close(first: float, second: float) -> bool:
    if isinstance(first, int) and isinstance(second, int):
        return False
    try:
        return math.isclose(first, second, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    except OverflowError:
        return False


def _comparable_value(shown: str) -> str:
    """Return a value's text without differences that do not matter, such as the order of a set."""
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return shown
    return repr(sorted(value, key=repr)) if isinstance(value, set) else repr(value)
