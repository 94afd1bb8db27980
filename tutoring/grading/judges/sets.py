"""Grades values in any order."""

import operator
from collections.abc import Callable, Iterable
from functools import partial

from tutoring.grading.algebra.comparison import best_matches, is_number
from tutoring.grading.algebra.comparison import is_same_value as worth_the_same
from tutoring.grading.algebra.equality import exact_value
from tutoring.grading.algebra.nodes import Node, Phrase, Relation, Sequence, Unparsable, names_of
from tutoring.grading.algebra.number_forms import has_form
from tutoring.grading.algebra.relations import answer_side, is_equation, is_solved
from tutoring.grading.keys import Form, SetKey
from tutoring.grading.parsing.interpretations import best_reading, parse_key
from tutoring.grading.parsing.normalization import MAX_LENGTH
from tutoring.grading.verdicts import Judgement, judged


def judge_set(key: SetKey, answer: str) -> Judgement:
    """Return the judgement of values in any order; a part of them is partly right."""
    wanted = _nodes_of(key.values)
    judge = _judge_written if key.form == "as_written" else partial(_judge_values, key.form)
    return best_reading(_on_one_line(answer), lambda said: judge(wanted, _numbers_where_asked(wanted, said)))


def contains_values(key: SetKey, answer: str, values: Iterable[str]) -> bool:
    """Tell whether an answer to the key contains all of these values."""
    told: list[Node] = []

    def note(said: Node) -> Judgement:
        told.extend(members(said))
        return judged("correct")

    try:
        best_reading(_on_one_line(answer), note)
    except Unparsable:
        return False
    alike: Callable[[Node, Node], bool] = operator.eq if key.form == "as_written" else worth_the_same
    return all(any(alike(value, said) for said in told) for value in _nodes_of(values))


def members(node: Node) -> tuple[Node, ...]:
    """Return the members of a list or set; an interval or a point is one member."""
    items = node.items if isinstance(node, Sequence) and node.opening in ("", "or", "{") else (node,)
    names = {item.sides[0] for item in items if isinstance(item, Relation) and is_solved(item)}
    if len(names) == 1 and all(isinstance(item, Relation) and is_equation(item) for item in items):
        return tuple(answer_side(item) for item in items if isinstance(item, Relation))
    return items


def _numbers_where_asked(wanted: tuple[Node, ...], said: Node) -> Node:
    """Return the answer. Raises Unparsable("words") for words and letters if numbers are asked for."""
    if all(is_number(value) for value in wanted) and any(
        isinstance(each, Phrase) or names_of(each) for each in members(said)
    ):
        raise Unparsable("words")
    return said


def _nodes_of(values: Iterable[str]) -> tuple[Node, ...]:
    return tuple(node for value in values if (read := parse_key(value)) is not None for node in members(read))


def _on_one_line(answer: str) -> str:
    lines = [line.strip(" ,;") for line in answer[: 4 * MAX_LENGTH].splitlines() if line.strip()]
    return ", ".join(lines) if len(lines) > 1 and "\\" not in answer else answer


def _judge_values(form: Form, wanted: tuple[Node, ...], said: Node) -> Judgement:
    wanted, items = tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(members(said)))
    found = [judgement for judgement in best_matches(wanted, items) if judgement is not None]
    if len(found) == len(wanted) == len(items):
        exactly = all(judgement.verdict == "correct" for judgement in found)
        if (
            exactly
            and form != "any"
            and not all(has_form(item, form, value=exact_value(item)) for item in items if is_number(item))
        ):
            return judged("equivalent_not_in_form", form)
        return judged("correct" if exactly else "equivalent_not_in_form")
    return _partly(len(found), of=len(wanted) + len(items) - len(found))


def _judge_written(wanted: tuple[Node, ...], said: Node) -> Judgement:
    right, told = set(wanted), set(members(said))
    return judged("correct") if right == told else _partly(len(right & told), of=len(right | told))


def _partly(found: int, *, of: int) -> Judgement:
    return judged("partial", score=found / of) if found else judged("wrong")
