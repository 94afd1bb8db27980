"""What is right in an answer that is not right as a whole: which choices, pairs, places or values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.grading import MatchKey, MultiKey, OrderKey, SetKey, grade, key_from_json
from tutoring.grading.judges.sets import SWAPPED, contains_values
from tutoring.pages.cards.named_values import right_values, swapped_values

MOST_ROW_LETTERS = 40
"""A row with a longer text is called by its number."""


def right_parts(key: Mapping[str, Any], *, answer: str, chosen: Sequence[str]) -> str:
    """Return which parts of a wrong answer are right; empty for a kind that has one part. `chosen` is the grader's."""
    match key_from_json(key):
        case MultiKey() as several:
            return _of_choices(set(chosen), several.right)
        case MatchKey() as pairs:
            return _of_rows(set(chosen), pairs)
        case OrderKey() as order:
            return _of_places(chosen, order.right)
        case SetKey() as values if values.names:
            if grade(values, answer).reason == SWAPPED:
                return swapped_values(values)
            return _of_values([*right_values(values, answer)])
        case SetKey() as values:
            return _of_values([each for each in values.values if contains_values(values, answer, [each])])
        case _:
            return ""


def _of_choices(chosen: set[str], right: frozenset[str]) -> str:
    fitting, missing = sorted(chosen & right), len(right - chosen)
    if not fitting:
        wrong = {"chosen": _listed(sorted(chosen))}
        return ngettext("%(chosen)s doesn’t fit.", "%(chosen)s don’t fit.", len(chosen)) % wrong
    told = {"right": _listed(fitting), "missing": missing}
    if chosen - right:
        some = ngettext(
            "%(right)s is right, but something else you chose doesn’t fit.",
            "%(right)s are right, but something else you chose doesn’t fit.",
            len(fitting),
        )
        return some % told
    return (
        ngettext(
            "%(right)s: right so far. There is %(missing)d more that fits.",
            "%(right)s: right so far. There are %(missing)d more that fit.",
            missing,
        )
        % told
    )


def _of_rows(chosen: set[str], key: MatchKey) -> str:
    right = [f"{row}={option}" in chosen for row, option in key.right]
    if not any(right):
        return _("None of the pairs are right yet.")
    texts = dict(key.rows)
    rows = [
        _row_name(texts.get(row, ""), number)
        for number, ((row, _option), fits) in enumerate(zip(key.right, right, strict=True), start=1)
        if fits
    ]
    return _("Right so far: %(parts)s. Look at the other rows again.") % {"parts": _listed(rows)}


def _row_name(text: str, number: int) -> str:
    if 0 < len(text) <= MOST_ROW_LETTERS:
        return _("“%(row)s”") % {"row": text.rstrip(".")}
    return _("row %(number)d") % {"number": number}


def _of_places(chosen: Sequence[str], right: Sequence[str]) -> str:
    places = [number for number, pair in enumerate(zip(chosen, right, strict=False), start=1) if pair[0] == pair[1]]
    if not places:
        return _("Nothing is in the right place yet. Compare two items that are next to each other.")
    told = {"places": _listed(places)}
    return (
        ngettext(
            "Position %(places)s is right. Compare the others with each other.",
            "Positions %(places)s are right. Compare the others with each other.",
            len(places),
        )
        % told
    )


def _of_values(right: Sequence[str]) -> str:
    if not right:
        return ""
    return _("Right so far: %(parts)s. Check the others, and see whether one is missing.") % {"parts": _listed(right)}


def _listed(parts: Iterable[object]) -> str:
    return get_text_list([str(each) for each in parts], _("and"))
