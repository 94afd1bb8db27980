"""The words of Python that a program uses, for exercises that ask for some of them."""

import ast
import io
import tokenize
from collections.abc import Iterator

DISPLAYS: dict[type[ast.AST], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Tuple: "tuple",
    ast.JoinedStr: "f-string",
    ast.Subscript: "index",
    ast.Slice: "slice",
}
"""What is written with signs alone, by the name under which an exercise asks for it."""


def words_used(code: str) -> frozenset[str]:
    """Return the keywords and names of a program, what it writes with signs alone, and "recursion".

    Words in comments and texts do not count. A program that cannot be read uses none.
    """
    try:
        tree = ast.parse(code)
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (SyntaxError, ValueError, tokenize.TokenError, MemoryError, RecursionError):
        return frozenset()
    names = {token.string for token in tokens if token.type == tokenize.NAME}
    return frozenset({*names, *_written_with_signs(tree), *_recursive(tree)})


def _written_with_signs(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if (name := DISPLAYS.get(type(node))) is not None:
            yield name


def _recursive(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            called = {
                each.func.id
                for each in ast.walk(node)
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
            }
            if node.name in called:
                yield "recursion"
