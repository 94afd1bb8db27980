"""Finds the course's answer to a question, by patterns or the nearest wording, and the idea that a statement comes near to."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from tutoring.grading.language.vocabulary import word_set
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.classifiers.nearest_wordings import embed_wordings
from tutoring.understanding.parsing.assertions import compile_pattern
from tutoring.understanding.parsing.concept_names import naming_shares, topic_stems

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseAnswer, CourseContent

# Each wording of the course Fractions (807 of 159 questions) against the others, 2026-11-26: 38 % find an answer, and 76 %
# of them their own; most others that of a sibling ("how to compare faster"). With AHEAD at .08, 27 and 86 %: lowered for
# "should I simplify the answer every time". From SAME on 90 find one, 73 their own; it and MOST_WORDS are chosen by hand.
SURE = 0.8
"""Cosine from which a message may ask what its nearest wording asks."""
AHEAD = 0.06
"""Score by which its answer must be ahead of the next one's."""
SAME = 0.93
"""Cosine from which it asks just that."""
MOST_WORDS = 20
"""Words of a message that may be such a question; longer ones say more."""
# Less than any word that names a concept (1 over the concepts that share it): only breaks ties for the current lesson.
TAUGHT = 0.1
"""Added to the share of the concept that is taught."""
# Of 150 labelled ideas in intents_*.jsonl 84 % come so near to one of Fractions, of 150 remarks of small talk 3 %
# (2026-11-27). It is shown to compare with, and decides nothing.
NEAR_IDEA = 0.7
"""Score from which a statement may be about an idea: its cosine, and NEAR_HERE for the concept that is taught."""
NEAR_HERE = 0.05
WORDS_OF_AN_IDEA = 4
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
# A pattern for "what is 1" must not match the 1 of "what is 1/4".
_IN_FRACTION = re.compile(r"(?<=\d)(?:\d|\s*/\s*\d)")


def find_answer_to(words: str, *, course: "CourseContent", concept: "ConceptContent") -> "CourseAnswer | None":
    """Return the course's answer to a question in plain words, asked while the concept is taught; None for no answer.

    The concept named by most words of the question wins; ties go to the one that is taught. Another concept must be
    named by at least half as many words as the best; if no concept is named, WORDS_OF_ANOTHER_QUESTION words must
    match.
    """
    words = _CONTRACTED.sub(r"\1 is", words)
    calls = naming_shares(_QUESTION_WORDS.sub(" ", words), course)
    most = max(calls.values(), default=0.0)
    calls[concept.id] += TAUGHT
    best: tuple[float, int] = (0.0, 0)
    answer = None
    for about, one in [(each.id, one) for each in course.concepts for one in each.answers]:
        said = _longest_match(one, words)
        is_called = calls[about] > 0 and calls[about] >= most / 2
        is_alike = not most and len(said.split()) >= WORDS_OF_ANOTHER_QUESTION and _names(one, words, course)
        fits = said and (about == concept.id or is_called or is_alike)
        if fits and (calls[about], len(said)) > best:
            best, answer = (calls[about], len(said)), one
    return answer


def find_nearest_answer(text: str, *, course: "CourseContent") -> tuple[str, int, float] | None:
    """Return the concept, the place and the likeness of the answer whose wordings are nearest; None if none is near.

    An answer scores the cosine of its nearest wording and that of its own text: what is asked of sounds like both.
    """
    asked = frequent_questions(course)
    if not asked or not 0 < len(text.split()) <= MOST_WORDS:
        return None
    try:
        said = meaning_vector(text.rstrip(" ?"))
        answers, wordings = (embed_wordings(texts) @ said for texts in _compared_texts(asked))
    except EmbeddingModelMissing:
        return None
    scored, start = [], 0
    for each, own in zip(asked, answers.tolist(), strict=True):
        end = start + len(each.answer.wordings)
        likeness = float(wordings[start:end].max())
        scored.append((likeness + own, likeness, each))
        start = end
    (score, likeness, best), *others = sorted(scored, key=itemgetter(0), reverse=True)
    is_ahead = not others or score - others[0][0] >= AHEAD
    return (best.concept, best.place, likeness) if likeness >= SAME or (likeness >= SURE and is_ahead) else None


def find_nearest_idea(text: str, *, course: "CourseContent", concept: "ConceptContent") -> str:
    """Return the course's sentence on the idea that a statement comes nearest to, right or wrong; empty if none is near."""
    ideas = tuple(course.misconceptions.values())
    if not ideas or len(text.split()) < WORDS_OF_AN_IDEA:
        return ""
    try:
        likeness = (embed_wordings(_idea_texts(course)) @ meaning_vector(text)).reshape(len(ideas), -1).max(axis=1)
    except EmbeddingModelMissing:
        return ""
    scored = [
        (float(each) + NEAR_HERE * (concept.id in idea.concepts), idea)
        for each, idea in zip(likeness, ideas, strict=True)
    ]
    score, nearest = max(scored, key=itemgetter(0))
    return nearest.correct_idea if score >= NEAR_IDEA else ""


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


def embed_questions(course: "CourseContent") -> None:
    """Compute the embeddings of a course's questions and ideas, if it can be done, so that no learner waits. About a second."""
    with suppress(EmbeddingModelMissing):
        for texts in (*_compared_texts(frequent_questions(course)), _idea_texts(course)):
            embed_wordings(texts)


def _compared_texts(asked: Sequence[FrequentQuestion]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the answers, and the wordings of one question after the other."""
    wordings = tuple(wording for each in asked for wording in each.answer.wordings)
    return tuple(each.answer.says for each in asked), wordings


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
