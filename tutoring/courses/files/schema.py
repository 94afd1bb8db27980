"""The schemas of course files as pydantic models: what an author writes, before it becomes a catalogue value."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    model_validator,
)

from tutoring.courses.catalogue import MisconceptionKind
from tutoring.courses.quiz_limits import MAXIMUM_CYCLES, MAXIMUM_PER_CONCEPT, MAXIMUM_QUESTIONS, MINIMUM_QUESTIONS

# Patterns run against every message; the longest of Fractions has about 360 characters.
MAX_PATTERN = 600
_REPEATED_GROUP = re.compile(r"\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)\s*[*+{]")


def _pattern(text: str) -> str:
    """Reject patterns that do not compile or could be slow, since they run against every message."""
    if len(text) > MAX_PATTERN:
        raise ValueError(f"a pattern can have at most {MAX_PATTERN} characters")
    if _REPEATED_GROUP.search(text):
        raise ValueError("a repeated group must not contain another repetition, as in (a+)+")
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return text


def number_as_text(value: object) -> object:
    """Return a number as the text an author meant: `value: 3` is the expression 3."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def value_shape(value: object) -> str:
    """Discriminate a union's members by the form of the value, so that a fault is about the intended one."""
    if isinstance(value, (Mapping, BaseModel)):
        return "table"
    return "list" if isinstance(value, (list, tuple)) else "text"


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
StandardCode = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.:_-]{0,39}$")]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-H]$")]
Pattern = Annotated[Words, AfterValidator(_pattern)]
Expression = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=400)]
Amounts = Annotated[
    Annotated[Expression, Tag("text")] | Annotated[tuple[Expression, ...], Tag("list")], Discriminator(value_shape)
]
Code = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=4000)]
"""A program, or what it prints: the spaces at its beginning count."""
CodeLine = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=400)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]


class FileModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MasteryEntry(FileModel):
    threshold: Share = 0.85
    cycles: Annotated[int, Field(ge=1, le=MAXIMUM_CYCLES)] = MAXIMUM_CYCLES


class QuizEntry(FileModel):
    questions: Annotated[int, Field(ge=MINIMUM_QUESTIONS, le=MAXIMUM_QUESTIONS)] = MAXIMUM_QUESTIONS
    per_concept: Annotated[int, Field(ge=1, le=MAXIMUM_PER_CONCEPT)] = MAXIMUM_PER_CONCEPT


class CourseEntry(FileModel):
    id: Id
    title: Words
    summary: Words
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]
    license: Words
    version: Annotated[Words, BeforeValidator(number_as_text)]
    mastery: MasteryEntry = MasteryEntry()
    quiz: QuizEntry = QuizEntry()
    standards: Words | None = None
    attribution: Words | None = None
    question_bank: bool = False
    small: bool = False
    position: Annotated[int, Field(ge=0, le=1000)] = 100


class ConceptEntry(FileModel):
    id: Id
    title: Words
    summary: Words
    also: Annotated[tuple[Words, ...], Field(max_length=40)] = ()
    can: Words | None = None
    tasks: Annotated[tuple[Words, ...], Field(max_length=4)] = ()
    shown_by: Annotated[tuple[tuple[Id, ...], ...], Field(max_length=4)] = ()
    standards: Annotated[tuple[StandardCode, ...], Field(max_length=12)] = ()
    requires: tuple[Id, ...] = ()
    encompasses: tuple[Id, ...] = ()
    level: Annotated[int, Field(ge=1, le=50)] = 1
    goal: bool = False
    retired: bool = False
    minutes: Annotated[int, Field(ge=1, le=240)] = 10


class GraphEntry(FileModel):
    concepts: Annotated[tuple[ConceptEntry, ...], Field(min_length=1, max_length=500)]


class IdeaEntry(FileModel):
    any: Annotated[tuple[Pattern, ...], Field(min_length=1, max_length=40)]
    w: Annotated[float, Field(gt=0, le=10)] = 1.0
    name: Words | None = None

    @property
    def called(self) -> str:
        return self.name or self.any[0]


class StripEntry(FileModel):
    parts: Amounts
    shaded: Amounts = ()
    label: str = ""


class MarkEntry(FileModel):
    at: Expression
    label: Annotated[str, BeforeValidator(number_as_text)] = ""


def _mark(value: object) -> object:
    return value if isinstance(value, Mapping) else {"at": value}


