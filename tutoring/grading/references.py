"""How likely people would call an answer right, by how it compares with the reference answers of its question."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .clauses import Clause, Context, clauses, context_of
from .patterns import MAX_SEARCHED
from .synonyms import STOP, stem

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_CLAUSE_END = re.compile(r"[.,;:!?\n()]|\b(?:but|because|so|although|since|however|instead|then)\b")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|none)\b|n't\b")
_QUESTION_WORD = 0.2
"""What a word of the question weighs beside one that is the answer's own."""
_NEGATED_WORDS = 2

# Fitted once, by logistic regression with an L2 penalty, on 300 short science answers that people had graded (SemEval-2013
# task 7, training part). In ten folds by question 78 % were judged as people did (Beetle 79, SciEntsBank 77), of the half
# with the chances furthest from even 88 %; which features to take was decided on the same answers.
_WEIGHTS: Mapping[str, float] = {"worded": 1.09, "spelled": 1.64, "covered": 0.88, "gainsaid": -1.24, "usual": 1.7}
_BIAS = -1.96

type Said = frozenset[tuple[str, bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How an answer compares with reference answers, each from 0 to 1 but `usual`, which goes down to -1.

    `worded`: share of a reference's words said, denied ones counted off. `spelled`: share of its groups of three letters,
    which forgives endings and misspelling. `covered`: share of its words by meaning, wherever said. `gainsaid`: the most of
    a reference that is said with the opposite meaning. `usual`: mean over the references of what is covered, the gainsaid
    taken off. Words of the question weigh less.
    """

    worded: float = 0.0
    spelled: float = 0.0
    covered: float = 0.0
    gainsaid: float = 0.0
    usual: float = 0.0


def chance_right(answer: str, *, references: Iterable[str], question: str = "") -> float:
    """Return how likely people would call an answer right (0–1)."""
    found = likeness(answer, references=references, question=question)
    return 1 / (1 + math.exp(-_BIAS - sum(weight * getattr(found, name) for name, weight in _WEIGHTS.items())))


def likeness(answer: str, *, references: Iterable[str], question: str = "") -> Likeness:
    """Return how an answer compares with the references that come nearest to it; with none of them it has nothing alike."""
    texts = _read(tuple(references), question)
    if not texts.references:
        return Likeness()
    said, letters = _polar(answer), _trigrams(answer)
    given = clauses(answer, texts.context)
    meant = [_meant(given, reference, texts.asked) for reference in texts.references]
    return Likeness(
        worded=max(_worded(said, reference, texts.asked_words) for reference in texts.references),
        spelled=max(len(letters & each.letters) / max(1, len(each.letters)) for each in texts.references),
        covered=max(covered for covered, _gainsaid in meant),
        gainsaid=max(gainsaid for _covered, gainsaid in meant),
        usual=sum(covered - gainsaid for covered, gainsaid in meant) / len(meant),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    said: Said
    letters: frozenset[str]
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Texts:
    """A question and its references, read once for all its answers."""

    context: Context
    references: Sequence[_Reference]
    asked: frozenset[str]
    """The question's words by meaning."""
    asked_words: frozenset[str]


@lru_cache(maxsize=256)
def _read(references: tuple[str, ...], question: str) -> _Texts:
    context = context_of([*references, question])
    read = (
        _Reference(said=_polar(text), letters=_trigrams(text), clauses=clauses(text, context)) for text in references
    )
    return _Texts(
        context=context,
        references=[reference for reference in read if reference.said or reference.clauses],
        asked=frozenset(word for clause in clauses(question, context) for word in clause.words),
        asked_words=frozenset(_content(question)),
    )


def _meant(given: Sequence[Clause], reference: _Reference, asked: frozenset[str]) -> tuple[float, float]:
    """Return the shares of a reference's words that are said at all, and that are said in a clause that means the opposite."""

    def weight(words: Iterable[str]) -> float:
        return sum(_QUESTION_WORD if word in asked else 1.0 for word in words)

    wanted = {word for clause in reference.clauses for word in clause.words}
    said = {word for clause in given for word in clause.words}
    total = weight(wanted) or 1.0
    gainsaid = 0.0
    for clause in reference.clauses:
        shared = [(weight(clause.words.keys() & each.words.keys()), place) for place, each in enumerate(given)]
        most, place = max(shared, key=lambda found: (found[0], -found[1]), default=(0.0, 0))
        if most and clause.gainsays(given[place]):
            gainsaid += most
    return weight(wanted & said) / total, min(1.0, gainsaid / total)


def _worded(said: Said, reference: _Reference, asked: frozenset[str]) -> float:
    weights = {word: _QUESTION_WORD if word[0] in asked else 1.0 for word in reference.said}
    agreed = sum(weight * _agreement(word, said) for word, weight in weights.items())
    return max(0.0, agreed / (sum(weights.values()) or 1.0))


def _agreement(word: tuple[str, bool], said: Said) -> int:
    stemmed, negated = word
    return 1 if word in said else -1 if (stemmed, not negated) in said else 0


def _polar(text: str) -> Said:
    """Return the content words of a text, each with whether one of the words just before it says no."""
    return frozenset(_polar_words(text[:MAX_SEARCHED].casefold().replace("’", "'")))


def _polar_words(text: str) -> Iterator[tuple[str, bool]]:
    for clause in _CLAUSE_END.split(text):
        affirmed, *negated = _NEGATION.split(clause)
        yield from ((word, False) for word in _content(affirmed))
        for part in negated:
            yield from ((word, index < _NEGATED_WORDS) for index, word in enumerate(_content(part)))


def _trigrams(text: str) -> frozenset[str]:
    joined = " ".join(_content(text))
    return frozenset(joined[start : start + 3] for start in range(len(joined) - 2))


def _content(text: str) -> list[str]:
    """Return the stems of a text's content words, in order."""
    return [stem(word) for word in _WORD.findall(text[:MAX_SEARCHED].casefold()) if word not in STOP]
