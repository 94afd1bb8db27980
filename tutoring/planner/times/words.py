"""Words of times, their tables, and a text cut into tokens."""

import re
from datetime import date, timedelta
from functools import cache
from typing import Final, NamedTuple

from dateutil.easter import easter

MOST_CHARACTERS: Final = 20_000
"""What of a text is read; times further on are not found."""

_TOKEN = re.compile(r"2(?:morrow|moro|mro|mrw|nite)\b|[0-9]+|[^\W\d_]+(?:'[^\W\d_]+)?|[^\w\s]|[_\d]")
# Dashes, quotes and spaces as word processors write them, one character for one, so that spans stay true.
_PLAIN = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "−": "-", "‑": "-", "\u00a0": " ", "\u202f": " "})

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed weds wensday wendsday",
            "thursday thu thur thurs",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
POSSESSIVE_WEEKDAYS: Final = {f"{name}'s": number for name, number in WEEKDAYS.items() if name.endswith("day")}
PLURAL_WEEKDAYS: Final = {f"{name}s": number for name, number in WEEKDAYS.items() if name.endswith("day")}
MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WORDS_OF_THEIR_OWN: Final = frozenset({"sat", "sun", "mar", "may", "march"})
"""Names of days and months that are also other words or names; alone they count only beside a preposition."""

_LONG_NAMES: Final = (
    *(name for name in WEEKDAYS if name.endswith("day")),
    *(name for name in MONTHS if len(name) > 5),
    "tomorrow",
    "afternoon",
    "evening",
    "midnight",
    "weekend",
    "fortnight",
)
SHORTEST_MISSPELLED: Final = 5
"""Letters; shorter words are too often other words."""
LONG_ENOUGH: Final = 7

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMBERS: Final = {word: number for number, word in enumerate(f"{_UNITS} seventeen eighteen nineteen".split())}
TENS: Final = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        start=1,
    )
} | {"thirtieth": 30}

PERIODS: Final = {
    "morning": 9,
    "noon": 12,
    "midday": 12,
    "lunchtime": 12,
    "lunch": 12,
    "afternoon": 15,
    "evening": 18,
    "tonight": 19,
    "night": 19,
}
"""The hour meant by a part of the day that is named without one."""
TYPED_SHORT: Final = (
    {
        "tmrw": "tomorrow",
        "tmr": "tomorrow",
        "tommorow": "tomorrow",
        "tmw": "tomorrow",
        "2morrow": "tomorrow",
        "2moro": "tomorrow",
        "2mro": "tomorrow",
        "2mrw": "tomorrow",
        "tonite": "tonight",
        "nite": "night",
        "morn": "morning",
        "mornin": "morning",
        "evenin": "evening",
        "2nite": "tonight",
        "arvo": "afternoon",
        "evry": "every",
        "wknd": "weekend",
        "til": "until",
        "till": "until",
        "thru": "through",
        "@": "at",
        "wk": "week",
        "wks": "weeks",
        "hr": "hour",
        "hrs": "hours",
        "min": "minutes",
        "mins": "minutes",
        "xmas": "christmas",
    }
    | {f"{name}'s": name for name in ("today", "tomorrow", "tonight")}
    | {f"{name}ish": name for name in (*list(NUMBERS)[1:13], "noon", "midday")}
)
DURATION_UNITS: Final = {
    name: unit
    for unit in ("minute", "hour", "day", "night", "week", "fortnight", "month", "year")
    for name in (unit, f"{unit}s", f"{unit}'s")
} | {"weekend": "weekend", "weekends": "weekend"}


class Token(NamedTuple):
    text: str
    """In lower case, spelled out if it is one of `TYPED_SHORT`, and corrected if it is nearly one of `_LONG_NAMES`."""
    start: int
    end: int


