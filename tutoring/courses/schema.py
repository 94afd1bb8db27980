"""The shapes of course files, as pydantic models: what an author writes, before it becomes a catalogue value."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

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

from tutoring.courses.catalogue import Difficulty, MisconceptionKind, TemplateKind
from tutoring.courses.instances import is_written
from tutoring.grading.keys import Form

MAX_PATTERN = 600
_REPEATED_GROUP = re.compile(r"\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)\s*[*+{]")


def _pattern(text: str) -> str:
    """Refuse patterns that do not compile or could take very long: every message of a learner meets them."""
    if len(text) > MAX_PATTERN:
        raise ValueError(f"a pattern has at most {MAX_PATTERN} characters")
    if _REPEATED_GROUP.search(text):
        raise ValueError("a repeated group must not hold a repetition itself, as in (a+)+")
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return text


def _written(value: object) -> object:
    """Take a number for the text an author meant: `value: 3` is the expression 3."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _shape(value: object) -> str:
    """Tell a union's members apart by the look of the value, so that a fault is about the one that was meant."""
    if isinstance(value, (Mapping, BaseModel)):
        return "table"
    return "list" if isinstance(value, (list, tuple)) else "text"


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-H]$")]
Pattern = Annotated[Words, AfterValidator(_pattern)]
Expression = Annotated[str, BeforeValidator(_written), StringConstraints(min_length=1, max_length=400)]
Amounts = Annotated[
    Annotated[Expression, Tag("text")] | Annotated[tuple[Expression, ...], Tag("list")], Discriminator(_shape)
]
Share = Annotated[float, Field(ge=0, le=1)]


def _own_name(template: str) -> str:
    if is_written(template):
        raise ValueError("names like this are kept for questions that a model writes")
    return template


class FromFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MasteryEntry(FromFile):
    threshold: Share = 0.85


class CourseEntry(FromFile):
    id: Id
    title: Words
    summary: Words
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]
    license: Words
    version: Annotated[Words, BeforeValidator(_written)]
    mastery: MasteryEntry = MasteryEntry()


class ConceptEntry(FromFile):
    id: Id
    title: Words
    summary: Words
    requires: tuple[Id, ...] = ()
    encompasses: tuple[Id, ...] = ()
    level: Annotated[int, Field(ge=1, le=50)] = 1
    goal: bool = False
    minutes: Annotated[int, Field(ge=1, le=240)] = 10


class GraphEntry(FromFile):
    concepts: Annotated[tuple[ConceptEntry, ...], Field(min_length=1, max_length=500)]


class IdeaEntry(FromFile):
    any: Annotated[tuple[Pattern, ...], Field(min_length=1, max_length=40)]
    w: Annotated[float, Field(gt=0, le=10)] = 1.0
    name: Words | None = None


class StripEntry(FromFile):
    parts: Amounts
    shaded: Amounts = ()


class MarkEntry(FromFile):
    at: Expression
    label: Annotated[str, BeforeValidator(_written)] = ""


def _mark(value: object) -> object:
    return value if isinstance(value, Mapping) else {"at": value}


class PictureEntry(FromFile):
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


PictureOrName = Annotated[Annotated[PictureEntry, Tag("table")] | Annotated[Id, Tag("text")], Discriminator(_shape)]


class MalruleEntry(FromFile):
    answer: Expression
    when: str = ""


class ContrastEntry(FromFile):
    blocks: Words
    pictures: Mapping[Id, PictureEntry] = {}
    ideas: tuple[IdeaEntry, ...] = ()
    heard: str = ""
    not_yet: str = ""


class MisconceptionEntry(FromFile):
    id: Id
    kind: MisconceptionKind
    says: Words
    description: Words
    malrule: MalruleEntry | None = None
    utterances: tuple[Pattern, ...] = ()
    correct_idea: Words
    noticed: str = ""
    contrast: ContrastEntry
    base_rate: Share = 0.05
    concepts: tuple[Id, ...] = ()


class AnswerEntry(FromFile):
    value: Expression | None = None
    values: tuple[Letter, ...] = ()
    form: Form = "any"
    tolerance: Expression | None = None
    places: Annotated[int, Field(ge=0, le=20)] | None = None
    ideas: tuple[IdeaEntry, ...] = ()
    contradicts: tuple[Pattern, ...] = ()
    references: tuple[Words, ...] = ()


