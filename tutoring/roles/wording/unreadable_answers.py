"""Why an answer could not be read, and what to write instead."""

import re
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents.engine.events import Card
from conversations.cards import reply_buttons
from tutoring.lesson.facts import LessonFacts
from tutoring.output_checks.idea_statements import content_stems
from tutoring.roles.wording import phrases
from tutoring.roles.wording.python_errors import error_meaning
from tutoring.roles.wording.renderer import Spoken, pick_wording, was_told
from tutoring.understanding.parsing.assertions import asks_openly, plain_text

CHOOSE: tuple[str, ...] = (
    gettext_noop("Choose one of the answers on the card."),
    gettext_noop("Press the answer that fits best, or type its letter."),
    gettext_noop("You can type just the letter of your answer, such as A."),
)

THOUGHT_WORDS: Final = 3
"""Words with content from which a text is a thought. Chosen by hand."""
_DID_NOT_RUN = re.compile(
    r"(?P<kind>syntax|missing)(?: (?P<line>\d+))?: (?P<error>[^\n]*)(?:\n(?P<hint>.*))?", re.DOTALL
)
"""A code as `unreadable_code` writes it."""


def unreadable_reason(reason: str, kind: str = "numeric", facts: Spoken | None = None) -> str:
    """Return why an answer could not be read, and what to write instead; `reason` is the grader's code."""
    if told := _unreadable_construction(kind, reason) or _unreadable_program(kind, reason):
        return told
    match kind, reason:
        case "choice" | "multi", _:
            return next((_(each) for each in CHOOSE if facts is None or not was_told(_(each), facts)), _(CHOOSE[0]))
        case "order", "incomplete":
            return _("Choose a place for everything first.")
        case "order", "twice":
            return _("You put two things in the same place. Give each one its own place.")
        case "match", "incomplete":
            return _("Choose something for every row first.")
        case "match", "twice":
            return _("You matched two rows with the same thing. Each thing can go with only one row.")
        case "order" | "match", _:
            return _("Your answer includes something that isn’t on the card. Choose from what the card shows.")
        case "steps", "one_step" | "bare_result":
            return _("Show your steps too. Write at least two steps, each on its own line.")
        case "steps", "idle_step":
            return _(
                "Adding 0 or multiplying by 1 doesn’t change anything, so it doesn’t count as a step. Write a line "
                "that changes the numbers."
            )
        case "steps", "too_long":
            return _("That is too long. Write at most 30 short lines.")
        case "steps", "words" | "unexpected":
            return _("I couldn’t find a calculation in that. Write one step on each line, like 3 + 4 = 7.")
        case "set", "two_numbers":
            return _("Put commas between the numbers so that I can tell them apart.")
        case "set", "labels":
            return _(
                "I couldn’t tell which number goes with which name. Write only the numbers, in the order that the "
                "question asks for."
            )
        case "expression", "words" | "unexpected":
            return _("I couldn’t find an expression in that. Write it with numbers, letters and signs, like 5y - 2.")
        case _:
            return _why(reason)


def ask_for_steps(reason: str) -> str:
    """Return what is said to a result without its steps, of which the value can be read; empty for other reasons."""
    match reason:
        case "bare_result":
            return _("That’s the right result. Now show how you got there: at least two steps, each on its own line.")
        case "one_step":
            return _("This question asks for your steps too. Write at least two, each on its own line.")
        case _:
            return ""


def help_options() -> list[str]:
    """Return the labels of the two ways on beside an open question."""
    return [_("A hint, please"), _("Show me an example")]


def meant_choices(facts: LessonFacts) -> Card | None:
    """Return buttons with the choices that words may mean, and for a hint; None for no such choices."""
    ways = [*facts.served.choices, help_options()[0]]
    return reply_buttons(ways, turn_id=facts.turn_id) if facts.served.choices else None


def ask_for_answer(kind: str, facts: LessonFacts) -> str:
    """Return the question for the answer that a thought leads to; of other words, that they were not understood."""
    if "?" in facts.text or asks_openly(plain_text(facts.text)):
        return pick_wording(phrases.ANSWERLESS_AT_CARD, facts)
    leads_on = not facts.served.unsure and _is_thought(facts.text)
    asks = phrases.RESULT_QUESTIONS.get(kind, ()) if leads_on else ()
    return pick_wording(asks or phrases.ANSWER_ON_CARD, facts)


def _is_thought(text: str) -> bool:
    """Tell whether a text says enough to lead to an answer: "sorry" and "nice, that was quick" do not."""
    return any(map(str.isdigit, text)) or len(content_stems(text)) >= THOUGHT_WORDS


def _unreadable_program(kind: str, reason: str) -> str:
    """Return why an answer about a program is no try; empty for other kinds."""
    if kind not in ("trace", "code", "lines"):
        return ""
    if found := _DID_NOT_RUN.fullmatch(reason):
        return _did_not_run(kind=found["kind"], line=found["line"], error=found["error"], hint=found["hint"] or "")
    match kind, reason:
        case _, "not_run":
            return _(
                "Programs can’t run right now. That is not your fault, and it doesn’t count. Try again in a moment."
            )
        case "trace", "empty":
            return _("Write what the program prints. A guess is fine.")
        case "trace", _:
            return _("That is longer than anything this program prints.")
        case "code", "unchanged":
            return _("This is still the program it began with. Change it first.")
        case "code", "too_long":
            return _("That is too long for a program here.")
        case "code", _:
            return _("Write your program first.")
        case "lines", "twice":
            return _("You used a line more often than it is on the card.")
        case "lines", "incomplete":
            return _("Use all the lines on the card.")
        case "lines", "empty":
            return _("Put the lines in order first.")
        case _:
            return _(
                "Your answer includes a line that isn’t on the card. Write the lines, or their letters: B, >A, >C."
            )


