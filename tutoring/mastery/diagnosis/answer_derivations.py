"""Features of how a wrong answer was derived from its question: numbers combined, new, or picked.

Answers that were derived in the same way share these features, whatever the numbers are: in 1/3 + 2/5 = 3/8 and
3/4 + 1/6 = 4/10 the numerator is the sum of the numerators.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

# All pairs are tried with seven operations: 12 numbers are some 900 values, still a few ms. Chosen by hand.
NUMBERS_READ = 12
"""Numbers of a question and of an answer that are compared."""
# Longer numbers are never made by a slip, and squares of them would be slow.
_MAX_DIGITS = 9

_PIECE = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[^\sa-z\d]")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# The place of a number tells what it is: 2 in "x^2" is no factor, 4 in "3/4" no count.
_EXPONENT = re.compile(r"\^\s*\(?\s*-?\s*$")
_BELOW = re.compile(r"\d\s?/\s?$")
_ABOVE = re.compile(r"\s?/\s?\d")
# "3x": a coefficient. "3 apples" is none.
_COUNTS_LETTERS = re.compile(r"\s?[a-z](?![a-z])")
_PERCENT = re.compile(r"\s?(?:%|percent)")
# A minus at the start or behind an operator is a sign, between two values a subtraction.
_MINUS = re.compile(r"(?:^|[-+*/(=<>,:|^])\s*-\s*$")
_VALUE = re.compile(r"(?<![\w.])(?P<minus>-\s?)?(?P<top>\d+(?:\.\d+)?)(?:\s?/\s?(?P<bottom>\d+))?(?![\w.]{0,20}\d)")
# Course questions hold LaTeX, learners' answers plain typing: both become one spelling.
_LATEX = (
    (re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\^\{([^{}]*)\}"), r"^\1"),
    (re.compile(r"\\(?:times|cdot)\b"), "*"),
    (re.compile(r"\\div\b"), "/"),
    (re.compile(r"\\(?:left|right|,|;|!| )|\$"), " "),
)
_SIGNS = str.maketrans(
    {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<", "≥": ">", "’": "'"}
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", (f"^{each}" for each in "0123456789-"), strict=True))
)
# Signs whose number matters: an answer with two "=" is a chain, one with an extra "-" a sign error.
_COUNTED = frozenset("9L+-*/=^")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedNumber:
    """A number as written, and its role: i whole, f decimal, n numerator, d denominator, c coefficient, e exponent,
    p percent."""

    text: str
    place: str
    negative: bool

    @property
    def value(self) -> Fraction:
        return Fraction(self.text)


def normalize_maths(text: str) -> str:
    """Return a text in lower case with one spelling for each operation, from LaTeX or plain typing."""
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return " ".join(text.casefold().translate(_SIGNS).split())


def pieces(text: str) -> list[str]:
    """Return the words, numbers and signs of a plain text."""
    return _PIECE.findall(text)


def piece_kind(piece: str) -> str:
    """Return what a piece is: 9 a number, L a letter, w a word, else the sign itself."""
    if piece[0].isdigit():
        return "9"
    return piece if not piece.isalpha() else "L" if len(piece) == 1 else "w"


def derivation_features(question: str, answer: str) -> Mapping[str, float]:
    """Return the weighted features of how an answer was derived from a question; both texts are normalized."""
    features: defaultdict[str, float] = defaultdict(float)
    for name, weight in [*_made(question, answer), *_picked(question, answer), *_changed(question, answer)]:
        features[name] += weight
    return features


def _figures(text: str) -> list[PlacedNumber]:
    found = (match for match in _NUMBER.finditer(text) if len(match.group()) <= _MAX_DIGITS)
    return [_figure(match, text) for match in islice(found, NUMBERS_READ)]


def _figure(match: re.Match[str], text: str) -> PlacedNumber:
    before, after = text[max(0, match.start() - 12) : match.start()], text[match.end() : match.end() + 12]
    place = "f" if "." in match.group() else "i"
    if _EXPONENT.search(before):
        place = "e"
    elif _ABOVE.match(after):
        place = "n"
    elif _BELOW.search(before):
        place = "d"
    elif _COUNTS_LETTERS.match(after):
        place = "c"
    elif _PERCENT.match(after):
        place = "p"
    return PlacedNumber(text=match.group(), place=place, negative=_MINUS.search(before) is not None)


def _made(question: str, answer: str) -> Iterator[tuple[str, float]]:
    """Yield how each number of the answer may come from those of the question; several ways share one weight."""
    figures = _figures(answer)
    ways = _ways(_figures(question)) if figures else {}
    for index, figure in enumerate(figures):
        found = ways.get(figure.value, {"new"})
        # A number copied from the question needs no other explanation: 6 of "2, 3, 6" is not 2 * 3.
        found = {way for way in found if way.startswith("same")} or found
        for way in sorted(found):
            share, operation = 1 / len(found), way.partition(" ")[0]
            yield f"made {operation}", share
            yield f"made {figure.place} {operation}", share
            yield f"made {figure.place} {way}", share
            if figure.negative:
                yield f"negative {operation}", share
            if index == len(figures) - 1:
                yield f"last {operation}", share
                yield f"last {figure.place} {way}", share
    if not figures:
        yield "no number", 1.0


def _ways(figures: list[PlacedNumber]) -> Mapping[Fraction, set[str]]:
    """Return by value the ways in which one or two numbers make it."""
    ways: defaultdict[Fraction, set[str]] = defaultdict(set)
    for one in figures:
        for name, value in _from_one(one):
            ways[value].add(f"{name} {one.place}")
    for first, one in enumerate(figures):
        for second, two in enumerate(figures):
            if first != second:
                for name, value in _from_two(one, two, in_order=first < second):
                    ways[value].add(f"{name} {one.place} {two.place}")
    return ways


def _from_one(one: PlacedNumber) -> Iterator[tuple[str, Fraction]]:
    value = one.value
    yield from (("same", value), ("squared", value * value), ("doubled", 2 * value))
    for tens in (10, 100):
        yield from (("tens", value * tens), ("tenths", value / tens))
    if "." in one.text:
        whole, part = one.text.split(".")
        yield from (("whole", Fraction(whole)), ("part", Fraction(part)), ("no-point", Fraction(whole + part)))


def _from_two(one: PlacedNumber, two: PlacedNumber, *, in_order: bool) -> Iterator[tuple[str, Fraction]]:
    x, y = one.value, two.value
    if in_order:
        yield from (("+", x + y), ("*", x * y))
    if x >= y:
        yield "-", x - y
    if y:
        yield "/", x / y
    # Bounds that keep powers small; school exercises have exponents up to 6 or so.
    if y.denominator == 1 and y <= 6 and x < 1000:
        yield "^", x ** int(y)
    if "." not in one.text + two.text and len(one.text + two.text) < _MAX_DIGITS:
        yield from (("beside", Fraction(one.text + two.text)), ("point", Fraction(f"{one.text}.{two.text}")))


def _values(text: str) -> list[tuple[Fraction, int]]:
    """Return the values of a text, a fraction as one, each with the length of its spelling."""
    found: list[tuple[Fraction, int]] = []
    for match in islice(_VALUE.finditer(text), NUMBERS_READ):
        if len(match.group()) <= 2 * _MAX_DIGITS and int(match["bottom"] or 1):
            value = Fraction(match["top"]) / int(match["bottom"] or 1)
            found.append((-value if match["minus"] else value, len(match.group().replace(" ", ""))))
    return found


def _picked(question: str, answer: str) -> Iterator[tuple[str, float]]:
    """Yield which of the question's values an answer picks, their order, and their size."""
    asked, given = _values(question), [value for value, _ in _values(answer)]
    lengths = dict(asked)
    if len(lengths) < 2 or not given:
        return
    if given[0] in lengths:
        yield "picks " + _rank(given[0], list(lengths)), 1.0
        yield "picks written " + _rank(lengths[given[0]], list(lengths.values())), 1.0
    else:
        yield "picks none", 1.0
    if len(given) >= 3:
        yield "order " + _order(given), 1.0
    sizes = [abs(value) for value in lengths]
    yield "size " + _rank(abs(given[-1]), [*sizes, abs(given[-1])]), 1.0
    yield "below zero" if given[-1] < 0 else "not below zero", 1.0


def _rank[T: (Fraction, int)](one: T, among: list[T]) -> str:
    lowest, highest = min(among), max(among)
    if lowest == highest:
        return "equal"
    return "most" if one == highest else "least" if one == lowest else "middle"


def _order(values: list[Fraction]) -> str:
    rising = sorted(values)
    return "up" if values == rising else "down" if values == rising[::-1] else "mixed"


def _changed(question: str, answer: str) -> Iterator[tuple[str, float]]:
    """Yield which kinds of signs and words are new, kept or dropped in the answer, and the number of letters."""
    asked, given = pieces(question), pieces(answer)
    before, after = Counter(map(piece_kind, asked)), Counter(map(piece_kind, given))
    for kind in before | after:
        yield f"{kind} {'kept' if kind in before and kind in after else 'new' if kind in after else 'dropped'}", 1.0
        if kind in _COUNTED:
            yield f"{kind} times {min(after[kind], 4)}", 1.0
    yield f"letters {_letters_in(given)} of {_letters_in(asked)}", 1.0


def _letters_in(found: list[str]) -> int:
    return len({piece for piece in found if piece_kind(piece) == "L"})