class PictureEntry(FileModel):
    kind: Words
    alt: str = ""
    parts: Amounts = ()
    shaded: Amounts = ()
    gap: Expression = "0"
    rows: Expression = "0"
    columns: Expression = "0"
    start: Expression = Field(default="0", alias="from")
    end: Expression = Field(default="1", alias="to")
    ticks: Expression = "1"
    width: Expression = "0"
    height: Expression = "0"
    polygons: tuple[tuple[tuple[Expression, Expression], ...], ...] = ()
    scale: Expression = "1"
    marks: tuple[Annotated[MarkEntry, BeforeValidator(_mark)], ...] = ()
    bars: tuple[StripEntry, ...] = ()
    movable: bool = False


PictureOrName = Annotated[
    Annotated[PictureEntry, Tag("table")] | Annotated[Id, Tag("text")], Discriminator(value_shape)
]


class MalruleEntry(FileModel):
    answer: Expression
    when: str = ""


class ContrastChoices(FileModel):
    """What to choose from at a contrast case: at most four short answers, one of them right."""

    right: Annotated[Words, BeforeValidator(number_as_text)]
    wrong: Annotated[tuple[Annotated[Words, BeforeValidator(number_as_text)], ...], Field(min_length=1, max_length=3)]


class ContrastEntry(FileModel):
    blocks: Words
    choices: ContrastChoices | None = None
    pictures: Mapping[Id, PictureEntry] = {}
    ideas: tuple[IdeaEntry, ...] = ()
    heard: str = ""
    not_yet: str = ""


class WrongAnswerEntry(FileModel):
    question: Words
    answer: Annotated[Words, BeforeValidator(number_as_text)]


class MisconceptionEntry(FileModel):
    id: Id
    kind: MisconceptionKind
    says: Words
    description: Words
    malrule: MalruleEntry | None = None
    utterances: tuple[Pattern, ...] = ()
    examples: Annotated[tuple[WrongAnswerEntry, ...], Field(max_length=40)] = ()
    correct_idea: Words
    noticed: str = ""
    right_of_equal_parts: bool = False
    contrast: ContrastEntry | None = None
    base_rate: Share = 0.05
    concepts: tuple[Id, ...] = ()


class ApplyEntry(FileModel):
    items: tuple[str, ...] = ()
    unassisted: Annotated[int, Field(ge=1, le=10)] = 1


class WordingsEntry(FileModel):
    said: Annotated[tuple[Words, ...], Field(min_length=1, max_length=12)]
    against: Annotated[tuple[Words, ...], Field(max_length=12)] = ()


class MilestoneEntry(FileModel):
    id: Id
    concept: Id
    title: Words
    ask: str = ""
    triggers: tuple[Pattern, ...] = ()
    ideas: Annotated[tuple[IdeaEntry, ...], Field(min_length=1)]
    contradicts: tuple[Id, ...] = ()
    apply: ApplyEntry = ApplyEntry()
    wordings: Mapping[str, WordingsEntry] = {}

    @model_validator(mode="after")
    def _has_wordings_of_all_ideas(self) -> Self:
        if self.wordings and self.wordings.keys() != (names := {idea.called for idea in self.ideas}):
            listed = ", ".join(sorted(self.wordings.keys() ^ names))
            raise ValueError(f"wordings must name all ideas or none; these do not match: {listed}")
        return self


Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400, strict=True)]
Sentences = Annotated[tuple[Sentence, ...], Field(min_length=1, max_length=1000)]


class RepliesEntry(FileModel):
    model: Sentence | Literal[""] = ""
    right: Sentences
    partly: Sentences | None = None
    wrong: Mapping[Id, Sentences]


class ContrastRepliesEntry(FileModel):
    model: Sentence | Literal[""] = ""
    right: Sentences
    partly: Sentences | None = None
    wrong: Sentences


class SayingsEntry(FileModel):
    sayings: Sentences
    against: Sentences | None = None


class ConceptWordingsEntry(FileModel):
    """A concept's wordings.yaml."""

    replies: Mapping[Id, RepliesEntry] = {}
    milestones: Mapping[Id, SayingsEntry] = {}
    misconceptions: Mapping[Id, SayingsEntry] = {}
    contrasts: Mapping[Id, ContrastRepliesEntry] = {}


class PieceEntry(FileModel):
    ideas: tuple[IdeaEntry, ...] = ()
    heard: str = ""
    not_yet: str = ""


class CourseAnswerEntry(FileModel):
    asks: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    says: Words
    picture: Id | None = None
    draws_asked: bool = False


class FrequentQuestionEntry(FileModel):
    """A question about the subject in several wordings, and its answer."""

    asked: Annotated[tuple[Words, ...], Field(min_length=3, max_length=20)]
    says: Words


class DialogueEntry(FileModel):
    pieces: Mapping[Id, PieceEntry] = {}
    answers: tuple[CourseAnswerEntry, ...] = ()


class LessonEntry(FileModel):
    """The front matter of lesson.md."""

    concept: Id
    minutes: Annotated[int, Field(ge=1, le=240)] | None = None
