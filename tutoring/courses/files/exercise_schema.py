"""The schema of an exercise template in items.yaml."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, StringConstraints, Tag, model_validator

from tutoring.courses.catalogue import Difficulty, TemplateKind
from tutoring.courses.exercises.exercise import is_written
from tutoring.courses.files.picture_schema import PictureOrName
from tutoring.courses.files.schema import IdeaEntry
from tutoring.courses.files.schema_types import (
    Amounts,
    Code,
    CodeLine,
    Expression,
    FileModel,
    Id,
    Letter,
    Pattern,
    Words,
    number_as_text,
    value_shape,
)
from tutoring.grading.keys import Form


def _own_name(template: str) -> str:
    if is_written(template):
        raise ValueError("names like this are reserved for questions that a model writes")
    return template


MAX_LINES = 12
"""Lines of a working, or of a program to be put in order."""
ValueName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
PythonWord = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][\w-]{0,39}$")]


def _as_python(value: object) -> object:
    """Return a value as Python writes it: `value: 6`, `value: true`."""
    return repr(value) if isinstance(value, (bool, int, float)) else value


def _choice(value: object) -> object:
    return value if isinstance(value, Mapping) else {"text": value}


class ChoiceEntry(FileModel):
    text: Annotated[str, BeforeValidator(number_as_text)] = ""
    picture: PictureOrName | None = None
    says: Words | None = None
    """What learners are told who choose it; only for wrong choices."""

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not self.text.strip() and self.picture is None:
            raise ValueError("a choice needs a text or a picture")
        return self


ChoiceField = Annotated[ChoiceEntry, BeforeValidator(_choice)]


class CaseEntry(FileModel):
    """What a program must do: the value of a call, or what is printed by it, or by the whole program."""

    call: Code | None = None
    value: Annotated[Code, BeforeValidator(_as_python)] | None = None
    prints: Annotated[str, BeforeValidator(number_as_text), StringConstraints(max_length=4000)] | None = None
    says: Words | None = None

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.value is None and self.prints is None:
            raise ValueError("a case needs the value of its call, or what is printed")
        if self.value is not None and self.call is None:
            raise ValueError("a case with a value needs the call that has it")
        return self


class AnswerEntry(FileModel):
    value: Expression | None = None
    slope: Expression | None = None
    intercept: Expression | None = None
    values: Annotated[tuple[Expression, ...], Field(max_length=8)] = ()
    names: Annotated[tuple[ValueName, ...], Field(max_length=8)] = ()
    order: Annotated[tuple[ChoiceField, ...], Field(max_length=6)] = ()
    pairs: Annotated[tuple[tuple[ChoiceField, ChoiceField], ...], Field(max_length=6)] = ()
    spare: Annotated[tuple[ChoiceField, ...], Field(max_length=4)] = ()
    start: Words | None = None
    lines: Annotated[tuple[CodeLine, ...], Field(max_length=MAX_LINES)] = ()
    form: Form = "any"
    tolerance: Expression | None = None
    places: Annotated[int, Field(ge=0, le=20)] | None = None
    ideas: tuple[IdeaEntry, ...] = ()
    contradicts: tuple[Pattern, ...] = ()
    references: tuple[Words, ...] = ()
    exact_pieces: bool = False
    pieces: Annotated[tuple[Expression, ...], Field(max_length=24)] = ()
    prints: Code | None = None
    solution: Code | None = None
    cases: Annotated[tuple[CaseEntry, ...], Field(max_length=8)] = ()
    needs: Annotated[tuple[PythonWord, ...], Field(max_length=8)] = ()
    without: Annotated[tuple[PythonWord, ...], Field(max_length=8)] = ()
    also: Annotated[tuple[tuple[CodeLine, ...], ...], Field(max_length=8)] = ()


class HintEntry(FileModel):
    rung: Literal[1, 2, 3, 4, 5]
    focus: Words | None = None
    principle: Words | None = None
    ask: Words | None = None
    answer: Annotated[Words, BeforeValidator(number_as_text)] | None = None
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


def _rising_rungs(hints: tuple[HintEntry, ...]) -> tuple[HintEntry, ...]:
    rungs = [hint.rung for hint in hints]
    if rungs != sorted(set(rungs)):
        raise ValueError("hints must have the rungs 1, 2, 3, 4 and 5, each once and in order")
    return hints


def _rule_pairs(value: Any) -> Any:  # Whatever the file holds; pydantic judges the result.
    """Turn `[a, {b: wrong}, {c: [wrong, wrong]}]` into pairs `(a, ()), (b, (wrong,)), (c, (wrong, wrong))`."""
    if not isinstance(value, list):
        return value
    pairs = (next(iter(item.items())) if isinstance(item, dict) and len(item) == 1 else (item, []) for item in value)
    return [(name, wrong if isinstance(wrong, list) else [wrong]) for name, wrong in pairs]


Wrongs = Annotated[tuple[Code, ...], Field(max_length=MAX_LINES)]
Rules = Annotated[tuple[tuple[Id, Wrongs], ...], BeforeValidator(_rule_pairs)]
Listed = Annotated[
    Annotated[Mapping[Letter, Id], Tag("table")] | Annotated[Rules, Tag("list")], Discriminator(value_shape)
]


def _flat_board(value: object) -> object:
    """Lay tables inside a board flat: `{x: {from: 0}}` has the field `x.from`."""
    if not isinstance(value, Mapping):
        return value
    flat: dict[str, object] = {}
    for name, given in value.items():
        flat |= (
            {f"{name}.{inner}": each for inner, each in given.items()} if isinstance(given, Mapping) else {name: given}
        )
    return flat


class TemplateEntry(FileModel):
    id: Annotated[Id, AfterValidator(_own_name)]
    concept: Id
    type: TemplateKind
    difficulty: Difficulty
    after: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    params: Mapping[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w{0,30}$")], Expression] = {}
    where: Annotated[tuple[Expression, ...], Field(max_length=20)] = ()
    stem: Words
    board: Annotated[Mapping[str, Amounts], BeforeValidator(_flat_board)] | None = None
    program: Code | None = None
    starter: Code | None = None
    verbatim: bool = False
    picture: PictureOrName | None = None
    answer: AnswerEntry
    choices: Mapping[Letter, ChoiceField] = {}
    shuffle: bool = True
    misconceptions: Listed = ()
    unequal: Id | None = None
    malrule_params: Mapping[str, Expression] = {}
    hints: Annotated[tuple[HintEntry, ...], AfterValidator(_rising_rungs)] = ()
    solution: Annotated[tuple[Words, ...], Field(min_length=1, max_length=12)]


class StepEntry(TemplateEntry):
    """An exercise in steps.yaml: what a piece of the lesson asks. It has no parameters, since the piece's text has none."""

    piece: Id
    concept: Id = ""
    difficulty: Difficulty = "easy"
    params: Annotated[Mapping[str, Expression], Field(max_length=0)] = {}
    own_words: bool = False

    @model_validator(mode="after")
    def _asks_for_a_reason(self) -> Self:
        if self.own_words and self.type != "choice":
            raise ValueError("own_words belongs to a choice of reasons")
        return self
