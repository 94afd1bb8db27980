"""An exercise of a draft as the values of a form, and back.

What no field of the form can show stays as it is: it is the form's `rest`, as YAML.
"""

from collections.abc import Mapping
from typing import Any, Final

from tutoring.course_writing.answer_values import ANSWER_KEYS, FORM_KINDS, answer_parts, answer_values
from tutoring.course_writing.draft_files import Entry
from tutoring.course_writing.field_lists import lines_of, pairs_of, pairs_text, text_lines
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.yaml_documents import read_yaml
from tutoring.courses.files.yaml_writer import write_yaml

type Values = Mapping[str, str]
"""The values of a form by field."""

UNREAD: Final = "unread"
"""The key that keeps the text of the field `rest` while it is not YAML."""
KEPT: Final = ("id", "concept", "piece")
"""Keys that a form shows nowhere and never changes."""
DIFFICULTIES: Final = ("easy", "medium", "hard")


def values_of(entry: Entry) -> dict[str, str]:
    """Return the values of the form for an exercise."""
    rest = {key: value for key, value in entry.items() if key not in KEPT}
    kind = rest.pop("type", "")
    values = {"kind": str(kind), "verbatim": "1" if rest.pop("verbatim", False) is True else ""}
    for name in ("stem", "difficulty"):
        if isinstance(rest.get(name, ""), str):
            values[name] = rest.pop(name, "")
    for name, read in _GROUPS.items():
        if name in rest and (shown := read(rest[name])) is not None:
            values |= shown
            del rest[name]
    parts: Entry = {key: rest[key] for key in ANSWER_KEYS if key in rest}
    answers = answer_values(str(kind), {"answer": {}, **parts} if parts else parts)
    if answers is not None:
        values |= answers
        for key in ANSWER_KEYS:
            rest.pop(key, None)
    return values | {"rest": _rest_text(rest)}


def entry_of(values: Values, *, kept: Entry) -> Entry:
    """Return the exercise for the values of a form; `kept` is the one that it replaces."""
    rest = _read_rest(values.get("rest", ""))
    kind = values.get("kind", "")
    entry = {key: kept[key] for key in KEPT if key in kept} | {"type": kind}
    own: Entry = {}
    for name in ("difficulty", "stem"):
        if values.get(name):
            own[name] = values[name]
    params = pairs_of(values.get("params", ""))
    own |= {"params": params} if params else {"verbatim": True} if values.get("verbatim") else {}
    own |= {"where": where} if (where := lines_of(values.get("where", ""))) else {}
    own |= answer_parts(kind, values) if kind in FORM_KINDS and "answer" not in rest else {}
    own |= {"hints": hints} if (hints := _hints(values)) else {}
    own |= {"solution": solution} if (solution := lines_of(values.get("solution", ""))) else {}
    return entry | own | rest


def _rest_text(rest: Entry) -> str:
    if isinstance(unread := rest.get(UNREAD), str):
        return unread
    return write_yaml(rest) if rest else ""


def _read_rest(text: str) -> Entry:
    if not text.strip():
        return {}
    try:
        data = read_yaml(text, file="").data
    except CourseFaults:
        return {UNREAD: text}
    return {key: each for key, each in data.items() if key not in KEPT} if isinstance(data, dict) else {UNREAD: text}


def _params(value: Any) -> dict[str, str] | None:
    if not isinstance(value, dict):
        return None
    texts = {name: str(each) for name, each in value.items()}
    return {"params": text} if pairs_of(text := pairs_text(texts)) == texts else None


def _where(value: Any) -> dict[str, str] | None:
    text = text_lines(value)
    return {"where": text} if text is not None else None


def _solution(value: Any) -> dict[str, str] | None:
    text = text_lines(value)
    return {"solution": text} if text is not None else None


def _hints(values: Values) -> list[Entry]:
    """Return the hints that are filled in; the last shows the solution, as soon as there is another."""
    given = {name: values.get(f"hint-{name}", "").strip() for name in ("1", "2", "ask", "answer", "4", "twin")}
    hints: list[Entry] = []
    if given["1"]:
        hints.append({"rung": 1, "focus": given["1"]})
    if given["2"]:
        hints.append({"rung": 2, "principle": given["2"]})
    if asked := {name: given[name] for name in ("ask", "answer") if given[name]}:
        hints.append({"rung": 3} | asked)
    if example := ({"example": given["4"]} if given["4"] else {}) | (
        {"twin": twin} if (twin := pairs_of(given["twin"])) else {}
    ):
        hints.append({"rung": 4} | example)
    return [*hints, {"rung": 5, "solution": "auto"}] if hints else []


def _read_hints(value: Any) -> dict[str, str] | None:
    """Return the values of hints; None if writing them would change them."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return None
    names = {(1, "focus"): "1", (2, "principle"): "2", (3, "ask"): "ask", (3, "answer"): "answer", (4, "example"): "4"}
    values = {f"hint-{name}": "" for name in (*names.values(), "twin")}
    for hint in value:
        for key, each in hint.items():
            if (name := names.get((hint.get("rung"), key))) and isinstance(each, (str, int)):
                values[f"hint-{name}"] = str(each)
        if isinstance(twin := hint.get("twin"), dict):
            values["hint-twin"] = pairs_text({name: str(each) for name, each in twin.items()})
    as_texts = [
        {key: str(each) if key == "answer" else _texts(each) if key == "twin" else each for key, each in hint.items()}
        for hint in value
    ]
    return values if _hints(values) == as_texts else None


def _texts(value: Any) -> Any:
    return {name: str(each) for name, each in value.items()} if isinstance(value, dict) else value


_GROUPS: Final = {"params": _params, "where": _where, "solution": _solution, "hints": _read_hints}
