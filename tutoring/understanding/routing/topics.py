"""Finds the concept that a learner means: by its title, by other names, or by similarity of meaning."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.local_models import embeddings
from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.concept_names import (
    concept_phrases,
    concept_vocabulary,
    contains_phrase,
    topic_stems,
)

# Below .80 unrelated wishes match some concept; two concepts closer than .015 are confused as often as not, so the
# tutor asks. Chosen by hand on the titles of Fractions (2026-11-22); another sentence model needs other values.
LIKE, CLEARLY_LIKER = 0.80, 0.015
"""Minimum cosine, and its lead over the next concept, for a concept to be meant."""
# Without the model: "adding fractions" and "add fractions" share all stems, half of the words is not enough. By hand.
SHARED = 0.6
"""Minimum F1 of shared stems without the sentence model."""
# "adding" fits four concepts: the tutor asks which. With more words or rivals nothing clear was named. Chosen by hand.
FEW_WORDS, FEW_RIVALS = 2, 4
"""Words and candidates up to which an ambiguous name leads to a question."""
# Of 12 wishes for what a course teaches 11 came to .70 of its title, its summary or a concept's, and nearer than to those of
# any other course; of 9 wishes for something else none did (2026-11-29).
NEAR_COURSE, CLEARLY_NEARER = 0.70, 0.02
"""Minimum cosine of a wish and a course's texts, and its lead over the next course."""
READ = 300
"""Characters of a message that are searched: a goal is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMatch:
    """What a message wants to learn."""

    course: CourseContent
    concept: ConceptContent | None
    """None if the message names only the course."""
    rivals: tuple[ConceptContent, ...] = ()
    """Concepts that may be meant just as well; empty if one is clear."""


def find_topic(text: str, courses: Sequence[CourseContent]) -> TopicMatch | None:
    """Return the topic that a message asks for, or None."""
    words = plain_text(text)[:READ]
    found = _find_topic(words, courses)
    said = frozenset(topic_stems(words))
    if found is None or found.concept is None or not (named := _titled_course(said, courses)):
        return found
    # "dividing fractions" is not "dividing signed numbers", though only that is taught.
    speaks_of_it = frozenset(topic_stems(named.title)) & concept_vocabulary(found.concept)
    return found if found.course is named or speaks_of_it else TopicMatch(course=named, concept=None)


def find_titled_course(text: str, courses: Sequence[CourseContent]) -> CourseContent | None:
    """Return the course whose whole title a text has, in any order and form; None if there is none."""
    return _titled_course(frozenset(topic_stems(plain_text(text)[:READ])), courses)


def _titled_course(said: frozenset[str], courses: Sequence[CourseContent]) -> CourseContent | None:
    """Return the course whose whole title is among the words; None if there is none."""
    return next((each for each in courses if frozenset(topic_stems(each.title)) <= said and each.title), None)


def _find_topic(words: str, courses: Sequence[CourseContent]) -> TopicMatch | None:
    concepts = [(course, concept) for course in courses for concept in course.concepts]
    named = [
        (len(phrase), *each)
        for each in concepts
        for phrase in concept_phrases(each[1])
        if contains_phrase(words, phrase)
    ]
    if named:
        _length, course, concept = max(named, key=lambda found: found[0])
        return TopicMatch(course=course, concept=concept)
    said = frozenset(topic_stems(words))
    if said and (titled := next((each for each in courses if said <= frozenset(topic_stems(each.title))), None)):
        return TopicMatch(course=titled, concept=None)
    return _alike(words, said, courses)


def _alike(words: str, said: frozenset[str], courses: Sequence[CourseContent]) -> TopicMatch | None:
    """Return the concept most similar to the words; they must share a word with its names."""
    # Words of a course's title tell none of its concepts from another.
    likely = [
        (course, concept)
        for course in courses
        for concept in course.concepts
        if (said - frozenset(topic_stems(course.title))) & concept_vocabulary(concept)
    ]
    if not likely:
        return None
    scored = sorted(((_likeness(words, each[1]), *each) for each in likely), key=lambda found: -found[0])
    best, course, nearest = scored[0]
    if best < (LIKE if embeddings.is_available() else SHARED):
        of_course = [concept for each, concept in likely if each is course]
        named = all(said - frozenset(topic_stems(each.title)) <= concept_vocabulary(one) for each, one in likely)
        few = named and len(said) <= FEW_WORDS and len(likely) <= FEW_RIVALS and len(of_course) == len(likely)
        return TopicMatch(course=course, concept=None, rivals=tuple(of_course)) if few else None
    alike = tuple(one for score, each, one in scored if best - score < CLEARLY_LIKER and each is course)
    if alike[1:]:
        return TopicMatch(course=course, concept=None, rivals=alike)
    return TopicMatch(course=course, concept=nearest)


def find_nearest_course(text: str, courses: Sequence[CourseContent]) -> CourseContent | None:
    """Return the course whose title and summaries are clearly nearest to a wish to learn something; None for none."""
    if not embeddings.is_available() or not courses:
        return None
    (said,) = _vectors((plain_text(text)[:READ],))
    scored = sorted(
        ((float((_vectors(_texts_of(each)) @ said).max()), each.id, each) for each in courses), reverse=True
    )
    best, _id, nearest = scored[0]
    leads = len(scored) == 1 or best - scored[1][0] >= CLEARLY_NEARER
    return nearest if best >= NEAR_COURSE and leads else None


def _texts_of(course: CourseContent) -> tuple[str, ...]:
    told = re.split(r"(?<=[.:])\s+", course.summary)
    return (course.title, *filter(None, told), *(f"{each.title}: {each.summary}" for each in course.concepts))


def _likeness(words: str, concept: ConceptContent) -> float:
    called = (concept.title, *concept.also)
    if not embeddings.is_available():
        return max(_shared(words, phrase) for phrase in called)
    return float((_vectors(called) @ _vectors((words,))[0]).max())


def _shared(words: str, phrase: str) -> float:
    """Return the F1 of the stems of two texts."""
    one, other = set(topic_stems(words)), set(topic_stems(phrase))
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


@lru_cache(maxsize=512)
def _vectors(texts: tuple[str, ...]) -> "embeddings.Vectors":
    return embeddings.embed(texts)


def find_named_concepts(text: str, courses: Sequence[CourseContent]) -> list[tuple[CourseContent, ConceptContent]]:
    """Return the concepts whose title, or id of several words, occurs in the text."""
    named = " ".join(text.casefold().split())
    concepts = [(course, concept) for course in courses for concept in course.concepts]
    return [
        each for each in concepts if _is_in(each[1].title, named) or ("-" in each[1].id and _is_in(each[1].id, named))
    ]


def _is_in(name: str, text: str) -> bool:
    """Tell whether a name occurs in a text as whole words."""
    return re.search(rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])", text) is not None
