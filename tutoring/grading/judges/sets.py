"""Grades several values: in any order, or each by its name."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from tutoring.grading.algebra.comparison import best_matches, is_number
from tutoring.grading.algebra.comparison import is_same_value as worth_the_same
from tutoring.grading.algebra.equality import exact_value
from tutoring.grading.algebra.nodes import Node, Phrase, Quantity, Relation, Sequence, Unparsable, names_of
from tutoring.grading.algebra.number_forms import has_form
from tutoring.grading.algebra.relations import answer_side, is_equation, is_solved
from tutoring.grading.keys import Form, SetKey
from tutoring.grading.parsing.interpretations import best_reading, parse_key
from tutoring.grading.parsing.labelled_values import labelled_values
from tutoring.grading.parsing.normalization import MAX_LENGTH
from tutoring.grading.verdicts import Judgement, judged

# "12/14 18/21 and 30/35": no mixed number, since the first is no whole.
_FRACTIONS_IN_A_ROW = re.compile(r"(\d/\d+) +(?=\d+/\d)")
SWAPPED = "swapped"
"""The reason where all the values are right, but not each for its name."""

type Given = tuple[Node | None, ...]
"""The values of an answer: one for each name, None if it is missing, or any other number of values without names."""


def judge_set(key: SetKey, answer: str) -> Judgement:
    """Return the judgement of values in any order, or of named values; a part of them is partly right."""
    wanted = _nodes_of(key.values)
    if key.names:
        return _best_reading_by_name(key, answer, partial(_judge_by_name, key.form, wanted))
    return best_reading(
        _on_one_line(answer), lambda said: _judge_values(key.form, wanted, _numbers_where_asked(wanted, said))
    )


def contains_values(key: SetKey, answer: str, values: Iterable[str]) -> bool:
    """Tell whether an answer to the key contains all of these values; as many as there are names are its values in order."""
    wanted = _nodes_of(values)
    if key.names:
        given = _given_by_name(key, answer)
        if len(wanted) == len(key.names):
            return len(given) == len(wanted) and all(map(partial(_is_alike, key.form), wanted, given))
        return all(any(_is_alike(key.form, value, said) for said in given) for value in wanted)
    told: list[Node] = []

    def note(said: Node) -> Judgement:
        told.extend(members(said))
        return judged("correct")

    try:
        best_reading(_on_one_line(answer), note)
    except Unparsable:
        return False
    return all(any(_is_alike(key.form, value, said) for said in told) for value in wanted)


def gives_values(key: SetKey, answer: str) -> bool:
    """Tell whether an answer gives values for names of the key, with the names or one value for each."""
    given = _given_by_name(key, answer)
    return len(given) == len(key.names) and not all(each is None for each in given)


def right_names(key: SetKey, answer: str) -> tuple[str, ...]:
    """Return the names whose values are right in an answer; none if it does not give a value for each name."""
    given = _given_by_name(key, answer)
    if len(given) != len(key.names):
        return ()
    pairs = zip(key.names, _nodes_of(key.values), given, strict=True)
    return tuple(name for name, value, said in pairs if _is_alike(key.form, value, said))


def members(node: Node) -> tuple[Node, ...]:
    """Return the members of a list or set; an interval or a point is one member."""
    items = node.items if isinstance(node, Sequence) and node.opening in ("", "or", "{") else (node,)
    names = {item.sides[0] for item in items if isinstance(item, Relation) and is_solved(item)}
    if len(names) == 1 and all(isinstance(item, Relation) and is_equation(item) for item in items):
        return tuple(answer_side(item) for item in items if isinstance(item, Relation))
    return items


def _is_alike(form: Form, wanted: Node, said: Node | None) -> bool:
    if said is None:
        return False
    return wanted == said if form == "as_written" else worth_the_same(wanted, said)


def _given_by_name(key: SetKey, answer: str) -> Given:
    """Return the values of an answer in its likeliest reading; none if it cannot be read."""
    found: list[Given] = []

    def note(given: Given) -> Judgement:
        found.append(given)
        return judged("correct")

    try:
        _best_reading_by_name(key, answer, note)
    except Unparsable:
        return ()
    return found[0]


def _best_reading_by_name(key: SetKey, answer: str, judge: Callable[[Given], Judgement]) -> Judgement:
    """Return the best judgement over the readings of named values. Raises Unparsable if there is none."""
    text = _on_one_line(answer)
    labelled = labelled_values(key.names, text)

    def judge_reading(said: Node) -> Judgement:
        items = _values_in(_numbers_where_asked(_nodes_of(key.values), said))
        if labelled is None:
            if _has_labels(said):
                raise Unparsable("labels")
            return judge(items)
        places, _ = labelled
        if len(items) != len(places):
            raise Unparsable("labels")
        by_place = dict(zip(places, items, strict=True))
        return judge(tuple(by_place.get(place) for place in range(len(key.names))))

    return best_reading(text if labelled is None else labelled[1], judge_reading)


def _has_labels(node: Node) -> bool:
    """Tell whether the values of a list have names that the key does not know: "avg = 5", "5 for avg, 3 for middle"."""
    items = node.items if isinstance(node, Sequence) else (node,)
    units = {item.unit for item in items if isinstance(item, Quantity)}
    return len(units) > 1 or any(isinstance(item, Relation) and names_of(item) for item in items)


def _values_in(node: Node) -> tuple[Node, ...]:
    """Return the values of a list; those of a point (2, 3) too."""
    return node.items if isinstance(node, Sequence) and node.opening == "(" else members(node)


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
    answer = _FRACTIONS_IN_A_ROW.sub(r"\1, ", answer)
    lines = [line.strip(" ,;") for line in answer[: 4 * MAX_LENGTH].splitlines() if line.strip()]
    return ", ".join(lines) if len(lines) > 1 and "\\" not in answer else answer


def _judge_by_name(form: Form, wanted: tuple[Node, ...], given: Given) -> Judgement:
    said = tuple(each for each in given if each is not None)
    in_any_order = _matches(form, wanted, said)
    if len(given) != len(wanted):
        return _partly(len(in_any_order), of=len(wanted) + len(said) - len(in_any_order))
    pairs = zip(wanted, given, strict=True)
    found = [match for value, each in pairs if each is not None for match in _matches(form, (value,), (each,))]
    if len(found) == len(wanted):
        return _all_found(form, found, said)
    if len(in_any_order) == len(said) == len(wanted):
        return judged("partial", SWAPPED)
    return _partly(len(found), of=len(wanted) + len(said) - len(found))


def _matches(form: Form, wanted: tuple[Node, ...], said: tuple[Node, ...]) -> list[Judgement]:
    """Return the judgements of the wanted values that are said, in any order."""
    if form == "as_written":
        return [judged("correct")] * (Counter(wanted) & Counter(said)).total()
    return [judgement for judgement in best_matches(wanted, said) if judgement is not None]


def _judge_values(form: Form, wanted: tuple[Node, ...], said: Node) -> Judgement:
    wanted, items = tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(members(said)))
    found = _matches(form, wanted, items)
    if len(found) == len(wanted) == len(items):
        return _all_found(form, found, items)
    return _partly(len(found), of=len(wanted) + len(items) - len(found))


def _all_found(form: Form, found: list[Judgement], items: tuple[Node, ...]) -> Judgement:
    """Return the judgement of an answer with all values: whether they are in the form asked for."""
    if not all(judgement.verdict == "correct" for judgement in found):
        return judged("equivalent_not_in_form")
    if form not in ("any", "as_written") and not all(
        has_form(item, form, value=exact_value(item)) for item in items if is_number(item)
    ):
        return judged("equivalent_not_in_form", form)
    return judged("correct")


def _partly(found: int, *, of: int) -> Judgement:
    return judged("partial", score=found / of) if found else judged("wrong")
