"""Grading without a language model: what an answer means, and whether it is right."""

from tutoring.grading.grader import grade
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
from tutoring.grading.verdicts import Judgement, Verdict

__all__ = [
    "AnswerKey",
    "ChoiceKey",
    "ConstructionKey",
    "Embed",
    "ExpressionKey",
    "Form",
    "Idea",
    "Judgement",
    "MatchKey",
    "MultiKey",
    "NumericKey",
    "OrderKey",
    "SetKey",
    "StepsKey",
    "TextKey",
    "Unparsable",
    "Verdict",
    "grade",
    "key_from_json",
    "key_to_json",
    "numbers_in",
    "numeric_key",
    "parse",
]
