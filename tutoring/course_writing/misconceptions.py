"""The misconceptions of a draft, as misconceptions.yaml has them."""

from collections.abc import Mapping
from typing import Any, Final

from tutoring.course_imports.topics import free_id
from tutoring.course_writing.draft_files import MISCONCEPTIONS, Entry, Files, named_entry, read_list, with_data

KINDS: Final = ("conceptual", "procedural", "careless")
EXAMPLES: Final = 3
"""Wrong answers that the form has fields for."""
_ALWAYS: Final = ("says", "correct_idea", "description")


def draft_misconceptions(files: Files) -> list[Entry]:
    return read_list(files, MISCONCEPTIONS)


def draft_misconception(files: Files, name: str) -> Entry | None:
    return named_entry(draft_misconceptions(files), name)


def add_misconception(files: Files, says: str, *, concept: str) -> tuple[Files, str]:
    """Return the files with a new misconception of a concept, and its id."""
    entries = draft_misconceptions(files)
    # "other" and "none" stand for no misconception.
    name = free_id(says, {"other", "none", *(str(each.get("id")) for each in entries)})
    new = {"id": name, "kind": "conceptual", "says": says, "description": "", "correct_idea": ""}
    return with_data(files, MISCONCEPTIONS, [*entries, new | ({"concepts": [concept]} if concept else {})]), name


def misconception_values(entry: Entry) -> dict[str, Any]:
    """Return the values of the form; what it cannot show stays as it is."""
    values: dict[str, Any] = {name: str(entry.get(name) or "") for name in ("kind", *_ALWAYS, "noticed")}
    concepts = entry.get("concepts")
    values["concepts"] = list(map(str, concepts)) if isinstance(concepts, list) else []
    for at, example in enumerate(_examples(entry)[:EXAMPLES]):
        values |= {f"question-{at}": str(example.get("question", "")), f"answer-{at}": str(example.get("answer", ""))}
    return values


def _examples(entry: Entry) -> list[Entry]:
    listed = entry.get("examples")
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def misconception_entry(values: Mapping[str, Any], *, kept: Entry) -> Entry:
    """Return the misconception for the values of a form; `kept` is the one that it replaces."""
    entry = {**kept, "kind": values.get("kind", "")}
    entry |= {name: _typed(values, name) for name in (*_ALWAYS, "noticed")}
    typed = [(_typed(values, f"question-{at}"), _typed(values, f"answer-{at}")) for at in range(EXAMPLES)]
    examples = [{"question": question, "answer": answer} for question, answer in typed if question or answer]
    entry |= {"concepts": list(values.get("concepts", ())), "examples": [*examples, *_examples(kept)[EXAMPLES:]]}
    return {name: value for name, value in entry.items() if value or name in (*_ALWAYS, "kind")}


def _typed(values: Mapping[str, Any], name: str) -> str:
    return str(values.get(name, "")).strip()


def put_misconception(files: Files, name: str, entry: Entry) -> Files:
    """Return the files with a misconception replaced; one that was removed meanwhile comes back at the end."""
    entries = [entry if each.get("id") == name else each for each in draft_misconceptions(files)]
    return with_data(files, MISCONCEPTIONS, entries if entry in entries else [*entries, entry])


def remove_misconception(files: Files, name: str) -> Files:
    """Return the files without a misconception; exercises that name it are told as faults."""
    entries = [each for each in draft_misconceptions(files) if each.get("id") != name]
    return with_data(files, MISCONCEPTIONS, entries)