def _choice(value: object) -> object:
    return value if isinstance(value, Mapping) else {"text": value}


class ChoiceEntry(FromFile):
    text: Annotated[str, BeforeValidator(_written)] = ""
    picture: PictureOrName | None = None

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not self.text.strip() and self.picture is None:
            raise ValueError("a choice needs a text or a picture")
        return self


class HintEntry(FromFile):
    rung: Literal[1, 2, 3, 4, 5]
    focus: Words | None = None
    principle: Words | None = None
    ask: Words | None = None
    answer: Annotated[Words, BeforeValidator(_written)] | None = None
    twin: Mapping[str, Expression] | None = None
    example: Words | None = None
    solution: Literal["auto"] | None = None

    @model_validator(mode="after")
    def _has_what_its_rung_needs(self) -> Self:
        needs: dict[int, tuple[set[str], ...]] = {
            1: ({"focus"},),
            2: ({"principle"},),
            3: ({"ask", "answer"},),
            4: ({"twin"}, {"example"}),
            5: ({"solution"},),
        }
        given = {name for name, value in self if value is not None} - {"rung"}
        if given not in needs[self.rung]:
            wanted = " or ".join(" + ".join(sorted(names)) for names in needs[self.rung])
            raise ValueError(f"rung {self.rung} has {wanted}, not {', '.join(sorted(given)) or 'nothing'}")
        return self


def _five_rungs(hints: tuple[HintEntry, ...]) -> tuple[HintEntry, ...]:
    if [hint.rung for hint in hints] != [1, 2, 3, 4, 5]:
        raise ValueError("hints are rungs 1, 2, 3, 4, 5, each once and in order")
    return hints


def _rule_pairs(value: Any) -> Any:  # Whatever the file holds; pydantic judges the result.
    """Turn `[a, {b: expression}]` into pairs `(a, None), (b, expression)`."""
    if not isinstance(value, list):
        return value
    return [next(iter(item.items())) if isinstance(item, dict) and len(item) == 1 else (item, None) for item in value]


Rules = Annotated[tuple[tuple[Id, Expression | None], ...], BeforeValidator(_rule_pairs)]
Listed = Annotated[Annotated[Mapping[Letter, Id], Tag("table")] | Annotated[Rules, Tag("list")], Discriminator(_shape)]


class TemplateEntry(FromFile):
    id: Annotated[Id, AfterValidator(_own_name)]
    concept: Id
    type: TemplateKind
    difficulty: Difficulty
    params: Mapping[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w{0,30}$")], Expression] = {}
    where: Annotated[tuple[Expression, ...], Field(max_length=20)] = ()
    stem: Words
    picture: PictureOrName | None = None
    answer: AnswerEntry
    choices: Mapping[Letter, Annotated[ChoiceEntry, BeforeValidator(_choice)]] = {}
    shuffle: bool = True
    misconceptions: Listed = ()
    malrule_params: Mapping[str, Expression] = {}
    hints: Annotated[tuple[HintEntry, ...], AfterValidator(_five_rungs)]
    solution: Annotated[tuple[Words, ...], Field(min_length=1, max_length=12)]


class ApplyEntry(FromFile):
    items: tuple[str, ...] = ()
    unassisted: Annotated[int, Field(ge=1, le=10)] = 1


class MilestoneEntry(FromFile):
    id: Id
    concept: Id
    title: Words
    ask: str = ""
    triggers: tuple[Pattern, ...] = ()
    ideas: Annotated[tuple[IdeaEntry, ...], Field(min_length=1)]
    contradicts: tuple[Id, ...] = ()
    apply: ApplyEntry = ApplyEntry()


class PieceEntry(FromFile):
    ideas: tuple[IdeaEntry, ...] = ()
    heard: str = ""
    not_yet: str = ""


class AskedEntry(FromFile):
    asks: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    says: Words
    picture: Id | None = None


class DialogueEntry(FromFile):
    pieces: Mapping[Id, PieceEntry] = {}
    answers: tuple[AskedEntry, ...] = ()


class LessonEntry(FromFile):
    """The front matter of lesson.md."""

    concept: Id
    minutes: Annotated[int, Field(ge=1, le=240)] | None = None
