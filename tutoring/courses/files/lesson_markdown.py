"""Parser of lesson.md: front matter, sections and pieces, each with its line."""

import re
from dataclasses import dataclass

from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.files.yaml_documents import YamlDocument, read_yaml

SECTIONS = ("explain.beginner", "explain.intermediate", "explain.advanced", "example")

_FENCE = "---"
_SECTION = re.compile(r"##[ \t]+(?P<name>[^#\n]+?)[ \t]*")
_PIECE = re.compile(r"###[ \t]+(?P<name>[^#\n]+?)[ \t]*")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceText:
    """A piece as written; `line` is that of its heading, `first_line` that of its text."""

    id: str
    line: int
    first_line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonText:
    front: YamlDocument
    sections: dict[str, tuple[PieceText, ...]]


def read_lesson(text: str, *, file: str, is_small: bool = False) -> LessonText:
    """Return the lesson's parts. Raises CourseFaults for every misplaced line.

    A small course needs one level of explanation: the others have the same pieces as the nearest one.
    """
    front, reader, last_line = _read(text, file)
    return LessonText(front=front, sections=reader.finished(last_line, is_small=is_small))


def read_pieces(text: str, *, file: str) -> dict[str, tuple[PieceText, ...]]:
    """Return the pieces of an unfinished lesson by section. Raises CourseFaults for every misplaced line."""
    _front, reader, _last_line = _read(text, file)
    reader.close_piece()
    if reader.faults:
        raise CourseFaults(reader.faults)
    return {name: tuple(pieces) for name, pieces in reader.sections.items()}


def _read(text: str, file: str) -> "tuple[YamlDocument, _LessonReader, int]":
    """Return the front matter, the reader of the rest, and the number of lines."""
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != _FENCE or _FENCE not in (line.rstrip() for line in lines[1:]):
        raise CourseFaults(
            [Fault(file=file, line=1, reason="a lesson must begin with front matter between two --- lines")]
        )
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == _FENCE)
    front = read_yaml("\n".join(lines[1:end]), file=file, first_line=2)
    reader = _LessonReader(file)
    for number, line in enumerate(lines[end + 1 :], start=end + 2):
        reader.take(line, number=number)
    return front, reader, len(lines)


class _LessonReader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.sections: dict[str, list[PieceText]] = {}
        self.ids: set[str] = set()
        self.section: str | None = None
        self.piece: tuple[str, int] | None = None
        self.text: list[str] = []

    def fault(self, line: int, reason: str) -> None:
        self.faults.append(Fault(file=self.file, line=line, reason=reason))

    def take(self, line: str, *, number: int) -> None:
        if matched := _PIECE.fullmatch(line):
            self.open_piece(matched["name"], number)
        elif matched := _SECTION.fullmatch(line):
            self.open_section(matched["name"], number)
        elif self.piece is not None:
            self.text.append(line)
        elif line.strip():
            self.fault(number, "text outside a piece: put a heading '### piece-id' above it")

    def open_section(self, name: str, number: int) -> None:
        self.close_piece()
        self.section = name
        if name not in SECTIONS:
            self.fault(number, f"unknown section {name!r}; the sections are {', '.join(SECTIONS)}")
        elif name in self.sections:
            self.fault(number, f"duplicate section {name!r}")
        self.sections.setdefault(name, [])

    def open_piece(self, name: str, number: int) -> None:
        self.close_piece()
        if self.section is None:
            self.fault(number, "this piece comes before the first section ('## explain.beginner')")
        if not _ID.fullmatch(name):
            self.fault(number, f"{name!r} is not an id: use lower-case letters, digits, '-' and '_'")
        if name in self.ids:
            self.fault(number, f"duplicate piece {name!r}")
        self.ids.add(name)
        self.piece = (name, number)

    def close_piece(self) -> None:
        if self.piece is not None and self.section is not None:
            name, line = self.piece
            piece = PieceText(id=name, line=line, first_line=line + 1, text="\n".join(self.text))
            self.sections[self.section].append(piece)
        self.piece = None
        self.text = []

    def finished(self, last_line: int, *, is_small: bool) -> dict[str, tuple[PieceText, ...]]:
        self.close_piece()
        if is_small:
            self.fill_levels(last_line)
        for section in SECTIONS:
            if not (self.sections.get(section) or is_small):
                self.fault(last_line, f"the section '## {section}' is missing or empty")
        if self.faults:
            raise CourseFaults(self.faults)
        return {name: tuple(pieces) for name, pieces in self.sections.items()}

    def fill_levels(self, last_line: int) -> None:
        """Give every level without pieces those of the nearest one, the easier one first."""
        *levels, example = SECTIONS
        written = [level for level in levels if self.sections.get(level)]
        if not written:
            self.fault(last_line, "the lesson has no explanation: write at least one piece")
        for at, level in enumerate(levels if written else ()):
            if level not in written:
                near = min(written, key=lambda name: (abs(levels.index(name) - at), levels.index(name)))
                self.sections[level] = self.sections[near]
        self.sections.setdefault(example, [])
