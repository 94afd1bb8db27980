"""The tutoring room's cards in words, for a file."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tutoring.models import Question

Cards = Sequence[Mapping[str, Any]]


def questions_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return the person's own questions as they were put; what was answered is a message of its own."""
    rows = Question.objects.owned_by(person).filter(pk__in=[uuid.UUID(card["id"]) for card in cards])
    return {str(row.pk): "\n".join(_lines(row)) for row in rows.only("stem", "public")}


def pictures_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return what each picture shows."""
    return {card["id"]: f"*{_('Picture')}: {card['alt']}*" for card in cards}


def concepts_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return the lessons that were named."""
    return {card["id"]: f"*{_('Lesson')}: {card['title']}*" for card in cards}


def _lines(question: Question) -> Iterator[str]:
    yield f"**{_('Question')}.** {question.stem}"
    if picture := question.public.get("picture"):
        yield f"\n*{_('Picture')}: {picture['alt']}*"
    for name in ("rows", "choices"):
        offered = question.public.get(name, ())
        yield from ["", *(f"- {each['letter']}: {each['text']}" for each in offered)] if offered else ()


def paths_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return paths as numbered lists, each step with its reason."""
    return {card["id"]: "\n".join(_steps(card["steps"])) for card in cards}


def nothing(cards: Cards, person: Any) -> dict[str, str]:
    """Return nothing: buttons say what the next message says."""
    return {card["id"]: "" for card in cards}


def _steps(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        yield f"{number}. {step['title']}: {step['reason']}"
