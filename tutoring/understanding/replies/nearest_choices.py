"""Finds the choices of a question that words come near to, to ask which of them is meant."""

import re
from collections.abc import Sequence
from typing import Final

from agents.errors import EmbeddingModelMissing
from agents.local_models.embeddings import embed
from tutoring.courses.exercises.exercise import Exercise
from tutoring.understanding.parsing.commitments import before_reason
from tutoring.understanding.parsing.spoken_numbers import find_spoken_numbers, spell_in_digits
from tutoring.understanding.replies.known_answers import begins_with_yes, says_yes

# Of 13 remarks that had a choice's reason in other words, 12 came to .62 of some choice and 11 nearest to their own; of 8
# about something else one came to .63 (2026-11-29).
NEAR: Final = 0.62
"""Cosine from which words may mean a choice."""
_NO_ANSWER: Final = re.compile(
    r"\W*(?:no|not) (?:idea|clue|thanks?|sure|really|yet|now|more|problem|one|wait)\b|\W*(?:yes|no)\W+(?:please|thanks|thank you)\b",
    re.IGNORECASE,
)
"""Words that begin with no or yes and answer nothing."""
OFFERED: Final = 2
WORDS: Final = 2
"""Words from which a message or a choice says enough to be compared."""


def alike_in_polarity(said: str, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the choices that begin with the yes or no that a message begins with: "nope, one slice is fat"; all or some of them."""
    meant = None if _NO_ANSWER.match(said) else says_yes(said)
    return tuple(each for each in choices if meant is not None and begins_with_yes(each) == meant)


def nearest_choices(exercise: Exercise, said: str) -> tuple[str, ...]:
    """Return the two choices that words come nearest to, in the order of the card; none if they are about something else."""
    choices = [each.text for each in exercise.choices]
    if agreeing := {*alike_in_polarity(said, choices)}:
        choices = [each for each in choices if each in agreeing]
    if (
        exercise.kind != "choice"
        or len(exercise.choices) <= OFFERED
        or any(len(each.split()) < WORDS for each in (said, *choices))
    ):
        return ()
    if of_number := _with_last_number(said, choices):
        return of_number
    try:
        *vectors, own = embed([*choices, said])
    except EmbeddingModelMissing:
        return ()
    if len(choices) <= OFFERED:
        return tuple(choices)
    likeness = [float(each @ own) for each in vectors]
    if max(likeness) < NEAR:
        return ()
    least = sorted(likeness)[-OFFERED]
    return tuple(text for text, each in zip(choices, likeness, strict=True) if each >= least)[:OFFERED]


def _with_last_number(said: str, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the choices with the number that words come to before their reason, if that tells them from others."""
    numbers = find_spoken_numbers(spell_in_digits(before_reason(said)))
    found = [
        each
        for each in choices
        if numbers and numbers[-1].value in {one.value for one in find_spoken_numbers(each.lower())}
    ]
    return tuple(found) if len(found) <= OFFERED else ()
