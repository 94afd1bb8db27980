"""Finds the whole numbers of a text: digits of any script, words of many languages, Roman numerals, signs.

A fraction, a decimal or a percentage counts as the whole numbers it is written with: 3/8 as 3 and 8, "a third" as 3.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS
from tutoring.grading.parsing.normalization import normalize_answer

# "more than half", "the two numbers": needed to teach at all, so they are refused only if they are part of the answer.
BENCHMARKS: Final = frozenset(
    [
        "one",
        "ones",
        "two",
        "both",
        "half",
        "halves",
        "halve",
        "halved",
        "halving",
        "twice",
        "double",
        "doubled",
        "doubling",
        "pair",
        "couple",
    ]
)
"""Everyday number words; they may be said unless they are part of the answer."""
UNREADABLE: Final = -1
"""The value of a number word that cannot be read: several number words in one, "seventenths"."""

_OTHERS: Final = {
    "halve": 2, "halved": 2, "halving": 2, "twice": 2, "double": 2, "doubled": 2, "doubling": 2, "pair": 2, "couple": 2, "both": 2,
    "triple": 3, "tripled": 3, "thrice": 3, "trio": 3, "quadruple": 4, "quartet": 4, "dozen": 12, "thousand": 1000,
    "million": 10**6, "nil": 0, "nought": 0, "naught": 0, "fourths": 4, "tens": 10, "hundreds": 100, "ones": 1,
}  # fmt: skip
_ENGLISH: Final = NUMBER_WORDS | FRACTION_WORDS | _OTHERS
_NAMES: Final = Path(__file__).with_name("number_words.txt")
# HTML in a reply is refused elsewhere; here its tags must not be read as words.
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,40}>")
# Invisible characters and marks: soft hyphens, the signs that make an emoji of a digit, Markdown.
_HIDDEN = re.compile(
    r"[\u200b-\u200f\u2060-\u2064\u00ad\ufeff\ufe0e\ufe0f\u20e3]|\*\*|__|`|(?<![\w)])[*_](?=\w)|(?<=\w)[*_](?![\w(])"
)
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:-[^\W\d_]+)*")
# "VII", "iv": two letters and more, since "I" is a pronoun and "x" a variable.
_ROMAN = re.compile(r"(?=[MDCLXVI]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_SIGNS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
# German and English ordinals and parts: "achtel", "eighths".
_ENDING = re.compile(r"(?:s?tels?|ths?|s)$")
_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "æ": "ae", "ß": "ss"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMention:
    value: int
    word: str
    """As in the text, in lower case."""
    start: int
    end: int
    """The span, with all that a hyphen joins to it."""
    is_plain: bool
    """Written in digits or as an English word; other spellings may only be repeated literally."""


@lru_cache(maxsize=256)
def normalize_signs(text: str) -> str:
    """Return a text without markup and invisible characters, with single-character numbers in digits."""
    seen = _HIDDEN.sub("", _TAG.sub(" ", text))
    return normalize_answer("".join(_in_digits(sign) for sign in seen))


@lru_cache(maxsize=256)
def find_number_mentions(text: str) -> tuple[NumberMention, ...]:
    """Return the numbers of a `plain` text, in order; several for a hyphenated word."""
    return tuple(
        NumberMention(value=value, word=word, start=match.start(), end=match.end(), is_plain=is_plain)
        for match in _TOKEN.finditer(text)
        for value, word, is_plain in _numbers_of(match.group())
    )


def _numbers_of(token: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the numbers of a token, each with its word and whether that is plain."""
    if token.isdecimal():
        yield int(token[:30]), token, True
        return
    for part in dict.fromkeys((*token.split("-"), token.replace("-", ""))):
        if (value := _value_of(part)) is not None:
            yield value, part.casefold(), part.casefold() in _ENGLISH


def _in_digits(sign: str) -> str:
    """Return ⑦, Ⅶ or 七 as digits, any other character unchanged; digits of any script and ½ are read later."""
    if sign.isascii() or unicodedata.decomposition(sign) or unicodedata.category(sign) == "Nd":
        return sign
    value = unicodedata.numeric(sign, None)
    return sign if value is None else f" {value:g} "


@lru_cache(maxsize=4096)
def _value_of(word: str) -> int | None:
    """Return the value of a number word in any known language; None for any other word."""
    bare = "".join(
        sign
        for sign in unicodedata.normalize("NFKD", word.casefold().translate(_LETTERS))
        if not unicodedata.combining(sign)
    )
    if (value := _number_words().get(bare)) is not None:
        return value
    if _ROMAN.fullmatch(word.upper()) and (word.isupper() or not set(bare) - set("ivx")):
        return _roman(word.upper())
    return UNREADABLE if _several().fullmatch(_ENDING.sub("", bare)) else None


def _roman(numeral: str) -> int:
    values = [_ROMAN_SIGNS[sign] for sign in numeral]
    following = [*values[1:], 0]
    return sum(-each if each < after else each for each, after in zip(values, following, strict=True))


@lru_cache(maxsize=1)
def _number_words() -> dict[str, int]:
    words = {word: int(value) for value, *words in map(str.split, _NAMES.read_text().splitlines()) for word in words}
    return words | _ENGLISH


@lru_cache(maxsize=1)
def _several() -> re.Pattern[str]:
    words = "|".join(sorted((word for word in _number_words() if len(word) > 2), key=len, reverse=True))
    return re.compile(rf"(?:{words})(?:(?:und|og|och|et|en|y|e|i)?(?:{words}))+")
