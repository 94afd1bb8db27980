"""Which milestones of a concept are reached: said in one's own words, used without help, and not contradicted."""

from collections.abc import Collection, Iterable
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
    milestone: Milestone, *, own_words: Iterable[str], right_templates: Collection[str], suspected: Collection[str]
) -> bool:
    """Tell whether a milestone is reached, from the learner's own words and unassisted right answers.

    `own_words` are messages that `in_own_words` lets pass; `right_templates` holds a template once for each right
    answer; `suspected` are misconception ids held at .5 or more.
    """
    said = any(articulates(milestone, words) for words in own_words)
    used = sum(any(fnmatch(template, item) for item in milestone.apply.items) for template in right_templates)
    return said and used >= milestone.apply.unassisted and not set(milestone.contradicts) & set(suspected)


def articulates(milestone: Milestone, words: str) -> bool:
    """Tell whether a message says the milestone's ideas."""
    return coverage(milestone.ideas, plain(words)).share >= COVERED


def in_own_words(conversation: Iterable[tuple[bool, str]]) -> list[str]:
    """Return the learner's messages that are long enough to mean something and echo nothing said to them before.

    `conversation` has each message in order, with whether it is the learner's.
    """
    told: set[tuple[str, ...]] = set()
    own: list[str] = []
    for by_learner, text in conversation:
        if not by_learner:
            told |= _runs(text)
        elif len(text.split()) >= FEWEST_WORDS and not _echoes(text, told):
            own.append(text)
    return own


def _echoes(words: str, told: Collection[tuple[str, ...]]) -> bool:
    runs = _runs(words)
    return sum(run in told for run in runs) >= ECHO * len(runs)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    return {tuple(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))}
