"""Checks of a template's board, by its kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tutoring.courses.catalogue import TemplateKind
from tutoring.courses.exercises.picture_plans import listed_numbers
from tutoring.courses.files.exercise_schema import TemplateEntry
from tutoring.courses.files.yaml_documents import NodePath

_WORDS = frozenset({"shape", "sign"})
"""Fields that are words, with `{expressions}`; the others are expressions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFields:
    """The fields of a board, and an example of one."""

    needed: frozenset[str]
    optional: frozenset[str] = frozenset()
    example: str


_ON_PLANE = BoardFields(
    needed=frozenset({"x.from", "x.to", "y.from", "y.to"}),
    optional=frozenset({"x.step", "y.step"}),
    example="{x: {from: -5, to: 5, step: 1}, y: {from: -5, to: 5, step: 1}}",
)
BOARD_FIELDS: Mapping[TemplateKind, BoardFields] = {
    "shade": BoardFields(
        needed=frozenset({"shape"}),
        optional=frozenset({"parts", "rows", "columns", "shaded"}),
        example="{shape: bar, parts: …} or {shape: grid, rows: …, columns: …}",
    ),
    "cut": BoardFields(needed=frozenset({"shape"}), example="{shape: bar} or {shape: circle}"),
    "place": BoardFields(needed=frozenset({"from", "to", "ticks"}), example="{from: 0, to: 2, ticks: …}"),
    "build": BoardFields(needed=frozenset({"pieces"}), optional=frozenset({"to"}), example="{pieces: […], to: 1}"),
    "share": BoardFields(
        needed=frozenset({"things", "people"}), optional=frozenset({"cut"}), example="{things: …, people: …, cut: …}"
    ),
    "combine": BoardFields(
        needed=frozenset({"first", "sign", "second"}), example='{first: …, sign: "+" or "-", second: …}'
    ),
    "point": _ON_PLANE,
    "line": _ON_PLANE,
    "balance": BoardFields(
        needed=frozenset(),
        optional=frozenset({"left.x", "left.ones", "right.x", "right.ones"}),
        example="{left: {x: 2, ones: 3}, right: {ones: 11}}",
    ),
}


def board_problems(entry: TemplateEntry) -> Iterator[tuple[NodePath, str]]:
    """Yield the faults of the board's fields; its numbers are tried with each exercise."""
    fields = BOARD_FIELDS.get(entry.type)
    if fields is None:
        if entry.board is not None:
            yield ("board",), f"the type {entry.type} has no board"
        if entry.unequal is not None:
            yield ("unequal",), "only cut and share have 'unequal'"
        return
    given = entry.board or {}
    if not given or not fields.needed <= given.keys():
        yield ("board",), f"the type {entry.type} needs board: {fields.example}"
    for name in given.keys() - fields.needed - fields.optional:
        yield ("board", name), f"the board of {entry.type} has no {name!r}"
    if entry.unequal is not None and entry.type not in ("cut", "share"):
        yield ("unequal",), "only cut and share have 'unequal'"


def board_expressions(entry: TemplateEntry) -> Iterator[tuple[NodePath, str]]:
    """Yield the expressions of the board."""
    for name, value in (entry.board or {}).items():
        if name not in _WORDS:
            listed = listed_numbers(value)
            yield from ((("board", name), each) for each in ((listed,) if isinstance(listed, str) else listed))


def board_texts(entry: TemplateEntry) -> Iterator[tuple[NodePath, str]]:
    """Yield the words of the board, which may hold `{expressions}`."""
    board = entry.board or {}
    yield from ((("board", name), str(board[name])) for name in sorted(_WORDS & board.keys()))
