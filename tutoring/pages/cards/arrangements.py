"""Card data of order, match and steps questions: pieces, rows and judged lines."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from conversations.web.markup import inline_to_html, to_html
from tutoring.courses.exercises import serialization
from tutoring.courses.pictures import render_svg
from tutoring.grading import MatchKey, OrderKey, StepsKey, Unparsable, key_from_json
from tutoring.grading.judges.arrangements import parse_assignments
from tutoring.grading.judges.steps import WorkingLine, judged_lines
from tutoring.models import Attempt, Question

type Context = dict[str, object]

_MARKUP = re.compile(r"[$\\*_`]")
_SIGNS = re.compile(r"`([^`]*)`|[$*`]")
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]+)\}\{([^{}]+)\}")


def arrangement_context(question: Question, answer: str, last: Attempt | None) -> Context:
    """Return what the question's kind shows: pieces with their places, rows with their options, or judged lines."""
    match question.kind:
        case "order":
            return {"pieces": _pieces(question, answer), "places": range(1, len(question.public["choices"]) + 1)}
        case "match":
            return _match_context(question, answer)
        case "steps":
            return {"lines": _lines(question, last) if last else []}
        case _:
            return {}


def _match_context(question: Question, answer: str) -> Context:
    offered = question.public["choices"]
    key = key_from_json(question.key["answer"])
    return {
        "rows": _rows(question, answer),
        "options": [choice_context(option) for option in offered],
        "options_need_showing": any(option["picture"] or _MARKUP.search(option["text"]) for option in offered),
        "each_once": isinstance(key, MatchKey) and key.uses_each_once,
    }


def choice_context(choice: Mapping[str, Any]) -> Context:
    """Return a choice as the page shows it; its label is plain text, for where neither markup nor pictures are possible."""
    picture = serialization.picture_from_json(choice["picture"])
    return {
        "letter": choice["letter"],
        "text": choice["text"] or (picture.alt if picture else ""),
        "html": inline_to_html(choice["text"], stacks=True),
        "picture_svg": mark_safe(render_svg(picture)) if picture else None,
        "label": _plain(choice["text"]) or (picture.alt if picture else ""),
    }


def _plain(text: str) -> str:
    return _SIGNS.sub(lambda code: code[1] or "", _FRACTION.sub(r"\1/\2", text)).strip()


def _pieces(question: Question, answer: str) -> list[Context]:
    """Return the pieces as the learner put them, or as first shown; for a closed question in the right order."""
    pieces, places = [choice_context(piece) for piece in question.public["choices"]], _places(answer)
    for piece in pieces:
        piece["place"] = places.get(str(piece["letter"]))
    if not question.is_open:
        key = key_from_json(question.key["answer"])
        right = key.right if isinstance(key, OrderKey) else ()
        return sorted(pieces, key=lambda piece: right.index(str(piece["letter"])))
    placed = {piece["place"]: piece for piece in pieces}
    every = range(1, len(pieces) + 1)
    return [placed[place] for place in every] if placed.keys() == set(every) else pieces


def _places(answer: str) -> dict[str, int | None]:
    """Return the place given to each letter by "A=2 B=1 C=-" or by letters in order."""
    if given := parse_assignments(answer):
        return {letter: int(place) if place.isdecimal() else None for letter, place in given.items()}
    return {letter: place for place, letter in enumerate(answer.split(), start=1)}


def _rows(question: Question, answer: str) -> list[Context]:
    """Return the rows with what was chosen for each; for a closed question with the right match."""
    rows, given = [choice_context(row) for row in question.public["rows"]], parse_assignments(answer)
    options = {option["letter"]: choice_context(option) for option in question.public["choices"]}
    key = key_from_json(question.key["answer"])
    right = dict(key.right) if isinstance(key, MatchKey) and not question.is_open else {}
    for row in rows:
        letter = str(row["letter"])
        row["value"] = given.get(letter, "")
        row["given"] = options.get(given.get(letter, ""))
        row["right"] = options.get(right.get(letter, ""))
    return rows


def _lines(question: Question, last: Attempt) -> list[Context]:
    """Return the lines of the last working, each with its relation to the line before."""
    return [
        {"text": line.text, "standing": line.standing, "words": _standing(line, first=number == 1)}
        for number, line in enumerate(judged_working(question.key["answer"], last.answer), start=1)
    ]


def judged_working(key: Mapping[str, Any], answer: str) -> tuple[WorkingLine, ...]:
    """Return the judged lines of an answer to a steps question; none for any other answer."""
    steps = key_from_json(key)
    if not isinstance(steps, StepsKey):
        return ()
    try:
        return judged_lines(steps, answer)
    except Unparsable:
        return ()


def _standing(line: WorkingLine, *, first: bool) -> str:
    match line.standing:
        case "follows":
            return _("follows from the question") if first else _("follows")
        case "aside":
            return _("true, but not a step toward the answer")
        case "breaks":
            return _("does not follow from the question") if first else _("does not follow from the line before")
        case _:
            return _("could not be read")


def answer_html(question: Question, answer: str) -> SafeString:
    """Return an answer as readable text: a working line by line, pieces instead of their letters, code as code."""
    if question.kind in ("trace", "code", "lines"):
        return to_html(question.shown_as_markdown(answer))
    lines = question.shown(answer).splitlines()
    return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in lines))
