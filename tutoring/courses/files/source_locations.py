"""Where each thing of a course stands in its files, so that a late fault still points at a line."""

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
        """Return a fault at the thing `key` names, or at the part of it under the path `at`."""
        if key in self._lines:
            file, line = self._lines[key]
            return Fault(file=file, line=line, reason=reason)
        document, path = self._known[key]
        return document.fault((*path, *at), reason)
