"""Finds the misconceptions that a message shows: by the encoder and its words, and by the course's patterns.

Thresholds and weights were chosen on `bench/understanding/development/misconceptions.jsonl`, 2026-11-24.
"""

import math
from collections.abc import Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.classifiers.course_heads import load_course_heads
from tutoring.understanding.classifiers.features import word_letter_vector
from tutoring.understanding.message_analysis import Evidence
from tutoring.understanding.parsing.assertions import find_patterns
from tutoring.understanding.parsing.claim_descriptions import describe_text
from tutoring.understanding.parsing.claimed_sentences import ClaimedSentence

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.classifiers.features import Vector
    from tutoring.understanding.context import Context

# Words count more here than for intents (1.4): with "top" for "bottom" it is another misconception. Chosen with the
# encoder (2026-11-24); no sweep on record.
MEANING_SHARE: Final = 0.7
"""Length of the encoder's vector, where words and n-grams have length 1 each."""
# An idea below sixth place hardly reaches HELD even with a pattern's bonus; matching all 42 takes time. By hand.
LIKELIEST: Final = 6
"""Misconceptions whose patterns are matched."""
# The author's own wording nearly triples the odds (e^1); more would let one loose pattern name an idea by itself.
BY_OWN_PATTERN: Final = 1.0
"""Added to the log odds if a pattern of the current concept's misconception matches."""
# A twelfth of the odds: "you add the bottoms" in a lesson on halves may be about another topic.
OUTSIDE: Final = 2.5
"""Subtracted from the log odds of a misconception of another concept."""
# 65 of the 150 development rows are named at .88, and 5 of 170 that only sound like one. A false alarm contradicts a
# learner who is right, so it stays high.
HELD: Final = 0.88
"""The probability from which a misconception is named."""
# Most training rows show no misconception; of what is said in a lesson, more does. With `own_odds`, 31 % of the unseen
# wordings in Thinking with data come to .5, and 2 % of the sentences that show none (2026-11-29): it is only asked about.
LIKELY: Final = 0.5
"""The probability, raised by `own_odds`, from which a sentence may be about a misconception of the current concept."""
# Just above HELD: without heads the author's patterns decide alone. A convention, not a measurement.
BY_PATTERN: Final = 0.92
"""The probability of a misconception that a pattern finds, if no head is available."""


type LikeliestIdea = tuple[ClaimedSentence, str, float]
"""A sentence, the likeliest misconception in it by id, and its probability."""


def likeliest_ideas(said: Sequence[ClaimedSentence], context: "Context") -> tuple[LikeliestIdea, ...]:
    """Return the likeliest misconception of each asserted sentence."""
    if context.course is None:
        return ()
    here = context.concept.id if context.concept else ""
    return tuple((each, *likeliest_misconception(each, context.course, here)) for each in said)


def misconceptions_shown(likeliest: Sequence[LikeliestIdea], context: "Context") -> tuple[Evidence, ...]:
    """Return the misconceptions that a message's asserted sentences show, the likeliest first."""
    course = context.course
    if course is None:
        return ()
    best: dict[str, Evidence] = {}
    for each, idea, chance in likeliest:
        if chance < HELD or (context.equal_parts_drawn and course.misconceptions[idea].right_of_equal_parts):
            continue
        if idea not in best or chance > best[idea].probability:
            best[idea] = Evidence(id=idea, probability=round(chance, 3), quote=each.quote)
    return tuple(sorted(best.values(), key=lambda each: -each.probability))


def likely_misconception(likeliest: Sequence[LikeliestIdea], context: "Context") -> str:
    """Return the misconception of the current concept that a message may be about, by id; empty if none is likely."""
    course, concept = context.course, context.concept
    heads = load_course_heads(course) if course is not None else None
    if course is None or concept is None or heads is None:
        return ""
    own = [
        (chance, idea)
        for _said, idea, chance in likeliest
        if idea and concept.id in course.misconceptions[idea].concepts
    ]
    chance, idea = max(own, default=(0.0, ""))
    odds = chance / max(1 - chance, 1e-9) * math.exp(heads.own_odds)
    return idea if odds / (1 + odds) >= LIKELY else ""


def sentence_vector(text: str) -> "Vector":
    """Return the features of a sentence for misconceptions: encoding and words. Raises EmbeddingModelMissing."""
    import numpy as np

    read = encoder.encode(text)
    meaning = read * np.float32(MEANING_SHARE / max(float(np.linalg.norm(read)), 1e-6))
    vector: Vector = np.concatenate([meaning, word_letter_vector(describe_text(text))])
    return vector


def likeliest_misconception(said: ClaimedSentence, course: "CourseContent", here: str) -> tuple[str, float]:
    """Return the likeliest misconception of a sentence with its probability; `here` is the current concept or empty."""
    heads = load_course_heads(course)
    try:
        found = heads.misconceptions.probabilities(sentence_vector(said.quote)) if heads else None
    except EmbeddingModelMissing:
        found = None
    if found is None:
        return _by_pattern(said.words, course, here)
    none = max(found.pop(""), 1e-9)
    logits = {}
    for idea in nlargest(LIKELIEST, found, key=found.__getitem__):
        shown = course.misconceptions[idea]
        logit = math.log(max(found[idea], 1e-9) / none)
        if here and here not in shown.concepts:
            logit -= OUTSIDE
        elif any(each.standing == "claimed" for each in find_patterns(shown.utterances, text=said.words)):
            logit += BY_OWN_PATTERN
        logits[idea] = logit
    best = max(logits, key=logits.__getitem__, default="")
    return best, 1 / (1 + math.exp(-logits[best])) if best else 0.0


def _by_pattern(words: str, course: "CourseContent", here: str) -> tuple[str, float]:
    for idea in course.misconceptions.values():
        is_own = not here or here in idea.concepts
        if is_own and any(found.standing == "claimed" for found in find_patterns(idea.utterances, text=words)):
            return idea.id, BY_PATTERN
    return "", 0.0
