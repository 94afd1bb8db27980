"""A message as it is searched for danger: disguises taken off, slips put right, one clause at a time."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from tutoring.understanding.concerns.section_files import read_sections

CLAUSE_LIMIT: Final = 240
"""Characters that patterns see at once: no text however long makes one slow."""
FEWEST_LETTERS: Final = 6
"""Of a word that is put right: shorter ones are too often other words."""
MOST_READ: Final = 12_000
"""Characters of a message that are read, half of them at its start, half at its end."""

_LOOKALIKES: Final = str.maketrans(
    "аеорсхуіїјѕԁӏһкмтвнαεορτυικνηβχγɑıłøđðƨ",
    "aeopcxyiijsdlhkmtbhaeoptuiknnbxyailoddz",
) | str.maketrans({"ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك", "ٱ": "ا", "æ": "ae", "œ": "oe", "ß": "ss"})  # fmt: skip
_SIGNS: Final = str.maketrans(
    {"🔪": " knife ", "🗡": " knife ", "🔫": " gun ", "💊": " pills ", "©": "c", "®": "r", "€": "e"}
)
_APOSTROPHES: Final = re.compile(r"(?<=\w)['’‘‛`´ʼ＇](?=\w)")
_BACKWARDS: Final = re.compile("\u202e([^\u202c\n]*)")
_DIGITS_IN_WORD: Final = re.compile(r"(?<![\w$@])(?=[\d$@!|]*[a-z])[a-z\d$@]{1,40}(?:[!|]+[a-z\d$@]+)*")
_AS_LETTERS: Final = str.maketrans("013457$@!|", "oieastsail")
_SPELLED_OUT: Final = re.compile(r"(?<!\w)[a-z](?=([ .,\-_*/]))(?:\1[a-z]){2,}(?!\w)")
_MASKED: Final = re.compile(
    r"(?<![\w*])(?:(k)[*#_.\-](?:ll?)|(s)[*#_.\-]{0,2}u?[*#_.\-]{1,2}cid|(r)[*#_.\-]pe|(d)[*#_.\-]e(?!\w))"
)
_UNMASKED: Final = {"k": "kill", "s": "suicid", "r": "rape", "d": "die"}
_DRAWN_OUT: Final = re.compile(r"([^\W\d_])\1{2,}")
_RUN_TOGETHER: Final = re.compile(
    r"suicide|myself|wanna|going|gonna|want|kill|hate|self|hurt|life|dont|alive|live|dead|dad|mom|hits|die|cut|end|all|hit|my|to|it|me|im|be|i"
)
_CLAUSE: Final = re.compile(r"[^.!?;\n؟؛。]+")
_WORD: Final = re.compile(r"\w+")
_LAUGHED: Final = re.compile(
    r"(?: (?:lol\w*|lmf?ao+|rofl|jk|jks|xd+|ha(?:ha)+h?|he(?:he)+h?|hihi|mdr+|ptdr|ja(?:ja)+j?|k{2,}|rs(?:rs)+))+$"
)
"""Laughter at the end of a clause, in the eight languages: it excuses nothing, and hides the end from phrases that stand there."""


def searchable_clauses(text: str) -> Iterator[str]:
    """Yield a message's clauses, each in small letters, of bounded length and with single blanks: `K1LL  m y s e l f! lol` is `kill myself`."""
    for found in _CLAUSE.finditer(_undisguised(text)):
        words = _LAUGHED.sub("", " ".join(correct_word(word) for word in _WORD.findall(found.group())))
        for start in range(0, len(words), CLAUSE_LIMIT):
            # Each piece with the end of the one before: a cut hides nothing.
            yield words[max(0, start - CLAUSE_LIMIT // 3) : start + CLAUSE_LIMIT]


def fold_letters(text: str) -> str:
    """Return the text without marks on its letters, and without letters that only look like others."""
    if text.isascii():
        return text
    marks = (each for each in unicodedata.normalize("NFKD", text) if unicodedata.category(each) not in _UNSEEN)
    return "".join(marks).translate(_LOOKALIKES)


_UNSEEN: Final = frozenset({"Mn", "Cf", "Me", "Lm"})


def _undisguised(text: str) -> str:
    if len(text) > MOST_READ:
        text = f"{text[: MOST_READ // 2]}\n{text[-MOST_READ // 2 :]}"
    if "\u202e" in text:
        text = _BACKWARDS.sub(lambda found: found.group(1)[::-1], text)
    text = fold_letters(text.translate(_SIGNS).casefold())
    text = _SPELLED_OUT.sub(lambda found: re.sub(r"[^a-z]", "", found.group()), text)
    text = _DIGITS_IN_WORD.sub(lambda found: found.group().replace("11", "ll").translate(_AS_LETTERS), text)
    text = _MASKED.sub(lambda found: _UNMASKED[found.group()[0]], text)
    return _DRAWN_OUT.sub(r"\1", _APOSTROPHES.sub("", text))


@lru_cache(maxsize=8192)
def correct_word(word: str) -> str:
    """Return the word that is meant: a short form written out, words run together apart, a slip put right."""
    short, long_words, left_alone = _spelling()
    if meant := short.get(word):
        return meant
    if len(word) < FEWEST_LETTERS or word in left_alone or word in long_words.values():
        return word
    parts = _RUN_TOGETHER.findall(word)
    if len(parts) > 1 and "".join(parts) == word:
        return " ".join(parts)
    return next((long_words[each] for each in _with_one_less(word) if each in long_words), word)


@cache
def _spelling() -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Return short forms, long words by what is left of them when a letter is missing, and words that are no slips."""
    sections = read_sections("spelling")
    short = dict(line.split(" = ") for line in sections["short"])
    long_words = " ".join(sections["long"]).split()
    missing = {less: word for word in long_words if len(word) >= FEWEST_LETTERS for less in _with_one_less(word)}
    return short, missing | {word: word for word in long_words}, frozenset(" ".join(sections["left alone"]).split())


def _with_one_less(word: str) -> list[str]:
    """Return the word and what is left of it when any letter but the first is missing: what two words share, a slip lies between."""
    return [word, *(word[:place] + word[place + 1 :] for place in range(1, len(word)))]
