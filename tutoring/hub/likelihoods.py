"""How likely each misconception of a course is behind an answer on a card, beside none of them.

Each idea has features; a weighted sum of them is its log odds against "none, or a slip", which always competes with odds of 1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tutoring.courses.catalogue import Course, Misconception
from tutoring.hub import sayings
from tutoring.rules.behind import claim_of, rules_behind
from tutoring.rules.diagnosing import Classifier, Known
from tutoring.rules.misconceptions import MALRULE_RATIO, first_suspicion
from tutoring.rules.nearest import Labelled, Library, WrongAnswer
from tutoring.rules.reckoning import claims_in

COURSES_KEPT: Final = 64

# Fitted to tests/tutoring/hub/misconceptions_dev.jsonl, by tests/tutoring/hub/calibrating.py.
ANSWERS: Final[Mapping[str, float]] = {
    "speaks": 1.98, "rule": 4.61, "ruled out": 1.16, "like": 4.0, "common": 0.5, "bias": -3.06,
}  # fmt: skip

type Features = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A misconception, and its log odds against none."""

    id: str
    logit: float


def of_answer(question: str, answer: str, *, course: Course, concept: str = "") -> list[Candidate]:
    """Return the wrong ideas that may be behind a wrong answer."""
    if not _has_sayings(_Shelf(course=course)):
        return _by_rules(question, answer, course=course, concept=concept)
    features = answer_features(question, answer, course=course, concept=concept)
    return [Candidate(id=idea, logit=weighed(each, ANSWERS)) for idea, each in features.items()]


def _by_rules(question: str, answer: str, *, course: Course, concept: str) -> list[Candidate]:
    """Return what the course's labelled answers, and the rules of its misconceptions, make of a wrong answer."""
    near = _classifier(_Shelf(course=course)).of_answer(question, answer, topic=concept)
    like = dict(near["top3"])
    known = [each for each in course.misconceptions.values() if _is_of(each, concept)]
    for idea, share in rules_behind(question, answer, known).items():
        odds = first_suspicion(idea, course.misconceptions[idea].base_rate).odds * max(1.0, MALRULE_RATIO * share)
        like[idea] = max(like.get(idea, 0.0), odds / (1 + odds))
    return [Candidate(id=idea, logit=_logit(chance)) for idea, chance in like.items()]


def _logit(chance: float) -> float:
    held = min(max(chance, 0.001), 0.999)
    return math.log(held / (1 - held))


def chances(logits: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each; what is left of 1 is that of none."""
    highest = max(0.0, *logits.values()) if logits else 0.0
    powers = {idea: math.exp(logit - highest) for idea, logit in logits.items()}
    total = math.exp(-highest) + sum(powers.values())
    return {idea: power / total for idea, power in powers.items()}


def weighed(features: Features, weights: Mapping[str, float]) -> float:
    """Return the log odds of an idea with these features."""
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in features.items())


def answer_features(question: str, answer: str, *, course: Course, concept: str) -> dict[str, Features]:
    """Return the features of each wrong idea of the lesson for a wrong answer."""
    known = [each for each in course.misconceptions.values() if _is_of(each, concept)]
    claim = claim_of(question, answer)
    spoken = sayings.speaks_for(claim, course.id)
    none = spoken.get(sayings.NONE, 0.0)
    ruled = rules_behind(question, answer, known)
    near = _library(_Shelf(course=course, concept=concept)).nearest(in_claims(question, answer))
    like = {each.id: each.confidence for each in near}
    return {
        each.id: {
            "speaks": spoken.get(each.id, 0.0) - none,
            "rule": ruled.get(each.id, 0.0),
            "ruled out": float(bool(ruled) and each.id not in ruled),
            "like": like.get(each.id, 0.0),
            "common": math.log(each.base_rate / 0.1),
        }
        for each in known
    }


def in_claims(question: str, answer: str) -> WrongAnswer:
    """Return an answer with what it claims described after it, so that claims of one kind are alike."""
    claims = "; ".join(claims_in(claim_of(question, answer)))
    return WrongAnswer(question=question, answer=f"{answer} ({claims})" if claims else answer)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Shelf:
    """A course's concept, the same one for equal ids and versions."""

    course: Course
    concept: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shelf) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, str, str]:
        return self.course.id, self.course.version, self.concept


@lru_cache(maxsize=COURSES_KEPT)
def _has_sayings(shelf: _Shelf) -> bool:
    """Tell whether the examples of that name are of this course: they know most of its misconceptions."""
    known = shelf.course.misconceptions.keys()
    return 2 * len(known & sayings.speaks_for("", shelf.course.id).keys()) > len(known)


@lru_cache(maxsize=COURSES_KEPT)
def _library(shelf: _Shelf) -> Library:
    """Return the labelled wrong answers of a concept: the course's, and those kept as examples."""
    course, kept = shelf.course, sayings.answers(shelf.course.id)
    return Library(
        [
            Labelled(
                id=each.id,
                examples=tuple(
                    in_claims(wrong.question, wrong.answer) for wrong in (*each.examples, *kept.get(each.id, ()))
                ),
            )
            for each in course.misconceptions.values()
            if _is_of(each, shelf.concept)
        ]
    )


def _is_of(idea: Misconception, concept: str) -> bool:
    return not concept or concept in idea.concepts


@lru_cache(maxsize=COURSES_KEPT)
def _classifier(shelf: _Shelf) -> Classifier:
    return Classifier([_known_of(each, shelf.course) for each in shelf.course.misconceptions.values()])


def _known_of(each: Misconception, course: Course) -> Known:
    titles = tuple(concept.title for concept in course.concepts if concept.id in each.concepts)
    return Known(
        id=each.id,
        description=each.says,
        examples=each.examples,
        topics=(*each.concepts, *titles, course.id, course.title),
        correct_idea=each.correct_idea,
        case=" ".join(" ".join(block.split()) for block in each.contrast.blocks if isinstance(block, str)),
        base_rate=each.base_rate,
    )
