"""What Python's most common error messages mean, in words for beginners."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

_MEANINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"expected ':'", gettext_noop("Lines that begin with if, for, while or def end with a colon.")),
        (r"was never closed", gettext_noop("A parenthesis or bracket is opened and never closed.")),
        (r"unmatched '", gettext_noop("A parenthesis or bracket is closed that was never opened.")),
        (r"unterminated (f-)?string", gettext_noop("A text needs a quotation mark at both ends.")),
        (r"expected an indented block", gettext_noop("The lines that belong to the line above start with four spaces.")),
        (r"unexpected indent", gettext_noop("This line starts with more spaces than the line above allows.")),
        (r"unindent does not match", gettext_noop("The spaces at the start of this line match no line above.")),
        (r"cannot assign to (literal|expression)", gettext_noop("The name goes on the left of the =, and its value on the right.")),
        (r"Maybe you meant '=='|cannot assign to", gettext_noop("One = gives a name a value. Two == compare.")),
        (r"'return' outside function", gettext_noop("return belongs inside a function, so it starts with spaces.")),
        (r"invalid syntax", gettext_noop("Compare this line with the lines in the lesson, sign by sign.")),
        (r"^UnboundLocalError", gettext_noop("The function gives this name a value, but uses it before that.")),
        (r"^NameError", gettext_noop("Python does not know this name here. Is it spelled the same everywhere?")),
        (r"can only concatenate str|unsupported operand", gettext_noop("These two values can’t be combined like that. Is one of them a text?")),
        (r"missing \d+ required positional|takes \d+ positional", gettext_noop("The function is called with another number of values than it takes.")),
        (r"'NoneType'", gettext_noop("A value is missing: a function without return gives back None.")),
        (r"has no attribute", gettext_noop("This kind of value has nothing of that name. Check the spelling.")),
        (r"is not subscriptable", gettext_noop("Square brackets work on lists, texts and dictionaries, not on this value.")),
        (r"is not callable", gettext_noop("Parentheses after a name call it, but this is no function.")),
        (r"is not iterable", gettext_noop("This value can’t be gone through one by one.")),
        (r"invalid literal for int", gettext_noop("This text can’t be read as a whole number.")),
        (r"^IndexError", gettext_noop("The index is too large. The first item has index 0.")),
        (r"^KeyError", gettext_noop("The dictionary has no such key.")),
        (r"^ZeroDivisionError", gettext_noop("Something is divided by zero.")),
        (r"^RecursionError", gettext_noop("A function called itself too many times. When does it stop calling itself?")),
    )
)  # fmt: skip
STOPPED = {
    "timeout": gettext_lazy("The program ran for 2 seconds and was stopped. Is there a loop that never ends?"),
    "memory": gettext_lazy(
        "The program was stopped because it needs too much memory. Is there a loop that never ends, or a very large number or list?"
    ),
    "output": gettext_lazy("The program was stopped because it prints too much. Is there a loop that never ends?"),
}
"""Why a program was stopped."""


def error_meaning(error: str, hint: str = "") -> str:
    """Return what an error means; the sandbox's own hint first, empty if there is nothing to add."""
    if hint:
        return hint
    return next((_(meaning) for pattern, meaning in _MEANINGS if pattern.search(error)), "")
