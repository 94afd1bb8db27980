"""Detects texts that disclose an order, or which option belongs to which row."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from tutoring.grading.algebra.comparison import is_same_value
from tutoring.grading.algebra.nodes import Node
from tutoring.grading.judges.arrangements import parse_assignments
from tutoring.grading.keys import MatchKey, Options, OrderKey
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.number_finder import located_number_spans

# "1/8 is smaller than 1/4" compares two, as tutors do; three in order are most of an answer. Chosen by hand.
FEWEST_IN_A_ROW = 3
"""Pieces named in the right order from which an order is disclosed."""

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_PLACE = re.compile(rf"\b(?:({'|'.join(_PLACES)})|([1-6])(?:st|nd|rd|th)?|(last))\b", re.IGNORECASE)
# "B, A, C", "B then A", "B → A", "BAC".
_LISTED = re.compile(
    r"(?<![\w'’])(?:(?i:[a-h](?:(?:\s*(?:[,;<>→-]|->)+\s*(?:and\s+|then\s+)*|\s+(?:and\s+)?(?:then\s+)?)[a-h])+)|[A-H]{3,6})(?![\w'’])"
)
_CAPITAL = re.compile(r"(?<![\w'’-])[A-H](?![\w'’-])")
_SENTENCE = re.compile(r"[.!?;\n]+(?=\s|$)|;|\n")
_CLAUSE = re.compile(r",|\band\b|\bbut\b|\bwhile\b")
# "A goes with 2", "A = 2", "A is number 2".
_LINKED = r"\s*(?:=|→|->|:|\b(?:goes|go|belongs?|fits?|matches|pairs?|is)\b)?\s*(?:\b(?:with|to|is|number|option|the)\b\s*){0,3}"
# Rows have capitals, options numbers: "A with 2", "2 goes with A". "A 3/4" names no option.
_ROW_FIRST = re.compile(rf"(?<![\w/])([A-H]){_LINKED}([1-8])(?![\w/])(?!\.\d)")
_OPTION_FIRST = re.compile(
    r"(?<![\w/.])([1-8])\s+(?:goes|belongs|fits|matches|is)\s+(?:with|to|for|in)?\s*(?:row\s+)?([A-H])(?!\w)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A piece named in a text: its letter and span."""

    letter: str
    start: int
    end: int


def tells_order(message: str, key: OrderKey) -> bool:
    """Tell whether a text names enough pieces in the right order, all of them in reverse, or their places."""
    ranks = {letter: rank for rank, letter in enumerate(key.right)}
    text = normalize_answer(message)
    named = find_mentions(text, key.options, by_value=True)
    capitals = [Mention(letter=each[0], start=each.start(), end=each.end()) for each in _CAPITAL.finditer(text)]
    lists = [[letter.upper() for letter in each.group() if letter.upper() in ranks] for each in _LISTED.finditer(text)]
    sequences = [[each.letter for each in group if each.letter in ranks] for group in (named, capitals)]
    if any(_is_in_order([ranks[letter] for letter in said], len(ranks)) for said in (*sequences, *lists) if said):
        return True
    # All places but one fix the last one as well.
    enough = max(2, len(ranks) - 1)
    return any(_placed(text, group, ranks) >= enough for group in (named, capitals)) or (
        sum(place == str(ranks[letter] + 1) for letter, place in parse_assignments(text).items() if letter in ranks)
        >= enough
    )


def _is_in_order(said: list[int], pieces: int) -> bool:
    said = [rank for before, rank in pairwise([-1, *said]) if rank != before]
    enough = max(FEWEST_IN_A_ROW, pieces - 1)
    rising = any(_rises(said[at : at + enough]) for at in range(len(said) - enough + 1))
    return rising or any(_rises(said[at : at + pieces][::-1]) for at in range(len(said) - pieces + 1))


def _rises(ranks: list[int]) -> bool:
    return all(before < after for before, after in pairwise(ranks))


def _placed(text: str, named: list[Mention], ranks: dict[str, int]) -> int:
    """Count the pieces followed by their right place: "1/4 is first"."""
    ends = [*(each.start for each in named[1:]), len(text)]
    right = set()
    for each, end in zip(named, ends, strict=False):
        # 30 characters: "1/4 is the one that comes first". Chosen by hand.
        place = _PLACE.search(text[each.end : min(end, each.end + 30)])
        if place and each.letter in ranks and _rank_of(place, len(ranks)) == ranks[each.letter]:
            right.add(each.letter)
    return len(right)


def _rank_of(place: re.Match[str], pieces: int) -> int:
    word, number, _last = place.groups()
    if word:
        return _PLACES.index(word.casefold())
    return int(number) - 1 if number else pieces - 1


def pairs_in_text(message: str, key: MatchKey) -> set[tuple[str, str]]:
    """Return the right pairs of row and option that a text discloses, by letters or by their texts."""
    text = normalize_answer(message)
    right = set(key.right)
    told = {(row, option) for row, option in _ROW_FIRST.findall(text)}
    told |= {(row, option) for option, row in _OPTION_FIRST.findall(text)}
    for sentence in _SENTENCE.split(text):
        told |= _pairs_in(sentence, key)
        if not re.search(r"\bor\b", sentence, re.IGNORECASE):
            told |= {pair for clause in _CLAUSE.split(sentence) for pair in _pairs_in(clause, key)}
    return told & right


def _pairs_in(text: str, key: MatchKey) -> set[tuple[str, str]]:
    """Return rows paired with options in order, if a text names as many of both."""
    rows = list(dict.fromkeys(each.letter for each in find_mentions(text, key.rows)))
    named = [each.letter for each in find_mentions(text, key.options)]
    options = list(dict.fromkeys(named)) if key.uses_each_once else named
    return set(zip(rows, options, strict=True)) if len(rows) == len(options) else set()


def find_mentions(text: str, options: Options, *, by_value: bool = False) -> list[Mention]:
    """Return the mentions of options in a normalized text, in order; `by_value` takes any spelling of a number."""
    found: list[Mention] = []
    numbers = {letter: node for letter, shown in options if (node := _number(shown)) is not None}
    for start, span in located_number_spans(text):
        node = parse_key(span)
        letter = _named(node, numbers, by_value=by_value) if node is not None else None
        if letter is not None:
            found.append(Mention(letter=letter, start=start, end=start + len(span)))
    lowered = text.casefold()
    for letter, shown in sorted(options, key=lambda option: -len(option[1])):
        if letter not in numbers and (words := re.findall(r"\w+", normalize_answer(shown).casefold())):
            for match in re.finditer(r"\b" + r"\W+".join(map(re.escape, words)) + r"\b", lowered):
                if not any(each.start < match.end() and match.start() < each.end for each in found):
                    found.append(Mention(letter=letter, start=match.start(), end=match.end()))
    return sorted(found, key=lambda each: each.start)


@lru_cache(maxsize=128)
def _number(shown: str) -> Node | None:
    """Return the number that an option is, or None for any other text."""
    spans = located_number_spans(plain := normalize_answer(shown).strip())
    return parse_key(plain) if len(spans) == 1 and spans[0][1] == plain else None


def _named(node: Node, numbers: dict[str, Node], *, by_value: bool) -> str | None:
    written = next((letter for letter, number in numbers.items() if number == node), None)
    if written is not None or not by_value:
        return written
    return next((letter for letter, number in numbers.items() if is_same_value(number, node)), None)
