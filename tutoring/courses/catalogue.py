"""What a course holds, as values: concepts, lessons, exercise templates, misconceptions, milestones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tutoring.courses.pictures import Picture
from tutoring.courses.quiz_limits import DEFAULT_LIMITS, MAXIMUM_CYCLES, QuizLimits
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.grading.keys import Form, Idea

type Level = Literal["beginner", "intermediate", "advanced"]
type TemplateKind = Literal["numeric", "expression", "set", "choice", "multi", "order", "match", "steps", "text"]
type Difficulty = Literal["easy", "medium", "hard"]
type MisconceptionKind = Literal["conceptual", "procedural", "careless"]
type Blocks = tuple[str | Picture, ...]
"""Markdown texts and pictures, in the order they are shown."""

LEVELS: tuple[Level, ...] = ("beginner", "intermediate", "advanced")


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPiece:
    """What the tutor says before it is the learner's turn again.

    `blocks` are the whole piece and end in the question; `question` repeats that last sentence alone.
    """

    id: str
    blocks: Blocks
    question: str
    ideas: tuple[Idea, ...] = ()
    heard: str = ""
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastCase:
    """A case in which a misconception gives an absurd result; `blocks` end in the one question asked about it."""

    blocks: Blocks
    question: str
    ideas: tuple[Idea, ...] = ()
    heard: str = ""
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Malrule:
    """How a misconception calculates: expressions over an exercise's parameters; an empty `when` is always."""

    answer: str
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misconception:
    """A wrong idea that learners hold. `utterances` are regular expressions; `base_rate` is a probability.

    `examples` are wrong answers that show it, to questions of any wording; answers like them are weak evidence.
    `noticed` tells the learner what they did, when the idea shows: "You called any two pieces halves."
    """

    id: str
    kind: MisconceptionKind
    says: str
    description: str
    correct_idea: str
    contrast: ContrastCase
    noticed: str = ""
    malrule: Malrule | None = None
    utterances: tuple[str, ...] = ()
    examples: tuple[WrongAnswer, ...] = ()
    base_rate: float = 0.05
    concepts: tuple[str, ...] = ()
    right_of_equal_parts: bool = False
    """Said of a drawing of equal parts it is right: "these two pieces are halves"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationRule:
    """The exercises that show a milestone in use: patterns of template ids, and how many without help."""

    items: tuple[str, ...] = ()
    unassisted: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """Plain sentences that say an idea of a milestone, and such as say the opposite of it or something beside it."""

    said: tuple[str, ...]
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledReplies:
    """What learners reply to one question in words: rightly, in part, and wrongly by the misconception that shows."""

    right: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By misconception; under `other` what shows none."""
    model: str = ""
    """One good reply in full, for a learner to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSayings:
    """Sentences that say one thing, and such as sound like it and do not say it."""

    sayings: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptWordings:
    """The labelled sentences of learners that a concept's classifiers are fitted to; each part by id."""

    replies: Mapping[str, LabelledReplies] = field(default_factory=dict)
    """To the pieces' questions."""
    contrasts: Mapping[str, LabelledReplies] = field(default_factory=dict)
    """To the questions of misconceptions' contrast cases."""
    milestones: Mapping[str, LabelledSayings] = field(default_factory=dict)
    misconceptions: Mapping[str, LabelledSayings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """An insight to be said in the learner's own words and used; `contradicts` are misconception ids.

    `ask` is the question that calls for it, without its ideas: "What makes a piece one half?" `wordings` are those of each
    idea, in the same order; empty where the patterns of the ideas are all there is.
    """

    id: str
    concept: str
    title: str
    ask: str = ""
    triggers: tuple[str, ...] = ()
    ideas: tuple[Idea, ...] = ()
    wordings: tuple[Wordings, ...] = ()
    contradicts: tuple[str, ...] = ()
    apply: ApplicationRule = field(default_factory=ApplicationRule)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseAnswer:
    """What the course says when a learner asks; `asks` are regular expressions or keywords."""

    asks: tuple[str, ...]
    says: str
    picture: Picture | None = None
    draws_asked: bool = False
    """Two fractions that the question names are drawn as bars in the picture's place."""


type Numbers = str | tuple[str, ...]
"""Expressions: one for how many, or one for each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripPlan:
    """One bar of a comparison, in expressions."""

    parts: Numbers
    shaded: Numbers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkPlan:
    """A mark on a number line, in expressions."""

    at: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePlan:
    """A picture whose numbers are expressions over parameters; `kind` and `alt` may hold `{expressions}`."""

    kind: str
    alt: str = ""
    parts: Numbers = ()
    shaded: Numbers = ()
    gap: str = "0"
    rows: str = "0"
    columns: str = "0"
    start: str = "0"
    end: str = "1"
    ticks: str = "1"
    width: str = "0"
    height: str = "0"
    polygons: tuple[tuple[tuple[str, str], ...], ...] = ()
    scale: str = "1"
    marks: tuple[MarkPlan, ...] = ()
    bars: tuple[StripPlan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePlan:
    """An option as written in the file; `misconception` is None for the right ones and for "other"."""

    letter: str
    text: str = ""
    picture: PicturePlan | None = None
    misconception: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """What is right.

    `value` is an expression over parameters (numeric) or a text with `{expressions}` (expression), `values` expressions
    (set), `letters` those of the choices that are right (choice, multi), of all in order (order), or of each row's own
    (match); `lines` texts of a working that begins at `start` (steps); `ideas` and so on are a text's.
    """

    value: str = ""
    values: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    start: str = ""
    lines: tuple[str, ...] = ()
    form: Form = "any"
    tolerance: str = ""
    places: int | None = None
    ideas: tuple[Idea, ...] = ()
    contradicts: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HintLadder:
    """Five rungs: a focus, a principle, a smaller question with its answer, a solved twin, the solution itself.

    Rung 4 is either `twin`, parameters for a solved sister exercise, or `example`, Markdown.
    """

    focus: str
    principle: str
    ask: str
    ask_answer: str
    twin: Mapping[str, str] = field(default_factory=dict)
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """An exercise with parameters; `(template, seed)` is one exercise.

    `overrides` gives a misconception's wrong answer as an expression for this template alone;
    `malrule_params` names the template's values as the course's malrules call them. `wrongs` are the wrong answers of
    kinds that are no single number: values that stand in a set, texts of an expression or of a line, or the letters of a
    wrong order or match, empty for a row that does not matter. `rows` are what a match's `choices` belong to.
    """

    id: str
    concept: str
    kind: TemplateKind
    difficulty: Difficulty
    stem: str
    answer: AnswerPlan
    hints: HintLadder
    solution: tuple[str, ...]
    params: tuple[tuple[str, str], ...] = ()
    where: tuple[str, ...] = ()
    picture: PicturePlan | None = None
    choices: tuple[ChoicePlan, ...] = ()
    rows: tuple[ChoicePlan, ...] = ()
    shuffle: bool = True
    misconceptions: tuple[str, ...] = ()
    overrides: Mapping[str, str] = field(default_factory=dict)
    wrongs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    malrule_params: Mapping[str, str] = field(default_factory=dict)

    @property
    def constructed(self) -> bool:
        """Whether the learner makes the answer, rather than picking it."""
        return self.kind in ("numeric", "expression", "set", "steps", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptContent:
    """One thing to learn. `level` is its depth in the course, `minutes` a first guess at the time it takes.

    `also` are other words in which people ask for it.
    """

    id: str
    title: str
    summary: str
    also: tuple[str, ...] = ()
    level: int
    minutes: int
    goal: bool = False
    requires: tuple[str, ...] = ()
    encompasses: tuple[str, ...] = ()
    pieces: Mapping[Level, tuple[LessonPiece, ...]]
    examples: tuple[LessonPiece, ...] = ()
    templates: tuple[Template, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    answers: tuple[CourseAnswer, ...] = ()
    wordings: ConceptWordings = field(default_factory=ConceptWordings)
    """Empty in a course that was read from the database: there they stand apart, since only fitting needs them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseContent:
    """A whole course; `concepts` stand in course order, `threshold` is the mastery score (0–1) that counts as mastered.

    `concept`, `prerequisites` and `template` raise KeyError for an id the course does not have.
    """

    id: str
    title: str
    summary: str
    language: str
    license: str
    version: str
    threshold: float
    concepts: tuple[ConceptContent, ...]
    misconceptions: Mapping[str, Misconception]
    quiz: QuizLimits = DEFAULT_LIMITS
    cycles: int = MAXIMUM_CYCLES
    """How often a lesson goes round at most, 1–5."""
    sayings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """More sentences by misconception, under `none` such as show none; apart in the database as a concept's `wordings` are."""
    wordings_key: str = ""
    """Changes with any wording of the course: what was fitted to them is kept under it. Empty where there are none."""

    @property
    def requires(self) -> dict[str, tuple[str, ...]]:
        """Each concept with what it rests on directly, in course order."""
        return {concept.id: concept.requires for concept in self.concepts}

    def concept(self, concept_id: str) -> ConceptContent:
        for concept in self.concepts:
            if concept.id == concept_id:
                return concept
        raise KeyError(concept_id)

    def source_of(self, concept_id: str) -> str:
        """Return what a question on the concept is made from, in words; empty for a concept that the course does not have."""
        found = next((each for each in self.concepts if each.id == concept_id), None)
        return f"{self.title}: {found.title}. {found.summary}" if found else ""

    def prerequisites(self, concept_id: str) -> tuple[str, ...]:
        return self.concept(concept_id).requires

    def template(self, template_id: str) -> Template:
        for concept in self.concepts:
            for template in concept.templates:
                if template.id == template_id:
                    return template
        raise KeyError(template_id)
