"""Finds the milestones of the concept that a message states in the learner's own words.

Weights and threshold are fitted to leave-one-out scores of the labelled sentences of Fractions, 2026-11-23.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tutoring.grading.judges.texts import COVERED, plain_coverage
from tutoring.understanding.classifiers import sentence_vectors
from tutoring.understanding.classifiers.course_heads import LinearScores, load_course_heads
from tutoring.understanding.classifiers.features import piece_vector
from tutoring.understanding.message_analysis import Evidence
from tutoring.understanding.parsing.claim_descriptions import describe_text
from tutoring.understanding.parsing.claimed_sentences import ClaimedSentence
from tutoring.understanding.parsing.repetition import is_repeated

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, Milestone
    from tutoring.understanding.classifiers.features import Vector
    from tutoring.understanding.context import Context

# "none" and "sibling" are the strongest: half of a milestone, or another one, sounds much like it. "covered" is next to
# nothing beside "share", which says the same more finely.
WEIGHTS: Final[Mapping[str, float]] = {
    "score": 5.87, "none": -8.6, "sibling": -5.31, "covered": -0.31, "share": 4.36, "bias": 1.55,
}  # fmt: skip
# A milestone that is granted wrongly ends the lesson's work on it; one that is missed is asked for again. At .83 it is
# found in 0.3 % of the sentences that state none.
SAID: Final = 0.83
"""The probability from which a sentence states a milestone."""


def milestones_said(
    said: Sequence[ClaimedSentence], context: "Context", *, wrong: frozenset[str] = frozenset()
) -> tuple[Evidence, ...]:
    """Return the milestones of the concept that sentences state; none while a misconception of the concept is active.

    `wrong` are the misconceptions that the message itself shows. A sentence counts for one milestone at most.
    """
    course, concept = context.course, context.concept
    if course is None or concept is None or not concept.milestones:
        return ()
    here = {each.id for each in course.misconceptions.values() if concept.id in each.concepts}
    held = context.active | wrong
    heads = load_course_heads(course)
    # "adding destroys the meaning, no?" asks whether it is so.
    own = [each for each in said if not is_repeated(each.words, context) and not each.quote.endswith("?")]
    if heads is None or held & here or not own or (vectors := sentence_vectors.sentence_vectors(own)) is None:
        return ()
    found: dict[str, Evidence] = {}
    for each, vector in zip(own, vectors, strict=True):
        scores = _scores(heads.milestones, vector, each.words)
        milestone, chance = _likeliest(each.words, concept, scores)
        if chance >= SAID and not held & set(milestone.contradicts) and milestone.id not in found:
            found[milestone.id] = Evidence(id=milestone.id, probability=round(chance, 3), quote=each.quote)
    return tuple(sorted(found.values(), key=lambda each: -each.probability))


def _scores(head: LinearScores, vector: "Vector", words: str) -> Mapping[str, float]:
    import numpy as np

    return dict(
        zip(head.labels, head.of(np.hstack([vector, piece_vector(describe_text(words))])).tolist(), strict=True)
    )


def _likeliest(words: str, concept: "ConceptContent", scores: Mapping[str, float]) -> "tuple[Milestone, float]":
    logits = [weigh_features(milestone_features(each, words, concept, scores)) for each in concept.milestones]
    highest = max(0.0, *logits)
    powers = [math.exp(logit - highest) for logit in logits]
    best = max(range(len(powers)), key=powers.__getitem__)
    return concept.milestones[best], powers[best] / (math.exp(-highest) + sum(powers))


def milestone_features(
    milestone: "Milestone", words: str, concept: "ConceptContent", scores: Mapping[str, float]
) -> dict[str, float]:
    """Return the features of a milestone for a sentence of plain words."""
    share = plain_coverage(milestone.ideas, text=words)[0]
    siblings = (scores.get(each.id, 0.0) for each in concept.milestones if each.id != milestone.id)
    return {
        "score": scores.get(milestone.id, 0.0),
        "none": scores.get("", 0.0),
        "sibling": max(siblings, default=0.0),
        "covered": float(share >= COVERED),
        "share": share,
        "bias": 1.0,
    }


def weigh_features(found: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in found.items())
