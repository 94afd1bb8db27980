"""Fits a course's heads of frequent questions and of the concepts that learners ask for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tutoring.courses.files.course_builder import NO_CONCEPT, OTHER_QUESTIONS
from tutoring.understanding.classifiers.course_heads import question_label
from tutoring.understanding.classifiers.heads import Head
from tutoring.understanding.classifiers.questions import NONE, question_vector, request_vector
from tutoring.understanding.course_answers import frequent_questions
from tutoring.understanding.parsing.spelling_cleanup import tidy_text
from tutoring.understanding.training import general_heads_fitting, head_fitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.classifiers.features import Vector

# On a fifth of the wordings of Fractions (2026-11-27), 300 steps find the own question of 40 %, 600 of 48 %; a penalty of
# 1e-4 instead of 1e-5 changes nothing.
STEPS: Final = 600
DECAY_OF_QUESTIONS: Final = 1e-5
# With 1e-4, more requests are found and fewer of them right; 1e-3 halves what is found. Chosen on the same folds.
DECAY_OF_REQUESTS: Final = 3e-4
# Chosen by hand: as frequent as a question that the course has 20 wordings of, however many others there are.
WEIGHT_OF_OTHERS: Final = 0.3
"""Sample weight of the messages that ask for nothing of the course."""
EVERY: Final = 4
"""One of so many labelled messages is used as a row that asks for nothing of the course."""
NO_QUESTIONS: Final = frozenset(
    {
        "answer", "ask_example", "ask_hint", "ask_quiz", "change_topic", "emotion_negative", "emotion_positive", "go_on",
        "greeting", "off_topic", "plan", "progress", "question_meta", "resume", "small_talk", "thanks", "tool_request",
    }
)  # fmt: skip
"""Intents of messages that ask nothing about the subject."""
NO_REQUESTS: Final = frozenset(
    {
        "answer", "ask_example", "ask_hint", "calculate", "disagree", "emotion_negative", "emotion_positive", "go_on",
        "greeting", "idea", "off_topic", "progress", "question_meta", "resume", "small_talk", "thanks", "tool_request",
    }
)  # fmt: skip
"""Intents of messages that ask for no concept."""


def fit_question_head(course: "CourseContent") -> Head:
    """Return the head of the frequent questions, fitted on their wordings and answers."""
    return _fit(question_rows(course), question_vector, others=NO_QUESTIONS, decay=DECAY_OF_QUESTIONS)


def fit_request_head(course: "CourseContent") -> Head:
    """Return the head of the concepts that are asked for, fitted on requests, titles and other names."""
    return _fit(request_rows(course), request_vector, others=NO_REQUESTS, decay=DECAY_OF_REQUESTS)


def question_rows(course: "CourseContent") -> list[tuple[str, str]]:
    """Return the wordings of a course's frequent questions, and their answers, each with its label; others have NONE."""
    own = [
        (text, question_label(each.concept, each.place))
        for each in frequent_questions(course)
        for text in (*each.answer.wordings, each.answer.says)
    ]
    return own + [(text, NONE) for text in course.requests.get(OTHER_QUESTIONS, ())]


def request_rows(course: "CourseContent") -> list[tuple[str, str]]:
    """Return how a course's concepts are called and asked for, each with the concept's id."""
    named = [(text, concept.id) for concept in course.concepts for text in (concept.title, *concept.also)]
    asked = [
        (text, NONE if name == NO_CONCEPT else name)
        for name, texts in course.requests.items()
        if name != OTHER_QUESTIONS
        for text in texts
    ]
    return named + asked


def _fit(
    rows: Sequence[tuple[str, str]], vector: "Callable[[str], Vector]", *, others: frozenset[str], decay: float
) -> Head:
    """Return a head fitted to labelled texts, and to messages of other intents as rows of the label NONE."""
    import numpy as np

    beside = [each.text for each in general_heads_fitting.intent_rows() if each.label in others][::EVERY]
    texts = [*(text for text, _label in rows), *beside]
    return head_fitting.fit_head(
        np.stack([vector(tidy_text(text)) for text in texts]),
        [*(label for _text, label in rows), *([NONE] * len(beside))],
        decay=decay,
        weights=np.array([1.0] * len(rows) + [WEIGHT_OF_OTHERS] * len(beside)),
        steps=STEPS,
    )