def _did_not_run(*, kind: str, line: str | None, error: str, hint: str) -> str:
    if kind == "missing":
        return _("This doesn’t count as a try. %(hint)s") % {"hint": hint or error}
    where = _("Python can’t read line %(line)s: %(error)s.") if line else _("Python can’t read the program: %(error)s.")
    said = where % {"line": line, "error": error.partition(": ")[2] or error}
    return " ".join(filter(None, (said, error_meaning(error, hint), _("This doesn’t count as a try."))))


def _why(reason: str) -> str:
    match reason:
        case "empty":
            return _("Write your answer first. A guess is fine.")
        case "too_long" | "too_deep":
            return _("That is longer than this question needs. Write only the answer.")
        case "too_big":
            return _("That number is too big for me. Check how many digits it should have.")
        case "division_by_zero":
            return _("You can’t divide by zero. Which number did you mean to put at the bottom?")
        case "two_numbers":
            return _("I see two numbers. Which one is your answer?")
        case "words":
            return _("I couldn’t find a number in that. Write it like this: 1/2, 0.5 or 50%.")
        case "unfinished":
            return _("Something seems to be missing at the end. What comes next?")
        case "brackets":
            return _("A parenthesis or bracket is missing. Add it, or take out the other one.")
        case _:
            return _("I couldn’t read that, so it doesn’t count. Write it like this: 1/2, 0.5 or 50%.")


_EVERY_BOARD: Final = {
    "too_long": gettext_noop("That is too long. Write only what the picture shows."),
    "twice": gettext_noop("You wrote the same thing twice. Write each part or number only once."),
}
_BOARDS: Final = {
    "shade": {
        "empty": gettext_noop("Shade at least one part first."),
        "no_such_part": gettext_noop(
            "That part isn’t in the picture. Write the numbers of the shaded parts, like 1, 4, 5."
        ),
        "": gettext_noop("Write the numbers of the shaded parts, like 1, 4, 5."),
    },
    "cut": {
        "empty": gettext_noop("Make at least one cut first."),
        "outside": gettext_noop("A cut goes between 0 and 1. For two cuts, you could write “1/3, 2/3”."),
        "too_many": gettext_noop("That is too many cuts. You can make at most 11."),
        "": gettext_noop(
            "Say where the cuts go. The left end is 0 and the right end is 1, so you could write “1/3, 2/3”."
        ),
    },
    "place": {
        "empty": gettext_noop("Put the point on the line first."),
        "outside": gettext_noop("The line doesn’t go that far. Choose a place on the line."),
        "between_marks": gettext_noop("The point has to go on one of the marks. Choose a mark."),
    },
    "build": {
        "empty": gettext_noop("Put at least one piece in the frame first."),
        "outside": gettext_noop("The pieces don’t fit in the frame. Take one out."),
        "no_such_piece": gettext_noop("There is no piece of that size. Use the pieces under the frame."),
        "": gettext_noop("Write the pieces with commas between them, like 1/2, 1/4."),
    },
    "share": {
        "empty": gettext_noop("Give everybody something first."),
        "incomplete": gettext_noop("Give everybody something first."),
        "too_many": gettext_noop("There isn’t that much to share. Count again."),
        "": gettext_noop("Write how many parts each person gets, like A=3 B=3."),
    },
    "point": {
        "outside": gettext_noop("That is outside the grid. Choose a place on the grid."),
        "between_marks": gettext_noop("The point has to be where two grid lines cross."),
        "empty": gettext_noop("Put the point on the grid first."),
        "": gettext_noop("Write the point as two numbers, x first: (2, 3)."),
    },
    "line": {
        "outside": gettext_noop("That is outside the grid. Choose a place on the grid."),
        "between_marks": gettext_noop("The point has to be where two grid lines cross."),
        "empty": gettext_noop("Put two points on the grid first."),
        "same_point": gettext_noop("Both points are at the same place. Move one of them, so that they make a line."),
        "": gettext_noop("Write the line as an equation, like y = 2x - 1."),
    },
    "balance": {
        "empty": gettext_noop("Take something from the scale first."),
        "not_alone": gettext_noop("Go on until one x is alone on one side and only weights are on the other."),
        "": gettext_noop("Write what one box weighs, like x = 4."),
    },
    "combine": {
        "two_sizes": gettext_noop("Use the same number of parts for both bars and the result."),
        "other_sign": gettext_noop("Look at the sign between the bars. Do you add the bars, or take one away?"),
        "too_many": gettext_noop(
            "That is more than the bars can show. Use at most 60 parts and at most two whole bars."
        ),
        "empty": gettext_noop(
            "Choose a number of parts and count the result. You can write it like this: 2/4 + 1/4 = 3/4."
        ),
        "unexpected": gettext_noop(
            "Choose a number of parts and count the result. You can write it like this: 2/4 + 1/4 = 3/4."
        ),
    },
}
"""Why an answer on a board could not be read, and what to do, by kind and reason; the reason "" is every other."""


def _unreadable_construction(kind: str, reason: str) -> str:
    """Return why a construction could not be read, and what to do; empty for other kinds and their reasons."""
    texts = _BOARDS.get(kind)
    if texts is None:
        return ""
    told = _EVERY_BOARD.get(reason) or texts.get(reason) or texts.get("")
    return _(told) if told else ""
