"""Keeps concepts on which learners have worked in a new version of a course that does not have them any more."""

import re
from collections.abc import Set

from tutoring.course_writing.draft_files import (
    GRAPH,
    MISCONCEPTIONS,
    Entry,
    Files,
    read_list,
    read_mapping,
    with_data,
)
from tutoring.courses.files.reader import ASSETS


def with_retired(files: Files, published: Files, begun: Set[str]) -> Files:
    """Return the files with the concepts `begun` of the published course, retired, and what their exercises name."""
    if not begun:
        return files
    graph = read_mapping(files, GRAPH)
    before = read_mapping(published, GRAPH).get("concepts", [])
    retired = [_retired(entry) for entry in before if entry.get("id") in begun]
    folders = tuple(f"concepts/{name}/" for name in begun)
    kept = {path: text for path, text in published.items() if path.startswith(folders)}
    drawings = {path: text for path, text in published.items() if path.startswith(ASSETS)}
    whole = with_data(
        {**drawings, **files, **kept}, GRAPH, graph | {"concepts": [*graph.get("concepts", []), *retired]}
    )
    return _with_misconceptions(whole, published, "\n".join(kept.values()))


def _retired(entry: Entry) -> Entry:
    left_out = ("requires", "encompasses", "goal", "standards")
    return {name: value for name, value in entry.items() if name not in left_out} | {"retired": True}


def _with_misconceptions(files: Files, published: Files, texts: str) -> Files:
    """Return the files with the misconceptions that the texts name and only the published course has."""
    ideas = read_list(files, MISCONCEPTIONS)
    known = {idea.get("id") for idea in ideas}
    named = set(re.findall(r"[a-z0-9][a-z0-9_-]*", texts))
    missing = [each for each in read_list(published, MISCONCEPTIONS) if each.get("id") in named - known]
    if not missing:
        return files
    concepts = {entry.get("id") for entry in read_mapping(files, GRAPH).get("concepts", [])}
    return with_data(files, MISCONCEPTIONS, [*ideas, *(_of_concepts(each, concepts) for each in missing)])


def _of_concepts(idea: Entry, concepts: Set[object]) -> Entry:
    listed = idea.get("concepts")
    return idea | ({"concepts": [name for name in listed if name in concepts]} if isinstance(listed, list) else {})
