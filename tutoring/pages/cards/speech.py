"""The tutoring cards as they are read aloud where there is no page, as Markdown: short, and nothing twice."""

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.construction_texts import board_text
from tutoring.models import Question
from tutoring.pages.cards.program_feedback import KINDS as PROGRAM_KINDS
from tutoring.pages.cards.question_context import question_contexts
from tutoring.pages.cards.raw_sql import load_own_questions
from tutoring.pages.cards.texts import offered_lines

Cards = Sequence[Mapping[str, Any]]
Context = Mapping[str, Any]

_FENCED: Final = re.compile(r"^```.*?^```[ \t]*$", re.DOTALL | re.MULTILINE)
SUMMARIES_AT_MOST: Final = 2
"""Offered places that are read with their summaries; of more, only the titles: nobody remembers the rest."""
STEPS_AT_MOST: Final = 3
"""Steps of a path that are read; the others are counted."""


def questions_speech(cards: Cards, person: Any) -> dict[str, str]:
    """Return the person's own questions for a voice.

    A card that was `judged` is the verdict on its latest answer. A question asked `again` comes without its introduction
    and with its latest hint alone.
    """
    rows = {str(row.pk): row for row in load_own_questions(cards, person)}
    contexts = question_contexts(rows.values())
    return {
        key: "\n\n".join(_question(card, rows[key], contexts[key]))
        for card in cards
        if (key := str(uuid.UUID(card["id"]))) in rows
    }


def concepts_speech(cards: Cards, person: Any) -> dict[str, str]:
    """Return the offered places: a lesson, the reviews, the map."""
    are_few = len(cards) <= SUMMARIES_AT_MOST
    return {
        card["id"]: "\n\n".join(filter(None, (card["title"], card.get("summary", "") if are_few else "")))
        for card in cards
    }


def paths_speech(cards: Cards, person: Any) -> dict[str, str]:
    """Return paths as the next steps, in a sentence."""
    return {card["id"]: " ".join(_path(card["steps"])) for card in cards}


def replies_speech(cards: Cards, person: Any) -> dict[str, str]:
    """Return what the buttons of each card would say."""
    return {card["id"]: _sayable(card["options"]) for card in cards if card["options"]}


def _sayable(options: Sequence[str]) -> str:
    """Return the options in a sentence; what all of them begin with is said once."""
    beginning = options[0].partition(": ")[0]
    if all(each.startswith(f"{beginning}: ") for each in options):
        ends = [each.removeprefix(f"{beginning}: ") for each in options]
        return _("You can say: %(beginning)s %(options)s.") % {
            "beginning": beginning, "options": get_text_list(ends, _("or")),
        }  # fmt: skip
    return _("You can say: %(options)s.") % {"options": get_text_list([*options], _("or"))}


def _question(card: Context, row: Question, shown: Context) -> Iterator[str]:
    if card.get("judged"):
        yield from _verdict(shown)
        return
    if not card.get("again"):
        yield from (each if isinstance(each, str) else _picture(each.alt) for each in _lead(row))
    elif row.hints_used:
        yield _("Hint: %(hint)s") % {"hint": row.key["hints"][: row.hints_used][-1]}
    yield _FENCED.sub("", row.stem).strip()
    if row.is_open:
        yield from _picture_and_board(row, is_new=not card.get("again"))
        yield from (f"- {line}" for line in offered_lines(shown) if row.kind not in PROGRAM_KINDS)
        if row.kind in PROGRAM_KINDS:
            yield _("You answer this question by writing on the page. Here, you can say “skip”.")
    if row.is_open and shown["kind"] == "multi":
        yield _("More than one answer may be right.")


def _verdict(shown: Context) -> Iterator[str]:
    feedback = shown["feedback"]
    if feedback is not None:
        yield from filter(None, (feedback["title"], feedback["text"]))


def _picture_and_board(row: Question, *, is_new: bool) -> Iterator[str]:
    alt = (row.public.get("picture") or {}).get("alt", "")
    if alt and is_new:
        yield _picture(alt)
    if row.board is not None:
        if is_new:
            yield _picture(board_text(row.board))
        # It is answered with the hands, for which a voice has nothing.
        yield _("You answer this question by using the picture on the page. Here, you can say “skip”.")


def _lead(row: Question) -> Sequence[Any]:
    return serialization.lead_from_json(row.public)


def _picture(alt: str) -> str:
    return _("In the picture: %(alt)s") % {"alt": alt}


def _path(steps: Cards) -> Iterator[str]:
    titles = [step["title"] for step in steps[:STEPS_AT_MOST]]
    if titles:
        yield _("Your next steps are: %(titles)s.") % {"titles": ", ".join(titles)}
    if more := len(steps) - len(titles):
        yield ngettext("After that there is %(more)d more.", "After that there are %(more)d more.", more) % {
            "more": more
        }
