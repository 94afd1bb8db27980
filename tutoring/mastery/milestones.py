"""Which milestones of a concept are still to be said, and which of them an answer or a message is about."""

from collections.abc import Collection, Iterable, Sequence

from tutoring.courses.catalogue import Milestone
from tutoring.grading.judges.texts import idea_coverage
from tutoring.mastery.milestone_verification import is_shown_by
from tutoring.understanding.parsing.assertions import plain_text


def unsaid_milestones(milestones: Iterable[Milestone], *, said: Collection[str]) -> tuple[Milestone, ...]:
    """Return the milestones that the learner has not said in their own words yet, in order."""
    return tuple(each for each in milestones if each.id not in said)


def milestone_to_explain(
    milestones: Sequence[Milestone], *, template: str, said: Collection[str], asked: Sequence[str]
) -> tuple[Milestone | None, bool]:
    """Return the milestone that explains a right answer, and whether to say it is what the milestone waits for.

    `asked` are those whose explanation was asked for before, in order: nobody is asked twice running for the same one.
    """
    shown = [each for each in milestones if is_shown_by(template, each)]
    waiting = next((each for each in shown if each.id not in said and each.id not in asked), None)
    others = (each for each in shown if each.id not in asked[-1:])
    return waiting or next(others, None), waiting is not None


def best_explanation(milestones: Iterable[Milestone], *words: str) -> str:
    """Return the words that say most of the milestones' ideas; of equals the latest."""
    ideas = [milestone.ideas for milestone in milestones]
    said = [sum(idea_coverage(each, plain_text(one)).share for each in ideas) for one in words]
    return max(zip(said, range(len(words)), words, strict=True))[2]
