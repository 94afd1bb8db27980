"""Answer keys: one class for each kind of question, and their JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tutoring.grading.boards import Board, board_from_json, board_to_json
from tutoring.grading.programs.keys import (
    CodeKey,
    LinesKey,
    ProgramKey,
    TraceKey,
    program_key_from_json,
    program_key_to_json,
)

type Form = Literal["any", "simplified", "fraction", "exact", "decimal", "whole", "factored", "expanded", "as_written"]
type AnswerKey = (
    NumericKey
    | ExpressionKey
    | SetKey
    | ChoiceKey
    | MultiKey
    | OrderKey
    | MatchKey
    | StepsKey
    | TextKey
    | ConstructionKey
    | ProgramKey
)
type Options = tuple[tuple[str, str], ...]
"""Options of a question: pairs of letter and text."""

_FORM = re.compile(
    r"\s*(?P<name>[a-z_]+)\s*(?:\(\s*(?:(?P<places>\d{1,2})\s*places?|(?P<tolerance>[0-9./]{1,20}))\s*\))?\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericKey:
    """One number. `form` is the required form of the answer:

    "any" spelling · "simplified" lowest terms, mixed or not · "fraction" any terms, no decimal · "exact" no rounding ·
    "decimal" within `tolerance` of the value, or right to `places` decimals · "whole" a whole number.
    """

    value: str
    form: Form = "any"
    tolerance: str | None = None
    places: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionKey:
    """An expression, equation, inequality, interval, tuple or ordered list; anything equivalent is right.

    `form` "expanded" means multiplied out with like terms collected, "factored" the opposite; forms of numbers apply
    too.
    """

    value: str
    form: Form = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKey:
    """Several values in any order, or with a name for each in the order of the names; a part of them is partly right.

    `form` applies to each; with "as_written", 2/4 equals only 2/4. Equal values without names require as many spellings.
    """

    values: tuple[str, ...]
    form: Form = "any"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceKey:
    """One right letter of `options`, pairs of letter and text."""

    right: str
    options: Options = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiKey:
    """Several right letters of `options`, pairs of letter and text."""

    right: frozenset[str]
    options: Options = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderKey:
    """Pieces to be put in order: the letters of `options` in the right order."""

    right: tuple[str, ...]
    options: Options = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchKey:
    """Pairs of a row's letter and the matching option's; `rows` and `options` have the texts."""

    right: tuple[tuple[str, str], ...]
    rows: Options = ()
    options: Options = ()

    @property
    def uses_each_once(self) -> bool:
        """Whether no two rows share their option."""
        return len({option for _, option in self.right}) == len(self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsKey:
    """A working of lines that each follow from the one before, from `start` to `value` in its `form`.

    If `start` is empty only the value is known, and each line is compared with it. Where the question does not show
    the start, as in a word problem, writing it is a step.
    """

    start: str
    value: str
    form: Form = "any"
    shows_start: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """An idea of a good reply, as alternative words or regular expressions; weights need not sum to 1."""

    any: tuple[str, ...]
    weight: float = 1.0
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextKey:
    """A short text: ideas to state and patterns it must not match, or else reference answers to the `question`."""

    ideas: tuple[Idea, ...] = ()
    contradicts: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstructionKey:
    """Something done to a `board`, whose kind is the question's: `value` is what it must show, as `shown_text` writes it.

    shade: the share of the whole · cut: the number of equal parts · place: the point · build: the length ·
    share: what each person gets · combine: the sum or difference · point: x and y · line: slope and intercept ·
    balance: what a box weighs. `exact_pieces`: all pieces built with have one size.
    `pieces`: just these must be built with, in any order; empty if any of that length will do.
    """

    board: Board
    value: str
    exact_pieces: bool = False
    pieces: tuple[str, ...] = ()


_KINDS: dict[str, type[AnswerKey]] = {
    "numeric": NumericKey,
    "expression": ExpressionKey,
    "set": SetKey,
    "choice": ChoiceKey,
    "multi": MultiKey,
    "order": OrderKey,
    "match": MatchKey,
    "steps": StepsKey,
    "text": TextKey,
}  # fmt: skip


def numeric_key(value: str, *, form: str = "any") -> NumericKey:
    """Return a key from a form as course files write it: "simplified", "decimal(0.01)", "decimal(2 places)".

    Raises ValueError for an unknown form.
    """
    match = _FORM.fullmatch(form)
    if match is None or match["name"] not in get_args(Form.__value__):
        raise ValueError(f"unknown form {form!r}")
    places = int(match["places"]) if match["places"] else None
    return NumericKey(value=value, form=match["name"], tolerance=match["tolerance"], places=places)  # type: ignore[arg-type]  # checked above


def key_to_json(key: AnswerKey) -> dict[str, Any]:
    """Return the key as JSON values, with its kind under "type"."""
    data: dict[str, Any]
    match key:
        case TraceKey() | CodeKey() | LinesKey():
            return program_key_to_json(key)
        case ConstructionKey():
            value = {"value": key.value, "exact_pieces": key.exact_pieces, "pieces": list(key.pieces)}
            return {"type": key.board.kind, "board": board_to_json(key.board)} | value
        case NumericKey():
            data = {"value": key.value, "form": key.form, "tolerance": key.tolerance, "places": key.places}
        case ExpressionKey():
            data = {"value": key.value, "form": key.form}
        case SetKey():
            data = {"values": list(key.values), "form": key.form, "names": list(key.names)}
        case ChoiceKey():
            data = {"right": key.right, "options": _lists(key.options)}
        case MultiKey():
            data = {"right": sorted(key.right), "options": _lists(key.options)}
        case OrderKey():
            data = {"right": list(key.right), "options": _lists(key.options)}
        case MatchKey():
            data = {"right": _lists(key.right), "rows": _lists(key.rows), "options": _lists(key.options)}
        case StepsKey():
            data = {"start": key.start, "value": key.value, "form": key.form, "shows_start": key.shows_start}
        case TextKey():
            ideas = [{"any": list(idea.any), "weight": idea.weight, "name": idea.name} for idea in key.ideas]
            data = {
                "ideas": ideas, "contradicts": list(key.contradicts), "references": list(key.references),
                "question": key.question,
            }  # fmt: skip
    kind = next(name for name, cls in _KINDS.items() if isinstance(key, cls))
    return {"type": kind} | data


def key_from_json(data: Mapping[str, Any]) -> AnswerKey:
    """Return the key that `key_to_json` wrote; raise ValueError, KeyError or TypeError for anything else."""
    form = data.get("form", "any")
    match data["type"]:
        case "numeric":
            tolerance, places = data.get("tolerance"), data.get("places")
            return NumericKey(value=data["value"], form=form, tolerance=tolerance, places=places)
        case "expression":
            return ExpressionKey(value=data["value"], form=form)
        case "set":
            return SetKey(values=tuple(data["values"]), form=form, names=tuple(data.get("names", ())))
        case "choice":
            return ChoiceKey(right=data["right"], options=_pairs(data["options"]))
        case "multi":
            return MultiKey(right=frozenset(data["right"]), options=_pairs(data["options"]))
        case "order":
            return OrderKey(right=tuple(data["right"]), options=_pairs(data["options"]))
        case "match":
            right, rows, options = (_pairs(data[name]) for name in ("right", "rows", "options"))
            return MatchKey(right=right, rows=rows, options=options)
        case "steps":
            return StepsKey(
                start=data["start"], value=data["value"], form=data["form"], shows_start=data.get("shows_start", True)
            )
        case "text":
            return _text_key(data)
        case "shade" | "cut" | "place" | "build" | "share" | "combine" | "point" | "line" | "balance":
            return _construction_key(data)
        case "trace" | "code" | "lines":
            return program_key_from_json(data)
        case kind:
            raise ValueError(f"unknown kind of key {kind!r}")


def _construction_key(data: Mapping[str, Any]) -> ConstructionKey:
    board, exact = board_from_json(data["board"]), bool(data.get("exact_pieces"))
    pieces = tuple(data.get("pieces", ()))
    return ConstructionKey(board=board, value=data["value"], exact_pieces=exact, pieces=pieces)


def _text_key(data: Mapping[str, Any]) -> TextKey:
    return TextKey(
        ideas=tuple(Idea(any=tuple(each["any"]), weight=each["weight"], name=each["name"]) for each in data["ideas"]),
        contradicts=tuple(data["contradicts"]),
        references=tuple(data["references"]),
        question=data.get("question", ""),
    )


def _lists(pairs: Options) -> list[list[str]]:
    return [list(pair) for pair in pairs]


def _pairs(data: Sequence[Sequence[str]]) -> Options:
    return tuple((first, second) for first, second in data)
