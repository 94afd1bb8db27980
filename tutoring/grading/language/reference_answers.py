"""The probability that people would call an answer right, by its similarity to reference answers."""

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutoring.grading.language.clauses import Clause, QuestionVocabulary, question_vocabulary, split_clauses
from tutoring.grading.language.patterns import MAX_SEARCHED
from tutoring.grading.language.synonyms import STOP, stem

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
# As in patterns.py: a negation ends with its clause.
_CLAUSE_END = re.compile(r"[.,;:!?\n()]|\b(?:but|because|so|although|since|however|instead|then)\b")
# Content words behind one of these count as negated, see _NEGATED_WORDS.
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|none)\b|n't\b")
# Repeating the question's words must not look like an answer. Chosen by hand; the weights below were fitted with it.
_QUESTION_WORD = 0.2
"""Weight of a question word, where an answer's own word has 1."""
# "not the same …": content words only, so two reach as far as five words. Chosen by hand, like _QUESTION_WORD.
_NEGATED_WORDS = 2
# Below it a direction is rounding noise.
_NOTHING_LEFT = 1e-6

# Logistic regression with an L2 penalty of 8, on 300 short science answers graded by people (SemEval-2013 task 7,
# training part) and, counted twice, on the half of tests/tutoring/grading/short_answers.jsonl that is not frozen;
# without contradictions. Results of ten folds by question are in docs/explanation/grading.md.
_BY_WORDS: Mapping[str, float] = {"worded": 0.92, "spelled": 0.69, "covered": 1.57, "gainsaid": -1.98, "usual": 2.88}
_BY_WORDS_BIAS = -1.63
_BY_MEANING: Mapping[str, float] = {
    "worded": 0.73, "spelled": -0.14, "covered": 1.13, "gainsaid": -1.54, "usual": 1.83, "alike": 2.74, "beyond": 2.84,
    "length": 0.86, "references": -0.49,
}  # fmt: skip
_BY_MEANING_BIAS = -5.0
# A contradiction needs some overlap (.15), half of it with the opposite meaning, and no other reference affirmed nearly
# as much (.6). Chosen by hand; 88 % of the frozen contradictions are called wrong (docs/explanation/grading.md).
_CONTRADICTS_FROM, _CONTRADICTED_SHARE, _AFFIRMED_SHARE = 0.15, 0.5, 0.6

type Said = frozenset[tuple[str, bool]]
type Vector = Sequence[float]
type Embed = Callable[[tuple[str, ...]], Sequence[Vector]]
"""Texts → an embedding of length 1 for each; cached by the function's identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Similarity features of an answer and its references, from 0 to 1, but from -1 for `usual` and `beyond`.

    `worded`: share of a reference's words, negated ones subtracted. `spelled`: share of its letter trigrams, which
    tolerates endings and misspelling. `covered`: share of its words by meaning. `gainsaid`: largest share stated with
    the opposite meaning. `usual`: mean of covered minus gainsaid over the references. Question words weigh less.
    `alike`: cosine of the embeddings. `beyond`: the same without the direction of the question. `length`: words
    relative to a usual reference, at most 1. `references`: logarithm of their number, since the nearest of many is near
    by chance. `contradicts`: the reference it covers most is stated with the opposite meaning, and no other affirmed as
    much.
    """

    worded: float = 0.0
    spelled: float = 0.0
    covered: float = 0.0
    gainsaid: float = 0.0
    usual: float = 0.0
    alike: float = 0.0
    beyond: float = 0.0
    length: float = 0.0
    references: float = 0.0
    contradicts: bool = False


def chance_right(found: Likeness, *, by_meaning: bool) -> float:
    """Return the probability (0–1) that people would call an answer right; `by_meaning` if embeddings were compared."""
    weights, bias = (_BY_MEANING, _BY_MEANING_BIAS) if by_meaning else (_BY_WORDS, _BY_WORDS_BIAS)
    return 1 / (1 + math.exp(-bias - sum(weight * getattr(found, name) for name, weight in weights.items())))


def measure_likeness(
    answer: str, *, references: Iterable[str], question: str = "", embed: Embed | None = None
) -> Likeness:
    """Return the features of an answer against its nearest references; all 0 without references."""
    texts = _read(tuple(references), question)
    if not texts.references:
        return Likeness()
    said, letters = _content_with_negation(answer), _trigrams(answer)
    given = split_clauses(answer, texts.context)
    meant = [_shares_said(given, reference, texts.asked) for reference in texts.references]
    alike, beyond = _meaning(answer, texts, embed) if embed else (0.0, 0.0)
    usual_length = sum(each.length for each in texts.references) / len(texts.references)
    return Likeness(
        worded=max(_worded(said, reference, texts.asked_words) for reference in texts.references),
        spelled=max(len(letters & each.letters) / max(1, len(each.letters)) for each in texts.references),
        covered=max(covered for covered, _gainsaid in meant),
        gainsaid=max(gainsaid for _covered, gainsaid in meant),
        usual=sum(covered - gainsaid for covered, gainsaid in meant) / len(meant),
        alike=alike,
        beyond=beyond,
        length=min(1.0, len(_content(answer)) / (usual_length or 1.0)),
        references=math.log(len(texts.references)),
        contradicts=_contradicts(meant),
    )