class Words:
    """A text as tokens. Readers take the index of a token and return a value and the index after it, or None."""

    def __init__(self, text: str) -> None:
        low = "".join(_lower(letter) for letter in text[:MOST_CHARACTERS])
        self.text = low.translate(_PLAIN)
        self.original = text
        self.tokens = [
            Token(TYPED_SHORT.get(found[0]) or meant_word(found[0]), found.start(), found.end())
            for found in _TOKEN.finditer(self.text)
        ]
        self._index_after = {token.end: index + 1 for index, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, index: int) -> str:
        """Return the token, or an empty text outside of the text."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def before(self, index: int, number: int) -> set[str]:
        """Return the tokens before this one, so many at most."""
        return {token.text for token in self.tokens[max(0, index - number) : index]}

    def ends(self, index: int) -> bool:
        """Whether a part of the sentence ends before this token."""
        return self.at(index) in ("", ".", ",", "!", "?", ";", "please", "at", "then", "instead")

    def is_exam(self, index: int) -> bool:
        """Whether "SAT" is the exam: in capitals, before a word that is not."""
        token, follows = self.tokens[index], self.at(index + 1)
        return self.original[token.start : token.end].isupper() and follows.isalpha() and not self.is_capital(index + 1)

    def are(self, index: int, *texts: str) -> bool:
        return all(self.at(index + offset) == text for offset, text in enumerate(texts))

    def is_glued(self, index: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return 0 < index < len(self.tokens) and self.tokens[index].start == self.tokens[index - 1].end

    def is_capital(self, index: int) -> bool:
        return 0 <= index < len(self.tokens) and self.original[self.tokens[index].start].isupper()

    def match(self, pattern: re.Pattern[str], index: int) -> tuple[re.Match[str], int] | None:
        """Match where a token starts; the match has to end where a token ends."""
        if index >= len(self.tokens):
            return None
        found = pattern.match(self.text, self.tokens[index].start)
        after = found and self._index_after.get(found.end())
        return (found, after) if found and after else None

    def skip(self, index: int, *texts: str) -> int:
        """Return the index after the token if it is one of the texts."""
        return index + 1 if self.at(index) in texts else index

    def number(self, index: int) -> tuple[int, int] | None:
        """Read "4", "four", "twenty five" or "twenty-five"."""
        word = self.at(index)
        if word.isascii() and word.isdigit() and len(word) <= 4:
            return int(word), index + 1
        if word in NUMBERS:
            return NUMBERS[word], index + 1
        if word in TENS:
            after = self.skip(index + 1, "-")
            unit = NUMBERS.get(self.at(after), 0)
            return (TENS[word] + unit, after + 1) if 0 < unit < 10 else (TENS[word], index + 1)
        return None

    def ordinal(self, index: int) -> tuple[int, int] | None:
        """Read "4th", "fourth" or "twenty-fourth"."""
        word = self.at(index)
        if (
            word.isdigit()
            and len(word) <= 3
            and self.at(index + 1) in ("st", "nd", "rd", "th")
            and (self.is_glued(index + 1) or self.at(index + 2) == "of" or self.at(index + 2) in MONTHS)
        ):
            return int(word), index + 2
        if word in ORDINALS:
            return ORDINALS[word], index + 1
        if word in ("twenty", "thirty"):
            after = self.skip(index + 1, "-")
            unit = ORDINALS.get(self.at(after), 0)
            if 0 < unit < 10:
                return TENS[word] + unit, after + 1
        return None


@cache
def meant_word(word: str) -> str:
    """Return the name of a day or a month that the word misspells, or the word itself.

    One letter may be missing, too many or another one (in a short word: another vowel), or two neighbours may have
    changed places. The first and the last letter are right. So "sundry" stays what it is.
    """
    if len(word) < SHORTEST_MISSPELLED or word in _LONG_NAMES:
        return word
    near = (each for each in _LONG_NAMES if each[0] == word[0] and each[-1] == word[-1])
    return next((each for each in near if _is_slip(word, each)), word)


def _is_slip(word: str, name: str) -> bool:
    if len(word) != len(name):
        long, short = sorted((word, name), key=len, reverse=True)
        return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    differing = [at for at, (one, other) in enumerate(zip(word, name, strict=True)) if one != other]
    if len(differing) == 1 and len(word) < LONG_ENOUGH:
        return word[differing[0]] in "aeiou" and name[differing[0]] in "aeiou"
    first, *rest = differing
    return not rest or (rest == [first + 1] and word[first : first + 2] == name[first : first + 2][::-1])


def _lower(letter: str) -> str:
    """Return one character: `str.lower` makes two of a few letters, which would move the spans."""
    low = letter.lower()
    # "²" is a digit that is no number to `int`.
    return " " if len(low) != 1 or (low.isdigit() and not low.isascii()) else low


def holiday(words: Words, index: int) -> tuple[str, int] | None:
    """Read the name of a holiday; `holiday_date` says when it is."""
    for name in _HOLIDAY_WORDS:
        if words.are(index, *name):
            return " ".join(name), index + len(name)
    return None


def holiday_date(name: str, year: int) -> date:
    """Return the day of a holiday that `holiday` has read."""
    key = _HOLIDAYS[name]
    match key:
        case (int(month), int(day)):
            return date(year, month, day)
        case int(offset):
            return easter(year) + timedelta(days=offset)
        case (int(month), int(weekday), int(week)):
            first = date(year, month + (week < 0), 1)
            return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (week - (week > 0)))


# A month and a day, or days after Easter, or a month, a weekday and which of them, -1 being the last.
_HOLIDAYS: Final[dict[str, tuple[int, int] | int | tuple[int, int, int]]] = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "nye": (12, 31),
    "new years eve": (12, 31),
    "new year's day": (1, 1),
    "new year's": (1, 1),
    "new year": (1, 1),
    "new years": (1, 1),
    "valentine's day": (2, 14),
    "valentines day": (2, 14),
    "halloween": (10, 31),
    "may day": (5, 1),
    "april fool's day": (4, 1),
    "april fools' day": (4, 1),
    "st patrick's day": (3, 17),
    "saint patrick's day": (3, 17),
    "independence day": (7, 4),
    "pi day": (3, 14),
    "good friday": -2,
    "easter sunday": 0,
    "easter monday": 1,
    "easter": 0,
    "palm sunday": -7,
    "ash wednesday": -46,
    "shrove tuesday": -47,
    "ascension day": 39,
    "whit monday": 50,
    "epiphany": (1, 6),
    "bonfire night": (11, 5),
    "veterans day": (11, 11),
    "memorial day": (5, 0, -1),
    "labor day": (9, 0, 1),
    "mother's day": (5, 6, 2),
    "mothers day": (5, 6, 2),
    "father's day": (6, 6, 3),
    "fathers day": (6, 6, 3),
    "thanksgiving": (11, 3, 4),
}
_HOLIDAY_WORDS: Final = sorted((tuple(name.split()) for name in _HOLIDAYS), key=len, reverse=True)
