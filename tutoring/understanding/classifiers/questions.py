"""Which frequent question of a course a message asks, and which concept it asks for."""

from heapq import nlargest
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.classifiers.course_heads import load_course_heads, read_question_label
from tutoring.understanding.classifiers.features import meaning_vector, word_letter_vector

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.classifiers.features import Vector

NONE: Final = ""
"""Label of messages that ask nothing that the course answers, or for none of its concepts."""
# Sentence embeddings have length 1 and differ little; at this length, gradient descent needs fewer steps. By hand.
LENGTH: Final = 10.0
# On folds of the requests of Fractions (2026-11-27), the likeliest concept is the right one for 51 % with the embedding
# alone, for 57 % with n-grams, and for 59 % with the encoder's vector and words.
MEANING, ENCODED, WORDS = 6.0, 4.0, 4.0
"""Lengths of the three parts of a request's vector."""
# On a fifth of the wordings (2026-11-27), 45 % come to .5, and 74 % of them with their own question, others mostly with one
# much like it; 1 % of the messages that ask nothing come to it.
ASKED_FROM: Final = 0.5
"""Probability from which a message asks a frequent question."""
# On folds of Programming in Python (2026-11-29), 33 % of unseen wordings come to .5 with their own question, and 41 % with
# this weight; of the answers given 62 instead of 61 % are right. Of the questions about another concept, 3 instead of 2 % get
# an answer of the taught one; of the messages that ask nothing, .6 instead of .5 %. 16 instead of 8 changes little.
OF_TAUGHT: Final = 8.0
"""How many times likelier a question of the taught concept is, if the nearest one is the taught concept's."""
# 21 % of the wordings come to .8, and 89 % of them with their own; 0.3 % of the messages that ask nothing.
VERY_LIKELY: Final = 0.8
"""Probability from which it does so whatever else the message sounds like."""
# On folds (2026-11-27), 59 % of the requests come to .5, and 81 % of them with the right concept; 2 % of other messages.
REQUESTED_FROM: Final = 0.5
"""Probability from which a message asks for a concept, or for another subject."""
# On folds, 30 % of the requests come to .8, and 92 % of them with the right concept; 0.5 % of other messages.
CLEARLY_REQUESTED_FROM: Final = 0.8
"""Probability from which it does so although it sounds like something else."""


def question_vector(text: str) -> "Vector":
    """Return the embedding of a text without its question mark [384], of length LENGTH. Raises EmbeddingModelMissing."""
    vector: Vector = meaning_vector(text.rstrip(" ?")) * LENGTH
    return vector.astype("float32")


def request_vector(text: str) -> "Vector":
    """Return a message's embedding, encoding and words [d], to tell what it asks for. Raises EmbeddingModelMissing."""
    import numpy as np

    parts = (meaning_vector(text) * MEANING, encoder.encode(text), word_letter_vector(text) * WORDS)
    length = max(float(np.linalg.norm(parts[1])), 1e-6)
    vector: Vector = np.concatenate([parts[0], parts[1] * (ENCODED / length), parts[2]]).astype(np.float32)
    return vector


def find_asked_question(text: str, course: "CourseContent", *, here: str = "") -> tuple[str, int, float] | None:
    """Return the concept, the place and the probability of the frequent question that is asked; None if none is likely.

    The concept `here` is the one that is taught. Two concepts may have the same question: then both count together, and
    that of `here` is returned.
    """
    heads = load_course_heads(course)
    try:
        chances = heads.questions.probabilities(question_vector(text)) if heads else {}
    except EmbeddingModelMissing:
        return None
    nearest = max(chances.keys() - {NONE}, key=lambda label: chances[label], default=NONE)
    # "what is the denominator of a fraction", in a lesson on parts of an amount, is nearer to another concept's question.
    if here and nearest != NONE and read_question_label(nearest)[0] == here:
        chances = {
            label: chance * (OF_TAUGHT if label != NONE and read_question_label(label)[0] == here else 1.0)
            for label, chance in chances.items()
        }
    total = sum(chances.values())
    chances = {label: chance / total for label, chance in chances.items() if label != NONE}
    likely = [(chances[each], *read_question_label(each)) for each in nlargest(2, chances, key=chances.__getitem__)]
    # A sign that several concepts explain ("n", "%") splits the probability among them. The half is chosen by hand.
    alike = [each for each in likely if each[0] >= likely[0][0] / 2 and (each is likely[0] or each[1] != likely[0][1])]
    chance = sum(each[0] for each in alike)
    if chance < ASKED_FROM:
        return None
    _chance, concept, place = next((each for each in alike if each[1] == here), alike[0])
    return concept, place, chance


def find_request(text: str, course: "CourseContent") -> tuple[str, float] | None:
    """Return the likeliest of a course's concepts, OTHER_SUBJECTS and NONE, by what a message asks for, and its probability.

    None if that cannot be told: no classifier was fitted, or it cannot be run.
    """
    heads = load_course_heads(course)
    try:
        return heads.requests.likeliest(request_vector(text)) if heads else None
    except EmbeddingModelMissing:
        return None