def _contradicts(meant: Sequence[tuple[float, float]]) -> bool:
    """Tell whether the best covered reference is stated with the opposite meaning, and no other nearly affirmed."""
    covered, gainsaid = max(meant, key=lambda found: (found[0], -found[1]))
    if covered < _CONTRADICTS_FROM or gainsaid < _CONTRADICTED_SHARE * covered:
        return False
    return all(also - 2 * against < _AFFIRMED_SHARE * covered for also, against in meant)


def _meaning(answer: str, texts: "_QuestionTexts", embed: Embed) -> tuple[float, float]:
    """Return the cosine of an answer with the nearest reference, and the same without the question's direction."""
    (said,) = embed((answer[:MAX_SEARCHED],))
    asked, *meant = _vectors(embed, (texts.question, *(each.text for each in texts.references)))
    without = _off(said, asked)
    return max(_dot(said, each) for each in meant), max(_dot(without, _off(each, asked)) for each in meant)


@lru_cache(maxsize=256)
def _vectors(embed: Embed, texts: tuple[str, ...]) -> Sequence[Vector]:
    return embed(texts)


def _dot(one: Vector, other: Vector) -> float:
    return math.fsum(map(operator.mul, one, other))


def _off(vector: Vector, direction: Vector) -> Vector:
    """Return a vector without its component along a direction, of length 1; zeros if nothing is left."""
    along = _dot(vector, direction)
    left = [value - along * part for value, part in zip(vector, direction, strict=True)]
    length = math.hypot(*left)
    return [value / length for value in left] if length > _NOTHING_LEFT else [0.0] * len(left)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    text: str
    said: Said
    length: int
    """Its content words."""
    letters: frozenset[str]
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuestionTexts:
    """A question and its references, analyzed once for all its answers."""

    question: str
    context: QuestionVocabulary
    references: Sequence[_Reference]
    asked: frozenset[str]
    """The question's words by meaning."""
    asked_words: frozenset[str]


@lru_cache(maxsize=256)
def _read(references: tuple[str, ...], question: str) -> _QuestionTexts:
    context = question_vocabulary([*references, question])
    read = (
        _Reference(
            text=text[:MAX_SEARCHED],
            said=_content_with_negation(text),
            length=len(_content(text)),
            letters=_trigrams(text),
            clauses=split_clauses(text, context),
        )
        for text in references
    )
    return _QuestionTexts(
        question=question[:MAX_SEARCHED],
        context=context,
        references=[reference for reference in read if reference.said or reference.clauses],
        asked=frozenset(word for clause in split_clauses(question, context) for word in clause.words),
        asked_words=frozenset(_content(question)),
    )


def _shares_said(given: Sequence[Clause], reference: _Reference, asked: frozenset[str]) -> tuple[float, float]:
    """Return the share of a reference's words that is stated, and the share stated in a clause of opposite meaning."""

    def weight(words: Iterable[str]) -> float:
        return sum(_QUESTION_WORD if word in asked else 1.0 for word in words)

    wanted = {word for clause in reference.clauses for word in clause.words}
    said = {word for clause in given for word in clause.words}
    total = weight(wanted) or 1.0
    gainsaid = 0.0
    for clause in reference.clauses:
        shared = [(weight(clause.words.keys() & each.words.keys()), place) for place, each in enumerate(given)]
        most, place = max(shared, key=lambda found: (found[0], -found[1]), default=(0.0, 0))
        if most and clause.contradicts_clause(given[place]):
            gainsaid += most
    return weight(wanted & said) / total, min(1.0, gainsaid / total)


def _worded(said: Said, reference: _Reference, asked: frozenset[str]) -> float:
    weights = {word: _QUESTION_WORD if word[0] in asked else 1.0 for word in reference.said}
    agreed = sum(weight * _agreement(word, said) for word, weight in weights.items())
    return max(0.0, agreed / (sum(weights.values()) or 1.0))


def _agreement(word: tuple[str, bool], said: Said) -> int:
    stemmed, negated = word
    return 1 if word in said else -1 if (stemmed, not negated) in said else 0


def _content_with_negation(text: str) -> Said:
    """Return the content words of a text, each with whether it is negated just before."""
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
