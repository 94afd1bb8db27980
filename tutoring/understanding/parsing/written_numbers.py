"""Numbers in what learners type: in digits, or spelt out as "three quarters"."""

import re
from dataclasses import dataclass
from fractions import Fraction

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
PART_NAMES = [
    "half",
    "third",
    "quarter",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "twentieth",
    "hundredth",
]
_SIZES = (2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 100)
SIZE_OF = dict(zip(PART_NAMES, _SIZES, strict=True)) | {"halve": 2}
_VALUE_OF = {word: value for value, word in enumerate(_UNITS, start=1)} | {"a": 1, "an": 1}
# "three quarters", "a half", "3 eighths"; not "a third of the …", which is a share of something.
_SPELT = re.compile(
    rf"\b(?:(?P<count>{'|'.join(_UNITS)}|an?|\d{{1,3}})[ -])?(?P<part>{'|'.join(PART_NAMES)}|halve)s?\b(?! of (?:the|a|it)\b)"
)
_UNIT = re.compile(rf"\b(?:{'|'.join(_UNITS)})\b")
_SLASH = re.compile(r"\s?/\s?")
# Learners' numbers are short: four digits a part, three decimals. Longer ones are codes or dates.
FRACTION = r"(?:(?:\d{1,3} (?:and )?)?\d{1,4}\s?/\s?\d{1,4})(?![\d/])"
NUMBER = rf"(?:{FRACTION}|\d{{1,4}}(?:\.\d{{1,3}})?(?![\d/]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNumber:
    """A number as written: whole part, numerator and denominator; a whole number has the denominator 1."""

    whole: int
    top: int
    bottom: int

    @property
    def value(self) -> Fraction:
        return self.whole + Fraction(self.top, self.bottom)


def numbers_to_digits(sentence: str) -> str:
    """Return a sentence with numbers in digits: "three quarters" is 3/4."""
    sentence = _SPELT.sub(_in_digits, sentence)
    return _UNIT.sub(lambda match: str(_VALUE_OF[match.group()]), sentence)


def _in_digits(match: re.Match[str]) -> str:
    count = match["count"] or "1"
    if not match["count"] and match["part"] != "half":
        return match.group()
    return f"{_VALUE_OF.get(count) or int(count)}/{SIZE_OF[match['part']]}"


def parse_number(text: str) -> WrittenNumber:
    """Return a number that NUMBER matched."""
    *whole, last = _SLASH.sub("/", text).replace(" and ", " ").split()
    top, slash, bottom = last.partition("/")
    if "." in top:
        value = Fraction(top)
        return WrittenNumber(whole=0, top=value.numerator, bottom=value.denominator)
    return WrittenNumber(whole=int(whole[0]) if whole else 0, top=int(top), bottom=int(bottom) if slash else 1)
