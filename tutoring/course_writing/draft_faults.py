"""What still has to be done before a draft can be published: each fault with the part of the draft that has it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext as _

from tutoring.course_writing.draft_files import (
    COURSE,
    GRAPH,
    ITEMS,
    LESSON,
    MISCONCEPTIONS,
    STEPS,
    Files,
    UnreadableFile,
    read_document,
    read_mapping,
    with_data,
    with_file,
)
from tutoring.course_writing.fault_fields import concept_field, course_field, exercise_field, misconception_field
from tutoring.course_writing.fault_words import in_plain_words
from tutoring.courses.checks.course_checks import find_course_faults
from tutoring.courses.files.course_builder import BuiltCourse, build_course
from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.files.lesson_markdown import read_pieces
from tutoring.courses.files.reader import read_files
from tutoring.courses.files.sources import sources_of
from tutoring.courses.files.yaml_documents import NodePath, YamlDocument

type PartKind = Literal["course", "concept", "piece", "exercise", "step", "misconception", "file"]
ROUNDS: Final = 4
"""How often the rest of a draft is read again without the entries that could not be read."""
_LISTS: Final = (ITEMS, STEPS, MISCONCEPTIONS)
_MISSING: Final = re.compile(r"there is no |\.(?:yaml|md) has no |has no exercise")
_IS_BARE: Final = re.compile(r"is (?:empty|missing)|too few")
_EXTRAS: Final = (
    "milestones.yaml",
    "questions.yaml",
    "wordings.yaml",
    "dialogue.yaml",
    "requests.yaml",
    "sayings.yaml",
)
"""Files that a course can do without."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DraftFault:
    """A fault of a draft. `concept` and `name` tell which part has it, `field` which field of its form.

    A fault that belongs to no form has the kind `file`.
    """

    kind: PartKind
    concept: str = ""
    name: str = ""
    field: str = ""
    reason: str
    file: str
    line: int


def find_draft_faults(files: Files, *, seeds: int) -> tuple[DraftFault, ...]:
    """Return every fault of a draft. With `seeds` 0, no exercises are tried.

    What cannot be read is left out, so that the faults of everything else are found too.
    """
    found: dict[DraftFault, None] = {}
    for left_out in range(ROUNDS):
        faults, built = _read(files)
        if built is not None:
            faults = find_course_faults(built, seeds=seeds)
        told = [fault for fault in faults if not left_out or not _is_about_missing(fault)]
        found |= dict.fromkeys(_located(files, fault) for fault in told)
        if built is not None or not faults:
            break
        smaller = _without_faulty(files, faults)
        if smaller is None:
            break
        files = smaller
    return tuple(sorted(found))


def _read(files: Files) -> tuple[Iterable[Fault], BuiltCourse | None]:
    try:
        return (), build_course(read_files(sources_of(dict(files))))
    except CourseFaults as found:
        return found.faults, None


def _is_about_missing(fault: Fault) -> bool:
    """Tell whether a fault could only mean that something was left out because of its own fault."""
    return fault.file == GRAPH or _MISSING.search(fault.reason) is not None


def _without_faulty(files: Files, faults: Iterable[Fault]) -> Files | None:
    """Return the files without entries of lists and extra files that have faults, and with something for texts that are missing.

    None if that changes nothing.
    """
    changed = _filled(files)
    for path in {fault.file for fault in faults if fault.file.rpartition("/")[2] in _EXTRAS}:
        changed = with_file(changed, path, None)
    for path in {fault.file for fault in faults if fault.file.rpartition("/")[2] in _LISTS}:
        try:
            document = read_document(files, path)
        except UnreadableFile:
            changed = with_data(changed, path, [])
            continue
        bad = {_entry_at(document, fault.line) for fault in faults if fault.file == path}
        if isinstance(document.data, list):
            changed = with_data(changed, path, [each for at, each in enumerate(document.data) if at not in bad])
    return changed if changed != files else None


def _filled(files: Files) -> Files:
    """Return the files with a dash for each missing text of the course and its concepts."""
    try:
        course, graph = read_mapping(files, COURSE), read_mapping(files, GRAPH)
    except UnreadableFile:
        return files
    blank = {name: "–" for name in ("title", "summary", "license") if not course.get(name)}
    changed = with_data(files, COURSE, course | blank) if blank else files
    listed = graph.get("concepts")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    filled = [each | {name: "–" for name in ("title", "summary") if not each.get(name)} for each in entries]
    return with_data(changed, GRAPH, graph | {"concepts": filled}) if filled != listed and filled else changed


