"""Grades an answer without a key, if the question states a calculation or an equation to solve."""

import re

from tutoring.grading.algebra.comparison import is_number, is_same_value
from tutoring.grading.algebra.nodes import Name, Node, Operation, Phrase, Relation, Sequence, Unparsable, names_of
from tutoring.grading.algebra.number_forms import written_form
from tutoring.grading.algebra.relations import difference, is_equation, is_solved, substitute_values
from tutoring.grading.algebra.sampled_value import approximate
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import MAX_LENGTH
from tutoring.grading.parsing.parser import parse
from tutoring.grading.parsing.text_claims import Claim, claims_in, holds

# "Add 1/4 and 2/4".
_ADD = re.compile(r"\badd\s+(\S+)\s+(?:and|to)\s+(?=[-\d])", re.IGNORECASE)
# Only with such a word is a lone fraction the task: "Simplify 6/8".
_RENAMES = re.compile(
    r"\b(?:simplify|simplest|reduce|lowest terms|equivalent|same as|equal to|as an? (?:decimal|percent\w*))\b",
    re.IGNORECASE,
)
# "1/2 + 1/4 = ?", "= ___".
_OPEN_END = re.compile(r"=\s*(?:\?+|_+|…|\.{2,})?\s*[?.]*\s*$")


def solves_question(question: str, answer: str) -> bool | None:
    """Tell whether an answer is the value of the question's calculation, or solves its equation.

    None if the question states no single task, if the answer cannot be read or repeats the calculation, and if it may
    be one solution of several.
    """
    asked, said = _asked(question), _parsed_answer(answer)
    if asked is None or said is None:
        return None
    if isinstance(asked.node, Relation):
        return _solves(asked.node, said)
    if said == asked.node or not is_number(asked.node):
        return None
    try:
        return is_same_value(asked.node, said)
    except Unparsable:
        return None


def _asked(question: str) -> Claim | None:
    """Return the only calculation or equation of a question, or None."""
    text = _OPEN_END.sub("", _ADD.sub(r"\1 + ", question[: 4 * MAX_LENGTH]).strip())
    found = [claim for claim in claims_in(text) if not isinstance(claim.node, Name | Phrase)]
    if len(found) != 1 or not _is_to_work_out(found[0].node):
        return None
    # A fraction alone is no task: "3/4 of a pizza is gone" asks for something else.
    is_fraction = written_form(found[0].node) == "fraction"
    return None if is_fraction and not _RENAMES.search(question) else found[0]


def _is_to_work_out(node: Node) -> bool:
    if isinstance(node, Relation):
        return is_equation(node) and len(names_of(node)) == 1 and not is_solved(node)
    return isinstance(node, Operation) and node.operator not in ("neg", "mixed", "%")


def _parsed_answer(answer: str) -> Node | None:
    try:
        return parse(answer)
    except Unparsable:
        told = claims_in(answer)
        return told[-1].node if len(told) == 1 else parse_key(answer)


def _solves(equation: Relation, said: Node) -> bool | None:
    (name,) = names_of(equation)
    if isinstance(said, Relation):
        if not is_equation(said) or not is_solved(said) or names_of(said) != {name}:
            return None
        said = said.sides[-1] if names_of(said.sides[0]) else said.sides[0]
    if isinstance(said, Sequence) or not is_number(said):
        return None
    right = holds(substitute_values(equation, {name: said}))
    return right if not right or _is_linear(equation, name) else None


def _is_linear(equation: Relation, name: str) -> bool:
    """Tell whether an equation is linear in its variable, and so has one solution."""
    # Three points on a line; 0, 1 and 3 avoid symmetric points, at which x² and |x| could pass.
    gap = difference(equation.sides[0], equation.sides[-1])
    values = [approximate(gap, {name: at}) for at in (0.0, 1.0, 3.0)]
    if None in values:
        return False
    first, second, third = (complex(value or 0) for value in values)
    return abs((third - first) - 3 * (second - first)) < 1e-9 * (1 + abs(third))
