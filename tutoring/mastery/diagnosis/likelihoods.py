"""The probability of each misconception of a course behind a wrong answer on a card, against none of them.

A weighted sum of a misconception's features is its log odds against "none, or a slip", which has odds of 1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from tutoring.courses.catalogue import CourseContent, Misconception
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.mastery.diagnosis import labelled_examples
from tutoring.mastery.diagnosis.classifier import KnownMisconception, MisconceptionClassifier
from tutoring.mastery.diagnosis.malrules import answer_claim, find_malrules
from tutoring.mastery.diagnosis.similar_answers import LabelledMisconception, WrongAnswerLibrary
from tutoring.mastery.misconception_evidence import MALRULE_RATIO, first_suspicion
from tutoring.understanding.parsing.arithmetic import claim_descriptions

# Concepts whose libraries are cached; each is rebuilt in some ms.
COURSES_KEPT: Final = 64

# Fitted to the 305 rows of tests/tutoring/side_agents/misconceptions_dev.jsonl, by
# tests/tutoring/mastery/diagnosis/calibration.py. A malrule that gives the answer ("rule") decides nearly alone.
FEATURE_WEIGHTS: Final[Mapping[str, float]] = {
    "speaks": 1.98, "rule": 4.61, "ruled out": 1.16, "like": 4.0, "common": 0.5, "bias": -3.06,
}  # fmt: skip

type Features = Mapping[str, float]


def answer_log_odds(question: str, answer: str, *, course: CourseContent, concept: str) -> dict[str, float]:
    """Return the log odds, against none, of each misconception that may be behind a wrong answer."""
    spoken = labelled_examples.misconception_scores("", course.id).keys()
    if 2 * len(course.misconceptions.keys() & spoken) <= len(course.misconceptions):
        # The sayings stored under this id belong to another course: they name less than half of its misconceptions.
        return _by_rules(question, answer, course=course, concept=concept)
    features = answer_features(question, answer, course=course, concept=concept)
    return {idea: weigh_features(each, FEATURE_WEIGHTS) for idea, each in features.items()}


def _by_rules(question: str, answer: str, *, course: CourseContent, concept: str) -> dict[str, float]:
    """Return the log odds by the course's labelled answers and malrules alone."""
    near = _classifier(_concept_key(course)).of_answer(question, answer, topic=concept)
    like = dict(near["top3"])
    for idea, share in find_malrules(question, answer, _known(course, concept)).items():
        odds = first_suspicion(idea, course.misconceptions[idea].base_rate).odds * max(1.0, MALRULE_RATIO * share)
        like[idea] = max(like.get(idea, 0.0), odds / (1 + odds))
    held = {idea: min(max(chance, 0.001), 0.999) for idea, chance in like.items()}
    return {idea: math.log(chance / (1 - chance)) for idea, chance in held.items()}


def chances(logits: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each; the rest of 1 is that of none."""
    highest = max(0.0, *logits.values()) if logits else 0.0
    powers = {idea: math.exp(logit - highest) for idea, logit in logits.items()}
    total = math.exp(-highest) + sum(powers.values())
    return {idea: power / total for idea, power in powers.items()}


def weigh_features(features: Features, weights: Mapping[str, float]) -> float:
    """Return the log odds for these features."""
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in features.items())


def answer_features(question: str, answer: str, *, course: CourseContent, concept: str) -> dict[str, Features]:
    """Return the features of each misconception of the lesson for a wrong answer."""
    known = _known(course, concept)
    claim = answer_claim(question, answer)
    spoken = labelled_examples.misconception_scores(claim, course.id)
    none = spoken.get(labelled_examples.NONE, 0.0)
    ruled = find_malrules(question, answer, known)
    near = _library(_concept_key(course, concept)).nearest(with_described_claims(question, answer))
    like = {each.id: each.confidence for each in near}
    return {
        each.id: {
            "speaks": spoken.get(each.id, 0.0) - none,
            "rule": ruled.get(each.id, 0.0),
            "ruled out": float(bool(ruled) and each.id not in ruled),
            "like": like.get(each.id, 0.0),
            # .1 is a middling base rate of the course files, so that "common" is 0 for it.
            "common": math.log(each.base_rate / 0.1),
        }
        for each in known
    }


def with_described_claims(question: str, answer: str) -> WrongAnswer:
    """Return an answer with descriptions of its numeric claims, so that claims of one kind are similar."""
    claims = "; ".join(claim_descriptions(answer_claim(question, answer)))
    return WrongAnswer(question=question, answer=f"{answer} ({claims})" if claims else answer)


def _known(course: CourseContent, concept: str) -> list[Misconception]:
    """Return the misconceptions of a concept; all of the course without one."""
    return [each for each in course.misconceptions.values() if not concept or concept in each.concepts]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ConceptKey:
    """A course's concept, the same one for equal ids and versions."""

    key: tuple[str, str, str]
    course: CourseContent = field(compare=False)


def _concept_key(course: CourseContent, concept: str = "") -> _ConceptKey:
    return _ConceptKey(key=(course.id, course.version, concept), course=course)


@lru_cache(maxsize=COURSES_KEPT)
def _library(shelf: _ConceptKey) -> WrongAnswerLibrary:
    """Return the labelled wrong answers of a concept: the course's, and those kept as examples."""
    kept = labelled_examples.labelled_answers(shelf.course.id)
    entries = []
    for each in _known(shelf.course, shelf.key[-1]):
        wrong = (*each.examples, *kept.get(each.id, ()))
        entries.append(
            LabelledMisconception(
                id=each.id, examples=tuple(with_described_claims(one.question, one.answer) for one in wrong)
            )
        )
    return WrongAnswerLibrary(entries)


@lru_cache(maxsize=COURSES_KEPT)
def _classifier(shelf: _ConceptKey) -> MisconceptionClassifier:
    return MisconceptionClassifier(
        [
            KnownMisconception(id=each.id, description=each.says, topics=each.concepts, examples=each.examples)
            for each in shelf.course.misconceptions.values()
        ]
    )
