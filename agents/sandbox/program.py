"""What a learner's program is before it runs, and what it came to."""

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
"""How long it may sleep in all, in seconds; that is not counted as running."""
MEMORY_BYTES = 64 * 1024 * 1024
OUTPUT_BYTES = 65_536
"""Of what it prints, what is kept; whoever prints more is stopped."""
VALUE_CHARACTERS = 4_000
MESSAGE_CHARACTERS = 300
LINE_BYTES = 1 << 20
"""Of a frame between the server and a process that runs programs: all that a program may have and print, and more."""
MAX_PARALLEL_PROGRAMS = 4
"""Programs that run at once in one process; the others wait in line."""
QUEUE_LIMIT_S = 5.0
"""How long they wait, in seconds."""
VALUE_NAME = "__value__"
"""The name, in the program, of what its last line comes to."""

# What the parser thinks of a stranger's spelling, such as "\d", does not belong in our log.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=re.escape(NAME))

BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)

type ProgramErrorKind = Literal["syntax", "error", "missing", "timeout", "memory", "output"]


class ProgramError(BaseModel):
    """Why a program did not run to its end."""

    kind: ProgramErrorKind
    """`error` for an exception of its own, `missing` for what belongs to Python and is not there to run it."""
    line: int | None = None
    """From 1; None where no line can be named."""
    message: str
    """As Python says it: "NameError: name 'y' is not defined"."""
    hint: str = ""
    """What it means here, in words; empty where Python's own are enough."""


class ProgramRun(ToolResult):
    """What a program came to."""

    value: str | None = None
    """What its last line comes to, as Python writes it, where that is an expression and not None."""
    error: ProgramError | None = None
    is_cut: bool = False
    """Whether it printed more than is kept."""
    output: str = ""
    """What it printed, up to its end or its error."""

    @property
    def summary(self) -> str:
        if self.error:
            return f"line {self.error.line}: {self.error.message}" if self.error.line else self.error.message
        return " ".join(filter(None, [*self.output.splitlines()[:5], self.value])) or "It ran, and printed nothing."


class ProgramNotRun(ToolFailed):
    """It could not be run, which says nothing about the program. The text is for whoever asked for it."""

    def __init__(self, error_type: Literal["resource", "internal"], text: str) -> None:
        super().__init__(text)
        self.error_type = error_type


class Sandbox(Protocol):
    """A place where programs of strangers run and reach nothing."""

    async def run(self, code: str) -> ProgramRun:
        """Run a program. Raise ProgramNotRun where there is no room, or the place broke down."""

    async def close(self) -> None:
        """End what runs in this process for it; the next program starts it again."""

    def problem(self) -> str:
        """Return why nothing can be run here, for the operator; empty when all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    source: str
    """What is run: the last expression kept under VALUE, on the lines where all was typed."""
    lines: int


def no_room() -> ProgramNotRun:
    return ProgramNotRun("resource", "Too many programs run at the moment. Run it again in a few seconds.")


def broke_down() -> ProgramNotRun:
    return ProgramNotRun("internal", "The program was cut off while it ran. Run it again.")


def prepare_program(code: str) -> Program | ProgramError:
    """Return the program ready to run, or what is wrong with its grammar. Takes 15 ms for the worst 10,000 characters."""
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    if len(code) > MAX_CHARACTERS:
        return code_too_long(code)
    try:
        body = ast.parse(code, filename=NAME).body
    except SyntaxError as error:
        line = error.lineno if error.lineno and error.lineno > 0 else None
        return ProgramError(
            kind="syntax", line=line, message=f"{type(error).__name__}: {error.msg}"[:MESSAGE_CHARACTERS]
        )
    except (MemoryError, RecursionError):
        return ProgramError(kind="syntax", message="SyntaxError: too many brackets or signs within each other")
    except ValueError:
        return ProgramError(kind="syntax", message="SyntaxError: there is a character in it that no program may have")
    if line := next(_returns(body), None):
        return ProgramError(kind="syntax", line=line, message="SyntaxError: 'return' outside function")
    last = body[-1] if body else None
    lines = code.split("\n")
    if isinstance(last, ast.Expr):
        _insert(lines, last.end_lineno or last.lineno, last.end_col_offset or 0, ")")
        _insert(lines, last.lineno, last.col_offset, f"{VALUE_NAME} = (")
    else:
        lines.append(f"{VALUE_NAME} = None")
    return Program(source="\n".join(lines), lines=code.count("\n") + 1)


def code_too_long(code: str) -> ProgramError:
    return ProgramError(kind="syntax", message=f"A program may have {MAX_CHARACTERS:,} characters, not {len(code):,}.")


def _returns(body: Sequence[ast.AST]) -> Iterator[int]:
    """Yield the lines of what would end the program where no function stands around it; the parser lets it pass."""
    for node in body:
        if isinstance(node, ast.Return):
            yield node.lineno
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _returns([each for each in ast.iter_child_nodes(node) if isinstance(each, BLOCKS)])


def _insert(lines: list[str], number: int, offset: int, text: str) -> None:
    """Insert text in a line, by the parser's place: the line from 1, the offset in bytes."""
    line = lines[number - 1].encode()
    lines[number - 1] = line[:offset].decode() + text + line[offset:].decode()


def mark_cut_value(text: str | None) -> str | None:
    """Return a value as it is shown: what was cut off says so."""
    return f"{text}…" if text and len(text) >= VALUE_CHARACTERS else text


def timed_out() -> ProgramError:
    return ProgramError(
        kind="timeout",
        message="TimeoutError",
        hint=f"It ran for {TIME_LIMIT_S:g} seconds and was stopped. Is there a loop that never comes to an end?",
    )


def slept_too_long(line: int | None) -> ProgramError:
    hint = f"A program may sleep for {SLEEP_S:g} second in all. Leave the pauses out: nobody watches it run."
    return ProgramError(kind="timeout", line=line, message="TimeoutError", hint=hint)


def memory_spent(line: int | None = None) -> ProgramError:
    return ProgramError(
        kind="memory",
        line=line,
        message="MemoryError",
        hint=f"It needs more than the {MEMORY_BYTES // 1024**2} MB of memory that a program may have.",
    )


def output_spent() -> ProgramError:
    return ProgramError(
        kind="output",
        message="It printed too much.",
        hint=f"It printed more than {OUTPUT_BYTES // 1024} KB and was stopped; what is beyond is left out.",
    )
