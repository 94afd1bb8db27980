"""What can be said of an answer in a sentence: the answer itself, and why it is right."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tutoring.courses.catalogue import Milestone
from tutoring.courses.instances import Instance
from tutoring.grading import TextKey
from tutoring.roles.facts import Answered
from tutoring.rules import wording

if TYPE_CHECKING:
    from tutoring.grading.keys import Idea

REASON_WORDS = 22
"""The longest last line of a solution that is said for a right answer."""


def sayable(answered: Answered, exercise: Instance) -> str:
    """Return the answer where a sentence can hold it: a number or the one letter, not what has several parts."""
    if exercise.kind in ("text", "multi", "order", "match", "steps"):
        return ""
    return answered.chosen[0] if answered.chosen else answered.answer


def reason(exercise: Instance) -> str:
    """Return in a sentence why the right answer is right; empty where the exercise has none that stands alone."""
    if isinstance(exercise.key, TextKey):
        return _named(exercise.key.ideas)
    if exercise.kind == "multi":
        return ""
    shows_pictures = any(choice.picture for choice in exercise.choices)
    # A solution to pictures may end with the wrong ones.
    lines = exercise.solution[::-1] if shows_pictures else exercise.solution[-1:]
    return next((line for line in lines if _is_sayable(line)), "")


def _is_sayable(line: str) -> bool:
    return line.endswith(".") and len(line.split()) <= REASON_WORDS and wording.first_sentence(line) == line


def named(milestone: Milestone) -> str:
    """Return in a sentence what the learner has said who said the milestone: the heaviest of its ideas."""
    return _named([max(milestone.ideas, key=lambda idea: idea.weight)]) or _("That is the point of it.")


def _named(ideas: "Iterable[Idea]") -> str:
    names = [idea.name for idea in ideas if idea.name]
    return _("You named what counts: %(ideas)s.") % {"ideas": "; ".join(names)} if names else ""
