"""What a sentence can say about an answer: the answer itself, and why it is right."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tutoring.courses.catalogue import Milestone
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import TextKey
from tutoring.grading.parsing.number_finder import number_spans
from tutoring.lesson.facts import JudgedAnswer
from tutoring.roles.wording import phrases, renderer

if TYPE_CHECKING:
    from tutoring.grading.keys import Idea

REASON_WORDS = 30
"""The longest last line of a solution that is said for a right answer."""
WORDS_OF_A_NUMBER = 3
"""Up to this many words, an answer is a number with its unit and is repeated whole."""
# "From there, keep counting by 6s", "19/20 is 19 times as much": it needs the line before it.
_CONTINUES = re.compile(
    r"^(?:so|then|that|this|these|those|it|its|they|the one|the other|the rest|from there|now|both|here|there|which)\b"
    r"|\b(?:times as much|as much|after it|before it)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:and|because|so|since|then)\b")


def sayable_answer_text(answered: JudgedAnswer, exercise: Exercise) -> str:
    """Return the answer if a sentence can contain it: a number or a single letter, not several parts.

    From a number typed in a sentence, "oh, 3/4, I miscounted", the number is returned.
    """
    if exercise.kind in ("text", "multi", "order", "match", "steps", "trace", "code", "lines"):
        return ""
    if exercise.board is not None and exercise.kind not in ("place", "point"):
        return ""
    if answered.chosen:
        return answered.chosen[0]
    numbers = number_spans(answered.answer) if exercise.kind in ("numeric", "place") else ()
    return numbers[-1] if numbers and len(answered.answer.split()) > WORDS_OF_A_NUMBER else answered.answer


def answer_reason(exercise: Exercise, facts: renderer.Spoken) -> str:
    """Return in a sentence or a calculation why the right answer is right; empty if no line stands alone."""
    if isinstance(exercise.key, TextKey):
        return _named(exercise.key.ideas, facts)
    shows_pictures = exercise.kind == "choice" and any(choice.picture for choice in exercise.choices)
    # A solution to pictures may end with the wrong ones.
    said = [line for line in exercise.solution if not line.startswith("```")]
    if len(said) > 1 and _CONTINUES.search(said[-1]):
        said = [*said[:-2], " ".join(line if line.endswith((".", ":")) else f"{line}." for line in said[-2:])]
    lines = said[::-1] if shows_pictures else said[-1:]
    return next((line if line.endswith(".") else f"{line}." for line in lines if _is_sayable(line)), "")


def _is_sayable(line: str) -> bool:
    return len(line.split()) <= REASON_WORDS


def milestone_in_words(milestone: Milestone, facts: renderer.Spoken) -> str:
    """Return in a sentence what a learner who said the milestone has said: its most important ideas, in order."""
    heaviest = max(idea.weight for idea in milestone.ideas)
    said = _named([idea for idea in milestone.ideas if idea.weight == heaviest], facts)
    return said or _("That’s the main point.")


def _named(ideas: "Iterable[Idea]", facts: renderer.Spoken) -> str:
    names = [idea.name for idea in ideas if idea.name]
    if not names:
        return ""
    joined = names[0] + "".join(f", {name}" if _JOINED.match(name) else f", and {name}" for name in names[1:])
    return renderer.pick_wording(phrases.IDEAS_NAMED, facts, ideas=joined)
