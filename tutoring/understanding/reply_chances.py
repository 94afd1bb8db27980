"""How likely a reply to an open question is right, right in part, or wrong, by the labelled replies to that question."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from tutoring.understanding import encoder
from tutoring.understanding.course_heads import heads_of
from tutoring.understanding.course_rows import asked_for, key_of
from tutoring.understanding.features import meaning
from tutoring.understanding.message import Message
from tutoring.understanding.replies import apart_from, reply_vector, signs

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Course
    from tutoring.understanding.context import Prompt

SHARPNESS: Final = 6.0
"""What scores are multiplied by to be log odds."""


def of(message: Message, prompt: "Prompt", course: "Course") -> Mapping[str, float] | None:
    """Return the chances of right, partly and wrong; None for a question without labelled replies, or without the model."""
    import numpy as np

    key = key_of(prompt.kind, prompt.id)
    heads = heads_of(course)
    replied = heads.replied.get(key) if heads else None
    asked = asked_for(course, key)
    if heads is None or replied is None or asked is None:
        return None
    try:
        mean = meaning(message.tidied)
    except EmbeddingModelMissing:
        return None
    shown = signs(message.words, ideas=asked.ideas, question=asked.question, right=replied.right, wrong=replied.wrong)
    apart = apart_from(replied.centre, mean)
    scores = heads.verdicts.of(reply_vector(mean, message.words, shown, apart)) + np.einsum(
        "i,ij->j", apart, replied.weights
    )
    powers = np.exp(SHARPNESS * (scores - scores.max()))
    return dict(zip(heads.verdicts.labels, (powers / powers.sum()).tolist(), strict=True))


def read(message: Message, prompt: "Prompt", course: "Course") -> Mapping[str, float] | None:
    """Return the chances of right, partly, wrong and none by the encoder, which reads a right reply beside the question.

    None for a question without labelled replies, or without the encoder. It was tuned on the questions of the shipped courses and on
    others; it knows numbers badly, so it only joins in where nothing else tells.
    """
    heads, known = heads_of(course), encoder.heads().get("verdict")
    replied = heads.replied.get(key_of(prompt.kind, prompt.id)) if heads else None
    asked = asked_for(course, key_of(prompt.kind, prompt.id))
    if known is None or replied is None or asked is None or not replied.good:
        return None
    try:
        return known.probabilities(encoder.read(message.typed, encoder.beside(asked.question, replied.good)))
    except EmbeddingModelMissing:
        return None
