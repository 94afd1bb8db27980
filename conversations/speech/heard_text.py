"""Speech as a recognizer wrote it, in the spelling that answers are read in.

Most of what is said needs nothing: "three quarters", "option b" and "I don't know" are read as if they were typed.
"""

import re
from typing import Final

from conversations.speech.number_words import SMALL, VALUES

_SCALES: Final = {"hundred": 100, "thousand": 1000}
_WORD: Final = "|".join([*VALUES, *_SCALES])
_PART: Final = r"hal(?:f|ves)|quarters?|thirds?|\w+ths?"
# "one hundred and fifteen", "a hundred", "two thousand": the others are read as they are. Not "a hundred and three
# quarters", which is no whole number.
_LARGE: Final = re.compile(
    rf"\b(?:(?:an?|{_WORD})[\s-]+)?(?:{'|'.join(_SCALES)})\b(?:[\s-]+(?:and[\s-]+)?(?:{_WORD})\b)*(?![\s-]+(?:{_PART})\b)",
    re.IGNORECASE,
)
_DECIMAL: Final = re.compile(
    rf"\b(?:({'|'.join(VALUES)}|\d+)\s+)?point((?:\s+(?:{'|'.join(SMALL[:10])}|oh|\d))+)(?!\s*\w)",
    re.IGNORECASE,
)
# A letter or a number said alone comes back as a word that sounds like it.
_ALONE: Final = {
    "bee": "B", "be": "B", "see": "C", "sea": "C", "dee": "D", "to": "2", "too": "2", "for": "4", "ate": "8", "won": "1",
}  # fmt: skip
_CHOSEN: Final = re.compile(r"(?P<choice>option|answer|letter|choice)\s+(?P<name>bee|be|see|sea|dee)", re.IGNORECASE)
_CODE_PREFACE: Final = re.compile(r"^(?:(?:my|the|code|is|it's|number)\b\W*)+", re.IGNORECASE)
_DIGIT_WORDS: Final = re.compile(rf"\b(?:{'|'.join(VALUES)}|oh)\b", re.IGNORECASE)
_AGAIN: Final = re.compile(
    r"(?:please\s+)?(?:repeat(?:\s+(?:that|it|the question))?|say (?:that|it) again|pardon(?: me)?|come again"
    r"|what did you say|again please|once more)(?:\s+please)?",
    re.IGNORECASE,
)


def normalize_heard(text: str) -> str:
    """Return recognized speech as a message: large numbers and decimals in digits, a letter said alone as that letter."""
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    bare = text.strip(" .,!?").casefold()
    if bare in _ALONE:
        return _ALONE[bare]
    if chosen := _CHOSEN.fullmatch(bare):
        return f"{chosen['choice']} {_ALONE[chosen['name'].casefold()]}"
    return _DECIMAL.sub(_decimal, _LARGE.sub(_whole_number, text))


def spoken_digits(text: str) -> str:
    """Return the digits of a message that is nothing but digits, as a code is said; empty for any other message."""
    said = _CODE_PREFACE.sub("", text.strip())
    said = _DIGIT_WORDS.sub(lambda found: f" {VALUES.get(found.group().lower(), 0)} ", said)
    groups = re.sub(r"[.,-]", " ", said).split()
    digits = "".join(_join_tens(groups))
    return digits if digits.isascii() and digits.isdigit() else ""


def asks_again(text: str) -> bool:
    """Tell whether the caller asks to hear the last reply again."""
    return _AGAIN.fullmatch(text.strip(" .,!?")) is not None


def _join_tens(groups: list[str]) -> list[str]:
    """Return groups of digits with "30 4", which was said as one number, as "34"."""
    joined: list[str] = []
    for group in groups:
        if joined and len(group) == 1 and group != "0" and re.fullmatch("[2-9]0", joined[-1]):
            joined[-1] = joined[-1][0] + group
        else:
            joined.append(group)
    return joined


def _whole_number(found: re.Match[str]) -> str:
    total = current = 0
    for word in re.split(r"[\s-]+", found.group().lower()):
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if word == "thousand":
                total, current = total + current, 0
        else:
            current += VALUES.get(word, 1 if word in ("a", "an") else 0)
    return str(total + current)


def _decimal(found: re.Match[str]) -> str:
    whole = found[1] or "0"
    digits = "".join(str(VALUES.get(each, each)) for each in found[2].lower().replace("oh", "zero").split())
    return f"{VALUES.get(whole.lower(), whole)}.{digits}"
