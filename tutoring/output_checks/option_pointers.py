"""Detects texts that point to an option of a choice: by its letter, place, number or words."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tutoring.grading.parsing.number_finder import located_number_spans, numbers_in
from tutoring.output_checks.idea_statements import assertive_sentences, content_stems
from tutoring.output_checks.number_mentions import find_number_mentions, normalize_signs

# "Ada, because she …", "No: they differ": the first words of an option decide it. Chosen by hand (2026-11-23).
MOST_OF_HEAD: Final = 4
"""Words before an option's first comma or full stop that count as its head."""
# Three own words in a row are a quotation; two ("equal parts") are a term. Chosen by hand.
RUN: Final = 3
"""Words in a row that identify an option."""
# Half of an option's own words, asserted, paraphrase it. Chosen by hand.
SHARE: Final = 0.5
"""Share of an option's own words from which an assertion names it."""

# What an ordinal or a place may point at: "the second one", "the top picture".
_THING = r"(?:ones?|options?|choice|answer|picture|statement|sentence|reason|row|line|card|box|button|letter|of\s+(?:them|these|those|the\s+\w+))"
# Ordinals, and words that order in space: "the leftmost", "the last but one".
_ORDINALS = (
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|last|final|former|latter|penultimate|lowest|highest|leftmost|rightmost|"
    r"topmost|uppermost|outer|inner|\d{1,2}(?:st|nd|rd|th)"
)
_WHERE = rf"{_ORDINALS}|middle|central|cent(?:re|er)|top|bottom|upper|lower|left|next|previous|opening|closing"
_NUMBER = r"(?:\d|one|two|three|four|five|six|seven|eight)"
# "the middle one", "pick the first", "the one on the left.", "option two", "it's 3.", "the vowel", "Bravo".
_PLACE = re.compile(
    rf"\b(?:{_WHERE})(?:[\s-]+(?:but\s+\w+|to\s+last|hand))?\s+{_THING}\b"
    rf"|\b(?:the|number|no\.?|option|not|it['’]?s|pick|choose|take|answer:?)\s+(?:the\s+)?(?:{_WHERE})\s*(?:$|[.,;:!?)])"
    r"|\b(?:on|to|at|from)\s+the\s+(?:far\s+|very\s+)?(?:left|right|top|bottom|end|beginning|start|middle)(?:\s*[.,;!]|\s*$)"
    rf"|\b(?:option|choice|answer|picture|number|no\.?|statement|sentence|position|place)[\s:#]+(?:is\s+)?(?:number\s+)?{_NUMBER}\b"
    rf"|(?:\b(?:it['’]?s|it is|pick|choose|take|say)\s+|(?:^|[.!?…:])\W*)(?:number\s+)?{_NUMBER}\s*(?:$|[.!?])"
    r"|\b(?:neighbou?r|between|next to|above|below|beside)\s+(?:the\s+)?(?:option|choice|answer)s?\b"
    r"|\b(?:vowel|consonant|alphabet|alpha|alfa|bravo|charlie|delta|echo|foxtrot|bee|cee|dee|eff)\b",
    re.IGNORECASE | re.MULTILINE,
)
# "the third" without a noun points; "one third" and "a fifth" are fractions.
_ORDINAL = re.compile(rf"(?<!\ba )(?<!\bone )\b(?:{_ORDINALS})\b\W*(\w*)", re.IGNORECASE)
# "the first step", "a second look": ordinals of the talk, and not of the options.
_OF_NO_OPTION = re.compile(
    r"(?:step|thing|part|time|look|try|idea|thought|guess|word|question|half|mistake|answer|line|term|of all)s?\b",
    re.IGNORECASE,
)
# "First, compare the sizes", "at first", "… first.": sequence words are removed before places are looked for.
_FIRST_OF_ALL = re.compile(
    r"(?:^|[.!?…:]\s*)first,?\s+(?:of all|say|tell|explain|draw|think|imagine|look|try|use|compare|describe|picture|put|count|read|check|"
    r"decide|find|work|write|make|cut|go|ask|see|what|how|which|is|are|do|does|you|we|let)\b"
    r"|\bat first\b|(?<!the )(?<!pick )(?<!choose )(?<!take )(?<!with )(?<!is )(?<=\w )first(?=\s*[.,;:!?]|\s+and\b|\s+then\b|\s*$)",
    re.IGNORECASE,
)
# If the options begin with yes and no, either word in a reply points to some of them.
_YES_OR_NO = re.compile(
    r"(?:^|[.!?:]\s+|\b(?:is|say|answer|with)\s+[“\"']?)(yes|no)\b(?!\s*[”\"']?\s+(?:or|and)\b)", re.IGNORECASE
)
# "the one that says …": with one of an option's own words it names that option.
_POINTER = re.compile(
    r"\b(?:one|option|answer|choice|reason|picture|statement|sentence|person)s?\b[^.?!]{0,20}\b(?:about|with|that|where|which|saying|says|has|in|mentions)\b",
    re.IGNORECASE,
)
# The head of "Ada, because she …" is "Ada".
_HEAD_END = re.compile(r"[.,;:!?]|\bbecause\b|\bsince\b")
# A letter alone: "A", "(b)"; not "'s".
_LETTER = re.compile(r"(?<!\w)(?<!\w['’])[^\W\d_](?!\w|['’]\w)")
# The letters of "e.g." and "i.e." are no options.
_ABBREVIATED = re.compile(r"\b(?:e\.\s?g|i\.\s?e)\.")
# "a bar", "one piece": a word behind it that makes the letter an article, and the number a count.
NOUN = re.compile(
    r"\s+(?!(?:is|was|and|or|because|looks|seems|fits|works|for|has|it|since|not|but|then|wins)\b)['*-]*[^\W\d_]{2}"
)
# "pick A bar" still names option A.
_NAMES = re.compile(r"(?:option|choice|answer|letter|pick|choose|take|select|tick|say|is)\W*$", re.IGNORECASE)
# "1/4, 1/3 and 1/2": the options in a list, none of them pointed at.
_LISTED = re.compile(
    r"\W*(?:(?:and|or|with|to|vs)\W*)?(?:(?:of|from)\s+(?:the\s+)?(?:same\s+)?\w+\W*(?:and|or|with)\W*)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTexts:
    """A choice's options, and the texts whose content may be repeated."""

    options: tuple[tuple[str, str], ...]
    stem: str
    said: tuple[str, ...]
    supplied: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _OptionMarks:
    """What may be said about the options, and what identifies each of them."""

    letters: frozenset[str]
    shown: str
    words: dict[str, frozenset[str]]
    """Letter → words in at most half of the options, and nowhere else in the shown texts."""
    runs: dict[str, frozenset[tuple[str, ...]]]
    numbers: dict[str, frozenset[Fraction]]
    """Letter → the number that an option is, where all are nothing but numbers or short claims on one."""
    heads: tuple[frozenset[str], ...]
    """The words that options begin with and others do not: "Ada", "Yuna"; "Yes", "No"."""
    says_yes_or_no: bool


def find_pointer(said: str, options: OptionTexts) -> str:
    """Return `letter`, `place` or `option` for a `plain` text that points to an option, else an empty string.

    An option that the learner named alone in a message may be named again, and so may what the move supplies.
    """
    known = _option_marks(options)
    if lone_letters(said) - known.letters:
        return "letter"
    if (places := _places_in(said)) and places - _places_in(known.shown):
        return "place"
    if known.says_yes_or_no and _YES_OR_NO.search(said):
        return "option"
    names = _names_number(said, known) or _names_words(said, known) or _names_head(said, known)
    return "option" if names else ""


def _places_in(said: str) -> frozenset[str]:
    """Return the places in a text: "the middle one", and ordinals unless they count steps and the like."""
    text = _FIRST_OF_ALL.sub(" ", said)
    ordinals = (found for found in _ORDINAL.finditer(text) if not _OF_NO_OPTION.match(found[1]))
    return frozenset(found.group().casefold() for found in (*_PLACE.finditer(text), *ordinals))


def lone_letters(said: str) -> frozenset[str]:
    """Return the lone letters of a `plain` text in lower case, without the article and the pronoun."""
    text = _ABBREVIATED.sub(" ", said)
    return frozenset(match.group().casefold() for match in _LETTER.finditer(text) if not _is_word(text, match))


def _is_word(said: str, match: re.Match[str]) -> bool:
    """Tell whether a letter is "I", the sign for times, or the article: "a bar", "A bar", but not "A is" or "take A"."""
    letter, before, after = match.group(), said[: match.start()], said[match.end() :]
    if letter == "I":
        return True
    if letter in "xX" and re.search(r"[\d)]\s*$", before) and re.match(r"\s*[\d(]", after):
        return True
    begins = letter == "a" or not before.strip() or before.rstrip()[-1] in ".!?:"
    return letter in "aA" and begins and not (letter == "A" and _NAMES.search(before)) and bool(NOUN.match(after))


def _telling[T](parts: Mapping[str, frozenset[T]]) -> dict[str, frozenset[T]]:
    """Return of each option the parts that at most half of the options have."""
    having = Counter(part for own in parts.values() for part in own)
    at_most = max(1, len(parts) // 2)
    return {letter: frozenset(part for part in own if having[part] <= at_most) for letter, own in parts.items()}


@lru_cache(maxsize=64)
def _option_marks(given: OptionTexts) -> _OptionMarks:
    texts = {letter: normalize_signs(text) for letter, text in given.options}
    runs = {letter: _runs(text) for letter, text in texts.items()}
    heads = _heads(texts.values(), known="")
    said = [words for words in map(normalize_signs, given.said) if not _names_several(words, runs.values(), heads)]
    letters = frozenset(each.casefold() for each in texts)
    named = [found for words in said if len(found := lone_letters(words) & letters) == 1]
    own_words = [texts[letter.upper()] for found in named for letter in found]
    supplied = [normalize_signs(words) for words in given.supplied]
    free = "\n".join((normalize_signs(given.stem), *own_words, *supplied, *said))
    familiar = content_stems(free)
    every = {letter: content_stems(text) for letter, text in texts.items()}
    return _OptionMarks(
        letters=frozenset().union(*named, *map(lone_letters, supplied)),
        shown=free,
        words={letter: words - familiar for letter, words in _telling(every).items()},
        runs={
            letter: frozenset(run for run in own - _runs(free) if content_stems(" ".join(run)) - familiar)
            for letter, own in _telling(runs).items()
        },
        numbers={letter: frozenset(value[:1]) for letter, text in texts.items() if (value := _only_number(text))}
        if not own_words
        else {},
        heads=_heads(texts.values(), known="\n".join((*own_words, *said, *supplied))),
        says_yes_or_no=sum(bool(re.match(r"\W*(?:yes|no)\b", text, re.IGNORECASE)) for text in texts.values()) > 1,
    )


def _names_several(words: str, runs: Iterable[frozenset[tuple[str, ...]]], heads: Iterable[frozenset[str]]) -> bool:
    """Tell whether a learner goes through the options: who names several of them has named none."""
    there, own = _runs(words), frozenset(_words(words))
    return sum(bool(there & each) for each in runs) > 1 or sum(bool(own & each) for each in heads) > 1


def _heads(texts: Iterable[str], *, known: str) -> tuple[frozenset[str], ...]:
    """Return the distinct words that options begin with; empty if they begin with whole sentences."""
    heads = [frozenset(_words(_HEAD_END.split(text, maxsplit=1)[0])) for text in texts]
    if not all(0 < len(head) <= MOST_OF_HEAD for head in heads):
        return ()
    common, free = frozenset.intersection(*heads), frozenset(_words(known))
    return tuple(dict.fromkeys(own for head in heads if (own := head - common - free)))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text.casefold())


def _names_head(said: str, known: _OptionMarks) -> bool:
    """Tell whether a text asserts the heads of some options and not those of others."""
    asserted = frozenset(_words(_FIRST_OF_ALL.sub(" ", assertive_sentences(said))))
    named = [head & asserted for head in known.heads if head & asserted]
    return bool(named) and len(known.heads) > 1 and len(set(named)) == 1


def _only_number(text: str) -> tuple[Fraction, ...]:
    """Return the number that an option is or begins with; empty for any other text."""
    spans = located_number_spans(text)
    return numbers_in(spans[0][1]) if spans and not text[: spans[0][0]].strip(" (") else ()


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def _names_number(said: str, known: _OptionMarks) -> bool:
    """Tell whether a text names some of the numeric options, or a part of one, without listing them all."""
    values = frozenset().union(*known.numbers.values()) if known.numbers else frozenset()
    if len(values) < 2:
        return False
    spans = [(start, span, found[0]) for start, span in located_number_spans(said) if (found := numbers_in(span))]
    named = [each for each in spans if each[2] in values]
    if named:
        told = {each[2] for each in named}
        return len(told) < 2 or told != values & set(numbers_in(known.shown)) or not _is_list(said, named)
    parts = {value: {value.numerator, value.denominator} for value in values}
    common = set.intersection(*parts.values())
    numbers = {number.value for number in find_number_mentions(said) if number.word not in ("one", "ones", "both")}
    touched = [value for value, own in parts.items() if numbers & (own - common)]
    return 0 < len(touched) < len(values)


def _is_list(said: str, named: list[tuple[int, str, Fraction]]) -> bool:
    return all(_LISTED.fullmatch(said[one[0] + len(one[1]) : other[0]]) for one, other in pairwise(named))


def _names_words(said: str, known: _OptionMarks) -> bool:
    """Tell whether a text repeats an option, asserts much of it, or points at "the one with" one of its words."""
    told, runs = content_stems(said), _runs(said)
    if any(runs & own for own in known.runs.values()):
        return True
    asserted = content_stems(assertive_sentences(said))
    for own in known.words.values():
        if own and len(own & asserted) >= max(SHARE * len(own), min(2, len(own))):
            return True
        if own & told and _POINTER.search(said):
            return True
    return False
