"""Which misconceptions a message shows: by its meaning, the course's patterns, and how wrong it is as a reply.

Weights and thresholds are fitted to what the labelled sentences of Fractions score when they are left out, 2026-11-23.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tutoring.hub.sayings import in_claims
from tutoring.rules.claims import find
from tutoring.understanding import reply_chances, sentences
from tutoring.understanding.course_heads import CourseHeads, heads_of
from tutoring.understanding.features import meaning, pieces
from tutoring.understanding.stances import Claimed
from tutoring.understanding.values import Evidence

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Course, Misconception
    from tutoring.understanding.context import Context
    from tutoring.understanding.features import Vector

WEIGHTS: Final[Mapping[str, float]] = {
    "score": 20.89, "none": -3.38, "claimed": 2.88, "denied": -2.3, "outside": -3.53,
    "reply": -1.34, "right": -1.13, "wrong": 4.14, "bias": -2.47,
}  # fmt: skip
HELD: Final = 0.91
"""The chance from which one is named: 0.7 % false alarms among 4,075 sentences, most of them made to be mistaken."""
BY_PATTERN: Final = 0.92
"""The chance of one that the course's patterns find in a lesson it belongs to, where nothing was fitted."""


def held(text: str, said: Sequence[Claimed], context: "Context") -> tuple[Evidence, ...]:
    """Return the misconceptions that the sentences claimed in a message show, the likeliest first."""
    course = context.course
    if course is None or not said:
        return ()
    best: dict[str, Evidence] = {}
    for each, chances in zip(said, _chances(text, said, course, context), strict=True):
        for idea, chance in chances.items():
            right = context.equal_parts_drawn and course.misconceptions[idea].right_of_equal_parts
            if chance >= HELD and not right and (idea not in best or chance > best[idea].probability):
                best[idea] = Evidence(id=idea, probability=round(chance, 3), quote=each.quote)
    return tuple(sorted(best.values(), key=lambda each: -each.probability))


def _chances(text: str, said: Sequence[Claimed], course: "Course", context: "Context") -> list[dict[str, float]]:
    """Return for each sentence the chance of each misconception."""
    here = context.concept.id if context.concept else ""
    heads = heads_of(course)
    vectors = sentences.vectors(said) if heads else None
    if heads is None or vectors is None:
        return [_by_patterns(each.words, course, here) for each in said]
    reply = reply_chances.of(text, context.prompts[0], course) if context.is_replying else None
    to = meaning(context.prompts[0].text if reply else "")
    found = []
    for each, vector in zip(said, vectors, strict=True):
        scores = _scores(heads, vector, each.words, to)
        logits = {
            idea.id: weighed(features(idea, each.words, scores=scores, here=here, reply=reply))
            for idea in course.misconceptions.values()
        }
        found.append(_shares(logits))
    return found


def _scores(heads: CourseHeads, vector: "Vector", words: str, to: "Vector") -> Mapping[str, float]:
    import numpy as np

    found = heads.misconceptions.of(np.hstack([vector, pieces(in_claims(words)), to]))
    return dict(zip(heads.misconceptions.labels, found.tolist(), strict=True))


def features(
    idea: "Misconception", words: str, *, scores: Mapping[str, float], here: str, reply: Mapping[str, float] | None
) -> dict[str, float]:
    """Return what speaks for a misconception in a sentence of plain words; `here` is the concept taught, empty for none."""
    standings = {found.standing for found in find(idea.utterances, text=words)}
    return {
        "score": scores.get(idea.id, 0.0),
        "none": scores.get("", 0.0),
        "claimed": float("claimed" in standings),
        "denied": float("denied" in standings and "claimed" not in standings),
        "outside": float(bool(here) and here not in idea.concepts),
        "reply": float(reply is not None),
        "right": reply["right"] if reply else 0.0,
        "wrong": reply["wrong"] if reply else 0.0,
        "bias": 1.0,
    }


def weighed(found: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in found.items())


def _shares(logits: Mapping[str, float]) -> dict[str, float]:
    """Return log odds against none as chances that add up to less than 1."""
    highest = max(0.0, *logits.values()) if logits else 0.0
    powers = {idea: math.exp(logit - highest) for idea, logit in logits.items()}
    total = math.exp(-highest) + sum(powers.values())
    return {idea: power / total for idea, power in powers.items()}


def _by_patterns(words: str, course: "Course", here: str) -> dict[str, float]:
    return {
        idea.id: BY_PATTERN
        for idea in course.misconceptions.values()
        if (not here or here in idea.concepts)
        and any(found.standing == "claimed" for found in find(idea.utterances, text=words))
    }
