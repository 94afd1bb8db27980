"""Which concept of a course a learner means, by its title, by other words for it, or by likeness of meaning."""

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

LIKE, CLEARLY_LIKER = 0.80, 0.015
"""Cosine from which a concept may be meant, and its lead over the next one from which it is."""
SHARED = 0.6
"""Share of words (F1) that stands for likeness where the embedded model is missing."""
FEW_WORDS, FEW_RIVALS = 2, 4
"""Up to so many words, "adding" say, leave open which of so many concepts is meant: then one asks."""
READ = 300
"""Characters of a message that are looked at: a goal is said in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMatch:
    """What a message asks to learn."""

    course: CourseContent
    concept: ConceptContent | None
    """None where the message names the course, and nothing in it."""
    rivals: tuple[ConceptContent, ...] = ()
    """Concepts that may be meant just as well; empty where one is clear."""


def find_topic(text: str, courses: Sequence[CourseContent]) -> TopicMatch | None:
    """Return what of the courses a message asks for; None where it speaks of something else."""
    words = plain_text(text)[:READ]
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
    for course in courses:
        title = frozenset(topic_stems(course.title))
        if said and said <= title:
            return TopicMatch(course=course, concept=None)
        if found := _alike(words, said - title, course):
            return found
    return None


def _alike(words: str, said: frozenset[str], course: CourseContent) -> TopicMatch | None:
    """Return the concept that the words are most like; some word of theirs must stand in what the concept is called."""
    likely = [concept for concept in course.concepts if said & concept_vocabulary(concept)]
    if not likely:
        return None
    scored = sorted(((_likeness(words, concept), concept) for concept in likely), key=lambda pair: -pair[0])
    best = scored[0][0]
    if best < (LIKE if embeddings.is_available() else SHARED):
        named = all(said <= concept_vocabulary(concept) for concept in likely)
        few = named and len(said) <= FEW_WORDS and len(likely) <= FEW_RIVALS
        return TopicMatch(course=course, concept=None, rivals=tuple(likely)) if few else None
    alike = tuple(concept for score, concept in scored if best - score < CLEARLY_LIKER)
    return (
        TopicMatch(course=course, concept=None, rivals=alike)
        if alike[1:]
        else TopicMatch(course=course, concept=alike[0])
    )


def _likeness(words: str, concept: ConceptContent) -> float:
    called = (concept.title, *concept.also)
    if not embeddings.is_available():
        return max(_shared(words, phrase) for phrase in called)
    return float((_vectors(called) @ _vectors((words,))[0]).max())


def _shared(words: str, phrase: str) -> float:
    """Return the F1 of the stems that two texts share."""
    one, other = set(topic_stems(words)), set(topic_stems(phrase))
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


@lru_cache(maxsize=512)
def _vectors(texts: tuple[str, ...]) -> "embeddings.Vectors":
    return embeddings.embed(texts)


def find_named_concepts(text: str, courses: Sequence[CourseContent]) -> list[tuple[CourseContent, ConceptContent]]:
    """Return the concepts whose title, or name in an address, stands in the text."""
    named = " ".join(text.casefold().split())
    concepts = [(course, concept) for course in courses for concept in course.concepts]
    return [each for each in concepts if each[1].title.casefold() in named or each[1].id in named]
