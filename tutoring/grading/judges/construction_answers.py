"""Constructions as text: one canonical writing for each kind, read with bounded work.

shade "1,4,5" (part numbers from 1) · cut "1/4,1/2,3/4" (places from 0 to 1, decimals too) · place "5/4" ·
build "1/3,1/6" (pieces) · share "A=7 B=7" (parts for each person), or "7 each" · combine "3/6+2/6=5/6", or only "5/6".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.boards import (
    MAX_COMMON_PARTS,
    MAX_EQUAL_PARTS,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    ShadeBoard,
    ShareBoard,
)
from tutoring.grading.judges.arrangements import parse_assignments
from tutoring.grading.parsing.normalization import normalize_fractions
from tutoring.grading.parsing.number_finder import numbers_in

# A grid of 12 by 12 parts, all named: "1,2,…,144" has 468 characters.
MAX_LENGTH = 1_000

_BETWEEN = re.compile(r"(?:[,;+\s]|\b(?:parts?|and)\b)+", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}(?:/\d{1,6}|\.\d{1,12})?|\.\d{1,12}")
# "A GETS 4", "B: 4", "C 4".
_TOLD_SHARE = re.compile(r"\b([A-H])\b(?:\W+(?:GETS?|HAS|TAKES?))?\W*(\d{1,4})\b(?!/)")
_EACH = re.compile(r"\b(?:each|every|everybody|everyone|apiece|per (?:person|child|head)|all of them)\b", re.IGNORECASE)
_FRACTION = r"(\d{1,4})\s*/\s*(\d{1,4})"
_COMBINATION = re.compile(rf"(?:{_FRACTION}\s*([-+])\s*{_FRACTION}\s*=\s*)?{_FRACTION}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """The common number of parts, how many of them the result has, and each bar; None if not said."""

    parts: int
    result: int
    first: int | None = None
    second: int | None = None


def parse_shading(board: ShadeBoard, answer: str) -> frozenset[int]:
    """Return the indexes of the shaded parts, from 0. Raises Unparsable "empty", "no_such_part" or "twice"."""
    numbers = _numbers(answer)
    if not all(number.denominator == 1 and 1 <= number <= board.count for number in numbers):
        raise Unparsable("no_such_part")
    _refuse_repeated(numbers)
    return frozenset(int(number) - 1 for number in numbers)


def parse_cuts(_board: CutBoard, answer: str) -> tuple[Fraction, ...]:
    """Return the places of the cuts in order. Raises Unparsable "empty", "outside", "twice" or "too_many"."""
    places = _numbers(answer)
    if len(places) >= MAX_EQUAL_PARTS:
        raise Unparsable("too_many")
    if not all(0 < place < 1 for place in places):
        raise Unparsable("outside")
    _refuse_repeated(places)
    return tuple(sorted(places))


def parse_place(board: PlaceBoard, answer: str) -> Fraction:
    """Return where the point is, a number in a sentence too. Raises Unparsable "outside" or "between_marks"."""
    found = list(numbers_in(_normal(answer)))
    if len(found) != 1:
        raise Unparsable("two_numbers" if found else "words")
    if not board.start <= found[0] <= board.end:
        raise Unparsable("outside")
    if found[0] not in board.places():
        raise Unparsable("between_marks")
    return found[0]


def parse_pieces(board: BuildBoard, answer: str) -> tuple[Fraction, ...]:
    """Return the pieces laid. Raises Unparsable "empty", "no_such_piece" or "outside" if they need a longer frame."""
    pieces = _numbers(answer)
    if not set(pieces) <= set(board.pieces):
        raise Unparsable("no_such_piece")
    if sum(pieces) > board.length:
        raise Unparsable("outside")
    return pieces


def parse_shares(board: ShareBoard, answer: str) -> tuple[int, ...]:
    """Return each person's parts. Raises Unparsable "no_such_choice", "incomplete", "empty" or "too_many"."""
    text = _normal(answer)
    given = parse_assignments(text) or _shares_in_words(board, text)
    if not given.keys() <= set(board.letters):
        raise Unparsable("no_such_choice")
    if len(given) < board.people or "" in given.values():
        raise Unparsable("incomplete")
    if not all(re.fullmatch(r"\d{1,4}", count) for count in given.values()):
        raise Unparsable("unexpected")
    shares = tuple(int(given[letter]) for letter in board.letters)
    if not any(shares):
        raise Unparsable("empty")
    if sum(shares) > board.total:
        raise Unparsable("too_many")
    return shares


