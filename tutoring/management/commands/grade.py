"""Grade answers given as JSON lines on stdin; one JSON line each on stdout."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand

from tutoring.grading import (
    AnswerKey,
    ChoiceKey,
    ExpressionKey,
    Idea,
    Judgement,
    LinesKey,
    MatchKey,
    MultiKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
    TraceKey,
    key_from_json,
    numeric_key,
)
from tutoring.grading.judges.arrangements import format_assignments, parse_assignments
from tutoring.grading.keys import Options
from tutoring.grading.semantic_grader import grade_by_meaning

_UNREADABLE = Judgement(verdict="unparsable", score=0.0, reason="bad_line")


class Command(BaseCommand):
    help = (
        "Reads JSON lines {expected, answer, type?, form?} on stdin; type is numeric, expression (the default), set, choice,"
        " multi, order (lists, or letters), match (objects), shade, cut, place, build, share, combine (with a board), steps (lines, the first of several expected ones is"
        " where the work starts), trace (expected is what is printed), code (a program, with cases), lines (of a program,"
        " with spare ones) or text (expected is one or more reference answers, with question and ideas)."
        " Writes {verdict, score, ms} for each, and the confidence (0–1) in a text's verdict by reference answers."
    )

    requires_system_checks: list[str] = []  # Neither the database nor pages are used.

    def handle(self, *args: Any, **options: Any) -> None:
        for line in judge_lines(_stdin_lines()):
            self.stdout.write(line)
            self.stdout.flush()  # A caller that writes one line and waits for its answer gets it.


def _stdin_lines() -> Iterator[str]:
    """Yield the lines of stdin; bytes that are not UTF-8 only break their own line."""
    raw = getattr(sys.stdin, "buffer", None)
    return (line.decode(errors="replace") for line in raw) if raw is not None else iter(sys.stdin)


def judge_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield a line for each that is not blank; one that cannot be graded is "unparsable"."""
    for line in lines:
        if line.strip():
            started = time.perf_counter()
            judgement = _judgement_of(line)
            yield json.dumps(_row(judgement, ms=(time.perf_counter() - started) * 1000))


def _judgement_of(line: str) -> Judgement:
    try:
        row = json.loads(line)
        return grade_by_meaning(key_of(row), _answer_of(row))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return _UNREADABLE


def _row(judgement: Judgement, *, ms: float) -> dict[str, object]:
    row: dict[str, object] = {"verdict": judgement.verdict, "score": round(judgement.score, 3), "ms": round(ms, 3)}
    return row if judgement.confidence is None else row | {"confidence": judgement.confidence}


def key_of(row: dict[str, Any]) -> AnswerKey:
    """Return the key of an input line; raise ValueError, KeyError or TypeError for a line without one."""
    expected, form = row["expected"], row.get("form") or "any"
    match row.get("type") or "expression":
        case "numeric":
            return numeric_key(_text(expected), form=form)
        case "expression":
            if _is_decimal(form):
                return numeric_key(_text(expected), form=form)
            return ExpressionKey(value=_text(expected), form=numeric_key("0", form=form).form)
        case "set":
            return SetKey(values=_texts(expected), form=numeric_key("0", form=form).form)
        case "choice":
            options = _options(row)
            return ChoiceKey(right=_letter_of(_text(expected), options), options=options)
        case "multi":
            options = _options(row)
            return MultiKey(right=frozenset(_letter_of(each, options) for each in _letters(expected)), options=options)
        case "order":
            return _order_key(expected, row)
        case "match":
            return _match_key(row)
        case "steps":
            return _steps_key(expected, form)
        case "text":
            return _text_key(expected, row)
        case "shade" | "cut" | "place" | "build" | "share" | "combine" | "point" | "line" | "balance" as kind:
            board = {"kind": kind, **row["board"]}
            return key_from_json({"type": kind, "board": board, "value": _text(expected)})
        case "trace":
            return TraceKey(program="", prints=_text(expected))
        case "code":
            return key_from_json({"type": "code", "solution": _text(expected), **_code_fields(row)})
        case "lines":
            lines = _text(expected).splitlines() if isinstance(expected, str) else list(_texts(expected))
            offered = [each.strip() for each in (*lines, *(row.get("spare") or ()))]
            return LinesKey(lines=tuple(lines), options=tuple((chr(65 + at), each) for at, each in enumerate(offered)))
        case kind:
            raise ValueError(f"unknown type {kind!r}")


def _code_fields(row: dict[str, Any]) -> dict[str, Any]:
    blank = {"call": "", "value": None, "prints": None}
    return {
        "cases": [blank | each for each in row["cases"]],
        "needs": row.get("needs") or [],
        "without": row.get("without") or [],
    }


