"""Checks of a template's answer and misconceptions, by its kind."""

import re
from collections.abc import Iterator, Mapping

from tutoring.courses.catalogue import Misconception, TemplateKind
from tutoring.courses.exercises.expressions import ExpressionError
from tutoring.courses.exercises.interpolation import check_names
from tutoring.courses.files.exercise_schema import AnswerEntry, TemplateEntry
from tutoring.courses.files.yaml_documents import NodePath

OTHER = "other"
CONSTRUCTIONS: tuple[TemplateKind, ...] = ("shade", "cut", "place", "build", "share", "combine", "balance")
"""Boards that show one number."""
ON_PLANE: tuple[TemplateKind, ...] = ("point", "line")
"""Boards that show two."""
MAX_SPARE = 2
MAX_STEPS = 8
MIN_PIECES = 3
"""Pieces are never shown in the right order, so with two the order would be obvious."""

type PathProblem = tuple[NodePath, str]
"""Where in the template, and why."""

_FIELDS: Mapping[TemplateKind, frozenset[str]] = {
    "numeric": frozenset({"value", "form", "tolerance", "places"}),
    "expression": frozenset({"value", "form"}),
    "set": frozenset({"values", "form", "names"}),
    "choice": frozenset({"value"}),
    "multi": frozenset({"values"}),
    "order": frozenset({"order"}),
    "match": frozenset({"pairs", "spare"}),
    "steps": frozenset({"start", "lines", "form"}),
    "text": frozenset({"ideas", "contradicts", "references"}),
    "shade": frozenset({"value"}),
    "cut": frozenset({"value"}),
    "place": frozenset({"value"}),
    "build": frozenset({"value", "exact_pieces", "pieces"}),
    "share": frozenset({"value"}),
    "combine": frozenset({"value"}),
    "trace": frozenset({"prints"}),
    "code": frozenset({"solution", "cases", "needs", "without"}),
    "lines": frozenset({"lines", "spare", "also", "cases"}),
    "point": frozenset({"values"}),
    "line": frozenset({"slope", "intercept"}),
    "balance": frozenset({"value"}),
}
_FORMS: Mapping[TemplateKind, frozenset[str]] = {
    "numeric": frozenset({"any", "simplified", "fraction", "exact", "decimal", "whole"}),
    "expression": frozenset({"any", "simplified", "fraction", "exact", "decimal", "whole", "factored", "expanded"}),
    "set": frozenset({"any", "simplified", "fraction", "whole", "as_written"}),
    "steps": frozenset({"any", "simplified", "fraction", "exact", "whole", "factored", "expanded"}),
}
_EXAMPLES: Mapping[TemplateKind, str] = {
    "numeric": "{value: …}",
    "expression": "{value: …}",
    "set": "{values: [at least two]}",
    "choice": "{value: letter}",
    "multi": "{values: [letters]}",
    "order": "{order: [at least three pieces]}",
    "match": "{pairs: [at least three of [row, what belongs to it]]}",
    "steps": "{start: …, lines: [at least two, the answer last]}",
    "text": "ideas, and references that state them",
    "shade": "{value: the share of the whole}",
    "cut": "{value: the number of equal parts}",
    "place": "{value: the number at the point}",
    "build": "{value: the length}",
    "share": "{value: what each person gets}",
    "combine": "{value: the sum or difference}",
    "trace": "{prints: what the program prints}",
    "code": "{solution: a program, cases: [at least one of {call: …, value: …} or {prints: …}]}",
    "lines": "{lines: [at least three lines of a program]}",
    "point": "{values: [x, y]}",
    "line": "{slope: …, intercept: …}",
    "balance": "{value: the weight of one box}",
}


_WRONG_PROGRAMS: Mapping[TemplateKind, str] = {
    "trace": "what a learner with this idea would write",
    "code": "a wrong program",
    "lines": "[the lines of a wrong program]",
}
# Beside other signs and numbers, a name could not be found in an answer.
_NAME = re.compile(r"[^\W\d_][\w '’-]*")
MAX_EXPRESSION = 400
"""As for other expressions; only programs are longer."""


