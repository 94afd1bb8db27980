"""Drafts of exercises: a template with drawn values, whether they suit it, and its filled texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tutoring.courses.catalogue import ChoicePlan, CourseContent, Template
from tutoring.courses.exercises.board_plans import make_board
from tutoring.courses.exercises.expressions import ExpressionError, Value, evaluate, text_of, to_condition, to_number
from tutoring.courses.exercises.interpolation import fill_code, fill_text
from tutoring.courses.exercises.parameters import twin_params
from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.picture_plans import PicturePlan
from tutoring.courses.pictures import Picture
from tutoring.grading import Unparsable, parse
from tutoring.grading.algebra.equality import Inexact, exact_value
from tutoring.grading.boards import Board
from tutoring.grading.programs.keys import ProgramCase
from tutoring.grading.shown_values import Shown, shown_text

PROGRAM_KINDS = ("trace", "code", "lines")

type Names = Mapping[str, Value]

PLANE_KINDS = ("point", "line")
"""Kinds whose answer is two numbers."""


def wrong_numbers(template: Template, *, names: Names, course: CourseContent) -> tuple[tuple[str, Value], ...]:
    """Return each listed misconception that applies to these values, with the wrong number it gives."""
    answers: list[tuple[str, Value]] = []
    named = dict(names) | {name: evaluate(source, names) for name, source in template.malrule_params.items()}
    for misconception in template.misconceptions:
        rule = course.misconceptions[misconception].malrule
        if misconception in template.overrides:
            answers.append((misconception, evaluate(template.overrides[misconception], names)))
        elif misconception in template.wrongs or misconception == template.unequal:
            continue
        elif rule is not None and (not rule.when or to_condition(evaluate(rule.when, named))):
            answers.append((misconception, evaluate(rule.answer, named)))
    return tuple(answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A template with drawn values, not yet accepted. Methods raise ExpressionError if a value cannot be computed."""

    template: Template
    course: CourseContent
    names: Names

    def is_accepted(self) -> bool:
        try:
            functions = {"distinct_malrules": self.has_distinct_malrules}
            holds = all(to_condition(evaluate(where, self.names, functions=functions)) for where in self.template.where)
        except ExpressionError:  # Such as a division by zero: these values do not suit the template.
            return False
        return holds and self.differs_from_twin() and self.has_different_choices()

    def has_distinct_malrules(self) -> bool:
        """Tell whether all wrong answers differ, from each other and from the right one."""
        wrong = [answers for _, answers in self.mistakes()]
        right = self.right()
        return len(set(wrong)) == len(wrong) and not any(self.is_in_right(answers, right) for answers in wrong)

    def is_in_right(self, answers: tuple[object, ...], right: tuple[object, ...]) -> bool:
        """Tell whether wrong answers are right, or a part of what is right; a value for each name, in order."""
        if len(answers) > 1 and self.template.answer.names:
            return answers == right
        return set(answers) <= set(right)

    def mistakes(self) -> tuple[tuple[str, tuple[object, ...]], ...]:
        """Return each applicable misconception with its wrong answers: numbers, or texts that are no numbers."""
        if self.template.kind in PROGRAM_KINDS:
            return tuple((name, wrong) for name in self.template.wrongs for wrong in [self.wrong_programs(name)])
        if self.template.kind in PLANE_KINDS:
            return tuple((name, (shown_text(self.pair(wrong)),)) for name, wrong in self.template.wrongs.items())
        given = self.template.wrongs.items() if self.template.kind in ("expression", "set", "steps") else ()
        ruled = wrong_numbers(self.template, names=self.names, course=self.course)
        return (
            *((misconception, (to_number(value),)) for misconception, value in ruled),
            *(
                (misconception, tuple(map(comparison_value, map(self.wrong_text, wrong))))
                for misconception, wrong in given
            ),
        )

    def wrong_text(self, written: str) -> str:
        """Return the filled text of a wrong answer in the file: the value of an expression in a set, else a text."""
        return text_of(evaluate(written, self.names)) if self.template.kind == "set" else self.text(written)

    def wrong_programs(self, misconception: str) -> tuple[str, ...]:
        """Return the wrong programs of a misconception, or what it says that a program prints."""
        filled = tuple(map(self.code, self.template.wrongs[misconception]))
        return ("\n".join(filled),) if self.template.kind == "lines" else tuple(each.rstrip("\n") for each in filled)

    def right(self) -> tuple[object, ...]:
        """Return the right answer as numbers, or texts that are no numbers; empty for arrangements and words."""
        answer = self.template.answer
        match self.template.kind:
            case "numeric" | "shade" | "cut" | "place" | "build" | "share" | "combine" | "balance":
                return (to_number(self.value()),)
            case "point" | "line":
                return (shown_text(self.shown_value()),)
            case "set":
                return tuple(comparison_value(text_of(value)) for value in self.values())
            case "expression":
                return (comparison_value(self.text(answer.value)),)
            case "steps":
                return (comparison_value(self.text(answer.lines[-1])),)
            case "trace":
                return (self.code(answer.prints).rstrip("\n"),)
            case "code":
                return (self.code(answer.solution), *self.cases())
            case "lines":
                return ("\n".join(map(self.code, answer.lines)),)
            case _:
                return ()

    def cases(self) -> tuple[ProgramCase, ...]:
        """Return what a program must do."""
        return tuple(
            ProgramCase(
                call=self.code(each.call),
                value=None if each.value is None else self.code(each.value),
                prints=None if each.prints is None else self.code(each.prints),
                says=self.text(each.says),
            )
            for each in self.template.answer.cases
        )

    def differs_from_twin(self) -> bool:
        if not self.template.hints.twin:
            return True
        twin = self.twin()
        if self.template.board is not None:  # One half of other parts is another construction.
            return (twin.right(), twin.board()) != (self.right(), self.board())
        return twin.right() != self.right() if self.right() else twin.names != self.names

    def has_different_choices(self) -> bool:
        if self.template.kind == "lines":  # Two lines of a program may be equal.
            return True
        return all(
            _differ([self.shown(plan) for plan in plans]) for plans in (self.template.choices, self.template.rows)
        )

    def shown(self, plan: ChoicePlan) -> tuple[str, Picture | None]:
        text = self.code(plan.text) if self.template.kind == "lines" else self.text(plan.text)
        return text, self.drawn(plan.picture)

    def twin(self) -> "Draft":
        names = twin_params(self.template.params, names=self.names, twin=self.template.hints.twin)
        return Draft(template=self.template, course=self.course, names=names)

    def value(self) -> Value:
        return evaluate(self.template.answer.value, self.names)

    def shown_value(self) -> Shown:
        """Return what a construction must show."""
        answer = self.template.answer
        return self.pair(answer.values) if answer.values else Fraction(to_number(self.value()))

    def pair(self, expressions: Sequence[str]) -> tuple[Fraction, Fraction]:
        """Return a point, or slope and intercept."""
        first, second = (Fraction(to_number(evaluate(each, self.names))) for each in expressions)
        return first, second

    def values(self) -> tuple[Value, ...]:
        return tuple(evaluate(value, self.names) for value in self.template.answer.values)

    def pieces(self) -> tuple[Fraction, ...]:
        """Return the pieces that must be built with; empty if any will do."""
        return tuple(Fraction(to_number(evaluate(piece, self.names))) for piece in self.template.answer.pieces)

    def text(self, text: str) -> str:
        if self.template.verbatim:
            return text
        return fill_text(text, lambda expression: text_of(evaluate(expression, self.names)))

    def code(self, text: str) -> str:
        """Return a program, or what it prints, with its expressions filled."""
        if self.template.verbatim:
            return text
        return fill_code(text, lambda expression: text_of(evaluate(expression, self.names)))

    def stem(self) -> str:
        """Return the question, with the program that it shows."""
        stem, program = self.text(self.template.stem), self.template.program
        return f"{stem}\n\n{fenced(self.code(program))}" if program else stem

    def drawn(self, plan: PicturePlan | None) -> Picture | None:
        return draw_plan(plan, self.names) if plan is not None else None

    def board(self) -> Board | None:
        """Return the board. Raises ExpressionError or BoardError, both ValueErrors."""
        return make_board(self.template.board, self.names) if self.template.board is not None else None

    def solution(self) -> tuple[str, ...]:
        """Return the lines of the solution, and the right program or its output."""
        lines, answer = tuple(map(self.text, self.template.solution)), self.template.answer
        match self.template.kind:
            case "trace":
                return (*lines, fenced(self.code(answer.prints).rstrip("\n"), language=""))
            case "code":
                return (*lines, fenced(self.code(answer.solution)))
            case "lines":
                return (*lines, fenced("\n".join(map(self.code, answer.lines))))
            case _:
                return lines


def fenced(code: str, *, language: str = "python") -> str:
    """Return a program, or what it prints, as a block of Markdown."""
    return f"```{language}\n{code}\n```"


def comparison_value(text: str) -> Fraction | str:
    """Return the value of a text that is a number, else the text."""
    try:
        return exact_value(parse(text))
    except (Unparsable, Inexact):
        return "".join(text.split())


def _differ(things: list[tuple[str, Picture | None]]) -> bool:
    return len(set(things)) == len(things)
