"""What the tutoring room's cards hold, for clients that draw them themselves."""

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
    """A picture is told in words."""


class QuestionCard(CardContent):
    """A question as it is put. It is answered by a message: a letter, a number, or the learner's own words."""

    question_kind: TemplateKind
    stem: str
    """What is asked, as Markdown with formulas in `$…$`."""
    number: int
    """Its place in the quiz, from 1."""
    total: int | None
    """How many questions the quiz has; null where nobody knows yet, as in a check of what is known."""
    choices: list[CardOption]
    """What to choose from, to put in order, or to match the rows with; empty for other kinds."""
    rows: list[CardOption]
    """What something is to be matched with; empty for other kinds."""
    picture: str | None
    """The picture beside it, in words."""
    answer_url: str
    """Where the page's form posts an answer to, below the server's own address; for a browser alone."""
    state: Literal["open", "answered", "closed"] | None = None
    """`open`: it waits for an answer, or for another try; `closed`: it was put away unanswered. This field and those below
    tell how the question stands when you ask, and are missing from the event that first shows it."""
    verdict: str | None = None
    """How the latest answer was judged: `correct`, `equivalent_not_in_form`, `sign_error`, `partial`, `wrong`, or
    `noted` where verdicts are not told; null before any."""
    answer: str | None = None
    """The learner's latest answer; null before any."""
    hints: list[str] = []
    """The hints taken so far."""


class PictureCard(CardContent):
    alt: str
    """What the picture shows."""
    svg: str


class ConceptCard(CardContent):
    """A way to a lesson, to the map or to what is to be looked at again."""

    title: str
    summary: str
    url: str
    go: str = ""
    """What its button says."""


class PathCardStep(CardContent):
    concept: str
    title: str
    kind: StepKind
    """`check`: it looks known, and its questions will show."""
    ready: bool
    is_next: bool
    is_goal: bool
    reason: str
    least: int
    """Questions it takes at least, and mostly at most."""
    most: int
    url: str


class PathCard(CardContent):
    """The learner's way to a goal, as it was planned then."""

    course: str
    map_url: str
    goals: list[str]
    known: list[str]
    """What is mastered already."""
    steps: list[PathCardStep]


class RepliesCard(CardContent):
    """What the learner may want to say now; each is a message."""

    options: list[str]
