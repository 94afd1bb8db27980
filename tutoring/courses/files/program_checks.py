"""Checks of exercises about programs that need no program to run."""

import ast
import keyword
from collections.abc import Iterator, Mapping

from tutoring.courses.files.answer_checks import PathProblem
from tutoring.courses.files.exercise_schema import TemplateEntry
from tutoring.courses.files.yaml_documents import NodePath
from tutoring.grading.programs.keys import INDENT
from tutoring.grading.programs.words_used import DISPLAYS

MIN_LINES = 3
"""As with pieces to be put in order: lines are never shown in the right order."""
_OTHER_WORDS = frozenset({*DISPLAYS.values(), "recursion"})


def program_problems(entry: TemplateEntry) -> Iterator[PathProblem]:
    """Yield the faults of an exercise about a program."""
    for name, kind in (("program", "trace"), ("starter", "code")):
        if getattr(entry, name) is not None and entry.type != kind:
            yield (name,), f"only a {kind} question has a {name}"
    match entry.type:
        case "trace":
            if entry.program is None:
                yield ("program",), "a trace question needs a program"
        case "code":
            yield from _word_problems(entry)
        case "lines":
            yield from _line_problems(entry)


def program_texts(entry: TemplateEntry) -> Iterator[tuple[NodePath, str]]:
    """Yield the texts in which braces are filled as in a program."""
    answer = entry.answer
    for name in ("program", "starter"):
        if (text := getattr(entry, name)) is not None:
            yield (name,), text
    for name in ("prints", "solution"):
        if (text := getattr(answer, name)) is not None:
            yield ("answer", name), text
    for index, case in enumerate(answer.cases):
        for name in ("call", "value", "prints"):
            if (text := getattr(case, name)) is not None:
                yield ("answer", "cases", index, name), text
    if entry.type == "lines":
        yield from ((("answer", "lines", index), line) for index, line in enumerate(answer.lines))
        yield from ((("answer", "spare", index), spare.text) for index, spare in enumerate(answer.spare))
        yield from ((("answer", "also", at), line) for at, lines in enumerate(answer.also) for line in lines)
    if entry.type in ("trace", "code", "lines") and not isinstance(entry.misconceptions, Mapping):
        yield from (
            (("misconceptions", index), text) for index, (_, wrong) in enumerate(entry.misconceptions) for text in wrong
        )


def _word_problems(entry: TemplateEntry) -> Iterator[PathProblem]:
    """Yield the words of `needs` and `without` that contradict each other or that no program can have."""
    for word in set(entry.answer.needs) & set(entry.answer.without):
        yield ("answer", "without"), f"{word!r} is needed, too"
    for index, word in enumerate(entry.answer.needs):
        if not (word.isidentifier() or keyword.iskeyword(word) or word in _OTHER_WORDS):
            yield (
                ("answer", "needs", index),
                f"{word!r} is no word of Python, nor one of {', '.join(sorted(_OTHER_WORDS))}",
            )


def _line_problems(entry: TemplateEntry) -> Iterator[PathProblem]:
    lines = entry.answer.lines
    if len(lines) < MIN_LINES:
        yield ("answer", "lines"), f"at least {MIN_LINES} lines are needed"
    for index, spare in enumerate(entry.answer.spare):
        if spare.picture is not None:
            yield ("answer", "spare", index), "a line is a text"
        if spare.text.strip() in map(str.strip, lines):
            yield ("answer", "spare", index), "this line belongs to the program, so it is not spare"
    offered = sorted(line.strip() for line in (*lines, *(spare.text for spare in entry.answer.spare)))
    texts: list[tuple[NodePath, tuple[str, ...]]] = [(("answer", "lines"), lines)]
    texts += [(("answer", "also", index), also) for index, also in enumerate(entry.answer.also)]
    if not isinstance(entry.misconceptions, Mapping):
        texts += [(("misconceptions", index), wrong) for index, (_, wrong) in enumerate(entry.misconceptions)]
    for path, each in texts:
        if any("`" in line or "\n" in line.strip() or not line.strip() for line in each):
            yield path, "a line is one line of a program, without backticks"
        if any((len(line) - len(line.lstrip())) % INDENT for line in each):
            yield path, f"indent by {INDENT} spaces for each level"
        left = list(offered)
        for line in map(str.strip, each):
            if line not in left:
                yield path, f"the line {line!r} is not offered, or not so often"
                break
            left.remove(line)


def syntax_problem(program: str) -> str:
    """Return why Python cannot read a program; empty if it can."""
    try:
        ast.parse(program)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, MemoryError, RecursionError) as error:
        return str(error) or type(error).__name__
    return ""
