"""Renders the tutoring cards as HTML."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from tutoring.mastery.records.progress import note_shown
from tutoring.pages.cards.question_context import question_contexts
from tutoring.pages.cards.raw_sql import load_own_questions

Cards = Sequence[Mapping[str, Any]]
_CODE = re.compile(r"`([^`]+)`")


def questions_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return the person's own questions as they are now; a card whose question is not theirs is left out.

    With the request, its forms contain the CSRF token that a browser without JavaScript needs.
    """
    questions = load_own_questions(cards, person)
    note_shown(questions)
    contexts = question_contexts(questions)
    return {
        key: render_to_string("tutoring/question.html", {"question": context}, request=request)
        for key, context in contexts.items()
    }


def pictures_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return pictures; their SVG was drawn by `tutoring.courses.pictures`, which escapes every text in it."""
    return {
        card["id"]: render_to_string("tutoring/picture.html", {"svg": mark_safe(card["svg"]), "alt": card["alt"]})
        for card in cards
    }


def concepts_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return links to other lessons."""
    return {card["id"]: render_to_string("tutoring/concept_card.html", {"concept": card}) for card in cards}


def paths_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return paths to a goal as they were planned then; the map shows them as they are now."""
    return {card["id"]: render_to_string("tutoring/path_card.html", {"path": _path(card)}) for card in cards}


def _path(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a path with the topics that look known listed separately from the steps to do."""
    passed = [step for step in card["steps"] if step["kind"] == "check" and not step["is_goal"]]
    return {**card, "looks_known": passed, "ahead": [step for step in card["steps"] if step not in passed]}


def replies_html(cards: Cards, person: Any, request: HttpRequest | None) -> dict[str, str]:
    """Return replies as buttons; only the last ones of a conversation are shown."""
    return {card["id"]: render_to_string("tutoring/replies_card.html", {"options": _options(card)}) for card in cards}


def _options(card: Mapping[str, Any]) -> list[tuple[str, SafeString]]:
    """Return what each button says for the learner, and its label as HTML."""
    labels = card.get("labels") or card["options"]
    return [(option, _with_code(label)) for option, label in zip(card["options"], labels, strict=True)]


def _with_code(text: str) -> SafeString:
    """Return a text as HTML with what stands in backticks as code; nothing else of it is Markdown."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text)))
