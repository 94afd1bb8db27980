"""A learner's program before it runs, and its result."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel

from agents.tools import ToolFailed, ToolResult

NAME = "<program>"
MAX_CHARACTERS = 10_000
TIME_LIMIT_S = 2.0
"""How long a program may run, in seconds."""
SLEEP_S = 1.0
"""How long it may sleep in total, in seconds; sleeping does not count as running."""
MEMORY_BYTES = 64 * 1024 * 1024
OUTPUT_BYTES = 65_536
"""Output that is kept; a program that prints more is stopped."""
VALUE_CHARACTERS = 4_000
MESSAGE_CHARACTERS = 300
LINE_BYTES = 1 << 20
"""Longest line between the server and a process that runs programs: more than a program and its output."""
MAX_PARALLEL_PROGRAMS = 4
"""Programs that run at the same time in one process; the others wait in a queue."""
QUEUE_LIMIT_S = 5.0
"""How long they wait, in seconds."""
VALUE_NAME = "__value__"
"""The name, in the program, that holds the value of its last line."""

# The parser's warnings about a learner's code, such as "\d", do not belong in our log.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=re.escape(NAME))

BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)

type ProgramErrorKind = Literal["syntax", "error", "missing", "timeout", "memory", "output"]

STOPPED: frozenset[ProgramErrorKind] = frozenset({"timeout", "memory", "output"})
"""Of programs that reached a limit."""


class ProgramError(BaseModel):
    """Why a program did not run to its end."""

    kind: ProgramErrorKind
    """`error`: the program raised it. `missing`: it used a part of Python that the sandbox does not have."""
    line: int | None = None
    """From 1; None if no line is known."""
    message: str
    """In Python's words: "NameError: name 'y' is not defined"."""
    hint: str = ""
    """What it means here; empty if Python's message is enough."""


class ProgramRun(ToolResult):
    """The result of a program."""

    value: str | None = None
    """Python's repr of the last line's value, if that is an expression and not None."""
    error: ProgramError | None = None
    is_cut: bool = False
    """Whether it printed more than is kept."""
    output: str = ""
    """What it printed, up to its end or its error."""

    @property
    def summary(self) -> str:
        if self.error:
            return f"line {self.error.line}: {self.error.message}" if self.error.line else self.error.message
        return (
            " ".join(filter(None, [*self.output.splitlines()[:5], self.value]))
            or "The program ran and printed nothing."
        )


class ProgramNotRun(ToolFailed):
    """The program could not be run, through no fault of its own. The text is for the person who ran it."""

    def __init__(self, error_type: Literal["resource", "internal"], text: str) -> None:
        super().__init__(text)
        self.error_type = error_type


class Sandbox(Protocol):
    """Runs untrusted programs without access to anything."""

    async def run(self, code: str) -> ProgramRun:
        """Run a program. Raises ProgramNotRun if there is no capacity or the sandbox failed."""

    async def close(self) -> None:
        """End the sandbox's processes; the next program starts them again."""

    def problem(self) -> str:
        """Return why programs cannot run here, for the operator; empty if they can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    source: str
    """The code that runs: the last expression is stored under VALUE_NAME, line numbers unchanged."""
    lines: int


def no_room() -> ProgramNotRun:
    return ProgramNotRun("resource", "Too many programs are running right now. Run it again in a few seconds.")


def broke_down() -> ProgramNotRun:
    return ProgramNotRun("internal", "The program was interrupted. Run it again.")


def prepare_program(code: str) -> Program | ProgramError:
    """Return the program ready to run, or its syntax error. Takes 15 ms for the worst 10,000 characters."""
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    if len(code) > MAX_CHARACTERS:
        return code_too_long(code)
    body = _parse(code)
    if isinstance(body, ProgramError):
        return body
    if line := next(_returns(body), None):
        return ProgramError(kind="syntax", line=line, message="SyntaxError: 'return' outside function")
    return Program(source=_with_value(code, body), lines=code.count("\n") + 1)


def _with_value(code: str, body: list[ast.stmt]) -> str:
    """Return the code with the value of its last expression kept in a name."""
    last = body[-1] if body else None
    lines = code.split("\n")
    if isinstance(last, ast.Expr):
        _insert(lines, last.end_lineno or last.lineno, last.end_col_offset or 0, ")")
        _insert(lines, last.lineno, last.col_offset, f"{VALUE_NAME} = (")
    else:
        lines.append(f"{VALUE_NAME} = None")
    return "\n".join(lines)


def _parse(code: str) -> list[ast.stmt] | ProgramError:
    try:
        return ast.parse(code, filename=NAME).body
    except SyntaxError as error:
        line = error.lineno if error.lineno and error.lineno > 0 else None
        message = f"{type(error).__name__}: {error.msg}"[:MESSAGE_CHARACTERS]
        return ProgramError(kind="syntax", line=line, message=message)
    except (MemoryError, RecursionError):
        return ProgramError(kind="syntax", message="SyntaxError: too many nested brackets or operators")
    except ValueError:
        message = "SyntaxError: it contains a character that is not allowed in a program"
        return ProgramError(kind="syntax", message=message)


def code_too_long(code: str) -> ProgramError:
    return ProgramError(
        kind="syntax", message=f"A program can have at most {MAX_CHARACTERS:,} characters; this one has {len(code):,}."
    )


def _returns(body: Sequence[ast.AST]) -> Iterator[int]:
    """Yield the lines of `return` statements outside functions, which the parser accepts."""
    for node in body:
        if isinstance(node, ast.Return):
            yield node.lineno
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _returns([each for each in ast.iter_child_nodes(node) if isinstance(each, BLOCKS)])


def _insert(lines: list[str], number: int, offset: int, text: str) -> None:
    """Insert text in a line at the parser's position: line from 1, offset in bytes."""
    line = lines[number - 1].encode()
    lines[number - 1] = line[:offset].decode() + text + line[offset:].decode()


def mark_cut_value(text: str | None) -> str | None:
    """Return a value for display, marked if it was cut."""
    return f"{text}…" if text and len(text) >= VALUE_CHARACTERS else text


def timed_out() -> ProgramError:
    return ProgramError(
        kind="timeout",
        message="TimeoutError",
        hint=f"It ran for {TIME_LIMIT_S:g} seconds and was stopped. Is there a loop that never ends?",
    )


def slept_too_long(line: int | None) -> ProgramError:
    hint = f"A program can sleep for {SLEEP_S:g} second in total. Remove the pauses: nobody can watch it run."
    return ProgramError(kind="timeout", line=line, message="TimeoutError", hint=hint)


def memory_spent(line: int | None = None) -> ProgramError:
    return ProgramError(
        kind="memory",
        line=line,
        message="MemoryError",
        hint=f"It needs more than the {MEMORY_BYTES // 1024**2} MB of memory that a program can use.",
    )


def output_spent() -> ProgramError:
    return ProgramError(
        kind="output",
        message="It printed too much.",
        hint=f"It printed more than {OUTPUT_BYTES // 1024} KB and was stopped. The rest is not shown.",
    )
