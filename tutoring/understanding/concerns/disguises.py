"""Normalizes a message for the danger phrases: removes disguises, corrects typing errors, splits clauses."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from tutoring.understanding.concerns.section_files import read_sections

# The phrases hold `.*` for "A & B": longer inputs would make them slow. Far longer than any clause that children type.
CLAUSE_LIMIT: Final = 240
"""Characters that a pattern is matched against at once."""
# "sucide" becomes "suicide"; shorter words ("hert", "dye") are one letter from too many others. Chosen by hand.
FEWEST_LETTERS: Final = 6
"""Letters from which a word is corrected."""
# Keeps the check below 1 s for any text; who hides a message in a long paste puts it at one end.
MOST_READ: Final = 12_000
"""Characters of a message that are searched, half at its start, half at its end."""

# Cyrillic, Greek and other letters that look Latin: "kіll" with a Cyrillic і. Arabic letter variants become one.
_LOOKALIKES: Final = str.maketrans(
    "аеорсхуіїјѕԁӏһкмтвнαεορτυικνηβχγɑıłøđðƨ",
    "aeopcxyiijsdlhkmtbhaeoptuiknnbxyailoddz",
) | str.maketrans({"ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك", "ٱ": "ا", "æ": "ae", "œ": "oe", "ß": "ss"})  # fmt: skip
# Emoji that stand for a word: "i want to take 💊".
_SIGNS: Final = str.maketrans(
    {"🔪": " knife ", "🗡": " knife ", "🔫": " gun ", "💊": " pills ", "©": "c", "®": "r", "€": "e"}
)
# The phrase files hold no apostrophes: "don't" and "dont" are one.
_APOSTROPHES: Final = re.compile(r"(?<=\w)['’‘‛`´ʼ＇](?=\w)")
# A right-to-left override shows "llik" as "kill".
_BACKWARDS: Final = re.compile("\u202e([^\u202c\n]*)")
# "k1ll", "su1c1de", "h@te": digits and signs inside a word stand for letters.
_DIGITS_IN_WORD: Final = re.compile(r"(?<![\w$@])(?=[\d$@!|]*[a-z])[a-z\d$@]{1,40}(?:[!|]+[a-z\d$@]+)*")
_AS_LETTERS: Final = str.maketrans("013457$@!|", "oieastsail")
# "k i l l", "d-i-e": three letters and more, all with the same separator.
_SPELLED_OUT: Final = re.compile(r"(?<!\w)[a-z](?=([ .,\-_*/]))(?:\1[a-z]){2,}(?!\w)")
# "k*ll", "s**cide", "r*pe", "d*e": the words that filters make people mask.
_MASKED: Final = re.compile(
    r"(?<![\w*])(?:(k)[*#_.\-](?:ll?)|(s)[*#_.\-]{0,2}u?[*#_.\-]{1,2}cid|(r)[*#_.\-]pe|(d)[*#_.\-]e(?!\w))"
)
_UNMASKED: Final = {"k": "kill", "s": "suicid", "r": "rape", "d": "die"}
# "diiiie": three equal letters and more become one; "hello" keeps its two.
_DRAWN_OUT: Final = re.compile(r"([^\W\d_])\1{2,}")
# "killmyself", "wannadie": a word that is made of these alone. Longer alternatives first.
_RUN_TOGETHER: Final = re.compile(
    r"suicide|myself|wanna|going|gonna|want|kill|hate|self|hurt|life|dont|alive|live|dead|dad|mom|hits|die|cut|end|all|hit|my|to|it|me|im|be|i"
)
# Denials and subjects reach no further than a clause; "?" and ";" have Arabic forms, "。" is typed on some phones.
_CLAUSE: Final = re.compile(r"[^.!?;\n؟؛。]+")
_WORD: Final = re.compile(r"\w+")
# Laughter at the end of a clause, in the eight languages. It excuses nothing, and it hid the end from phrases that are
# anchored there: "i wish i was dead lol" (2026-11-26).
_LAUGHED: Final = re.compile(
    r"(?: (?:lol\w*|lmf?ao+|rofl|jk|jks|xd+|ha(?:ha)+h?|he(?:he)+h?|hihi|mdr+|ptdr|ja(?:ja)+j?|k{2,}|rs(?:rs)+))+$"
)


def searchable_clauses(text: str) -> Iterator[str]:
    """Yield a message's clauses, lower case, bounded, single blanks: `K1LL  m y s e l f! lol` → `kill myself`."""
    for found in _CLAUSE.finditer(_undisguised(text)):
        words = _LAUGHED.sub("", " ".join(correct_word(word) for word in _WORD.findall(found.group())))
        for start in range(0, len(words), CLAUSE_LIMIT):
            # Pieces overlap by 80 characters, so that a cut hides no phrase.
            yield words[max(0, start - CLAUSE_LIMIT // 3) : start + CLAUSE_LIMIT]


def fold_letters(text: str) -> str:
    """Return the text without diacritics and with lookalike letters replaced."""
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
    """Return the word that is meant: short forms expanded, joined words split, one typing error corrected."""
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
    """Return short forms, long words keyed by themselves with a letter deleted, and words that are never corrected."""
    sections = read_sections("spelling")
    short = dict(line.split(" = ") for line in sections["short"])
    long_words = " ".join(sections["long"]).split()
    missing = {less: word for word in long_words if len(word) >= FEWEST_LETTERS for less in _with_one_less(word)}
    return short, missing | {word: word for word in long_words}, frozenset(" ".join(sections["left alone"]).split())


def _with_one_less(word: str) -> list[str]:
    """Return the word and its deletions of one letter but the first; words that share one are one error apart."""
    return [word, *(word[:place] + word[place + 1 :] for place in range(1, len(word)))]