def answer_problems(entry: TemplateEntry) -> Iterator[PathProblem]:
    """Yield the faults of the answer and the choices."""
    answer, kind = entry.answer, entry.type
    has_choices = kind in ("choice", "multi")
    if has_choices and len(entry.choices) < 2:
        yield ("choices",), f"a {kind} question needs at least two choices"
    if not has_choices and entry.choices:
        yield ("choices",), f"a {kind} question cannot have choices"
    for name in sorted(answer.model_fields_set - _FIELDS[kind]):
        yield ("answer", name), f"the answer of {_article(kind)} question cannot have {name!r}"
    if answer.form not in _FORMS.get(kind, {"any"}):
        yield ("answer", "form"), f"a {kind} question cannot have the form {answer.form!r}"
    if not _is_complete(answer, kind):
        yield ("answer",), f"{_article(kind)} question needs answer: {_EXAMPLES[kind]}"
    elif has_choices:
        for letter in (answer.value or "",) if kind == "choice" else answer.values:
            if letter not in entry.choices:
                yield ("answer",), f"there is no choice {letter!r}"
    if kind == "match":
        yield from _pair_problems(answer)
    if kind == "match" and len(answer.spare) > MAX_SPARE:
        yield ("answer", "spare"), f"a match question can have at most {MAX_SPARE} spare options"
    if kind == "steps" and len(answer.lines) > MAX_STEPS:
        yield ("answer", "lines"), f"a steps question can have at most {MAX_STEPS} lines"
    if kind == "set" and answer.names:
        yield from _name_problems(answer)
    if answer.pieces and answer.exact_pieces:
        yield ("answer", "exact_pieces"), "'pieces' already gives the sizes"


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _is_complete(answer: AnswerEntry, kind: TemplateKind) -> bool:
    match kind:
        case "numeric" | "expression" | "choice":
            return answer.value is not None
        case "shade" | "cut" | "place" | "build" | "share" | "combine" | "balance":
            return answer.value is not None
        case "point":
            return len(answer.values) == 2
        case "line":
            return answer.slope is not None and answer.intercept is not None
        case "set":
            return len(answer.values) >= 2
        case "multi":
            return bool(answer.values)
        case "order":
            return len(answer.order) >= MIN_PIECES
        case "match":
            return len(answer.pairs) >= MIN_PIECES
        case "steps":
            return answer.start is not None and len(answer.lines) >= 2
        case "text":
            return bool(answer.ideas and answer.references)
        case "trace":
            return answer.prints is not None
        case "code":
            return answer.solution is not None and bool(answer.cases)
        case "lines":
            return bool(answer.lines)


def _name_problems(answer: AnswerEntry) -> Iterator[PathProblem]:
    if len(answer.names) != len(answer.values):
        yield ("answer", "names"), f"there are {len(answer.values)} values, but {len(answer.names)} names"
    known = [name.casefold() for name in answer.names]
    for index, name in enumerate(known):
        if name in known[:index]:
            yield ("answer", "names", index), "duplicate name"
        if not _NAME.fullmatch(name):
            reason = f"{answer.names[index]!r} is no name: write a word or a letter, such as median or x"
            yield ("answer", "names", index), reason


def _pair_problems(answer: AnswerEntry) -> Iterator[PathProblem]:
    rows = [left for left, _ in answer.pairs]
    for index, row in enumerate(rows):
        if row in rows[:index]:
            yield ("answer", "pairs", index), "duplicate row"
    rights = [right for _, right in answer.pairs]
    for index, spare in enumerate(answer.spare):
        if spare in rights:
            yield ("answer", "spare", index), "this belongs to a row, so it is not spare"
    if rights and all(right == rights[0] for right in rights):
        yield ("answer", "pairs"), "all rows have the same partner"


def answer_expressions(entry: TemplateEntry) -> Iterator[tuple[NodePath, str]]:
    """Yield the expressions that are the right answer."""
    if entry.type in (*CONSTRUCTIONS, "numeric") and entry.answer.value is not None:
        yield ("answer", "value"), entry.answer.value
    yield from ((("answer", "pieces", index), piece) for index, piece in enumerate(entry.answer.pieces))
    yield from ((("answer", name), each) for name in ("slope", "intercept") if (each := getattr(entry.answer, name)))
    if entry.type in ("set", "point"):
        yield from ((("answer", "values", index), value) for index, value in enumerate(entry.answer.values))


