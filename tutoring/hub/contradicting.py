"""Which wrong idea a message claims beside, before or instead of what a milestone is about."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from tutoring.courses.catalogue import Course, Milestone
from tutoring.hub import likelihoods
from tutoring.rules.claims import find, is_asking, own_part, plain, sentences

HELD, HELD_IN_CLAUSE, HELD_ELSEWHERE = 0.45, 0.6, 0.8
"""Chances (0–1) from which a part of a message is taken to claim a wrong idea: one that contradicts the milestone, in a whole
sentence or a conclusion ("…, so you take 2 away"), or in another clause, or another one of its concept. Tried with the replies of
tests/tutoring/hub/milestone_dev.jsonl: few of the right ones lie above."""
PARTS_WEIGHED: Final = 5
"""Of a message: all of it, its sentences, and their clauses. They are read at once, in a few milliseconds."""
FEWEST_WORDS: Final = 5
"""Fewer in a clause can be part of anything: "take the bigger one"."""
LONGEST: Final = 240

_CLAUSE_ENDS = re.compile(r",|\b(?:but|so|or|still|though|although|because|cause|cuz|cos|like|(?:that'?s|thats) why)\b")

_CONCLUDING: Final = ("so", "why")
_ENDS: Final = " .,;!"
_LATER_STEP = re.compile(r"(?:and )?(?:then|after that|if)\b")
"""So begins what says nothing without what stands before it: "make them alike, then the bigger top wins"."""


def wrong_idea(text: str, *, milestone: Milestone, course: Course) -> str:
    """Return the misconception of the milestone's concept that a message claims; empty for none.

    By the course's patterns, else by what is said by those who hold one.
    """
    words = plain(text)
    for each in milestone.contradicts:
        known = course.misconceptions.get(each)
        if known and any(found.standing == "claimed" for found in find(known.utterances, text=words)):
            return each
    return max(_likely(words, course, milestone), default=(0.0, ""))[1]


def _likely(words: str, course: Course, milestone: Milestone) -> Iterator[tuple[float, str]]:
    """Yield the ideas that some part of a plain message is likely to claim, with the chance."""
    concept = milestone.concept
    needed = {each.id: HELD_ELSEWHERE for each in course.misconceptions.values() if concept in each.concepts}
    whole, clauses = parts(words)
    heard = likelihoods.of_parts((*whole, *clauses), course=course, concept=concept)
    for part, chances in zip((*whole, *clauses), heard, strict=False):
        weighty = part in whole or any(f"{word} {part}" in words for word in _CONCLUDING)
        needed |= dict.fromkeys(milestone.contradicts, HELD if weighty else HELD_IN_CLAUSE)
        yield from ((chances[idea], idea) for idea in needed if chances.get(idea, 0.0) >= needed[idea])


@lru_cache(maxsize=512)
def parts(words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a plain message claims: all of it together and sentence by sentence; and clause by clause."""
    own = [own_part(each).strip(_ENDS) for each in sentences(words) if not is_asking(each, replying=True)]
    whole = tuple(islice(dict.fromkeys(filter(None, (" ".join(own)[:LONGEST], *own))), PARTS_WEIGHED))
    clauses = (part.strip(_ENDS) for each in own for part in _CLAUSE_ENDS.split(each))
    telling = (part for part in clauses if len(part.split()) >= FEWEST_WORDS and not _LATER_STEP.match(part))
    others = tuple(dict.fromkeys(part for part in telling if part not in whole))
    return whole, others[: PARTS_WEIGHED - len(whole)]
