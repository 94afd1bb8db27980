"""Selects milestones of a concept: those not stated yet, and the one that an answer or a message is about."""

from collections.abc import Collection, Iterable, Sequence

from tutoring.courses.catalogue import Milestone
from tutoring.grading.judges.texts import idea_coverage
from tutoring.mastery.milestone_verification import is_shown_by
from tutoring.understanding.parsing.assertions import plain_text


def unsaid_milestones(milestones: Iterable[Milestone], *, said: Collection[str]) -> tuple[Milestone, ...]:
    """Return the milestones that the learner has not stated in their own words yet, in order."""
    return tuple(each for each in milestones if each.id not in said)


def milestone_to_explain(
    milestones: Sequence[Milestone], *, template: str, said: Collection[str], asked: Sequence[str]
) -> tuple[Milestone | None, bool]:
    """Return the milestone that explains a right answer, and whether it is still to be stated.

    `asked` are those whose explanation was asked for before, in order: the same one is never asked twice in a row.
    """
    shown = [each for each in milestones if is_shown_by(template, each)]
    waiting = next((each for each in shown if each.id not in said and each.id not in asked), None)
    others = (each for each in shown if each.id not in asked[-1:])
    return waiting or next(others, None), waiting is not None


def best_explanation(milestones: Iterable[Milestone], *words: str) -> str:
    """Return the words that state most of the milestones' ideas; ties go to the latest."""
    ideas = [milestone.ideas for milestone in milestones]
    said = [sum(idea_coverage(each, plain_text(one)).share for each in ideas) for one in words]
    return max(zip(said, range(len(words)), words, strict=True))[2]
