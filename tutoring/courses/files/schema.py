"""The schemas of course files as pydantic models: what an author writes, before it becomes a catalogue value."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from tutoring.courses.catalogue import MisconceptionKind
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.files.schema_types import (
    Expression,
    FileModel,
    Id,
    Pattern,
    Share,
    StandardCode,
    Words,
    number_as_text,
)
from tutoring.courses.quiz_limits import MAXIMUM_CYCLES, MAXIMUM_PER_CONCEPT, MAXIMUM_QUESTIONS, MINIMUM_QUESTIONS


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
    quotes: bool = False
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
