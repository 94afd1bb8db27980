"""Fractions in words: "3/4" is read "three quarters", "3 1/2" is read "three and a half", "n/8" is read "n over eight"."""

import re
from typing import Final

from conversations.speech.number_words import TENS, number_words

_ORDINALS: Final = """third quarter fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth"""
_PARTS: Final[dict[int, tuple[str, str]]] = {
    **{number: (word, f"{word}s") for number, word in enumerate(_ORDINALS.split(), start=3)},
    **{ten: (f"{word[:-1]}ieth", f"{word[:-1]}ieths") for ten, word in zip(range(30, 100, 10), TENS[1:], strict=True)},
    2: ("half", "halves"),
    100: ("hundredth", "hundredths"),
    1000: ("thousandth", "thousandths"),
}
"""Denominator → the name of one part and of several. Others are read with "over", since "twenty-firsts" is hard to hear."""

# No date (3/4/2026), no path (a/b/c), no decimal (1.5/2), and of letters only single ones, so that "and/or" and "km/h"
# stay. Nine digits are more than any fraction that is said.
_FRACTION: Final = re.compile(
    r"(?<![\w/])(?<!\d[.,])(?:(?P<whole>\d{1,9})\s+)?"
    r"(?P<top>\d{1,9}|[A-Za-z])(?:\s?[/⁄]\s?)(?P<bottom>\d{1,9}|[A-Za-z])(?![\w/⁄]|[.,]\d|\s?[/⁄])"
)
_WRITTEN: Final = re.compile(r"\b(?:written|writes?)(?: as)?\s$")


def fraction_words(top: int, bottom: int, *, whole: int | None = None) -> str:
    """Return a fraction in words, or a mixed number with its `whole`; "over" for a denominator that names no parts."""
    if bottom not in _PARTS:
        said = f"{number_words(top)} over {number_words(bottom)}"
    elif whole is not None and top == 1 and not _PARTS[bottom][0].startswith("e"):
        # "Two and an eighth" is easily heard as "two and eight": it is read "two and one eighth".
        said = f"a {_PARTS[bottom][0]}"
    else:
        said = f"{number_words(top)} {_PARTS[bottom][top != 1]}"
    return said if whole is None else f"{number_words(whole)} and {said}"


def speak_fractions(text: str) -> str:
    """Return the text with its fractions in words; dates, paths and "and/or" stay as they are."""
    return _FRACTION.sub(_in_words, text)


def _in_words(found: re.Match[str]) -> str:
    whole, top, bottom = found["whole"], found["top"], found["bottom"]
    # "One half is written one half" would not tell how.
    is_about_writing = _WRITTEN.search(found.string, 0, found.start()) is not None
    if top.isdigit() and bottom.isdigit() and not is_about_writing:
        return fraction_words(int(top), int(bottom), whole=int(whole) if whole else None)
    said = f"{_term(top)} over {_term(bottom)}"
    return f"{number_words(int(whole))} and {said}" if whole else said


def _term(term: str) -> str:
    return number_words(int(term)) if term.isdigit() else term
