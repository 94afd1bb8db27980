"""Finds the course's answer to a question, by patterns or a classifier, and the idea that a statement comes near to."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS, word_set
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.classifiers.nearest_wordings import embed_wordings
from tutoring.understanding.classifiers.questions import find_asked_question
from tutoring.understanding.parsing.assertions import compile_pattern, plain_text
from tutoring.understanding.parsing.concept_names import naming_shares, topic_stems
from tutoring.understanding.parsing.spelling_cleanup import tidy_text

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseAnswer, CourseContent

MOST_WORDS = 20
"""Words of a message that may be a frequent question; longer ones say more. Chosen by hand."""
# Less than any word that names a concept (1 over the concepts that share it): only breaks ties for the current lesson.
TAUGHT = 0.1
"""Added to the share of the concept that is taught."""
# Of 150 labelled ideas in intents_*.jsonl 24 % come to .8 of some idea of Fractions, of 150 remarks of small talk 1 %
# (2026-11-27). Lower for the concept that is taught, by hand: it is only asked about, and decides nothing.
NEAR_IDEA = 0.72
"""Cosine from which a statement may be about an idea of the concept that is taught."""
# "thats two thirds right" came to .75 of an idea (2026-11-28). Chosen by hand.
NEAR_IDEA_IF_UNSURE = 0.77
"""The same for a message that may be no statement."""
WORDS_OF_AN_IDEA = 4
# Chosen by hand.
CONTENT_WORDS = 2
"""Words of four letters and more that a statement about an idea has: not "so 8 and then 9"."""
# "why left tho" comes to .52 of the answer on direction, "why do u leave out the 8" to .67 of one on empty places, "what if
# one is zero" to .77 of its own (2026-11-28). Chosen by hand.
LIKE_TAUGHT, LIKE_OTHER, LIKE_OTHER_IF_SHORT = 0.7, 0.72, 0.8
"""Cosine of a question and an answer from which a pattern of one word counts, and those of other concepts' answers."""
# "what does x/4 even mean" comes to .57 of a film that runs backward, "what is an equal part if its not the same shape" to .82
# of its answer (2026-11-29). Chosen by hand.
ENOUGH_MATCHED, LIKE_ENOUGH, LIKE_SEVERAL = 5, 0.6, 0.63
"""Matched words, and the cosine of question and answer with them, and with several about what is taught."""
# "what is a" must not fetch another lesson's answer. Chosen by hand.
WORDS_OF_ANOTHER_QUESTION = 3
"""Matched words from which an answer of another concept fits a question that names no concept."""
# Shorter words are mostly function words. Chosen by hand.
_WORD = re.compile(r"[a-z]{4,}")
# Words of four letters and more that tell no topic: "does that always mean …".
_OF_ANY_QUESTION = word_set(
    "about always does explain from have know learn mean means much must need should tell that them there they think this "
    "what when where which with word words would your"
)
# "whats a half": patterns of courses are written with "what is".
_CONTRACTED = re.compile(r"\b(what|who|how|where|why)(?:'s|’s|s)(?= )")
_QUESTION_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_OF_ANY_QUESTION))})\b")
# "can you explain attention to me again", "define a query".
_EXPLAIN = re.compile(
    r"\b(?:explain|define|describe)\s+(?:to me\s+|me\s+)?(?:again\s+|once more\s+)?(?:what\s+)?(.+?)(?:\s+(?:is|are|means?|does))?(?:\s+to me)?"
    r"(?:\s+(?:again|once more|please|pls|simply|slowly|differently|from the (?:very )?(?:start|beginning)|in (?:other|simple|easy|plain|your own) words|like .+))*\W*$"
)
_POINTERS = frozenset(
    {"it", "this", "that", "me", "again", "the question", "this question", "the answer", "more", "why", "how"}
)
"""Words after "explain" that name nothing."""
_NUMBERS = frozenset({*NUMBER_WORDS, *FRACTION_WORDS})
# A pattern for "what is 1" must not match the 1 of "what is 1/4".
_IN_FRACTION = re.compile(r"(?<=\d)(?:\d|\s*/\s*\d)")

_worded: "dict[str, Mapping[str, Sequence[tuple[str, int]]]]" = {}
"""By the key of a course's wordings: its frequent questions by their tidied wordings."""


def find_answer_to(words: str, *, course: "CourseContent", concept: "ConceptContent") -> "CourseAnswer | None":
    """Return the course's answer to a question in plain words, asked while the concept is taught; None for no answer.

    Where another concept answers the very same words, the one that is taught wins; else the one that most words of the
    question name, and then the one that is taught. Another concept must be named by at least half as many words as the
    best; if no concept is named, WORDS_OF_ANOTHER_QUESTION words must match.
    """
    words = _CONTRACTED.sub(r"\1 is", words)
    calls = naming_shares(_QUESTION_WORDS.sub(" ", words), course)
    most = max(calls.values(), default=0.0)
    calls[concept.id] += TAUGHT
    best: tuple[bool, float, int] = (False, 0.0, 0)
    answer = None
    found = [(about.id, one, _longest_match(one, words)) for about in course.concepts for one in about.answers]
    longest = max((said for about, _one, said in found if about != concept.id), key=len, default="")
    for about, one, said in found:
        is_taught = about == concept.id
        is_called = calls[about] > 0 and calls[about] >= most / 2
        is_alike = not most and len(said.split()) >= WORDS_OF_ANOTHER_QUESTION and _names(one, words, course)
        # "why do the parts have to be the same" is answered by Equal parts and by Same amount, different name.
        place = (is_taught and said == longest, calls[about], len(said))
        fits = said and (is_taught or is_called or is_alike)
        if fits and place > best and _has_its_meaning(words, one, said, is_taught=is_taught):
            best, answer = place, one
    return answer


