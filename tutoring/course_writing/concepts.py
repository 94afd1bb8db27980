"""The concepts of a draft: read from graph.yaml, added, changed, moved, removed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tutoring.course_imports.topics import free_id
from tutoring.course_writing.draft_files import (
    COURSE,
    GRAPH,
    ITEMS,
    LESSON,
    MISCONCEPTIONS,
    Entry,
    Files,
    concept_file,
    read_list,
    read_mapping,
    with_data,
    with_file,
)
from tutoring.courses.files.yaml_writer import write_yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftConcept:
    """A concept as it is written; a field of the wrong form is empty."""

    id: str
    title: str
    summary: str = ""
    requires: tuple[str, ...] = ()
    goal: bool = False


def new_files(*, title: str, summary: str, language: str, license: str) -> Files:
    """Return the files of a course without concepts."""
    course = {
        "id": free_id(title, set()), "title": title, "summary": summary, "language": language, "license": license,
        "version": "1", "small": True,
    }  # fmt: skip
    files = {COURSE: write_yaml(course), GRAPH: write_yaml({"concepts": []})}
    return files | {MISCONCEPTIONS: write_yaml([])}


def course_fields(files: Files) -> Entry:
    return read_mapping(files, COURSE)


def change_course(files: Files, values: Mapping[str, Any]) -> Files:
    """Return the files with these fields of course.yaml; an empty one is removed unless the course needs it."""
    needed = ("title", "summary", "language", "license")
    fields = course_fields(files) | dict(values)
    return with_data(files, COURSE, {name: value for name, value in fields.items() if value or name in needed})


def draft_concepts(files: Files) -> list[DraftConcept]:
    """Return the concepts in course order. Raises UnreadableFile."""
    return [_concept(entry) for entry in _entries(files) if isinstance(entry.get("id"), str)]


def _entries(files: Files) -> list[Entry]:
    listed = read_mapping(files, GRAPH).get("concepts")
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _concept(entry: Entry) -> DraftConcept:
    requires = entry.get("requires")
    return DraftConcept(
        id=entry["id"],
        title=str(entry.get("title") or ""),
        summary=str(entry.get("summary") or ""),
        requires=tuple(map(str, requires)) if isinstance(requires, list) else (),
        goal=entry.get("goal") is True,
    )


def concept_entry(files: Files, concept: str) -> Entry | None:
    """Return the concept's entry in graph.yaml."""
    return next((entry for entry in _entries(files) if entry.get("id") == concept), None)


def add_concept(files: Files, title: str) -> tuple[Files, str]:
    """Return the files with a new concept at the end, and its id."""
    entries = _entries(files)
    taken = {str(each.get("id")) for each in entries} | {path.split("/")[1] for path in files if "/" in path}
    name = free_id(title, taken)
    changed = _with_entries(files, [*entries, {"id": name, "title": title, "summary": ""}])
    changed = with_file(changed, concept_file(name, LESSON), f"---\nconcept: {name}\n---\n")
    return with_file(changed, concept_file(name, ITEMS), write_yaml([])), name


def change_concept(files: Files, concept: str, values: Mapping[str, Any]) -> Files:
    """Return the files with these fields of a concept; an empty one is removed, except title and summary."""
    entries = [
        {
            name: value
            for name, value in (entry | dict(values)).items()
            if value or name in ("title", "summary") or name not in values
        }
        if entry.get("id") == concept
        else entry
        for entry in _entries(files)
    ]
    return _with_entries(files, entries)


def move_concept(files: Files, concept: str, *, by: int) -> Files:
    """Return the files with a concept moved up (-1) or down (1) in the list."""
    entries = _entries(files)
    at = next((at for at, entry in enumerate(entries) if entry.get("id") == concept), None)
    if at is None or not 0 <= at + by < len(entries):
        return files
    entries.insert(at + by, entries.pop(at))
    return _with_entries(files, entries)


def remove_concept(files: Files, concept: str) -> Files:
    """Return the files without a concept: nothing needs it or belongs to it any more."""
    entries = [_without(entry, "requires", concept) for entry in _entries(files) if entry.get("id") != concept]
    kept = {path: text for path, text in files.items() if not path.startswith(f"concepts/{concept}/")}
    changed = _with_entries(kept, entries)
    ideas = read_list(changed, MISCONCEPTIONS)
    return with_data(changed, MISCONCEPTIONS, [_without(idea, "concepts", concept) for idea in ideas])


def _without(entry: Entry, field: str, name: str) -> Entry:
    listed = entry.get(field)
    if not isinstance(listed, list) or name not in listed:
        return entry
    kept = [each for each in listed if each != name]
    return {key: value for key, value in entry.items() if key != field} | ({field: kept} if kept else {})


def set_prerequisites(files: Files, requires: Mapping[str, Iterable[str]]) -> Files:
    """Return the files with these prerequisites of these concepts."""
    for concept, names in requires.items():
        files = change_concept(files, concept, {"requires": list(names)})
    return files


def _with_entries(files: Files, entries: list[Entry]) -> Files:
    """Return the files with these concepts. What nothing needs is a goal; what became needed by another is none."""
    before = _leaves(_entries(files))
    now = _leaves(entries)
    written = []
    for entry in entries:
        name = entry.get("id")
        kept = {key: value for key, value in entry.items() if key != "goal"}
        if entry.get("retired") is True or (name in before and name not in now):
            written.append(kept)
        else:
            written.append(kept | {"goal": True} if name in now or entry.get("goal") is True else entry)
    graph = read_mapping(files, GRAPH)
    return with_data(files, GRAPH, graph | {"concepts": written})


def _leaves(entries: list[Entry]) -> set[str]:
    names = {str(entry.get("id")) for entry in entries}
    needed = [entry.get("requires") for entry in entries if entry.get("retired") is not True]
    return names - {str(name) for listed in needed if isinstance(listed, list) for name in listed}