def misconception_problems(entry: TemplateEntry, known: Mapping[str, Misconception]) -> Iterator[PathProblem]:
    """Yield the faults of the misconceptions that a template lists."""
    listed = entry.misconceptions
    named = listed.values() if isinstance(listed, Mapping) else [name for name, _ in listed]
    for name in dict.fromkeys(named):
        if name not in known and name != OTHER:
            yield ("misconceptions",), f"misconceptions.yaml has no {name!r}"
    if entry.unequal is not None and entry.unequal not in known:
        yield ("unequal",), f"misconceptions.yaml has no {entry.unequal!r}"
    if entry.type in ("choice", "multi"):
        yield from _distractor_problems(entry)
    elif isinstance(listed, Mapping):
        if listed:
            yield ("misconceptions",), _how_listed(entry.type)
    else:
        for index, (name, wrong) in enumerate(listed):
            for reason in _rule_problems(entry, name, wrong, known):
                yield ("misconceptions", index), reason


def _how_listed(kind: TemplateKind) -> str:
    if kind == "text":
        return "a text question lists only the ids of misconceptions"
    return f"{_article(kind)} question lists misconceptions: [id, {{id: wrong expression}}]"


def _distractor_problems(entry: TemplateEntry) -> Iterator[PathProblem]:
    mapped = entry.misconceptions
    if not isinstance(mapped, Mapping):
        if mapped:
            yield ("misconceptions",), "a question with choices maps letters to ids: {B: id, C: other}"
            return
        mapped = {}
    right = {entry.answer.value} if entry.type == "choice" else set(entry.answer.values)
    for letter in entry.choices:
        if letter in right and letter in mapped:
            yield ("misconceptions", letter), f"{letter} is right, so it cannot have a misconception"
        if letter not in right and letter not in mapped:
            yield ("misconceptions",), f"the wrong choice {letter} needs a misconception's id, or 'other'"
    for letter in mapped:
        if letter not in entry.choices:
            yield ("misconceptions", letter), f"there is no choice {letter!r}"


def _rule_problems(
    entry: TemplateEntry, name: str, wrong: tuple[str, ...], known: Mapping[str, Misconception]
) -> Iterator[str]:
    match entry.type:
        case "text":
            if wrong:
                yield _how_listed(entry.type)
        case "order":
            if sorted(wrong) != [str(number) for number in range(1, len(entry.answer.order) + 1)]:
                yield f"write {{{name}: [the numbers of all pieces in the wrong order]}}"
        case "match":
            yield from _match_problems(entry.answer, name, wrong)
        case "trace" | "code" | "lines":
            if not wrong:
                yield f"write {{{name}: {_WRONG_PROGRAMS[entry.type]}}}"
        case _ if any(len(each) > MAX_EXPRESSION for each in wrong):
            yield f"a wrong answer can have at most {MAX_EXPRESSION} characters"
        case "expression":
            if not wrong:
                yield f"write {{{name}: the wrong expression}}; malrules give only numbers"
        case "set" if entry.answer.names and len(wrong) not in (0, 1, len(entry.answer.names)):
            yield f"write {{{name}: [a wrong value for each name]}}"
        case "point" if len(wrong) != 2:
            yield f"write {{{name}: [x, y]}}"
        case "line" if len(wrong) != 2:
            yield f"write {{{name}: [slope, intercept]}}"
        case kind if len(wrong) > 1 and kind in (*CONSTRUCTIONS, "numeric"):
            yield f"{_article(kind)} question can have only one wrong expression for {name!r}"
        case _:
            if not wrong and name in known:
                yield from _malrule_problems(entry, known[name])


def _match_problems(answer: AnswerEntry, name: str, wrong: tuple[str, ...]) -> Iterator[str]:
    rows = len(answer.pairs)
    numbers = [int(number) for number in wrong if number.isdecimal()]
    if len(numbers) != rows or len(wrong) != rows or max(numbers, default=0) > rows + len(answer.spare):
        yield f"write {{{name}: [for each of the {rows} pairs, the number of the pair whose partner it gets, or 0]}}"
        return
    rights = [*(right for _, right in answer.pairs), *answer.spare]
    if not any(number and rights[number - 1] != rights[row] for row, number in enumerate(numbers)):
        yield f"{name!r} gives no wrong partner"


def _malrule_problems(entry: TemplateEntry, misconception: Misconception) -> Iterator[str]:
    rule, name = misconception.malrule, misconception.id
    if rule is None:
        yield f"{name!r} has no malrule: write {{{name}: wrong expression}}"
        return
    for expression in filter(None, (rule.when, rule.answer)):
        try:
            check_names(expression, entry.params.keys() | entry.malrule_params.keys())
        except ExpressionError as error:
            yield f"the malrule of {name!r}: {error}; give malrule_params"
