"""The misconception classifier: the diagnosis of one answer or utterance by itself."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.grading.keyless_questions import solves_question
from tutoring.mastery.diagnosis.malrules import answer_claim
from tutoring.mastery.diagnosis.similar_answers import LabelledMisconception, SimilarMatch, WrongAnswerLibrary
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.understanding.parsing.arithmetic import claims_hold
from tutoring.understanding.parsing.assertions import is_asking, plain_text, sentences

# Platt scaling from the log odds of a similarity to those of being right, fitted to
# tests/tutoring/mastery/diagnosis/similar_answers_data/library.jsonl (2026-11-22). Refit if _VIEWS change.
LIKENESS_SLOPE, LIKENESS_SHIFT = 0.42, 1.44
# With the answer key no right answer of 98 questions is an alarm (57 and 37 % without). Not 0: a misconception can
# lead to the right value by accident.
CHANCE_BEHIND_RIGHT = 0.03
"""Factor on a probability if the answer is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMisconception:
    """A misconception with what the classifier needs of it."""

    id: str
    description: str
    examples: tuple[WrongAnswer, ...] = ()
    topics: tuple[str, ...] = ()


class MisconceptionClassifier:
    """Classifies answers and utterances among the given misconceptions."""

    def __init__(self, known: Sequence[KnownMisconception]) -> None:
        self._known = {each.id: each for each in known}
        self._answers = WrongAnswerLibrary(
            [LabelledMisconception(id=each.id, topics=each.topics, examples=each.examples) for each in known]
        )
        self._sayings = WrongAnswerLibrary([_as_labelled(each) for each in known])

    def of_answer(self, question: str, answer: str, *, topic: str = "", is_right: bool = False) -> dict[str, Any]:
        """Return the diagnosis of an answer, as JSON values, by similar labelled wrong answers.

        The confidence of a detected misconception is the probability that it is the right one. One is detected only if
        the answer is similar enough, and never if it is known, or can be computed, to be right.
        """
        near = self._answers.nearest(WrongAnswer(question=question, answer=answer), topic=topic)
        evidence = _("The answer %(answer)s is similar to %(other)s, a wrong answer to this question: %(question)s")
        chances = [(each.id, each.confidence) for each in near]
        if is_right or solves_question(question, answer) or claims_hold(answer_claim(question, answer)):
            return self._diagnosis(discount_right_answer(chances), evidence="", detects=False)
        if not near or near[0].confidence < SUSPECTED:
            return self._diagnosis(chances, evidence="", detects=False)
        return self._diagnosis(_calibrated(near), evidence=_evidence_sentence(evidence, near, answer=answer))

    def of_utterance(self, text: str, *, topic: str = "") -> dict[str, Any]:
        """Return the diagnosis of an utterance by similarity to descriptions, for misconceptions of no course."""
        near = self._sayings.nearest(WrongAnswer(question="", answer=text), topic=topic)
        asked = any(map(is_asking, sentences(plain_text(text))))
        evidence = _("“%(answer)s” is similar to: %(other)s")
        return self._diagnosis(
            [(each.id, each.confidence) for each in near],
            evidence=_evidence_sentence(evidence, near, answer=text),
            detects=not asked,
        )

    def _diagnosis(self, chances: list[tuple[str, float]], *, evidence: str, detects: bool = True) -> dict[str, Any]:
        found = bool(chances) and chances[0][1] >= SUSPECTED and detects
        known = self._known[chances[0][0]] if found else None
        suggestion = _("Ask how they got their answer, then try a case where this idea fails: %(idea)s")
        return {
            "misconception_detected": found,
            "misconception_type": known.id if known else None,
            "confidence": chances[0][1] if found else chance_of_none(chances),
            "evidence": evidence if known else None,
            "intervention_suggestion": suggestion % {"idea": known.description} if known else None,
            "corrective_concept": None,
            "top3": [list(chance) for chance in chances],
        }


def discount_right_answer(chances: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the probabilities discounted for a right answer, in the same order."""
    return [(idea, round(CHANCE_BEHIND_RIGHT * chance, 4)) for idea, chance in chances]


def chance_of_none(chances: Iterable[tuple[str, float]]) -> float:
    """Return the probability (0–1) that none of the misconceptions shows."""
    return round(max(0.0, 1 - sum(chance for _id, chance in chances)), 4)


def _calibrated(near: Sequence[SimilarMatch]) -> list[tuple[str, float]]:
    """Return the calibrated probability of each misconception."""
    if not near:
        return []
    first = near[0].confidence
    # Keeps the log odds finite; ±6.2 is beyond anything the library's similarities reach.
    held = min(max(first, 0.002), 0.998)
    sure = 1 / (1 + math.exp(-(LIKENESS_SLOPE * math.log(held / (1 - held)) + LIKENESS_SHIFT)))
    rest = (1 - sure) / (1 - min(first, 0.998))
    return [(near[0].id, round(sure, 4)), *((each.id, round(each.confidence * rest, 4)) for each in near[1:])]


def _as_labelled(known: KnownMisconception) -> LabelledMisconception:
    """Return a misconception as utterances: its description and its answers, without questions."""
    texts = [known.description, *(example.answer for example in known.examples)]
    return LabelledMisconception(
        id=known.id,
        topics=known.topics,
        examples=tuple(WrongAnswer(question="", answer=text) for text in texts if text),
    )


def _evidence_sentence(evidence: str, near: list[SimilarMatch], *, answer: str) -> str:
    if not near:
        return ""
    example = near[0].example
    return evidence % {"answer": answer.strip(), "other": example.answer.strip(), "question": example.question.strip()}
