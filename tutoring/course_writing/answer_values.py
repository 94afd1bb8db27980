"""The answer of an exercise as the values of a form, and back, for the kinds that have a form of their own."""

from collections.abc import Mapping
from typing import Any, Final

from tutoring.course_writing.draft_files import Entry
from tutoring.course_writing.field_lists import lines_of, text_lines
from tutoring.course_writing.word_lists import ideas_of, words_of

FORM_KINDS: Final = ("numeric", "choice", "multi", "text", "order", "match")
ANSWER_KEYS: Final = ("answer", "choices", "misconceptions", "shuffle")
LETTERS: Final = "ABCDEFGH"
ROWS, SPARE, WRONG = 6, 2, 6
"""Rows of a match, partners that belong to no row, and wrong numbers with a misconception."""
FORMS: Final = ("any", "whole", "fraction", "simplified", "decimal", "exact")
OTHER: Final = "other"


def answer_parts(kind: str, values: Mapping[str, str]) -> Entry:
    """Return the answer, the choices and the misconceptions for the values of a form."""
    given = {name: value.strip() for name, value in values.items()}
    match kind:
        case "numeric":
            return _numeric_parts(given)
        case "choice" | "multi":
            return _choice_parts(kind, given)
        case "text":
            answer = {"ideas": ideas_of(given.get("ideas", "")), "references": lines_of(given.get("references", ""))}
            return {"answer": {name: value for name, value in answer.items() if value}}
        case "order":
            return {"answer": {"order": lines_of(given.get("order", ""))}}
        case "match":
            return _match_parts(given)
        case _:
            return {}


def answer_values(kind: str, parts: Entry) -> dict[str, str] | None:
    """Return the values of a form for these parts; None if it could not give them back unchanged."""
    try:
        values = _VALUES[kind](parts)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration):
        return None if parts else {}
    if not all(isinstance(value, str) for value in values.values()):
        return None
    return values if answer_parts(kind, values) == _as_texts(parts) else None


def _as_texts(parts: Entry) -> Entry:
    """Return the parts with numbers as the texts that forms write."""
    return {name: value if name == "shuffle" else _text(value) for name, value in parts.items()}


def _text(value: Any) -> Any:
    match value:
        case dict():
            return {name: _text(each) for name, each in value.items()}
        case list():
            return [_text(each) for each in value]
        case int() | float() if not isinstance(value, bool):
            return str(value)
        case _:
            return value


def _numeric_parts(given: Mapping[str, str]) -> Entry:
    answer = {name: given[name] for name in ("value", "form", "tolerance") if given.get(name)}
    wrong: list[Any] = []
    for row in range(WRONG):
        number, idea = given.get(f"wrong-{row}", ""), given.get(f"idea-{row}", "")
        if number or idea:
            wrong.append({idea or OTHER: number} if number else idea)
    return {"answer": answer} | ({"misconceptions": wrong} if wrong else {})


def _numeric_values(parts: Entry) -> dict[str, str]:
    answer = _text(parts["answer"])
    values = {name: answer[name] for name in ("value", "form", "tolerance") if name in answer}
    for row, each in enumerate(_text(parts.get("misconceptions", []))):
        idea, number = next(iter(each.items())) if isinstance(each, dict) else (each, "")
        values |= {f"wrong-{row}": number, f"idea-{row}": "" if idea == OTHER else idea}
    return values


def _choice_parts(kind: str, given: Mapping[str, str]) -> Entry:
    choices = {letter: _choice(given, letter) for letter in LETTERS if given.get(f"choice-{letter}")}
    right = [letter for letter in LETTERS if given.get(f"right-{letter}")]
    if kind == "choice":
        right = [given["right"]] if given.get("right") else []
    wrong = {letter: given.get(f"because-{letter}") or OTHER for letter in choices if letter not in right}
    parts: Entry = {"answer": {"values": right} if kind == "multi" else {"value": right[0]} if right else {}}
    parts |= {"choices": choices} | ({"misconceptions": wrong} if wrong else {})
    return parts | ({"shuffle": False} if given.get("in_order") else {})


def _choice(given: Mapping[str, str], letter: str) -> str | Entry:
    text, says = given[f"choice-{letter}"], given.get(f"says-{letter}")
    return {"text": text, "says": says} if says else text


def _choice_values(parts: Entry) -> dict[str, str]:
    answer, misconceptions = parts["answer"], parts.get("misconceptions", {})
    values: dict[str, str] = {}
    for letter, choice in _text(parts["choices"]).items():
        values[f"choice-{letter}"] = choice["text"] if isinstance(choice, dict) else choice
        values |= {f"says-{letter}": choice["says"]} if isinstance(choice, dict) else {}
    values |= {f"because-{letter}": idea for letter, idea in misconceptions.items() if idea != OTHER}
    values |= {f"right-{letter}": "1" for letter in answer.get("values", [])}
    values |= {"right": answer["value"]} if "value" in answer else {}
    return values | ({"in_order": "1"} if parts.get("shuffle") is False else {})


def _text_values(parts: Entry) -> dict[str, str]:
    answer = parts["answer"]
    words, references = words_of(answer.get("ideas", [])), text_lines(answer.get("references", []))
    if words is None or references is None:
        raise ValueError("not as a form writes it")
    return {"ideas": words, "references": references}


def _order_values(parts: Entry) -> dict[str, str]:
    text = text_lines(_text(parts["answer"]["order"]))
    if text is None:
        raise ValueError("not as a form writes it")
    return {"order": text}


def _match_parts(given: Mapping[str, str]) -> Entry:
    rows = [(given.get(f"row-{at}", ""), given.get(f"partner-{at}", "")) for at in range(ROWS)]
    spare = [given[f"spare-{at}"] for at in range(SPARE) if given.get(f"spare-{at}")]
    answer: Entry = {"pairs": [list(pair) for pair in rows if any(pair)]}
    return {"answer": answer | ({"spare": spare} if spare else {})}


def _match_values(parts: Entry) -> dict[str, str]:
    answer = _text(parts["answer"])
    values: dict[str, str] = {}
    for at, (row, partner) in enumerate(answer["pairs"]):
        values |= {f"row-{at}": row, f"partner-{at}": partner}
    return values | {f"spare-{at}": text for at, text in enumerate(answer.get("spare", []))}


_VALUES: Final = {
    "numeric": _numeric_values,
    "choice": _choice_values,
    "multi": _choice_values,
    "text": _text_values,
    "order": _order_values,
    "match": _match_values,
}