def _has_its_meaning(words: str, answer: "CourseAnswer", said: str, *, is_taught: bool) -> bool:
    """Tell whether a question is about what an answer says, for which many matched words, or several of what is taught, count."""
    matched = len(said.split())
    is_short = matched == 1
    try:
        likeness = float(meaning_vector(words) @ meaning_vector(answer.says))
    except EmbeddingModelMissing:
        return True
    if matched >= ENOUGH_MATCHED or (is_taught and not is_short):
        return likeness >= (LIKE_ENOUGH if matched >= ENOUGH_MATCHED else LIKE_SEVERAL)
    return likeness >= (LIKE_TAUGHT if is_taught else LIKE_OTHER_IF_SHORT if is_short else LIKE_OTHER)


def find_frequent_question(text: str, *, course: "CourseContent", here: str = "") -> tuple[str, int, float] | None:
    """Return the concept, the place and the probability of the frequent question that a text asks; None if none is likely.

    In a course whose wordings no classifier was fitted on, the question must be worded as there. Of the same question
    in several concepts, that of the concept `here` counts.
    """
    if not 0 < len(text.split()) <= MOST_WORDS:
        return None
    if topic := find_explained_topic(text):
        text = f"what is {topic}"
    worded = _worded_questions(course).get(_spelled_alike(text), ())
    if worded:
        return (*next((each for each in worded if each[0] == here), worded[0]), 1.0)
    return find_asked_question(text, course, here=here)


def _spelled_alike(text: str) -> str:
    """Return a question as it is compared: "Whats n?" and "what is n" are the same."""
    return _CONTRACTED.sub(r"\1 is", tidy_text(text)).rstrip(" ?")


def _worded_questions(course: "CourseContent") -> "Mapping[str, Sequence[tuple[str, int]]]":
    """Return the concept and place of each frequent question by its wordings, tidied; of a course with a key once."""
    if course.wordings_key in _worded:
        return _worded[course.wordings_key]
    found: dict[str, list[tuple[str, int]]] = {}
    for each in frequent_questions(course):
        for wording in each.answer.wordings:
            found.setdefault(_spelled_alike(wording), []).append((each.concept, each.place))
    if course.wordings_key:
        _worded[course.wordings_key] = found
    return found


def find_explained_topic(text: str) -> str:
    """Return what a message wants explained: "explain attention from the start" asks what attention is; empty for none."""
    found = _EXPLAIN.search(plain_text(text))
    topic = found[1].strip(" ,;:") if found else ""
    return "" if topic in _POINTERS else topic


def find_nearest_idea(
    text: str, *, course: "CourseContent", concept: "ConceptContent", least: float = NEAR_IDEA
) -> str:
    """Return the misconception of a concept that a statement is about, by id; empty if none is near.

    The statement may be right or wrong: it may say what holds as well as the misconception. `least`: the cosine that is
    enough.
    """
    ideas = tuple(course.misconceptions.values())
    if not ideas or len(text.split()) < WORDS_OF_AN_IDEA or len({*_WORD.findall(text)} - _NUMBERS) < CONTENT_WORDS:
        return ""
    try:
        likeness = (embed_wordings(_idea_texts(course)) @ meaning_vector(text)).reshape(len(ideas), -1).max(axis=1)
    except EmbeddingModelMissing:
        return ""
    scored = [(float(each), idea.id) for each, idea in zip(likeness, ideas, strict=True) if concept.id in idea.concepts]
    score, nearest = max(scored, default=(0.0, ""))
    return nearest if score >= least else ""


def _idea_texts(course: "CourseContent") -> tuple[str, ...]:
    """Return what holds, what is thought instead, and its description, of one idea after the other."""
    return tuple(
        text for each in course.misconceptions.values() for text in (each.correct_idea, each.says, each.description)
    )


@dataclass(frozen=True, slots=True)
class FrequentQuestion:
    """A question of the course with wordings, and the place of its answer among its concept's."""

    concept: str
    place: int
    answer: "CourseAnswer"


def frequent_questions(course: "CourseContent") -> tuple[FrequentQuestion, ...]:
    """Return the questions of a course that have wordings."""
    return tuple(
        FrequentQuestion(concept.id, place, answer)
        for concept in course.concepts
        for place, answer in enumerate(concept.answers)
        if answer.wordings
    )


def embed_ideas(course: "CourseContent") -> None:
    """Compute the embeddings of a course's ideas, if it can be done, so that no learner waits."""
    with suppress(EmbeddingModelMissing):
        embed_wordings(_idea_texts(course))


def _names(answer: "CourseAnswer", words: str, course: "CourseContent") -> bool:
    """Tell whether a question holds a content word that the answer's patterns look for."""
    looked_for = {word for asks in answer.asks for word in _WORD.findall(asks)} - _OF_ANY_QUESTION
    said = {word for word in _WORD.findall(words) if not set(topic_stems(word)) <= set(topic_stems(course.title))}
    return bool(said & looked_for)


def _longest_match(answer: "CourseAnswer", words: str) -> str:
    """Return the longest match of the answer's patterns; matches that end within a fraction do not count."""
    matches = (compile_pattern(pattern).search(words) for pattern in answer.asks)
    found = (match.group() for match in matches if match and not _IN_FRACTION.match(words, match.end()))
    return max(found, key=len, default="")
