"""What else a course says about what was just answered: for "tell me more"."""

from collections.abc import Sequence
from typing import Final

from conversations.search.passage_quotes import content_words
from tutoring.courses.catalogue import CourseAnswer, CourseContent

# One shared word ("bottom") is in half of a concept's answers. Chosen by hand.
WORDS_SHARED: Final = 2
"""Content words from which two answers are about the same thing."""


def find_related_answer(course: CourseContent, told: Sequence[str]) -> CourseAnswer | None:
    """Return the answer nearest in words to the one that was told last, and not told yet; None without one.

    `told` are the tutor's messages, oldest first.
    """
    for message in reversed(told):
        for concept in course.concepts:
            if (given := next((each for each in concept.answers if each.says in message), None)) is None:
                continue
            words = content_words(given.says)
            others = [each for each in concept.answers if not any(each.says in one for one in told)]
            nearest = max(others, key=lambda each: len(words & content_words(each.says)), default=None)
            shared = len(words & content_words(nearest.says)) if nearest is not None else 0
            return nearest if shared >= WORDS_SHARED else None
    return None
