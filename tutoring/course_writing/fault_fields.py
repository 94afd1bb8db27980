"""Which field of a form a fault belongs to, by its path in the file."""

import re
from typing import Final

from tutoring.courses.files.yaml_documents import NodePath

_HINT: Final = re.compile(r"hint ([123])\b")
_RUNG_FIELDS: Final = ("hint-1", "hint-2", "hint-ask", "hint-4", "hint-4")


def course_field(path: NodePath) -> str:
    return str(path[0]) if path and path[0] in ("title", "summary", "language", "license", "attribution") else "title"


def concept_field(path: NodePath) -> str:
    return str(path[2]) if len(path) > 2 and path[2] in ("title", "summary", "requires", "can", "minutes") else ""


def misconception_field(path: NodePath) -> str:
    known = ("says", "correct_idea", "description", "kind", "concepts", "noticed", "examples")
    return str(path[1]) if len(path) > 1 and path[1] in known else ""


def exercise_field(path: NodePath, reason: str) -> str:
    """Return the field of an exercise's form. `path` begins with the number of the exercise in its file."""
    match path[1:]:
        case ("stem" | "params" | "where" | "solution" | "difficulty" as name, *_):
            return name
        case ("answer", "pairs", int(at), int(side), *_):
            return f"{('row', 'partner')[side]}-{at}"
        case ("answer", "pairs", int(at)):
            return f"row-{at}"
        case ("answer", "spare", int(at), *_):
            return f"spare-{at}"
        case ("answer", "ideas" | "references" | "order" | "value" | "tolerance" | "form" as name, *_):
            return name
        case ("answer" | "misconceptions" as name, *_):
            return name
        case ("choices", letter, "says"):
            return f"says-{letter}"
        case ("choices", letter, *_):
            return f"choice-{letter}"
        case ("choices",):
            return "answer"
        case ("hints", int(at), *_) if at < len(_RUNG_FIELDS):
            return _RUNG_FIELDS[at]
        case ("hints", *_):
            return "hint-1"
        case (_unknown, *_):
            return "rest"
    return field_of_trial(reason)


def field_of_trial(reason: str) -> str:
    """Return the field of a fault that was found by trying the exercise; empty if it is about all of it."""
    if found := _HINT.search(reason):
        return "hint-ask" if found[1] == "3" else f"hint-{found[1]}"
    if "solution" in reason:
        return "solution"
    if "answer" in reason or "piece" in reason or "row" in reason:
        return "answer"
    return ""
