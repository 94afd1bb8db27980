"""Probabilities that a reply to an open question is right, partly right or wrong, by its labelled replies."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.classifiers.course_heads import load_course_heads
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.classifiers.labelled_sentences import find_labelled_question, question_key
from tutoring.understanding.message import MessageText
from tutoring.understanding.replies.signs import distinctive_meaning, reply_signs, reply_vector

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.context import Prompt

# Turns ridge scores (about 0 to 1) into log odds. The thresholds in verdicts.py were chosen on its output, so the two
# must be changed together.
SHARPNESS: Final = 6.0
"""Factor on the scores before the softmax."""


def labelled_chances(message: MessageText, prompt: "Prompt", course: "CourseContent") -> Mapping[str, float] | None:
    """Return the probabilities of right, partly and wrong; None without labelled replies or without the model."""
    import numpy as np

    key = question_key(prompt.kind, prompt.id)
    heads = load_course_heads(course)
    replied = heads.replied.get(key) if heads else None
    asked = find_labelled_question(course, key)
    if heads is None or replied is None or asked is None:
        return None
    try:
        mean = meaning_vector(message.tidied)
    except EmbeddingModelMissing:
        return None
    shown = reply_signs(
        message.words, ideas=asked.ideas, question=asked.question, right=replied.right, wrong=replied.wrong
    )
    apart = distinctive_meaning(replied.centre, mean)
    # Not `@`, see `LinearScores.of`.
    scores = heads.verdicts.of(reply_vector(mean, message.words, shown, apart)) + np.einsum(
        "i,ij->j", apart, replied.weights
    )
    powers = np.exp(SHARPNESS * (scores - scores.max()))
    return dict(zip(heads.verdicts.labels, (powers / powers.sum()).tolist(), strict=True))


def encoded_chances(message: MessageText, prompt: "Prompt", course: "CourseContent") -> Mapping[str, float] | None:
    """Return the encoder's probabilities of right, partly, wrong and none, given the question and a right reply.

    None without labelled replies or without the encoder. It is weak on numbers, so it counts only if nothing else
    decides.
    """
    heads, known = load_course_heads(course), encoder.tuned_heads().get("verdict")
    replied = heads.replied.get(question_key(prompt.kind, prompt.id)) if heads else None
    asked = find_labelled_question(course, question_key(prompt.kind, prompt.id))
    if known is None or replied is None or asked is None or not replied.good:
        return None
    try:
        return known.probabilities(
            encoder.encode(message.typed, encoder.question_with_reply(asked.question, replied.good))
        )
    except EmbeddingModelMissing:
        return None
