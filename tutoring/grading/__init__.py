"""Grading without a language model: what an answer means, and whether it is right."""

from .judging import grade
from .keys import (
    AnswerKey,
    ChoiceKey,
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
from .numbers import numbers_in
from .parsing import Unparsable, parse
from .references import Embed
from .verdicts import Judgement, Verdict

__all__ = [
    "AnswerKey",
    "ChoiceKey",
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