def _steps_key(expected: Any, form: str) -> StepsKey:
    lines = [line for text in _texts(expected) for line in text.splitlines() if line.strip()]
    start = lines[0] if len(lines) > 1 else ""
    return StepsKey(start=start, value=lines[-1], form=numeric_key("0", form=form).form)


def _text_key(expected: Any, row: dict[str, Any]) -> TextKey:
    return TextKey(
        ideas=tuple(_idea(idea) for idea in row.get("ideas") or ()),
        contradicts=tuple(row.get("contradicts") or ()),
        references=_texts(expected),
        question=_text(row.get("question") or ""),
    )


def _answer_of(row: dict[str, Any]) -> str:
    """Return the answer as the grader reads it: a list by commas or lines, an object as A=2 B=1."""
    answer = row["answer"]
    if isinstance(answer, dict) and row.get("type") == "match":
        rows, options = _match_names(row)
        texts = {str(name): _text(value) for name, value in answer.items()}
        return format_assignments({rows.get(name, name): options.get(value, value) for name, value in texts.items()})
    if row.get("type") == "choice":
        return _letter_of(_text(answer), _options(row))
    if isinstance(answer, list) and row.get("type") == "multi":
        return " ".join(_letter_of(each, _options(row)) for each in _texts(answer))
    if isinstance(answer, list):
        return ("\n" if row.get("type") in ("steps", "lines") else ", ").join(_texts(answer))
    return _text(answer)


def _letter_of(text: str, options: Options) -> str:
    """Return the letter of the option with exactly this text, otherwise the text: a letter, or another spelling."""
    return next((letter for letter, shown in options if shown == text), text)


def _order_key(expected: object, row: dict[str, Any]) -> OrderKey:
    """Return the key of an order; pieces without options of their own are lettered in order."""
    pieces = _texts(expected) if isinstance(expected, list) else tuple(_letters(expected))
    options = _options(row)
    named = {text: letter for letter, text in options}
    if not options and not all(len(piece) == 1 for piece in pieces):
        options = tuple((chr(ord("A") + index), piece) for index, piece in enumerate(pieces))
        named = {text: letter for letter, text in options}
    return OrderKey(right=tuple(named.get(piece, piece) for piece in pieces), options=options)


def _match_key(row: dict[str, Any]) -> MatchKey:
    """Return the key of a match; rows and options that are not single letters get letters."""
    rows, options = _match_names(row)
    right = {rows[name]: options[value] for name, value in _matched(row).items()}
    return MatchKey(right=tuple(right.items()), options=tuple((letter, text) for text, letter in options.items()))


def _matched(row: dict[str, Any]) -> dict[str, str]:
    """Return the match for each row, given as an object or as A=2 B=1."""
    expected = row["expected"]
    if isinstance(expected, dict):
        return {str(name): _text(value) for name, value in expected.items()}
    return parse_assignments(_text(expected))


def _match_names(row: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the letters of the rows and of the options, by their texts."""
    matched = _matched(row)
    offered = dict.fromkeys([*matched.values(), *(text for _, text in _options(row))])
    return _lettered(list(matched)), _lettered(list(offered))


def _lettered(texts: list[str]) -> dict[str, str]:
    if all(len(text) == 1 and text.isalnum() for text in texts):
        return {text: text.upper() for text in texts}
    return {text: chr(ord("A") + index) for index, text in enumerate(texts)}


def _is_decimal(form: str) -> bool:
    return form.strip().startswith("decimal")


def _text(value: object) -> str:
    """Return a text or a number as text; JSON spells true and null as words, so they are no answer."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return str(value["text"])
    if isinstance(value, list) and len(value) == 1:
        return _text(value[0])
    raise TypeError("text or a number is needed")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(item) for item in _list(value))


def _letters(value: object) -> list[str]:
    return [_text(letter) for letter in value] if isinstance(value, list) else _text(value).replace(",", " ").split()


def _options(row: dict[str, Any]) -> Options:
    options = row.get("options") or row.get("choices") or ()
    if isinstance(options, dict):
        return tuple((str(letter), _text(text)) for letter, text in options.items())
    return tuple(
        (str(option[0]), _text(option[1])) if isinstance(option, list) else (chr(ord("A") + index), _text(option))
        for index, option in enumerate(options)
    )


def _idea(data: object) -> Idea:
    """Return an idea written as in a course file, or as a bare phrase."""
    if isinstance(data, dict):
        words = data.get("any", data.get("name", ""))
        weight = float(_text(data.get("weight", data.get("w", 1.0))))
        return Idea(any=tuple(_text(word) for word in _list(words)), weight=weight, name=_text(data.get("name") or ""))
    return Idea(any=(_text(data),))
