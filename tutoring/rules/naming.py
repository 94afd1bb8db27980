"""What a concept is called, and whether a text calls it so: word by word, by their stems."""

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from tutoring.grading.words import word_set
from tutoring.rules.stems import stem, words_of

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Concept, Course

_SAYS_NOTHING = word_set(
    "a about able also an and any are at be been but can could do for from get give good have hello help hey hi how i i'd "
    "i'm in is it know learn learning lesson let like lot master me more my need now of ok on or please practice practise "
    "really show some start study stuff teach that the them then thing this to topic understand us want wanna was way we "
    "what when where which will with work would you your start begin today next new something"
)


def says(words: str, phrase: str) -> bool:
    """Tell whether the words hold the phrase, each word by its stem, in its order."""
    sought, held = stems(phrase, all_words=True), stems(words, all_words=True)
    return any(held[start : start + len(sought)] == sought for start in range(len(held) - len(sought) + 1))


def phrases(concept: "Concept") -> tuple[str, ...]:
    """Return what a concept is called."""
    return (concept.title, concept.id.replace("-", " "), *concept.also)


def vocabulary(concept: "Concept") -> frozenset[str]:
    """Return the stems of the words that a concept is called by."""
    return frozenset(each for phrase in (concept.title, *concept.also) for each in stems(phrase))


@lru_cache(maxsize=2048)
def stems(text: str, *, all_words: bool = False) -> tuple[str, ...]:
    """Return the stems of a text's words; those that say nothing of a topic are left out but for `all_words`."""
    return tuple(stem(word) for word in words_of(text) if all_words or word not in _SAYS_NOTHING)


def called(words: str, course: "Course") -> dict[str, float]:
    """Return how much of a text each concept of a course is called by; 1 for each word that no other is called by.

    What the course itself is called by tells no concept of it from another.
    """
    asked = frozenset(stems(words)) - frozenset(stems(course.title))
    own = {concept.id: asked & vocabulary(concept) for concept in course.concepts}
    shares = Counter(word for each in own.values() for word in each)
    return {slug: sum(1 / shares[word] for word in each) for slug, each in own.items()}
