"""Grades orders of pieces and matchings of rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.keys import MatchKey, Options, OrderKey
from tutoring.grading.language.misspellings import is_one_slip_away
from tutoring.grading.language.synonyms import STOP
from tutoring.grading.parsing.interpretations import without_blanks
from tutoring.grading.parsing.normalization import MAX_LENGTH
from tutoring.grading.verdicts import Judgement, judged

# Half of the rows, or Kendall's τ .5 (a quarter of the pairs swapped). Chosen by hand.
PARTLY_FROM = 0.5
"""Score from which an arrangement is partly right."""
# As MAX_UNORDERED; bounds the pairs.
MAX_PIECES = 24

_WORD = re.compile(r"[^\W_]+")
_SHORT = 3
"""Letters of words that are too short to be told from others by a typing error."""
# "A=2", "A: 2", "A → 2", "A=-" (open).
_ASSIGNED = re.compile(r"([^\W_]{1,8})\s*[=:→]\s*([^\W_]{1,8}|-)(?![\w/.])")
_BETWEEN = re.compile(r"\s*(?:[,;<>\n→]|->|\bthen\b|\band\b)\s*")
# "i put -3 then -1".
_LEAD = re.compile(
    r"^(?:(?:i|we) (?:put|say|think|order|got|get)|first|the order is|it'?s|it is)\b:?\s+", re.IGNORECASE
)
# Between the texts of a pair: "7 is an int".
_JOINS = r"=|:|→|->|-|is an?\b|is\b|are\b|means\b|an?\b|to\b|goes (?:to|with)\b"


def parse_assignments(answer: str) -> dict[str, str]:
    """Return the value of each letter in "A=2 B=- C=1", empty for the hyphen; the last assignment counts."""
    return {letter.upper(): value.upper().strip("-") for letter, value in _ASSIGNED.findall(answer[: 4 * MAX_LENGTH])}


def format_assignments(places: Mapping[str, str]) -> str:
    """Return the answer that `parse_assignments` parses to these places."""
    return " ".join(f"{letter}={value or '-'}" for letter, value in sorted(places.items()))


def judge_order(key: OrderKey, answer: str) -> Judgement:
    """Return the judgement of an order, given as letters or texts in order or as a place for each letter.

    `chosen` are the letters in the given order; the score is Kendall's τ, at least 0. Raises Unparsable "incomplete",
    "twice" or "no_such_choice" unless it is an order of all pieces.
    """
    letters = sorted(key.right)
    places = {letter: place for letter, place in parse_assignments(answer).items() if len(letter) == 1}
    said = _by_place(places, letters) if places else _by_mention(answer, key) or _by_name(answer, letters, key.options)
    ranks = {letter: rank for rank, letter in enumerate(key.right)}
    pairs = list(combinations([ranks[letter] for letter in said], 2))
    tau = sum(1 if before < after else -1 for before, after in pairs) / len(pairs) if pairs else 1.0
    return _arranged(said, score=max(0.0, tau), right=said == key.right)


def _by_place(places: Mapping[str, str], letters: Sequence[str]) -> tuple[str, ...]:
    _refuse_unknown(places, letters, values=[str(place) for place in range(1, len(letters) + 1)])
    if len(set(places.values())) < len(letters):
        raise Unparsable("twice")
    return tuple(sorted(places, key=lambda letter: int(places[letter])))


def _refuse_unknown(said: Mapping[str, str], letters: Sequence[str], *, values: Sequence[str]) -> None:
    """Raise Unparsable for unknown letters or values, or a letter without a value."""
    if not said.keys() <= set(letters) or not set(said.values()) <= {*values, ""}:
        raise Unparsable("no_such_choice")
    if len(said) < len(letters) or "" in said.values():
        raise Unparsable("incomplete")


def _pieces_in(text: str, letters: Sequence[str]) -> list[str]:
    pieces = [piece for piece in _BETWEEN.split(text) if piece]
    if len(pieces) == 1:
        pieces = text.split()
    if len(pieces) == 1 and set(text.upper()) <= set(letters):
        pieces = list(text)  # "CAB"
    return pieces


def _by_name(answer: str, letters: Sequence[str], options: Options) -> tuple[str, ...]:
    pieces = _pieces_in(_LEAD.sub("", answer[: 4 * MAX_LENGTH].strip()), letters)
    if not pieces:
        raise Unparsable("incomplete")
    # The page numbers the rows: "4 2 3 1".
    named = {str(place): letter for place, letter in enumerate(letters, 1)}
    named |= {_folded(name): letter for letter, name in options} | {each.casefold(): each for each in letters}
    said = [
        named.get(_folded(piece).strip("()")) or _letter_by_word(piece, options) for piece in pieces[: MAX_PIECES + 1]
    ]
    if "" in said:
        raise Unparsable("no_such_choice")
    if len(set(said)) < len(said):
        raise Unparsable("twice")
    if len(said) < len(letters):
        raise Unparsable("incomplete")
    return tuple(said)


def _by_mention(answer: str, key: OrderKey) -> tuple[str, ...]:
    """Return the letters in the order in which an answer first has a word that only their text has; empty unless it has all.

    "then subtract 7, divide by 2, then check". Of a question nothing is an order.
    """
    if "?" in answer:
        return ()
    words = {
        letter: {each for each in _WORD.findall(_plain(name)) if len(each) > _SHORT} - STOP
        for letter, name in key.options
    }
    said = _WORD.findall(_plain(answer[: 4 * MAX_LENGTH]))
    places: dict[str, int] = {}
    for letter, own in words.items():
        others = set().union(*(each for other, each in words.items() if other != letter))
        first = next((at for at, word in enumerate(said) if any(_is_alike(word, each) for each in own - others)), None)
        if first is None:
            return ()
        places[letter] = first
    return tuple(sorted(places, key=lambda letter: places[letter])) if len({*places.values()}) == len(key.right) else ()


def _letter_by_word(piece: str, options: Options) -> str:
    """Return the letter of the option with most of a piece's words in it: "asal", "breakfast for group 1"; empty for several."""
    plain = _plain(piece)
    named = [letter for letter, name in options if re.search(rf"(?<![\w/.-]){re.escape(_plain(name))}(?![\w/])", plain)]
    if len(named) == 1:
        return named[0]  # "then 21 of 60 35%".
    words = {word for word in _WORD.findall(piece.casefold()) if len(word) > _SHORT} - STOP
    shared = {letter: _shared_words(words, name.casefold()) for letter, name in options}
    return _most(shared)


