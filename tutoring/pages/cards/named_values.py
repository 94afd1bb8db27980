"""Texts about values that have names, such as a mean and a median: the order to write them in, and what is right."""

from collections.abc import Iterator, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from tutoring.grading import SetKey
from tutoring.grading.judges.sets import right_names


def order_of_names(names: Sequence[str]) -> str:
    """Return in which order to write the values."""
    told = [_with_article(name) for name in names]
    if len(told) == 2:
        first, second = told
        return _("Write %(first)s first, then %(second)s, with a comma between them.") % {
            "first": first, "second": second,
        }  # fmt: skip
    return _("Write %(names)s in this order, with commas between them.") % {"names": get_text_list(told, _("and"))}


def swapped_values(key: SetKey) -> str:
    """Return what was said for which name in an answer whose values are right, but not each for its name."""
    if len(key.names) > 2:
        return _("You have the right values, but not all of them in the right order.")
    (first, second), (of_first, of_second) = map(_with_article, key.names), key.values
    told = {"first": first, "second": second, "as_first": of_second, "as_second": of_first}
    text = _(
        "You have the two values the wrong way round: you wrote %(as_first)s for %(first)s and %(as_second)s for "
        "%(second)s."
    )
    return text % told


def right_values(key: SetKey, answer: str) -> Iterator[str]:
    """Yield the values that are right in an answer, with their names."""
    right = right_names(key, answer)
    return (f"{name} = {value}" for name, value in zip(key.names, key.values, strict=True) if name in right)


def _with_article(name: str) -> str:
    """Return a name as in a sentence: "the median", but "x", "Q1" and "group X"."""
    is_symbol = len(name.split()[-1]) == 1 or any(map(str.isdigit, name))
    return name if is_symbol else _("the %(name)s") % {"name": name}
