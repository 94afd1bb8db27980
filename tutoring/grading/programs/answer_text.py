"""The program in an answer that somebody typed or pasted."""

import re

MAX_CODE = 10_000
"""Characters of a program, the sandbox's limit."""
_FENCED = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED_LINE = re.compile(r"`([^`\n]+)`")


def code_in(answer: str) -> str:
    """Return the program of an answer: what stands in a fenced block, else all of it; tabs become four spaces."""
    text = "\n".join(plain_lines(answer))
    if fenced := _FENCED.search(text):
        text = fenced[2]
    elif quoted := _QUOTED_LINE.fullmatch(text.strip()):
        text = quoted[1]
    lines = text.split("\n")
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text without spaces at their ends, tabs as four spaces, and no other kind of space."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    return [line.expandtabs(4).rstrip() for line in text.split("\n")]


def code_block(answer: str, *, language: str = "python") -> str:
    """Return the program of an answer as a block of Markdown; empty for none."""
    code = code_in(answer)
    fence = "````" if "```" in code else "```"
    return f"{fence}{language}\n{code}\n{fence}" if code.strip() else ""


def code_span(code: str) -> str:
    """Return code within a sentence of Markdown; several lines stand in a block of their own."""
    if "\n" in code:
        return f"\n\n{code_block(code, language='')}\n\n"
    fence = "``" if "`" in code else "`"
    pad = " " if "`" in code or not code.strip() else ""
    return f"{fence}{pad}{code}{pad}{fence}" if code else ""


def is_fenced(text: str) -> bool:
    """Tell whether a text has a fenced block."""
    return _FENCED.search(text) is not None
