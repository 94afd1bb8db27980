"""YAML as plain data with line numbers, without YAML's dangerous features.

Anchors, aliases, tags and several documents are refused, so a small file cannot unfold into a large one.
Scalars are read as in YAML 1.2: `yes` and `no` are text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import yaml
from yaml.events import AliasEvent, CollectionStartEvent, MappingStartEvent, NodeEvent, ScalarEvent, SequenceStartEvent

from tutoring.courses.files.faults import CourseFaults, Fault

MAX_DEPTH = 20

type Data = bool | int | float | str | list[Data] | dict[str, Data] | None
type NodePath = tuple[str | int, ...]

_INTEGER = re.compile(r"[-+]?[0-9]{1,15}")
_DECIMAL = re.compile(r"[-+]?[0-9]{0,15}\.[0-9]{1,15}|[-+]?[0-9]{1,15}\.")
_CONSTANTS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlDocument:
    """The data of one YAML text, and the line (from 1) of the value at each path."""

    file: str
    data: Data
    lines: dict[NodePath, int] = field(repr=False)
    blocks: frozenset[NodePath] = field(default=frozenset(), repr=False)
    """The paths of block texts (`|`, `>`), which begin on the line after their key."""

    def line(self, path: NodePath) -> int:
        """Return the line of the value at `path`, or of its nearest parent."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def text_line(self, path: NodePath) -> int:
        """Return the first line of the text at `path`."""
        return self.line(path) + (path in self.blocks)

    def fault(self, path: NodePath, reason: str) -> Fault:
        return Fault(file=self.file, line=self.line(path), reason=reason)


def read_yaml(text: str, *, file: str, first_line: int = 1) -> YamlDocument:
    """Return the text's only document. Raises CourseFaults with the line of anything rejected."""
    reader = _YamlReader(file=file, first_line=first_line)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        reader.events = yaml.parse(text, Loader=loader)
        data = reader.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise CourseFaults([reader.fault_at(mark, f"not YAML: {error.problem or error.context}")]) from None
    except yaml.YAMLError as error:
        raise CourseFaults([reader.fault_at(None, f"not YAML: {str(error).splitlines()[0]}")]) from None
    return YamlDocument(file=file, data=data, lines=reader.lines, blocks=frozenset(reader.blocks))


class _Mark(Protocol):
    """A position in YAML; the C and the Python parser have different classes for it."""

    line: int


@dataclass(slots=True, kw_only=True)
class _YamlReader:
    file: str
    first_line: int
    events: Iterator[yaml.Event] = field(default_factory=lambda: iter(()))
    lines: dict[NodePath, int] = field(default_factory=dict)
    blocks: set[NodePath] = field(default_factory=set)

    def line_at(self, mark: _Mark | None) -> int:
        return self.first_line + (mark.line if mark is not None else 0)

    def fault_at(self, mark: _Mark | None, reason: str) -> Fault:
        return Fault(file=self.file, line=self.line_at(mark), reason=reason)

    def refuse(self, event: yaml.Event, reason: str) -> CourseFaults:
        return CourseFaults([self.fault_at(event.start_mark, reason)])

    def document(self) -> Data:
        data: Data = None
        seen = False
        for event in self.events:
            if isinstance(event, NodeEvent):
                if seen:
                    raise self.refuse(event, "a file can contain only one YAML document")
                data, seen = self.value(event, ()), True
        return data

    def value(self, event: NodeEvent, path: NodePath) -> Data:
        self.check(event, path)
        self.lines.setdefault(path, self.line_at(event.start_mark))
        match event:
            case ScalarEvent():
                if event.style in ("|", ">"):
                    self.blocks.add(path)
                return _scalar(event)
            case SequenceStartEvent():
                return self.sequence(path)
            case MappingStartEvent():
                return self.mapping(path)
        raise self.refuse(event, "unexpected YAML")

    def check(self, event: NodeEvent, path: NodePath) -> None:
        if isinstance(event, AliasEvent) or event.anchor:
            raise self.refuse(event, "anchors and aliases are not allowed")
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag not in (None, "!"):
            raise self.refuse(event, "tags are not allowed")
        if len(path) > MAX_DEPTH:
            raise self.refuse(event, f"nested more than {MAX_DEPTH} levels deep")

    def sequence(self, path: NodePath) -> list[Data]:
        items: list[Data] = []
        while isinstance(event := next(self.events), NodeEvent):
            items.append(self.value(event, (*path, len(items))))
        return items

    def mapping(self, path: NodePath) -> dict[str, Data]:
        items: dict[str, Data] = {}
        while isinstance(event := next(self.events), NodeEvent):
            if not isinstance(event, ScalarEvent):
                raise self.refuse(event, "a key must be plain text (quote a value that begins with '{')")
            self.check(event, path)
            if event.value in items:
                raise self.refuse(event, f"duplicate key {event.value!r}")
            # A key's line is the better place to point at: its value may begin further down.
            self.lines[(*path, event.value)] = self.line_at(event.start_mark)
            value = next(self.events)
            assert isinstance(value, NodeEvent)
            items[event.value] = self.value(value, (*path, event.value))
        return items


def _scalar(event: ScalarEvent) -> Data:
    text: str = event.value
    if not event.implicit[0]:  # Quoted, or a block of text.
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text
