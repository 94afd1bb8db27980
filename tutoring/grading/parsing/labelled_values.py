"""Reads values with their names: "mean 11, median 7", "the median is 7 and the mean is 11", "Q1 and Q3 are 3 and 12"."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.parsing.normalization import MAX_LENGTH

# A word that is not listed may change the meaning, as "not" does, so that the answer is not read.
_FILLER = (
    r"(?<!\w)(?:the|my|so|then|and|also|but|while|is|are|was|were|be|being|equals?|should|would|must|to|of|for|at|as|that|it'?s"
    r"|i|think|guess|got|get|say|answers?|values?|numbers?|now|ok|okay|um|well)(?!\w)"
)
_LEADING = re.compile(rf"(?:\s+[-–—]\s+)?(?:[\s,;:=)$→]|\.(?!\d)|{_FILLER})*", re.IGNORECASE)
_TRAILING = re.compile(rf"(?:[\s,;:.=($→?!]|(?<=\s)[-–—](?=\s|$)|{_FILLER})*$", re.IGNORECASE)


def labelled_values(names: Sequence[str], text: str) -> tuple[tuple[int, ...], str] | None:
    """Return the places in `names` of the names in a text, in its order, and the list of their values.

    None for a text without names. Raises Unparsable("labels") if it is not clear which value belongs to which name.
    """
    if len(text) > MAX_LENGTH:
        return None
    known = _spellings(names)
    pieces = _pattern(known).split(text)
    if len(pieces) == 1:
        return None
    places = tuple(known[" ".join(re.split(r"[\s-]+", each)).casefold()] for each in pieces[1::2])
    values = _values(tuple(_without_fillers(each) for each in pieces[::2]))
    if not values or len(set(places)) < len(places):
        raise Unparsable("labels")
    return places, values


def _values(pieces: tuple[str, ...]) -> str:
    """Return the list of values in the pieces before, between and behind the names; empty if they are in no clear order."""
    first, last = pieces[0], pieces[-1]
    if not first and (all(pieces[1:]) or not any(pieces[1:-1])):
        return "; ".join(filter(None, pieces))
    if not last and (all(pieces[:-1]) or not any(pieces[1:])):
        return "; ".join(filter(None, pieces))
    return ""


def _without_fillers(piece: str) -> str:
    return _TRAILING.sub("", piece[_LEADING.match(piece).end() :])  # type: ignore[union-attr]  # it matches the empty text


def _spellings(names: Sequence[str]) -> Mapping[str, int]:
    """Return the place of each name in lower case, and of the words by which it differs: "left" for "left bar"."""
    words = [name.casefold().split() for name in names]
    shared = set.intersection(*map(set, words))
    short = [" ".join(word for word in each if word not in shared) for each in words]
    spellings = {name: place for place, name in enumerate(short)} if all(short) and _are_distinct(short) else {}
    return spellings | {" ".join(each): place for place, each in enumerate(words)}


def _are_distinct(texts: Sequence[str]) -> bool:
    return len(set(texts)) == len(texts)


def _pattern(spellings: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of the names, the longest first, since one may be contained in another."""
    longest_first = sorted(spellings, key=len, reverse=True)
    found = "|".join(r"[\s-]+".join(map(re.escape, each.split())) for each in longest_first)
    return re.compile(rf"(?<!\w)({found})(?!\w)", re.IGNORECASE)
