"""Schemas of the tutoring cards, for clients that draw them themselves."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tutoring.courses.catalogue import TemplateKind
from tutoring.mastery.learning_path import StepKind


class CardContent(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class CardOption(CardContent):
    """Something to choose, to order or to match."""

    letter: str
    text: str
    """What the picture shows, in words."""


class QuestionCard(CardContent):
    """A question. It is answered by a message: a letter, a number, or the learner's own words."""

    question_kind: TemplateKind
    lead: str = ""
    """What the tutor says above the question, as Markdown; empty in a quiz."""
    again: bool = False
    """Whether it was asked in an earlier turn and is still waiting for an answer."""
    stem: str
    """The question as Markdown with formulas in `$…$`."""
    number: int
    """Its position in the quiz, from 1."""
    total: int | None
    """How many questions the quiz has; null if that is not known yet, as in a placement."""
    choices: list[CardOption]
    """The choices, the things or lines to order, or the things to match the rows with; empty for other kinds."""
    rows: list[CardOption]
    """The rows to match; empty for other kinds."""
    picture: str | None
    """The question's picture, or the board on which it is answered, in words."""
    starter: str = ""
    """What the program to be written begins with; empty for other kinds."""
    answer_url: str
    """The path to which the page's form posts an answer; only for a browser."""
    state: Literal["open", "answered", "closed"] | None = None
    """`open`: it waits for an answer or another try; `closed`: it was abandoned unanswered. This field and those below
    show its current state, and are missing from the event that first shows it."""
    verdict: str | None = None
    """The verdict on the latest answer: `correct`, `equivalent_not_in_form`, `sign_error`, `partial`, `wrong`, or
    `noted` if verdicts are not told; null before the first answer."""
    answer: str | None = None
    """The learner's latest answer; null before the first one."""
    hints: list[str] = []
    """The hints taken so far."""


class PictureCard(CardContent):
    alt: str
    """What the picture shows."""
    svg: str


class ConceptCard(CardContent):
    """A link to a lesson, to the map or to a review."""

    title: str
    summary: str
    url: str
    go: str = ""
    """The label of its button."""


class PathCardStep(CardContent):
    concept: str
    title: str
    kind: StepKind
    """`check`: the learner may know it already; its questions will check whether they do."""
    ready: bool
    is_next: bool
    is_goal: bool
    reason: str
    least: int
    """The lowest and the usual highest number of questions."""
    most: int
    minutes: int | None = None
    """An estimate of the time it takes; null for paths planned before estimates were stored."""
    url: str


class PathCard(CardContent):
    """The learner's path to a goal, as it was planned at the time."""

    course: str
    map_url: str
    goals: list[str]
    known: list[str]
    """What is mastered already."""
    steps: list[PathCardStep]


class RepliesCard(CardContent):
    """What the learner may want to say now; each is a message."""

    options: list[str]