def _shares_in_words(board: ShareBoard, text: str) -> dict[str, str]:
    """Return each person's parts as they are told in words, "A gets 4, B 4", "5 each" or "5"; empty for none."""
    told = dict(_TOLD_SHARE.findall(text.upper()))
    if set(board.letters) <= told.keys():
        return told
    numbers = numbers_in(text)
    if (
        len(numbers) != 1
        or not (_EACH.search(text) or _NUMBER.fullmatch(text.strip(" .!?")))
        or (numbers[0] * board.cut).denominator > 1
    ):
        return {}
    return dict.fromkeys(board.letters, str(numbers[0] * board.cut))


def parse_combination(board: CombineBoard, answer: str) -> Combination:
    """Return the combination. Raises Unparsable "two_sizes" for different numbers of parts, "other_sign", "too_many"."""
    match = _COMBINATION.fullmatch(_normal(answer).strip())
    if match is None:
        raise Unparsable("unexpected")
    first, *rest = match.groups()
    sizes = {int(size) for size in (rest[0], rest[3], rest[5]) if size}
    if len(sizes) > 1:
        raise Unparsable("two_sizes")
    (parts,) = sizes
    if rest[1] not in (None, board.sign):
        raise Unparsable("other_sign")
    counts = [int(count) if count else None for count in (first, rest[2])]
    result = int(rest[4])
    _refuse_impossible(parts, (*filter(None, counts), result))
    return Combination(parts=parts, result=result, first=counts[0], second=counts[1])


def _refuse_impossible(parts: int, counts: Iterable[int]) -> None:
    """Raise Unparsable for no parts, more than can be drawn, or more than two wholes."""
    if not 1 <= parts <= MAX_COMMON_PARTS or any(count > 2 * parts for count in counts):
        raise Unparsable("too_many" if parts else "division_by_zero")


def _normal(answer: str) -> str:
    if len(answer) > MAX_LENGTH:
        raise Unparsable("too_long")
    if not answer.strip():
        raise Unparsable("empty")
    return normalize_fractions(answer)


def _numbers(answer: str) -> tuple[Fraction, ...]:
    """Return the numbers of a list. Raises Unparsable "empty", "unexpected" or "division_by_zero"."""
    text = re.sub(r"\s*/\s*", "/", _normal(answer)).strip(" .")
    found = [each for each in _BETWEEN.split(text) if each]
    if not found:
        raise Unparsable("empty")
    if not all(map(_NUMBER.fullmatch, found)):
        raise Unparsable("unexpected")
    try:
        return tuple(map(Fraction, found))
    except ZeroDivisionError:
        raise Unparsable("division_by_zero") from None


def _refuse_repeated(numbers: tuple[Fraction, ...]) -> None:
    if len(set(numbers)) < len(numbers):
        raise Unparsable("twice")


def part_sizes(cuts: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return the sizes of the parts between cuts, as shares of the whole."""
    return tuple(after - before for before, after in pairwise((Fraction(0), *cuts, Fraction(1))))


def format_shading(indexes: Iterable[int]) -> str:
    return ",".join(str(index + 1) for index in sorted(indexes))


def format_numbers(numbers: Iterable[Fraction]) -> str:
    """Return the answer of cuts or pieces."""
    return ",".join(map(str, numbers))


def format_combination(board: CombineBoard, *, parts: int, first: object, second: object, result: object) -> str:
    return f"{first}/{parts}{board.sign}{second}/{parts}={result}/{parts}"


def format_pieces(counts: Mapping[Fraction, int]) -> str:
    """Return the answer of so many pieces of each size."""
    return format_numbers(piece for piece, count in counts.items() for _ in range(count))
