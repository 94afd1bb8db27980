"""Clauses of a short text: their words by meaning, and their polarity.

"Bulb A is in a different path" and "bulb A isn't in the same loop" mean the same: one has an antonym where the other
has a negation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tutoring.grading.language.misspellings import correct_spelling, is_one_slip_away
from tutoring.grading.language.patterns import MAX_SEARCHED
from tutoring.grading.language.synonyms import OPPOSITES, STOP, SYNONYMS, stem
from tutoring.grading.language.vocabulary import NEGATIONS, NUMBER_WORDS, word_set

# "don`t", "don"t": keys beside the apostrophe.
_APOSTROPHE = re.compile(r"(?<=[a-z])[\"^`’‘](?=(?:t|s|re|ll|ve|d|m)\b)", re.IGNORECASE)
# "No, they are equal" answers the question and denies nothing in the clause.
_LEADING_NO = re.compile(r"^\W*(?:no\b\W*[.,;:]|nope\b)")
_WHETHER = re.compile(r"\bwhether or not\b")
# A negation ends with its clause. A comma ends one only before a connective: "a, b and c" is a list.
_CLAUSE_END = re.compile(
    r"(?<!\d)[.](?!\d)|[;:!?\n()]|,(?=\s*(?:but|so|because|and|then|which|it|they|there|this|that|not)\b)"
    r"|\b(?:because|but|so|since|although|however|instead|which|when|while|if)\b"
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|,")
# Single capitals are names ("bulb B"); "A" and "I" are mostly words, so "A" needs a sign that it is a name.
_LABEL = re.compile(r"(?<![\w'])(?:[B-HJ-Z]|A(?=,|\s+(?:and|or|is)\b)|(?<=[a-z] )A|(?<=[a-z], )A)(?![\w'])")
# The word before a label says what it names: "bulb" of "bulb B".
_BEFORE = re.compile(r"([a-z]+),? $")
_LISTED = frozenset({"and", "or", ","})
# Shorter words are one letter from too many others. Chosen by hand.
_MISSPELT_FROM = 5
# "not as heavy as" means less, which a count of negations would miss.
_NOT_AS = re.compile(r"\b(?:not|isn't|aren't|wasn't|weren't) (?:nearly |quite |just )?(?:as|so)\b(?=.*\bas\b)")
# "stops it moving", "keeps the air out" deny without a negation word.
_STOPS = word_set("stop stops stopped stopping prevent prevents prevented preventing")
_KEEPS = word_set("keep keeps kept keeping")
# Words with two sides that must not be swapped: "A is heavier than B". B comes from A if A turns into B.
_SIDED = {"than": "than", "into": "into", "from": "into"}

_MORE = "more"
_MOST = {"more": True, "most": True, "less": False, "least": False, "fewer": False, "fewest": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """`words` by meaning, each True as itself and False as its antonym; `denied`: an odd number of negations."""

    words: Mapping[str, bool]
    denied: bool
    sides: tuple[str, frozenset[str], frozenset[str]] = ("", frozenset(), frozenset())
    """A two-sided word, "than" or "into", with the words before and after it, by meaning; empty without one."""

    def contradicts_clause(self, other: "Clause") -> bool:
        """Tell whether two clauses assert opposites about the words they share."""
        flipped = sum(self.words[word] != other.words[word] for word in self.words.keys() & other.words.keys())
        return bool((flipped + self.denied + other.denied + self._turns_round(other)) % 2)

    def _turns_round(self, other: "Clause") -> bool:
        """Tell whether the sides are swapped: "A is less than B", "B is more than A"; "A into B", "B into A"."""
        (kind, first, second), (other_kind, third, fourth) = self.sides, other.sides
        swapped = first & fourth and second & third and not (first & third and second & fourth)
        return bool(kind == other_kind and swapped)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionVocabulary:
    """The vocabulary of a question and its references: single letters that are names, what they name, all words."""

    labels: frozenset[str]
    named: frozenset[str]
    spelled: tuple[str, ...]


def question_vocabulary(texts: Iterable[str]) -> QuestionVocabulary:
    """Return the vocabulary in which answers to a question are interpreted."""
    labels: set[str] = set()
    named: set[str] = set()
    spelled: dict[str, None] = {}
    for text in texts:
        for match in _LABEL.finditer(text):
            labels.add(match.group().lower())
            before = _BEFORE.search(text[max(0, match.start() - 40) : match.start()])
            named.update({stem(before[1])} if before else ())
        spelled |= dict.fromkeys(word for word in _WORD.findall(text.lower()) if len(word) >= _MISSPELT_FROM - 1)
    return QuestionVocabulary(labels=frozenset(labels), named=frozenset(named - STOP), spelled=tuple(spelled))


def split_clauses(text: str, context: QuestionVocabulary) -> list[Clause]:
    """Return the clauses of a text that have content words; the first 2,000 characters count."""
    plain = correct_spelling(_APOSTROPHE.sub("'", text[:MAX_SEARCHED]).lower())
    plain = _NOT_AS.sub("less", _WHETHER.sub("whether", _LEADING_NO.sub(" ", plain)))
    found = (_clause(_WORD.findall(part), context) for part in _CLAUSE_END.split(plain))
    return [clause for clause in found if clause.words]


def _clause(words: list[str], context: QuestionVocabulary) -> Clause:
    denied = sum(map(_denies, words)) + sum(_prevents(words, place) for place in range(len(words)))
    said = [word for word in words if not _denies(word)]
    return Clause(words=dict(_meanings(said, context)), denied=bool(denied % 2), sides=_sides(said, context))


def _sides(words: list[str], context: QuestionVocabulary) -> tuple[str, frozenset[str], frozenset[str]]:
    place = next((place for place, word in enumerate(words) if word in _SIDED), None)
    if place is None:
        return "", frozenset(), frozenset()
    before, after = _things(words[:place], context), _things(words[place + 1 :], context)
    return (_SIDED[words[place]], after, before) if words[place] == "from" else (_SIDED[words[place]], before, after)


def _things(words: list[str], context: QuestionVocabulary) -> frozenset[str]:
    return frozenset(word for word, _affirmed in _meanings(words, context)) - {_MORE}


def _denies(word: str) -> bool:
    return word in NEGATIONS or word == "none" or word.endswith("n't")


def _prevents(words: list[str], place: int) -> bool:
    """Tell whether a word says that something is prevented: "stops it moving", "keeps the air out"."""
    # Five words, since more would cross into the next phrase. Chosen by hand.
    after = words[place + 1 : place + 6]
    if words[place] in _STOPS:
        return any(word in ("from", "getting") or word.endswith("ing") for word in after)
    return words[place] in _KEEPS and any(word in ("away", "out", "off", "from") for word in after)


def _meanings(words: list[str], context: QuestionVocabulary) -> Iterator[tuple[str, bool]]:
    for place, word in enumerate(words):
        if len(word) == 1 and word.isalpha():
            if word in context.labels and (word != "a" or _is_name(words, place, context)):
                yield f"#{word}", True
        elif word[0].isdigit():
            yield f"#{word.rstrip('0').rstrip('.') if '.' in word else word}", True
        elif word in NUMBER_WORDS and (word != "one" or _counts(words, place, context)):
            yield f"#{NUMBER_WORDS[word]}", True
        elif word in _MOST:
            yield _MORE, _MOST[word]
        elif word != "," and word not in STOP:
            if word.endswith(("er", "est")) and _is_comparative(word, context.spelled):
                yield _MORE, True
            root = stem(_respelt(word.partition("'")[0], context.spelled))
            root = SYNONYMS.get(root, root)
            yield OPPOSITES.get(root, root), root not in OPPOSITES


@lru_cache(maxsize=8192)
def _is_comparative(word: str, spelled: tuple[str, ...]) -> bool:
    """Tell whether a word is the comparative of a word in the context: "denser", if something is "dense"."""
    root = stem(word)
    return any(each != word and not each.endswith(("er", "est")) and stem(each) == root for each in spelled)


def _is_name(words: list[str], place: int, context: QuestionVocabulary) -> bool:
    """Tell whether an "a" is a name, not an article: "bulb a", "a and b"."""
    before, after = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
    return stem(before) in context.named or after in _LISTED or (before in _LISTED and after in ("", "is", "are"))


def _counts(words: list[str], place: int, context: QuestionVocabulary) -> bool:
    """Tell whether a "one" numbers something: "terminal one"."""
    return place > 0 and words[place - 1] in context.spelled


@lru_cache(maxsize=8192)
def _respelt(word: str, spelled: tuple[str, ...]) -> str:
    """Return the context word that was meant, if this is one typing error away from it and no context word itself."""
    if len(word) < _MISSPELT_FROM or word in spelled:
        return word
    return next((meant for meant in spelled if meant[0] == word[0] and is_one_slip_away(word, meant)), word)
