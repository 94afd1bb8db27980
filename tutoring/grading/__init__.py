"""Grading without a language model: what an answer means, and whether it is right."""

from tutoring.grading.grader import grade, programs_to_run
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    Form,
    Idea,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
    key_from_json,
    key_to_json,
    numeric_key,
)
from tutoring.grading.language.reference_answers import Embed
from tutoring.grading.parsing.number_finder import numbers_in
from tutoring.grading.parsing.parser import Unparsable, parse
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.verdicts import Judgement, Verdict

__all__ = [
    "AnswerKey",
    "ChoiceKey",
    "CodeKey",
    "ConstructionKey",
    "Embed",
    "ExpressionKey",
    "Form",
    "Idea",
    "Judgement",
    "LinesKey",
    "MatchKey",
    "MultiKey",
    "NumericKey",
    "OrderKey",
    "SetKey",
    "StepsKey",
    "TextKey",
    "TraceKey",
    "Unparsable",
    "Verdict",
    "grade",
    "key_from_json",
    "key_to_json",
    "numbers_in",
    "numeric_key",
    "parse",
    "programs_to_run",
]