def _path_at(document: YamlDocument, line: int) -> NodePath:
    """Return the path of the outermost value on the nearest line that is not after this one."""
    before = [(at, -len(path), path) for path, at in document.lines.items() if at <= line]
    return max(before, key=lambda each: each[:2])[2] if before else ()


def _entry_at(document: YamlDocument, line: int) -> int | None:
    path = _path_at(document, line)
    return path[0] if path and isinstance(path[0], int) else None


def _located(files: Files, fault: Fault) -> DraftFault:
    """Return the fault with the part of the draft to which it belongs."""
    try:
        part = _part(files, fault) or _Part(kind="file")
    except (UnreadableFile, CourseFaults):
        part = _Part(kind="file")
    # A graph without topics has a fault of its form, in the words of a schema.
    is_bare = part.field == "concepts" and _IS_BARE.search(fault.reason) is not None
    reason = _("Add at least one topic.") if is_bare else in_plain_words(fault.reason)
    return DraftFault(
        kind=part.kind, concept=part.concept, name=part.name, field=part.field, reason=reason, file=fault.file,
        line=fault.line,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    kind: PartKind
    concept: str = ""
    name: str = ""
    field: str = ""


def _part(files: Files, fault: Fault) -> _Part | None:
    folder, _slash, name = fault.file.rpartition("/")
    concept = folder.removeprefix("concepts/")
    if name == LESSON:
        return _piece_part(files, fault, concept)
    document = read_document(files, fault.file)
    path = _path_at(document, fault.line)
    match name:
        case "course.yaml":
            return _Part(kind="course", field=course_field(path))
        case "graph.yaml":
            return _graph_part(document, path, fault.reason)
        case "items.yaml":
            return _entry_part(document, path, "exercise", concept, exercise_field(path, fault.reason))
        case "steps.yaml":
            return _entry_part(document, path, "step", concept, exercise_field(path, fault.reason))
        case "misconceptions.yaml":
            return _entry_part(document, path, "misconception", "", misconception_field(path))
        case "dialogue.yaml" if path[:1] == ("pieces",) and len(path) > 1:
            return _Part(kind="piece", concept=concept, name=str(path[1]), field="words")
        case _:
            return None


def _graph_part(document: YamlDocument, path: NodePath, reason: str) -> _Part:
    if len(path) > 1 and isinstance(path[1], int):
        field = concept_field(path) or ("exercises" if "exercise" in reason else "")
        return _Part(kind="concept", concept=_id(_value(document, path[:2])), field=field)
    return _Part(kind="course", field="concepts")


def _entry_part(document: YamlDocument, path: NodePath, kind: PartKind, concept: str, field: str) -> _Part | None:
    if not path or not isinstance(path[0], int):
        return None
    entry = _value(document, path[:1])
    name = _id(entry) if kind != "step" else str(entry.get("piece", "")) if isinstance(entry, dict) else ""
    return _Part(kind=kind, concept=concept, name=name, field=field) if name else None


def _value(document: YamlDocument, path: NodePath) -> object:
    data: object = document.data
    for part in path:
        match data:
            case list() if isinstance(part, int):
                data = data[part]
            case dict():
                data = data.get(str(part))
    return data


def _id(entry: object) -> str:
    return str(entry.get("id", "")) if isinstance(entry, dict) else ""


def _piece_part(files: Files, fault: Fault, concept: str) -> _Part:
    sections = read_pieces(files.get(fault.file, ""), file=fault.file)
    before = [piece for pieces in sections.values() for piece in pieces if piece.line <= fault.line]
    if not before or "the lesson has no explanation" in fault.reason:
        return _Part(kind="concept", concept=concept, field="lesson")
    piece = max(before, key=lambda each: each.line)
    return _Part(kind="piece", concept=concept, name=piece.id, field=_piece_field(fault.reason))


def _piece_field(reason: str) -> str:
    return "question" if "question" in reason else "text"


def faults_of(
    faults: Iterable[DraftFault], *, kind: PartKind, concept: str = "", name: str = ""
) -> Iterator[DraftFault]:
    """Yield the faults of one part."""
    return (each for each in faults if (each.kind, each.concept, each.name) == (kind, concept, name))
