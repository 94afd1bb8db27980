"""Source locations of a course's parts, so that late faults still point at a line."""

from dataclasses import dataclass, field

from tutoring.courses.files.faults import Fault
from tutoring.courses.files.yaml_documents import NodePath, YamlDocument

type Key = tuple[str, ...]
"""Such as ("template", "half-01"), ("piece", "one-half", "cut-it"), ("misconception", "any-two-pieces")."""


@dataclass(slots=True)
class SourceLocations:
    _known: dict[Key, tuple[YamlDocument, NodePath]] = field(default_factory=dict)
    _lines: dict[Key, tuple[str, int]] = field(default_factory=dict)

    def has(self, key: Key) -> bool:
        return key in self._known or key in self._lines

    def put(self, key: Key, document: YamlDocument, path: NodePath) -> None:
        self._known.setdefault(key, (document, path))

    def put_line(self, key: Key, *, file: str, line: int) -> None:
        self._lines.setdefault(key, (file, line))

    def fault(self, key: Key, reason: str, *, at: NodePath = ()) -> Fault:
        """Return a fault at the part named by `key`, or at the path `at` within it."""
        if key in self._lines:
            file, line = self._lines[key]
            return Fault(file=file, line=line, reason=reason)
        document, path = self._known[key]
        return document.fault((*path, *at), reason)