def _shared_words(words: Iterable[str], text: str) -> int:
    """Return how many of the words a text has, typing errors and plurals included."""
    others = _WORD.findall(text)
    return sum(any(_is_alike(word, each) for each in others) for word in words)


def _most(counts: Mapping[str, int]) -> str:
    """Return what has the highest count above zero; empty if several have it."""
    most = max(counts.values(), default=0)
    first = [each for each, count in counts.items() if count == most]
    return first[0] if most and len(first) == 1 else ""


def _is_alike(word: str, meant: str) -> bool:
    return word == meant or (len(meant) > _SHORT and is_one_slip_away(word, meant))


def _folded(name: str) -> str:
    """Return a piece's text without what may be typed otherwise: blanks, capitals, and the kind of a minus."""
    return without_blanks(name).casefold().replace("−", "-")


def judge_match(key: MatchKey, answer: str) -> Judgement:
    """Return the judgement of "A=2 B=1 C=3", or of texts such as "7 is int, 7.0 float".

    `chosen` are its pairs, the score is the share of right rows.

    Raises Unparsable "incomplete" for a row without an option, "twice" if an option is used twice and may not be, and
    "no_such_choice".
    """
    rows = [row for row, _ in key.right]
    options = [letter for letter, _ in key.options] or [option for _, option in key.right]
    assigned = parse_assignments(answer)
    said = assigned if assigned.keys() & set(rows) else _matched_texts(key, answer) or assigned
    _refuse_unknown(said, rows, values=options)
    if key.uses_each_once and len(set(said.values())) < len(said):
        raise Unparsable("twice")
    right = sum(said[row] == option for row, option in key.right)
    chosen = tuple(f"{row}={said[row]}" for row in sorted(said))
    return _arranged(chosen, score=right / len(rows), right=right == len(rows))


def _matched_texts(key: MatchKey, answer: str) -> dict[str, str]:
    """Return the option of each row whose text is told with the option's: "7 is int, 7.0 float"."""
    rows, options = ({_plain(text): letter for letter, text in each} for each in (key.rows, key.options))
    if not rows or not options:
        return {}
    said = _plain(answer[: 4 * MAX_LENGTH])
    listed = [options.get(each.strip()) for each in _BETWEEN.split(said)]
    if len(listed) == len(rows) and None not in listed:
        return dict(zip(rows.values(), map(str, listed), strict=True))  # "8, 12 and 5", row by row.
    one, other = (
        "|".join(re.escape(each) for each in sorted(texts, key=len, reverse=True)) for texts in (rows, options)
    )
    told = re.compile(rf"(?<![\w.\"'])({one})(?![\w.\"'])\s*(?:{_JOINS})?\s*({other})(?!\w)")
    found = {rows[row]: options[option] for row, option in told.findall(said)}
    if len(found) == len(rows):
        return found
    left = [row for row in rows.values() if row not in found]
    unused = [letter for text, letter in options.items() if letter not in found.values() and text in said]
    if len(left) == len(unused) == 1:
        return {**found, left[0]: unused[0]}  # "the one with quotes is str, 7 is int and 7.0 is float".
    return _matched_words(said, rows, options) or found


def _matched_words(said: str, rows: Mapping[str, str], options: Mapping[str, str]) -> dict[str, str]:
    """Return the option named behind words of each row: "the sold price is the label"; empty unless all rows have one.

    `rows` and `options` are letters by plain text.
    """
    other = "|".join(re.escape(each) for each in sorted(options, key=len, reverse=True))
    parts = re.split(rf"(?<!\w)({other})(?!\w)", said)
    found: dict[str, str] = {}
    for before, option in zip(parts[::2], parts[1::2], strict=False):
        words = set(_WORD.findall(before)) - STOP
        if row := _most({row: _shared_words(words, row) for row in rows}):
            found[rows[row]] = options[option]
    return found if len(found) == len(rows) else {}


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").casefold().replace("−", "-").split())


def _arranged(chosen: tuple[str, ...], *, score: float, right: bool) -> Judgement:
    verdict = judged("correct" if right else "partial" if score >= PARTLY_FROM else "wrong").verdict
    return Judgement(verdict=verdict, score=score, chosen=chosen)


def arrangement_text(key: OrderKey | MatchKey, answer: str) -> str:
    """Return an answer with the texts of its pieces; an unparsable answer as typed."""
    texts = dict(key.options)
    try:
        if isinstance(key, OrderKey):
            return ", ".join(texts[letter] for letter in judge_order(key, answer).chosen)
        rows = dict(key.rows)
        pairs = (pair.split("=") for pair in judge_match(key, answer).chosen)
        return "; ".join(f"{rows[row]} → {texts[option]}" for row, option in pairs)
    except (Unparsable, KeyError):
        return answer
