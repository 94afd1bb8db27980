"""Finds the labelled wrong answers most similar to a wrong answer, and the probability of the misconception behind."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.mastery.diagnosis.answer_derivations import derivation_features, normalize_maths, piece_kind, pieces

# No exercise is half as long; bounds the n-grams.
MAX_TEXT = 2_000
# The right one is among the first three in 94 % of 84 held-out answers, first in 68 %.
MATCHES_SHOWN = 3

type Features = Mapping[str, float]
type View = Callable[[str, str], Features]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMisconception:
    """A misconception with wrong answers that show it; `topics` are the names it can be asked for by."""

    id: str
    examples: tuple[WrongAnswer, ...]
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarMatch:
    """A misconception, how likely it is behind the answer (0–1), and the example of it that is most like the answer."""

    id: str
    confidence: float
    example: WrongAnswer


def _words(question: str, answer: str) -> Features:
    return Counter(pieces(f"{question} | {answer}"))


def _letters(question: str, answer: str) -> Features:
    text = f" {question} | {answer} "
    return Counter(text[start : start + size] for size in (2, 3, 4) for start in range(len(text) - size + 1))


def _shape(question: str, answer: str) -> Features:
    kinds = [piece_kind(piece) for piece in pieces(f"{question} | {answer}")]
    return Counter(" ".join(kinds[at : at + size]) for size in (1, 2, 3, 4) for at in range(len(kinds) - size + 1))


# Weights of the views, chosen like the values below on the 184 answers in
# tests/tutoring/mastery/diagnosis/similar_answers_data (79 % first). Held out: 68 %, 45 % without derivations.
_VIEWS: tuple[tuple[View, float], ...] = ((_words, 1.0), (_letters, 1.0), (_shape, 1.0), (derivation_features, 2.0))
# Turns differences of similarity into probabilities; lower is more decided.
_TEMPERATURE = 0.045
# A best similarity of .34 is as likely as not one of the known misconceptions; below it "none" wins.
_FITS_SLOPE, _FITS_FROM = 14.0, 0.34


class WrongAnswerLibrary:
    """An index of labelled wrong answers by TF-IDF features; `nearest` queries it."""

    def __init__(self, entries: Sequence[LabelledMisconception]) -> None:
        self._entries = [entry for entry in entries if entry.examples]
        rows = [(index, example) for index, entry in enumerate(self._entries) for example in entry.examples]
        self._owners = [index for index, _ in rows]
        self._examples = [example for _, example in rows]
        self._views = [_TfidfIndex(view, self._examples) for view, _ in _VIEWS]

    def nearest(
        self, wrong: WrongAnswer, *, topic: str = "", among: frozenset[str] | None = None
    ) -> list[SimilarMatch]:
        """Return at most three misconceptions, the likeliest first; the rest of 1 is the probability of none.

        `topic` restricts to misconceptions of that topic, if there are any; `among` restricts to those ids.
        """
        wanted = self._wanted(topic, among)
        if not wanted:
            return []
        alike = self._likenesses(wrong)
        scores = {index: _combined_likeness([alike[row] for row in rows]) for index, rows in wanted.items()}
        chances = _chances(scores)
        best = sorted(scores, key=lambda index: (-scores[index], self._entries[index].id))[:MATCHES_SHOWN]
        return [
            SimilarMatch(
                id=self._entries[index].id,
                confidence=round(chances[index], 4),
                example=self._examples[max(wanted[index], key=lambda row: alike[row])],
            )
            for index in best
        ]

    def _wanted(self, topic: str, among: frozenset[str] | None) -> dict[int, list[int]]:
        """Return the rows of each requested entry."""
        named = {
            index for index, entry in enumerate(self._entries) if _topic_key(topic) in map(_topic_key, entry.topics)
        }
        wanted: defaultdict[int, list[int]] = defaultdict(list)
        for row, index in enumerate(self._owners):
            if (not named or index in named) and (among is None or self._entries[index].id in among):
                wanted[index].append(row)
        return wanted

    def _likenesses(self, wrong: WrongAnswer) -> list[float]:
        """Return the similarity (0–1) of each example."""
        total = sum(weight for _, weight in _VIEWS)
        alike = [0.0] * len(self._examples)
        for view, (_, weight) in zip(self._views, _VIEWS, strict=True):
            for row, cosine in view.cosines(wrong).items():
                alike[row] += weight / total * cosine
        return alike


class _TfidfIndex:
    """The examples in one view: TF-IDF vectors of length 1, inverted by feature."""

    def __init__(self, view: View, examples: Sequence[WrongAnswer]) -> None:
        self._view = view
        found = [self._features(example) for example in examples]
        seen = Counter(name for features in found for name in features)
        self._unseen = math.log(1 + len(found)) + 1
        self._rarity = {name: self._unseen - math.log(1 + count) for name, count in seen.items()}
        self._rows: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, features in enumerate(found):
            for name, weight in self._vector(features).items():
                self._rows[name].append((row, weight))

    def cosines(self, wrong: WrongAnswer) -> Mapping[int, float]:
        found: defaultdict[int, float] = defaultdict(float)
        for name, weight in self._vector(self._features(wrong)).items():
            for row, other in self._rows.get(name, ()):
                found[row] += weight * other
        return found

    def _features(self, wrong: WrongAnswer) -> Features:
        return self._view(normalize_maths(wrong.question[:MAX_TEXT]), normalize_maths(wrong.answer[:MAX_TEXT]))

    def _vector(self, features: Features) -> Features:
        weights = {
            name: (1 + math.log(count) if count > 1 else count) * self._rarity.get(name, self._unseen)
            for name, count in features.items()
        }
        length = math.hypot(*weights.values()) or 1.0
        return {name: weight / length for name, weight in weights.items()}


def _combined_likeness(likenesses: Sequence[float]) -> float:
    """Return the similarity of a misconception: the mean of its best example's and of all."""
    # The best alone follows one odd example, the mean alone punishes misconceptions with varied ones.
    return (max(likenesses) + sum(likenesses) / len(likenesses)) / 2


def _chances(scores: Mapping[int, float]) -> dict[int, float]:
    """Return the probability of each; the rest, that of none, depends on the best similarity."""
    best = max(scores.values())
    powers = {index: math.exp((score - best) / _TEMPERATURE) for index, score in scores.items()}
    fits = 1 / (1 + math.exp(-_FITS_SLOPE * (best - _FITS_FROM)))
    return {index: fits * power / sum(powers.values()) for index, power in powers.items()}


def _topic_key(topic: str) -> str:
    return " ".join(topic.casefold().split())
