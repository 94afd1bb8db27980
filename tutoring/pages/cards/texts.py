"""The tutoring cards in words: what each shows on the page, as Markdown for clients without cards and for files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.construction_texts import board_text
from tutoring.grading.programs.answer_text import code_block
from tutoring.models import Question
from tutoring.pages.cards.question_context import question_contexts
from tutoring.pages.cards.raw_sql import load_own_questions

Cards = Sequence[Mapping[str, Any]]
QuestionContext = Mapping[str, Any]


def questions_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return the person's own questions as they are now: the question, the hints taken, the answer and its verdict.

    A question that is not stored yet is described by its card.
    """
    return _unstored(cards) | {str(row.pk): _text(row, shown) for row, shown in _stored(cards, person)}


def question_statuses(cards: Cards, person: Any) -> dict[str, dict[str, Any]]:
    """Return the state of questions: `text` as above, and of stored ones `state`, `verdict`, `answer` and `hints`.

    It contains nothing of the key except the hints that were taken.
    """
    return {name: {"text": text} for name, text in _unstored(cards).items()} | {
        str(row.pk): _standing(row, shown) | {"text": _text(row, shown)} for row, shown in _stored(cards, person)
    }


def _unstored(cards: Cards) -> dict[str, str]:
    return {card["id"]: "\n".join(_as_put(card)) for card in cards if "stem" in card}


def _stored(cards: Cards, person: Any) -> Iterator[tuple[Question, QuestionContext]]:
    """Yield the person's own questions among the cards, as they are now."""
    rows = load_own_questions(cards, person)
    contexts = question_contexts(rows)
    yield from ((row, contexts[str(row.pk)]) for row in rows)


def _standing(row: Question, shown: QuestionContext) -> dict[str, Any]:
    feedback = shown["feedback"]
    return {
        "state": shown["state"],
        "verdict": feedback and feedback["verdict"],
        "answer": shown["answer"] if feedback else None,
        "hints": row.key["hints"][: row.hints_used],
    }


def pictures_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return what each picture shows."""
    return {card["id"]: _picture(card["alt"]) for card in cards}


def concepts_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return the offered places: a lesson, the reviews, the map."""
    return {card["id"]: f"**{card['title']}**" + _after(card.get("summary", "")) for card in cards}


def paths_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return paths as numbered lists, each step with its reason; what is known already is listed first."""
    return {card["id"]: "\n".join(_path(card)) for card in cards}


def replies_text(cards: Cards, person: Any) -> dict[str, str]:
    """Return what the buttons of each card would say."""
    return {card["id"]: _("You can say: %(options)s") % {"options": " · ".join(card["options"])} for card in cards}


def _text(row: Question, shown: QuestionContext) -> str:
    return "\n".join(_lines(row, shown))


def _lines(row: Question, shown: QuestionContext) -> Iterator[str]:
    for block in serialization.lead_from_json(row.public):
        yield (block if isinstance(block, str) else _picture(block.alt)) + "\n"
    yield from _stem(row.stem, alt=(row.public.get("picture") or {}).get("alt", ""))
    if row.board is not None:
        yield f"\n{_picture(board_text(row.board))}"
    yield from _listed(list(offered_lines(shown)))
    if row.is_open and (starter := row.public.get("starter")):
        yield f"\n{_('Your program begins like this:')}\n\n{code_block(starter)}"
    if shown["kind"] == "multi":
        yield f"\n{_('More than one answer may be right.')}"
    for hint in row.key["hints"][: row.hints_used]:
        yield f"\n*{_('Hint')}:* {hint}"
    if (feedback := shown["feedback"]) is None:
        return
    if answer := row.shown_as_markdown(str(shown["answer"])):
        yield f"\n*{_('Your answer')}:*" + ("\n\n" if answer.startswith("```") else " ") + answer
    yield f"\n**{feedback['title']}**" + _after(feedback["text"])


def _as_put(card: QuestionContext) -> Iterator[str]:
    if card.get("lead"):
        yield f"{card['lead']}\n"
    yield from _stem(card["stem"], alt=card.get("picture") or "")
    for name in ("rows", "choices"):
        yield from _listed([_lettered(each) for each in card.get(name, ())])


def _stem(stem: str, *, alt: str) -> Iterator[str]:
    yield f"**{_('Question')}.** {stem}"
    if alt:
        yield f"\n{_picture(alt)}"


def offered_lines(shown: QuestionContext) -> Iterator[str]:
    """Yield what there is to choose from, to order or to match, or the judged lines of a working."""
    if shown.get("lines"):
        yield from (f"`{line['text']}` ({line['words']})" for line in shown["lines"])
    elif shown.get("pieces"):
        is_settled = shown["state"] != "open"
        yield from (piece["text"] if is_settled else _lettered(piece) for piece in shown["pieces"])
    elif shown.get("offered") and shown["state"] == "open":
        yield from (f"{piece['letter']}: `{piece['label']}`" for piece in shown["offered"])
    elif shown.get("rows"):
        yield from (_pair(row) for row in shown["rows"])
        # Once every row has its match, there is nothing left to choose from.
        yield from (_lettered(each) for each in shown["options"] if not any(row["right"] for row in shown["rows"]))
    else:
        yield from (_lettered(each) + _mark(each) for each in shown["choices"])


def _pair(row: QuestionContext) -> str:
    return f"{row['text']} – {row['right']['text']}" if row["right"] else _lettered(row)


def _mark(choice: QuestionContext) -> str:
    return f" ({_('this is a right answer')})" if choice["right"] else ""


def _lettered(each: QuestionContext) -> str:
    return f"{each['letter']}: {each['text']}"


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from ["", *(f"- {line}" for line in lines)] if lines else ()


def _picture(alt: str) -> str:
    return f"*{_('Picture')}: {alt}*"


def _after(text: str) -> str:
    return f"\n\n{text}" if text else ""


def _path(card: QuestionContext) -> Iterator[str]:
    if card.get("known"):
        yield _("Mastered: %(titles)s") % {"titles": ", ".join(card["known"])} + "\n"
    for number, step in enumerate(card["steps"], start=1):
        tag = _(" (goal)") if step.get("is_goal") else _(" (next)") if step.get("is_next") else ""
        yield f"{number}. {step['title']}{tag}: {step['reason']}"
