"""Which milestones of a concept are reached: said in one's own words, used without help, and not contradicted."""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatch

from tutoring.courses.catalogue import Milestone
from tutoring.grading.texts import coverage
from tutoring.rules.claims import plain
from tutoring.rules.listening import COVERED

FEWEST_WORDS = 6
"""Shorter replies may be right, and show no understanding."""
ECHO = 0.6
"""Share of a reply's runs of five words, from which it repeats what was said to the learner."""
RUN = 5


def is_reached(
    milestone: Milestone, *, said: Collection[str], right_templates: Collection[str], suspected: Collection[str]
) -> bool:
    """Tell whether a milestone is reached: said, used in unassisted right answers, and not contradicted.

    `said` are the ids of milestones said in the learner's own words; `right_templates` holds a template once for each
    right answer; `suspected` are misconception ids held at .5 or more.
    """
    used = sum(is_used_by(template, milestone) for template in right_templates)
    is_held_against = bool(set(milestone.contradicts) & set(suspected))
    return milestone.id in said and used >= milestone.apply.unassisted and not is_held_against


def is_used_by(template: str, milestone: Milestone) -> bool:
    """Tell whether a right answer to the template's exercises shows the milestone in use."""
    return any(fnmatch(template, item) for item in milestone.apply.items)


def still_to_say(milestones: Iterable[Milestone], *, said: Collection[str]) -> tuple[Milestone, ...]:
    """Return the milestones that the learner has not said in their own words yet, in order."""
    return tuple(each for each in milestones if each.id not in said)


def behind(
    milestones: Sequence[Milestone], *, template: str, said: Collection[str], asked: Sequence[str]
) -> tuple[Milestone | None, bool]:
    """Return the milestone that explains a right answer, and whether to say it is what the milestone waits for.

    `asked` are those whose explanation was asked for before, in order: nobody is asked twice running for the same one.
    """
    shown = [each for each in milestones if is_used_by(template, each)]
    waiting = next((each for each in shown if each.id not in said and each.id not in asked), None)
    others = (each for each in shown if each.id not in asked[-1:])
    return waiting or next(others, None), waiting is not None


def articulates(milestone: Milestone, words: str) -> bool:
    """Tell whether a message says the milestone's ideas."""
    return coverage(milestone.ideas, plain(words)).share >= COVERED


def best_said(milestones: Iterable[Milestone], *words: str) -> str:
    """Return the words that say most of the milestones' ideas; of equals the latest."""
    ideas = [milestone.ideas for milestone in milestones]
    said = [sum(coverage(each, plain(one)).share for each in ideas) for one in words]
    return max(zip(said, range(len(words)), words, strict=True))[2]


def is_in_own_words(words: str, *, told: Iterable[str]) -> bool:
    """Tell whether a message is long enough to mean something, and no echo of what the learner was `told` before it."""
    if len(words.split()) < FEWEST_WORDS:
        return False
    heard = set[tuple[str, ...]]().union(*map(_runs, told))
    return not _echoes(words, heard)


def _echoes(words: str, told: Collection[tuple[str, ...]]) -> bool:
    runs = _runs(words)
    return sum(run in told for run in runs) >= ECHO * len(runs)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    return {tuple(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))}
