"""The content of a course as values: concepts, lessons, exercise templates, misconceptions, milestones."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tutoring.courses.picture_plans import Numbers, PicturePlan
from tutoring.courses.pictures import Picture
from tutoring.courses.quiz_limits import DEFAULT_LIMITS, MAXIMUM_CYCLES, QuizLimits
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.grading.boards import BoardKind
from tutoring.grading.keys import Form, Idea
from tutoring.grading.programs.keys import ProgramCase

type Level = Literal["beginner", "intermediate", "advanced"]
type TemplateKind = (
    Literal["numeric", "expression", "set", "choice", "multi", "order", "match", "steps", "text"]
    | Literal["shade", "cut", "place", "build", "share", "combine", "point", "line", "balance"]
    | Literal["trace", "code", "lines"]
)
type Difficulty = Literal["easy", "medium", "hard"]
type MisconceptionKind = Literal["conceptual", "procedural", "careless"]
type Blocks = tuple[str | Picture, ...]
"""Markdown texts and pictures, in the order they are shown."""

LEVELS: tuple[Level, ...] = ("beginner", "intermediate", "advanced")


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPiece:
    """A piece of a lesson: what the tutor says until the learner's turn.

    `question` is what it asks: the stem of its `step`, or the last sentence of `blocks` in a piece without a step.
    """

    id: str
    blocks: Blocks
    question: str
    step: "Template | None" = None
    """The exercise that the learner does next, shown on one card with `blocks`."""
    ideas: tuple[Idea, ...] = ()
    heard: str = ""
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastCase:
    """A case in which a misconception gives an absurd result; `blocks` end in the one question asked about it."""

    blocks: Blocks
    question: str
    right: str = ""
    """The right one of the short answers offered; empty if the case offers none."""
    wrong: tuple[str, ...] = ()
    ideas: tuple[Idea, ...] = ()
    heard: str = ""
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Malrule:
    """The malrule of a misconception: expressions over an exercise's parameters; an empty `when` means always."""

    answer: str
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misconception:
    """A misconception. `utterances` are regular expressions; `base_rate` is a probability.

    `examples` are wrong answers that show it, to any questions; similar answers are weak evidence. `noticed` tells the
    learner what they did: "You called any two pieces halves."
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
    """The statement is right about a drawing of equal parts: "these two pieces are halves"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationRule:
    """Exercises that show a milestone in use: patterns of template ids, and how many right answers without help."""

    items: tuple[str, ...] = ()
    unassisted: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """Sentences that state an idea of a milestone, and sentences that state its opposite or something else."""

    said: tuple[str, ...]
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledReplies:
    """Labelled replies to one open question: right, partly right, and wrong by misconception."""

    right: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By misconception; `other` for replies that show none."""
    model: str = ""
    """A complete good reply for the learner to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSayings:
    """Positive sentences for one idea, and negative ones that only sound like it."""

    sayings: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptWordings:
    """The labelled sentences that a concept's classifiers are fitted on, by id."""

    replies: Mapping[str, LabelledReplies] = field(default_factory=dict)
    """Replies to the questions of pieces."""
    contrasts: Mapping[str, LabelledReplies] = field(default_factory=dict)
    """Replies to the questions of contrast cases."""
    milestones: Mapping[str, LabelledSayings] = field(default_factory=dict)
    misconceptions: Mapping[str, LabelledSayings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """An insight to state in the learner's own words and to use; `contradicts` are misconception ids.

    `ask` is the question that asks for it without naming its ideas: "What makes a piece one half?" `wordings` has those
    of each idea, in order; empty if the ideas have only patterns.
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
    """The course's answer to a learner's question: one that matches `asks`, or is nearest in meaning to `wordings`."""

    says: str
    asks: tuple[str, ...] = ()
    """Regular expressions or keywords."""
    wordings: tuple[str, ...] = ()
    """How learners ask."""
    picture: Picture | None = None
    draws_asked: bool = False
    """Two fractions named in the question are drawn as bars instead of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlan:
    """A board by its fields as in the file: expressions, and for `shape` and `sign` words; `x.from` is a field in a table."""

    kind: BoardKind
    fields: Mapping[str, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePlan:
    """An option as written in the file; `misconception` is None for the right ones and for "other"."""

    letter: str
    text: str = ""
    picture: PicturePlan | None = None
    misconception: str | None = None
    says: str = ""
    """What learners are told who choose it, with `{expressions}`; empty for nothing in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """The right answer of a template.

    `value` is an expression over parameters (numeric, constructions) or a text with `{expressions}` (expression), `values` are
    expressions (set; x and y of a point, slope and intercept of a line), `letters` the right choices (choice, multi), all in order (order), or one for each row (match);
    `lines` are the texts of a working that begins at `start` (steps); `ideas` and the rest belong to texts.
    """

    value: str = ""
    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What the values answer, in their order; empty if they come in any order (set)."""
    letters: tuple[str, ...] = ()
    start: str = ""
    lines: tuple[str, ...] = ()
    form: Form = "any"
    tolerance: str = ""
    places: int | None = None
    ideas: tuple[Idea, ...] = ()
    contradicts: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    exact_pieces: bool = False
    """Whether all pieces built with must have one size."""
    pieces: tuple[str, ...] = ()
    """Expressions for just the pieces that must be built with; empty if any of that length will do."""
    prints: str = ""
    """What a program prints, with `{expressions}` (trace)."""
    solution: str = ""
    """A right program, with `{expressions}` as all that follows (code)."""
    cases: tuple[ProgramCase, ...] = ()
    also: tuple[tuple[str, ...], ...] = ()
    """Other right arrangements than `lines` (lines)."""
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


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
    has_worked_example: bool = True
    """Whether rung 4 was written for the exercise; otherwise it is a text that fits all of its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """An exercise with parameters; `(template, seed)` is one exercise.

    `after` are the pieces that teach what it needs; a lesson that showed none of them does not ask it.
    `overrides` gives a misconception's wrong answer as an expression for this template alone;
    `malrule_params` names the template's values as the course's malrules call them. `wrongs` are the wrong answers of
    kinds that are no single number: values that stand in a set, texts of an expression or of a line, or the letters of a
    wrong order or match, empty for a row that does not matter. `rows` are what a match's `choices` belong to.
    `unequal` is the misconception shown by the right number of parts that are not equal.
    """

    id: str
    concept: str
    kind: TemplateKind
    difficulty: Difficulty
    stem: str
    answer: AnswerPlan
    hints: HintLadder
    solution: tuple[str, ...]
    after: tuple[str, ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    where: tuple[str, ...] = ()
    picture: PicturePlan | None = None
    choices: tuple[ChoicePlan, ...] = ()
    rows: tuple[ChoicePlan, ...] = ()
    shuffle: bool = True
    own_words: bool = False
    """A choice of reasons that can also be said in one's own words."""
    misconceptions: tuple[str, ...] = ()
    overrides: Mapping[str, str] = field(default_factory=dict)
    wrongs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    malrule_params: Mapping[str, str] = field(default_factory=dict)
    board: BoardPlan | None = None
    unequal: str = ""
    verbatim: bool = False
    """Whether braces in its texts are plain characters. Its numbers are expressions all the same."""
    program: str = ""
    """The program that is shown below the stem (trace)."""
    starter: str = ""
    """What the learner's program begins with (code)."""

    @property
    def constructed(self) -> bool:
        """Whether the learner constructs the answer, rather than picking it."""
        return self.kind not in ("choice", "multi", "order", "match", "lines")

    @property
    def runs_programs(self) -> bool:
        """Whether an answer is graded by running it."""
        return self.kind == "code" or (self.kind == "lines" and bool(self.answer.cases))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptContent:
    """A concept. `level` is its depth in the course, `minutes` an initial estimate of the time it takes.

    `also` are other names for it; `can` completes "You can …", `tasks` are sentences about what one can do then.
    `shown_by` has for each task the ids of exercises, steps and milestones of which one right answer shows it; a task
    without any is shown by mastery itself. `standards` are codes of the course's standards.
    """

    id: str
    title: str
    summary: str
    also: tuple[str, ...] = ()
    can: str = ""
    tasks: tuple[str, ...] = ()
    shown_by: tuple[tuple[str, ...], ...] = ()
    standards: tuple[str, ...] = ()
    level: int
    minutes: int
    goal: bool = False
    retired: bool = False
    """Whether it was removed after learners had worked on it: it stays for them, and nobody begins it."""
    requires: tuple[str, ...] = ()
    encompasses: tuple[str, ...] = ()
    pieces: Mapping[Level, tuple[LessonPiece, ...]]
    examples: tuple[LessonPiece, ...] = ()
    templates: tuple[Template, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    answers: tuple[CourseAnswer, ...] = ()
    wordings: ConceptWordings = field(default_factory=ConceptWordings)
    """Empty in a course loaded from the database, where they are stored separately, since only fitting needs them."""

    @property
    def every_piece(self) -> tuple[LessonPiece, ...]:
        """The pieces of all levels, and the examples, each once: several levels can have the same pieces."""
        pieces = (*(piece for pieces in self.pieces.values() for piece in pieces), *self.examples)
        return tuple({piece.id: piece for piece in pieces}.values())

    def tasks_shown(self, shown: Container[str]) -> tuple[str, ...]:
        """Return the tasks that a learner has shown; `shown` are ids of exercises answered right, and of ideas said."""
        needed = (*self.shown_by, *[()] * (len(self.tasks) - len(self.shown_by)))
        pairs = zip(self.tasks, needed, strict=True)
        return tuple(task for task, ids in pairs if not ids or any(each in shown for each in ids))

    @property
    def steps(self) -> tuple[Template, ...]:
        """The exercises of its pieces; a quiz asks none of them."""
        return tuple(piece.step for piece in self.every_piece if piece.step is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseContent:
    """A whole course; `concepts` are in course order, `threshold` is the mastery score (0–1) of a mastered concept.

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
    """Maximum number of cycles of a lesson, 1–5."""
    standards: str = ""
    """The name of the standards whose codes the concepts have; empty for none."""
    sayings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """More sentences by misconception, `none` for none; stored separately in the database, like `wordings`."""
    requests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """How learners ask for each concept, for `other_subjects`, for nothing that they name (`none`), and what they ask
    about other subjects (`other_questions`); stored like `sayings`."""
    attribution: str = ""
    """Where its content comes from, as its license asks for; often empty."""
    question_bank: bool = False
    """Whether it consists of imported questions, for which some rules do not apply."""
    quotes: bool = False
    """Whether its lessons quote a text as it is, so that the rules of style do not apply to them."""
    small: bool = False
    """Whether it is a teacher's own course, which can be shorter than others."""
    position: int = 100
    """Where it stands in lists of courses, from the lowest."""
    drawings: Mapping[str, str] = field(default_factory=dict)
    """Drawings by file that pages show as images; empty in a course of this site, whose drawings are in its pages."""
    wordings_key: str = ""
    """A hash of all wordings, the key of what was fitted on them. Empty without wordings."""

    @property
    def taught(self) -> tuple[ConceptContent, ...]:
        """The concepts that one can begin: all that are not retired."""
        return tuple(concept for concept in self.concepts if not concept.retired)

    @property
    def requires(self) -> dict[str, tuple[str, ...]]:
        """Each concept with its direct prerequisites, in course order."""
        return {concept.id: concept.requires for concept in self.concepts}

    def concept(self, concept_id: str) -> ConceptContent:
        for concept in self.concepts:
            if concept.id == concept_id:
                return concept
        raise KeyError(concept_id)

    def source_of(self, concept_id: str) -> str:
        """Return the material for a question on the concept; empty for an unknown concept."""
        found = next((each for each in self.concepts if each.id == concept_id), None)
        return f"{self.title}: {found.title}. {found.summary}" if found else ""

    def prerequisites(self, concept_id: str) -> tuple[str, ...]:
        return self.concept(concept_id).requires

    def template(self, template_id: str) -> Template:
        for concept in self.concepts:
            for template in (*concept.templates, *concept.steps):
                if template.id == template_id:
                    return template
        raise KeyError(template_id)
