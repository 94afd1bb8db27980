"""Answer keys of questions about programs, and their JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

INDENT = 4
"""Spaces of one level of indentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramCase:
    """What a program must do: the value of `call`, and what is printed by it, or by the whole program without a call.

    `value` is written as Python shows it; None: any value. `prints` of None: anything may be printed. `says` is for
    the learner whose program fails here first.
    """

    call: str = ""
    value: str | None = None
    prints: str | None = None
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceKey:
    """What `program` prints."""

    program: str
    prints: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeKey:
    """A program that passes all cases, such as `solution`. It must use the words in `needs` and none in `without`."""

    solution: str
    cases: tuple[ProgramCase, ...]
    starter: str = ""
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesKey:
    """Lines of a program in the right order and indented, with `also` other right ones.

    `options` are the lines that are offered, by letter and without indentation; some of them may belong nowhere. With
    `cases`, every arrangement that passes them is right.
    """

    lines: tuple[str, ...]
    also: tuple[tuple[str, ...], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    cases: tuple[ProgramCase, ...] = ()


type ProgramKey = TraceKey | CodeKey | LinesKey


def program_key_to_json(key: ProgramKey) -> dict[str, Any]:
    """Return the key as JSON values, with its kind under "type"."""
    match key:
        case TraceKey():
            return {"type": "trace", "program": key.program, "prints": key.prints}
        case CodeKey():
            return {
                "type": "code",
                "solution": key.solution,
                "cases": _cases_to_json(key.cases),
                "starter": key.starter,
                "needs": list(key.needs),
                "without": list(key.without),
            }
        case LinesKey():
            return {
                "type": "lines",
                "lines": list(key.lines),
                "also": [list(each) for each in key.also],
                "options": [list(each) for each in key.options],
                "cases": _cases_to_json(key.cases),
            }


def program_key_from_json(data: Mapping[str, Any]) -> ProgramKey:
    """Return the key that `program_key_to_json` wrote; raise ValueError, KeyError or TypeError for anything else."""
    match data["type"]:
        case "trace":
            return TraceKey(program=data["program"], prints=data["prints"])
        case "code":
            return CodeKey(
                solution=data["solution"],
                cases=_cases(data["cases"]),
                starter=data.get("starter", ""),
                needs=tuple(data.get("needs", ())),
                without=tuple(data.get("without", ())),
            )
        case "lines":
            return LinesKey(
                lines=tuple(data["lines"]),
                also=tuple(tuple(each) for each in data.get("also", ())),
                options=tuple((letter, text) for letter, text in data["options"]),
                cases=_cases(data.get("cases", ())),
            )
        case kind:
            raise ValueError(f"unknown kind of key {kind!r}")


def _cases_to_json(cases: Sequence[ProgramCase]) -> list[dict[str, str | None]]:
    return [{"call": each.call, "value": each.value, "prints": each.prints, "says": each.says} for each in cases]


def _cases(data: Sequence[Mapping[str, Any]]) -> tuple[ProgramCase, ...]:
    return tuple(
        ProgramCase(call=each["call"], value=each["value"], prints=each["prints"], says=each.get("says", ""))
        for each in data
    )
