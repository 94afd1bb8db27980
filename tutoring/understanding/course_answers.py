"""Which of a course's answers answers a question: by its patterns, and by which concept the question calls."""

import re
from typing import TYPE_CHECKING

from tutoring.grading.language.vocabulary import word_set
from tutoring.understanding.parsing.assertions import compile_pattern
from tutoring.understanding.parsing.concept_names import naming_shares, topic_stems

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseAnswer, CourseContent

TAUGHT = 0.1
"""How much of a question a concept is called by that nothing in it names, since it is the one that is taught."""
WORDS_OF_ANOTHER_QUESTION = 3
"""Words of a question from which an answer of another concept than the one taught fits it."""
_WORD = re.compile(r"[a-z]{4,}")
_OF_ANY_QUESTION = word_set(
    "about always does explain from have know learn mean means much must need should tell that them there they think this "
    "what when where which with word words would your"
)
_QUESTION_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_OF_ANY_QUESTION))})\b")
_IN_FRACTION = re.compile(r"(?<=\d)(?:\d|\s*/\s*\d)")


def find_answer_to(words: str, *, course: "CourseContent", concept: "ConceptContent") -> "CourseAnswer | None":
    """Return what the course answers to a question in plain words, asked where the concept is taught; None for no answer.

    The concept that is called by the most words of the question answers, the one that is taught a little before the others.
    Of another that few of its words call, or none, nothing is answered; of none where more than a word or two fits.
    """
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


def _names(answer: "CourseAnswer", words: str, course: "CourseContent") -> bool:
    """Tell whether a question holds a word of the matter that the answer looks for, and not only question words."""
    looked_for = {word for asks in answer.asks for word in _WORD.findall(asks)} - _OF_ANY_QUESTION
    said = {word for word in _WORD.findall(words) if not set(topic_stems(word)) <= set(topic_stems(course.title))}
    return bool(said & looked_for)


def _longest_match(answer: "CourseAnswer", words: str) -> str:
    """Return the most of a question that a pattern of the answer finds; a match that ends within a fraction is none."""
    matches = (compile_pattern(pattern).search(words) for pattern in answer.asks)
    found = (match.group() for match in matches if match and not _IN_FRACTION.match(words, match.end()))
    return max(found, key=len, default="")
