"""The events that the program's own code writes to the log, found in its source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from learnagent.configuration.environment import ROOT

APPS = ("agents", "conversations", "tutoring", "learnagent")
LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
WRAPPERS = {"log_refusal": "warning", "log_database_error": "error"}
"""Functions that write the event they are given, at this level or a lower one; not what they do themselves."""


@dataclass(frozen=True, slots=True)
class WrittenEvent:
    name: str
    """Empty if it is no constant."""
    level: str
    place: str
    has_message: bool
    """Whether it has values for a message in place of fields."""


def written_events() -> Iterator[WrittenEvent]:
    """Yield every event that is written anywhere."""
    for path in sorted(each for app in APPS for each in (ROOT / app).rglob("*.py")):
        for call in _calls(ast.parse(path.read_text(encoding="utf-8"))):
            if level := _level(call.func):
                first = call.args[0] if call.args else None
                name = first.value if isinstance(first, ast.Constant) else ""
                yield WrittenEvent(str(name), level, f"{path.relative_to(ROOT)}:{call.lineno}", _has_message(call))


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name in WRAPPERS:
            continue
        if isinstance(node, ast.Call):
            yield node
        yield from _calls(node)


def _level(function: ast.expr) -> str | None:
    match function:
        case ast.Attribute(value=ast.Name(id="logger"), attr=method):
            return LEVELS.get(method)
        case ast.Name(id=name):
            return WRAPPERS.get(name)
    return None


def _has_message(call: ast.Call) -> bool:
    is_wrapper = isinstance(call.func, ast.Name)
    return len(call.args) > (2 if is_wrapper else 1)


def documented_events() -> list[str]:
    """Return the events in the tables of docs/reference/logs.md, in order."""
    lines = (ROOT / "docs" / "reference" / "logs.md").read_text(encoding="utf-8").splitlines()
    cells = [line.split("|")[1].strip() for line in lines if line.startswith("| `")]
    return [name.strip("`") for cell in cells for name in cell.split(", ")]
