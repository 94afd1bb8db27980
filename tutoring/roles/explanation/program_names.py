"""Explains a name of the program on the open card: "what is width", "where does eggs come from"."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from tutoring.courses.exercises.exercise import Exercise

_ASKS: Final = re.compile(
    r"\W*(?:(?:but|and|so|wait|ok|um+)\W+)*(?:(?:what|wat)(?:'?s| is| does| are)?|where (?:does|did)) (?:the )?[`'\"]?(\w+)[`'\"]?"
    r"(?: =.*)?(?: (?:mean|do|stand for|here|come from|now).*)?\W*",
    re.IGNORECASE,
)
_PROGRAM: Final = re.compile(r"```(?:python)?\n(.*?)```", re.DOTALL)


def explain_name(text: str, exercise: Exercise | None) -> str:
    """Return where a name that a message asks for comes from in the program shown; empty for any other message."""
    asked = _ASKS.fullmatch(text)
    if exercise is None or asked is None:
        return ""
    shown = (*(each for each in exercise.lead if isinstance(each, str)), exercise.stem)
    for program in _PROGRAM.findall("\n".join(shown)):
        said = next((each for name, each in _names_in(program) if name == asked[1]), "")
        if said:
            return said
    return ""


def _names_in(program: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a program gives, each with its explanation, the first line first."""
    try:
        nodes = [each for each in ast.walk(ast.parse(program)) if isinstance(each, ast.stmt)]
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = program.splitlines()
    for node in sorted(nodes, key=lambda each: each.lineno):
        line = {"line": lines[node.lineno - 1].strip()}
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                said = _("`%(name)s` is a variable. This line gives it a value: `%(line)s`.")
                yield name, said % ({"name": name} | line)
            case ast.For(target=ast.Name(id=name)):
                said = _("`%(name)s` is a variable. This line gives it a new value in every round: `%(line)s`.")
                yield name, said % ({"name": name} | line)
            case ast.FunctionDef(name=function, args=ast.arguments(args=parameters)):
                said = _("`%(name)s` is a function. It begins with this line: `%(line)s`.")
                yield function, said % ({"name": function} | line)
                for each in parameters:
                    said = _("`%(name)s` is an input of the function `%(function)s`. It gets its value in each call.")
                    yield each.arg, said % {"name": each.arg, "function": function}
