"""Grades an answer against its key. Never raises, whatever was typed."""

from tutoring.grading.algebra.equality import Inexact
from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.judges.amounts import judge_expression, judge_numeric
from tutoring.grading.judges.arrangements import judge_match, judge_order
from tutoring.grading.judges.choices import judge_choice, judge_multi
from tutoring.grading.judges.code_lines import arrangement_programs, judge_lines
from tutoring.grading.judges.constructions import judge_construction
from tutoring.grading.judges.programs import judge_code, judge_trace, program_in
from tutoring.grading.judges.sets import judge_set
from tutoring.grading.judges.steps import judge_steps
from tutoring.grading.judges.texts import judge_text
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
)
from tutoring.grading.language.reference_answers import Embed
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.programs.outcomes import Outcomes, programs_of
from tutoring.grading.verdicts import Judgement, judged

# An essay's length; patterns and clauses see 2,000 of it (`patterns.MAX_SEARCHED`).
MAX_TEXT = 10_000


def programs_to_run(key: AnswerKey, answer: str) -> tuple[str, ...]:
    """Return the programs whose outcomes `grade` needs for an answer; none for most kinds, and for unreadable ones."""
    match key:
        case CodeKey():
            try:
                return programs_of(program_in(answer), key.cases)
            except Unparsable:
                return ()
        case LinesKey():
            return arrangement_programs(key, answer)
        case _:
            return ()


def grade(key: AnswerKey, answer: str, *, embed: Embed | None = None, outcomes: Outcomes | None = None) -> Judgement:
    """Return the judgement of an answer, with bounded work for any input.

    An answer that cannot be read, or is incomplete, is "unparsable": a free retry. A choice is given by letter or text,
    several choices by letters, an order by its letters in order or as "A=2 B=1", a match as "A=2 B=1", a working by
    lines, a construction as `construction_answers` writes it. With `embed`, texts are compared with reference answers by
    meaning as well as by words. `outcomes` are those of `programs_to_run`; without them a program is "unparsable",
    "not_run".
    """
    try:
        return _judged(key, answer, embed, outcomes or {})
    except Unparsable as reason:
        return judged("unparsable", reason.reason)
    except (RecursionError, ArithmeticError, ValueError, Inexact):
        return judged("unparsable", "unexpected")


def _judged(key: AnswerKey, answer: str, embed: Embed | None, outcomes: Outcomes) -> Judgement:
    match key:
        case NumericKey():
            return judge_numeric(key, answer)
        case ExpressionKey():
            return judge_expression(key, answer)
        case SetKey():
            return judge_set(key, answer)
        case ChoiceKey():
            return judge_choice(key, answer)
        case MultiKey():
            return judge_multi(key, answer)
        case OrderKey():
            return judge_order(key, answer)
        case MatchKey():
            return judge_match(key, answer)
        case StepsKey():
            return judge_steps(key, answer)
        case ConstructionKey():
            return judge_construction(key, answer)
        case TextKey():
            return judge_text(key, answer[:MAX_TEXT], embed=embed)
        case TraceKey():
            return judge_trace(key, answer)
        case CodeKey():
            return judge_code(key, answer, outcomes)
        case LinesKey():
            return judge_lines(key, answer, outcomes)
