"""Questions that a language model drafts from a passage, each checked by code against the passage before it is kept."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field

from tutoring.courses.checks.style import reading_grade
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.source_text import Sentence
from tutoring.document_courses.terms import words_of

MAX_CHARACTERS: Final = 6_000
"""Of a passage that is sent to the model."""
MAX_GRADE: Final = 12.0
"""The highest US school grade of a question with its answers, by Flesch and Kincaid (1975)."""
WRONG: Final = 3
MAX_ANSWER: Final = 200
MAX_QUESTION: Final = 300
_POINTS_OUT: Final = re.compile(
    r"^(?:it|this|that|these|those|they|he|she)\b|\b(?:passage|author|text above|figure|table \d|chapter|exercise)\b|!",
    re.IGNORECASE,
)


class PassageQuestion(BaseModel):
    """One question as a model wrote it, unchecked."""

    question: str
    answer: str = Field(description="A few words of the quote, letter for letter.")
    wrong: list[str] = Field(description="Three answers that are surely wrong.")
    quote: str = Field(description="The sentence of the passage that gives the answer, letter for letter.")


class PassageQuestions(BaseModel):
    questions: list[PassageQuestion]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageFacts:
    """What the model is given: the passage, and the questions that there are."""

    title: str
    text: str
    known: tuple[str, ...] = ()


def passage_material(facts: PassageFacts) -> str:
    """Return the material for the model beside its prompt."""
    known = "\n".join(f"- {stem}" for stem in facts.known)
    blocks = (
        f"Topic: {facts.title}",
        f"<<<passage\n{facts.text[:MAX_CHARACTERS]}\npassage>>>",
        f"Asked already; write other ones:\n{known}" if known else "",
    )
    return "\n\n".join(filter(None, blocks))


def checked_questions(
    written: PassageQuestions, sentences: Sequence[Sentence], *, section: int, known: Sequence[DraftedQuestion]
) -> Iterator[DraftedQuestion]:
    """Yield the questions that the passage supports, each with one right answer that code has found in its quote."""
    taken = {_plain(question.stem) for question in known}
    for each in written.questions:
        sentence = next((one for one in sentences if _plain(one.text) == _plain(each.quote)), None)
        if sentence is None or _plain(each.question) in taken or not _holds(each, sentence.text):
            continue
        taken.add(_plain(each.question))
        yield DraftedQuestion(
            kind="choice",
            stem=" ".join(each.question.split()),
            options=tuple(" ".join(text.split()) for text in (each.answer, *each.wrong)),
            quote=sentence.text,
            passage=sentence.passage,
            section=section,
            source="model",
        )


def _holds(each: PassageQuestion, quote: str) -> bool:
    """Return whether the answer is in the quote and not in the question, and no wrong answer is right or a duplicate."""
    options = [_plain(text) for text in (each.answer, *each.wrong)]
    said = f" {_plain(quote)} "
    return (
        len(each.wrong) == WRONG
        and all(options)
        and len(set(options)) == len(options)
        and f" {options[0]} " in said
        and not any(f" {wrong} " in said for wrong in options[1:])
        and not any(options[0] in wrong or wrong in options[0] for wrong in options[1:])
        and f" {options[0]} " not in f" {_plain(each.question)} "
        and each.question.strip().endswith("?")
        and len(each.question) <= MAX_QUESTION
        and max(map(len, (each.answer, *each.wrong))) <= MAX_ANSWER
        and not any(_POINTS_OUT.search(text) for text in (each.question, each.answer, *each.wrong))
        and _grade(each) <= MAX_GRADE
    )


def _grade(each: PassageQuestion) -> float:
    """Return the reading grade of the question and its answers; the measure needs 30 words, so they come ten times."""
    return reading_grade(f"{each.question} {'. '.join([each.answer, *each.wrong])}. " * 10)


def _plain(text: str) -> str:
    """Return a text for comparison: its words in lower case, with their endings cut off."""
    return " ".join(words_of(text))
