"""Card data of questions about programs: what stands in the field, lines with their places, the answer as code."""

from django.urls import reverse

from conversations.web.markup import to_html
from tutoring.grading.judges.code_lines import arranged_letters
from tutoring.grading.keys import key_from_json
from tutoring.grading.program_runner import can_run
from tutoring.grading.programs.keys import LinesKey
from tutoring.models import Question
from tutoring.pages.cards.arrangements import choice_context

type Context = dict[str, object]

LEVELS = range(5)
"""Levels of indentation to choose from."""


def program_context(question: Question, answer: str) -> Context:
    """Return what a card shows of a question about a program; nothing of other kinds."""
    match question.kind:
        case "code":
            own = {"code": answer or question.public.get("starter", ""), "starter": question.public.get("starter", "")}
            runs = {"run_url": reverse("run-program", args=[question.pk])} if question.is_open and can_run() else {}
            return own | runs | _block(question, answer)
        case "lines":
            return _lines_context(question, answer) | _block(question, answer)
        case "trace":
            return _block(question, answer)
        case _:
            return {}


def _block(question: Question, answer: str) -> Context:
    return {"answer_block": to_html(question.shown_as_markdown(answer)) if answer.strip() else ""}


def _lines_context(question: Question, answer: str) -> Context:
    """Return the lines as the learner put them, or as first shown; those that are not used stand last."""
    key = key_from_json(question.key["answer"])
    assert isinstance(key, LinesKey)
    placed = arranged_letters(key, answer)
    levels = dict(placed)
    places = {letter: place for place, (letter, _) in enumerate(placed, start=1)}
    pieces = [choice_context(each) for each in question.public["choices"]]
    for piece in pieces:
        letter = str(piece["letter"])
        piece["place"], piece["level"] = places.get(letter), levels.get(letter, 0)
    used = sorted((piece for piece in pieces if piece["place"]), key=lambda piece: places[str(piece["letter"])])
    unused = [piece for piece in pieces if not piece["place"]]
    return {
        "used_lines": used if placed else pieces,
        "unused_lines": unused if placed else [],
        "offered": pieces,
        "has_spare": len(pieces) > len(key.lines),
        "places": range(1, len(pieces) + 1),
        "levels": LEVELS,
    }
