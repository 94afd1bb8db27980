"""What a question's card says about an answer: short, specific, and never the answer itself."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tutoring.models import Attempt


def title(attempt: Attempt) -> str:
    """Return the verdict in a few words."""
    if attempt.gave_up:
        return _("Good to know. Here is one way.")
    match attempt.verdict:
        case "correct":
            return _("Right.")
        case "equivalent_not_in_form":
            return _("The value is right, and another form is asked for.")
        case "sign_error":
            return _("Close: look at the sign once more.")
        case "partial":
            return _("Part of it is there.")
        case _:
            return _("Not yet.")


def pointer(attempt: Attempt, *, key: Mapping[str, Any]) -> str:
    """Return where to look next, in a sentence, or nothing: the tutor's words follow."""
    missing = [name for name in attempt.judgement.get("missing", []) if name]
    if attempt.verdict == "equivalent_not_in_form":
        return _form_asked(key.get("form", "any"))
    if attempt.verdict == "partial" and missing:
        return _("Still to say: %(ideas)s.") % {"ideas": ", ".join(missing)}
    return ""


def why_unreadable(reason: str) -> str:
    """Return why an answer could not be read, and what to write instead; `reason` is the grader's code."""
    match reason:
        case "empty":
            return _("Write your answer first. A first idea is enough.")
        case "too_long" | "too_deep":
            return _("That is longer than this question needs. Write the answer alone.")
        case "too_big":
            return _("That number is too big to work with. Check how many digits it needs.")
        case "division_by_zero":
            return _("There is a division by zero in it. Which number did you mean at the bottom?")
        case "two_numbers":
            return _("I see two numbers. Which one is your answer?")
        case "words":
            return _("I could not read a number in that. Write it like 1/2, 0.5 or 50%.")
        case "unfinished":
            return _("Something seems to be missing at the end. What comes after it?")
        case "brackets":
            return _("One bracket has no partner. Close it, or leave both out.")
        case "no_such_choice":
            return _("Choose one of the answers first.")
        case _:
            return _("I could not read that, so it was not counted. Write it like 1/2, 0.5 or 50%.")


def _form_asked(form: str) -> str:
    match form:
        case "simplified":
            return _("Write it in lowest terms: can top and bottom be divided by the same number?")
        case "fraction":
            return _("Write it as a fraction.")
        case "decimal":
            return _("Write it as a decimal number.")
        case "whole":
            return _("Write it as a whole number.")
        case "exact":
            return _("Write it exactly, without rounding.")
        case _:
            return _("Look at how the question asks for it.")
