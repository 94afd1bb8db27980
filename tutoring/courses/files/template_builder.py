"""Builds catalogue values from exercise templates in files, and checks every reference."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from tutoring.courses.catalogue import (
    AnswerPlan,
    BoardPlan,
    ChoicePlan,
    HintLadder,
    Misconception,
    Template,
)
from tutoring.courses.exercises.expressions import FUNCTIONS, ExpressionError
from tutoring.courses.exercises.interpolation import check_names, check_text
from tutoring.courses.exercises.parameters import check_params
from tutoring.courses.files.answer_checks import (
    CONSTRUCTIONS,
    ON_PLANE,
    OTHER,
    PathProblem,
    answer_expressions,
    answer_problems,
    misconception_problems,
)
from tutoring.courses.files.board_checks import board_expressions, board_problems, board_texts
from tutoring.courses.files.default_texts import default_hints
from tutoring.courses.files.exercise_schema import ChoiceEntry, HintEntry, StepEntry, TemplateEntry
from tutoring.courses.files.picture_builder import Drawings, build_picture_plan, missing_drawing
from tutoring.courses.files.picture_schema import AnyPictureEntry
from tutoring.courses.files.program_checks import program_problems, program_texts
from tutoring.courses.files.schema import IdeaEntry
from tutoring.courses.files.yaml_documents import NodePath
from tutoring.courses.picture_plans import PicturePlan
from tutoring.grading.keys import Idea
from tutoring.grading.programs.keys import ProgramCase

PROGRAM_LETTERS = "ABCDEFGHIJKLMNOP"
"""Letters of the lines of a program, which can be more than other options."""
CONDITIONS = FUNCTIONS | {"distinct_malrules"}
LETTERS = "ABCDEFGH"
RUNGS = 5
_NO_HINT = HintEntry.model_construct(rung=5)


def build_ideas(entries: tuple[IdeaEntry, ...]) -> tuple[Idea, ...]:
    return tuple(Idea(any=entry.any, weight=entry.w, name=entry.called) for entry in entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateBuilder:
    """One template entry, with what it may refer to."""

    entry: TemplateEntry
    pictures: Mapping[str, AnyPictureEntry]
    misconceptions: Mapping[str, Misconception]
    drawings: Drawings = field(default_factory=dict)
    is_small: bool = False
    """Whether hints can be left out."""

    def built(self) -> Template:
        entry = self.entry
        return Template(
            id=entry.id,
            concept=entry.concept,
            kind=entry.type,
            difficulty=entry.difficulty,
            after=entry.after,
            stem=entry.stem,
            params=tuple(entry.params.items()),
            where=entry.where,
            picture=self.picture(entry.picture),
            answer=self.answer(),
            choices=self.choices(),
            rows=self.rows(),
            shuffle=entry.shuffle,
            verbatim=entry.verbatim,
            own_words=isinstance(entry, StepEntry) and entry.own_words,
            misconceptions=self.listed(),
            overrides={name: wrong[0] for name, wrong in self.rules() if wrong and self.has_one_value},
            wrongs=self.wrongs(),
            malrule_params=dict(entry.malrule_params),
            board=self.board(),
            unequal=entry.unequal or "",
            program=(entry.program or "").rstrip(),
            starter=(entry.starter or "").rstrip(),
            hints=self.ladder(),
            solution=entry.solution,
        )

    def picture(self, given: AnyPictureEntry | str | None) -> PicturePlan | None:
        if isinstance(given, str):
            return build_picture_plan(self.pictures[given], self.drawings)
        return build_picture_plan(given, self.drawings) if given is not None else None

    @property
    def has_one_value(self) -> bool:
        """Whether answers are single numbers: typed, or constructed on a board."""
        return self.entry.type in (*CONSTRUCTIONS, "numeric")

    def board(self) -> BoardPlan | None:
        match self.entry.type:
            case "shade" | "cut" | "place" | "build" | "share" | "combine" | "point" | "line" | "balance" as kind:
                return BoardPlan(kind=kind, fields=dict(self.entry.board or {}))
            case _:
                return None

    def letters(self) -> tuple[str, ...]:
        answer = self.entry.answer
        match self.entry.type:
            case "choice":
                return (answer.value or "",)
            case "multi":
                return answer.values
            case "order":
                return tuple(LETTERS[: len(answer.order)])
            case "lines":
                return tuple(PROGRAM_LETTERS[: len(answer.lines)])
            case "match":
                offered = self.offered()
                return tuple(str(offered.index(right) + 1) for _, right in answer.pairs)
            case _:
                return ()

    def offered(self) -> list[ChoiceEntry]:
        """Return the options of a match: the rows' partners without duplicates, and the spare ones."""
        answer = self.entry.answer
        offered: list[ChoiceEntry] = []
        for right in (*(right for _, right in answer.pairs), *answer.spare):
            if right not in offered:
                offered.append(right)
        return offered

    def map(self) -> Mapping[str, str]:
        """Return the misconception behind each letter of a choice."""
        listed = self.entry.misconceptions
        return listed if isinstance(listed, Mapping) else {}

    def rules(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the misconceptions of a list, each with its wrong answers."""
        listed = self.entry.misconceptions
        return () if isinstance(listed, Mapping) else listed

    def listed(self) -> tuple[str, ...]:
        named = [*self.map().values(), *(name for name, _ in self.rules()), *filter(None, [self.entry.unequal])]
        return tuple(dict.fromkeys(name for name in named if name != OTHER))

    def wrongs(self) -> dict[str, tuple[str, ...]]:
        given = {name: wrong for name, wrong in self.rules() if wrong}
        match self.entry.type:
            case "order":
                return {name: tuple(LETTERS[int(piece) - 1] for piece in wrong) for name, wrong in given.items()}
            case "match":
                return {name: tuple(self.option_of(piece) for piece in wrong) for name, wrong in given.items()}
            case "expression" | "set" | "steps" | "point" | "line" | "trace" | "code" | "lines":
                return given
            case _:
                return {}

    def option_of(self, number: str) -> str:
        """Return the option of the pair with this number (spares are counted after the pairs); "" for 0."""
        answer = self.entry.answer
        rights = [*(right for _, right in answer.pairs), *answer.spare]
        return str(self.offered().index(rights[int(number) - 1]) + 1) if int(number) else ""

    def choices(self) -> tuple[ChoicePlan, ...]:
        match self.entry.type:
            case "order":
                return self.plans(dict(zip(LETTERS, self.entry.answer.order, strict=False)))
            case "match":
                return self.plans({str(number): each for number, each in enumerate(self.offered(), start=1)})
            case "lines":
                lines = [*self.entry.answer.lines, *(spare.text for spare in self.entry.answer.spare)]
                shown = (
                    ChoicePlan(letter=letter, text=f"`{line.strip()}`")
                    for letter, line in zip(PROGRAM_LETTERS, lines, strict=False)
                )
                return tuple(shown)
            case _:
                return self.plans(self.entry.choices)

    def rows(self) -> tuple[ChoicePlan, ...]:
        return self.plans(dict(zip(LETTERS, (left for left, _ in self.entry.answer.pairs), strict=False)))

    def plans(self, entries: Mapping[str, ChoiceEntry]) -> tuple[ChoicePlan, ...]:
        return tuple(
            ChoicePlan(
                letter=letter,
                text=choice.text,
                picture=self.picture(choice.picture),
                misconception=None if (found := self.map().get(letter)) == OTHER else found,
                says=choice.says or "",
            )
            for letter, choice in entries.items()
        )

    def answer(self) -> AnswerPlan:
        answer = self.entry.answer
        return AnswerPlan(
            value=(answer.value or "") if self.has_one_value or self.entry.type == "expression" else "",
            values=self.values(),
            names=answer.names,
            letters=self.letters(),
            start=answer.start or "",
            lines=tuple(map(str.rstrip if self.entry.type == "lines" else str.strip, answer.lines)),
            form=answer.form,
            tolerance=answer.tolerance or "",
            places=answer.places,
            ideas=build_ideas(answer.ideas),
            contradicts=tuple(self.contradictions()),
            references=answer.references,
            exact_pieces=answer.exact_pieces,
            pieces=answer.pieces,
            prints=answer.prints or "",
            solution=(answer.solution or "").rstrip(),
            cases=tuple(
                ProgramCase(call=(each.call or "").strip(), value=each.value, prints=each.prints, says=each.says or "")
                for each in answer.cases
            ),
            also=answer.also,
            needs=answer.needs,
            without=answer.without,
        )

    def values(self) -> tuple[str, ...]:
        answer = self.entry.answer
        if self.entry.type == "line":
            return (answer.slope or "", answer.intercept or "")
        return answer.values if self.entry.type in ("set", "point") else ()

    def contradictions(self) -> Iterator[str]:
        for pattern in self.entry.answer.contradicts:
            if pattern in self.misconceptions:
                yield from self.misconceptions[pattern].utterances
            else:
                yield pattern

    def ladder(self) -> HintLadder:
        """Return the hints, with default texts in place of those that a small course leaves out."""
        given: dict[int, HintEntry] = {hint.rung: hint for hint in self.entry.hints}
        focus, principle, scaffold, twin = (given.get(rung, _NO_HINT) for rung in range(1, RUNGS))
        default = default_hints(self.entry.type)
        return HintLadder(
            focus=focus.focus or default.focus,
            principle=principle.principle or default.principle,
            ask=scaffold.ask or default.ask,
            ask_answer=scaffold.answer or default.ask_answer,
            twin=dict(twin.twin or {}),
            example=twin.example or ("" if twin.twin else default.example),
            has_worked_example=bool(twin.example or twin.twin),
        )

    def problems(self) -> Iterator[PathProblem]:
        """Yield the faults of the entry; without faults `built` is safe to call."""
        yield from self.picture_problems()
        yield from self.expression_problems()
        yield from board_problems(self.entry)
        yield from answer_problems(self.entry)
        yield from program_problems(self.entry)
        yield from misconception_problems(self.entry, self.misconceptions)
        yield from self.reply_problems()
        if not self.is_small and len(self.entry.hints) < RUNGS:
            yield ("hints",), "hints must have the rungs 1, 2, 3, 4 and 5, each once and in order"

    def reply_problems(self) -> Iterator[PathProblem]:
        """Yield replies to choices that nobody can get: only who chooses a wrong one is told something."""
        right = self.letters()
        for path, choice in self.shown():
            if choice.says and (path[0] != "choices" or path[1] in right):
                yield (*path, "says"), "only a wrong choice can have 'says'"

    def picture_problems(self) -> Iterator[PathProblem]:
        used: list[tuple[NodePath, AnyPictureEntry | str | None]] = [(("picture",), self.entry.picture)]
        used += [(path, choice.picture) for path, choice in self.shown()]
        for path, picture in used:
            if isinstance(picture, str) and picture not in self.pictures:
                yield path, f"pictures.yaml has no picture {picture!r}"
            elif isinstance(picture, AnyPictureEntry) and (file := missing_drawing(picture, self.drawings)):
                yield path, f"there is no file assets/{file}"

    def expression_problems(self) -> Iterator[PathProblem]:
        known = self.entry.params.keys()
        yield from _problem(("params",), partial(check_params, self.entry.params.items()))
        for path, expression in self.expressions():
            functions = CONDITIONS if path[0] == "where" else FUNCTIONS
            yield from _problem(path, partial(check_names, expression, known, functions=functions))
        for path, text in () if self.entry.verbatim else self.texts():
            yield from _problem(path, partial(check_text, text, known))
        for path, text in () if self.entry.verbatim else program_texts(self.entry):
            yield from _problem(path, partial(check_text, text, known, is_code=True))
        for index, hint in enumerate(self.entry.hints):
            for name in hint.twin or {}:
                if name not in known:
                    yield ("hints", index, "twin", name), f"the exercise has no parameter {name!r}"

    def expressions(self) -> Iterator[tuple[NodePath, str]]:
        yield from ((("where", index), where) for index, where in enumerate(self.entry.where))
        yield from ((("malrule_params", name), source) for name, source in self.entry.malrule_params.items())
        yield from answer_expressions(self.entry)
        yield from board_expressions(self.entry)
        if self.has_one_value or self.entry.type in ("set", *ON_PLANE):
            yield from (
                (("misconceptions", index), each) for index, (_, wrong) in enumerate(self.rules()) for each in wrong
            )

    def shown(self) -> Iterator[tuple[NodePath, ChoiceEntry]]:
        """Yield every option to choose from or to arrange."""
        answer = self.entry.answer
        yield from ((("choices", letter), choice) for letter, choice in self.entry.choices.items())
        yield from ((("answer", "order", index), piece) for index, piece in enumerate(answer.order))
        yield from ((("answer", "pairs", index), side) for index, pair in enumerate(answer.pairs) for side in pair)
        if self.entry.type != "lines":
            yield from ((("answer", "spare", index), spare) for index, spare in enumerate(answer.spare))

    def texts_of_answer(self) -> Iterator[tuple[NodePath, str]]:
        answer = self.entry.answer
        if self.entry.type == "expression" and answer.value is not None:
            yield ("answer", "value"), answer.value
        if answer.start is not None:
            yield ("answer", "start"), answer.start
        if self.entry.type != "lines":
            yield from ((("answer", "lines", index), line) for index, line in enumerate(answer.lines))
        if self.entry.type in ("expression", "steps"):
            yield from (
                (("misconceptions", index), each) for index, (_, wrong) in enumerate(self.rules()) for each in wrong
            )

    def texts(self) -> Iterator[tuple[NodePath, str]]:
        entry = self.entry
        yield ("stem",), entry.stem
        yield from board_texts(entry)
        yield from ((("solution", index), line) for index, line in enumerate(entry.solution))
        yield from ((path, choice.text) for path, choice in self.shown())
        yield from ((path, choice.says) for path, choice in self.shown() if choice.says)
        yield from self.texts_of_answer()
        yield from ((("answer", "references", index), text) for index, text in enumerate(entry.answer.references))
        for index, hint in enumerate(entry.hints):
            for name in ("focus", "principle", "ask", "example"):
                if (text := getattr(hint, name)) is not None:
                    yield ("hints", index, name), text


def _problem(path: NodePath, check: Callable[[], object]) -> Iterator[PathProblem]:
    try:
        check()
    except ExpressionError as error:
        yield path, str(error)
