"""Names of concepts, and whether a text uses them: compared word by word, by stems."""

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from conversations.search.word_stems import stem, words_of
from tutoring.grading.language.vocabulary import word_set

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseContent

# Function words, and words of any wish: "can you teach me something new about …".
_SAYS_NOTHING = word_set(
    "a about able also an and any are at be been but can could do for from get give go goes going good have hello help hey hi how i i'd "
    "i'm in is it know learn learning lesson let like lot master me more my need now of ok on or please practice practise "
    "really show some start study stuff teach that the them then thing this to topic understand us want wanna was way we "
    "what when where which will with work would you your start begin today next new something instead rather quick quickly fast pls plz again"
)


def contains_phrase(words: str, phrase: str) -> bool:
    """Tell whether the words hold the phrase, each word by its stem, in its order."""
    sought, held = topic_stems(phrase, all_words=True), topic_stems(words, all_words=True)
    return any(held[start : start + len(sought)] == sought for start in range(len(held) - len(sought) + 1))


def concept_phrases(concept: "ConceptContent") -> tuple[str, ...]:
    """Return the names of a concept. An id of one word, such as `mean`, is none: it occurs in any message."""
    own = (concept.id.replace("-", " "),) if "-" in concept.id else ()
    return (concept.title, *own, *concept.also)


def concept_vocabulary(concept: "ConceptContent") -> frozenset[str]:
    """Return the stems of the words in a concept's names."""
    return frozenset(each for phrase in (concept.title, *concept.also) for each in topic_stems(phrase))


@lru_cache(maxsize=2048)
def topic_stems(text: str, *, all_words: bool = False) -> tuple[str, ...]:
    """Return the stems of a text's words; without `all_words`, words that name no topic are left out."""
    return tuple(stem(word) for word in words_of(text) if all_words or word not in _SAYS_NOTHING)


def naming_shares(words: str, course: "CourseContent") -> dict[str, float]:
    """Return how many words of a text name each concept of a course; a word that n concepts share counts 1/n.

    Words of the course's title are left out, since they name all its concepts.
    """
    asked = frozenset(topic_stems(words)) - frozenset(topic_stems(course.title))
    own = {concept.id: asked & concept_vocabulary(concept) for concept in course.concepts}
    shares = Counter(word for each in own.values() for word in each)
    return {slug: sum(1 / shares[word] for word in each) for slug, each in own.items()}
