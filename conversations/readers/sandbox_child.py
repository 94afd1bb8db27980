"""Child process that reads a file, with limits; writes lines of JSON. `python -m conversations.readers.sandbox_child`

Arguments: `read MEDIA_TYPE` or `reencode DESCRIPTOR`; the file is standard input. One object per line:
`{"progress": [page, of]}`, `{"page": {…}}`, `{"title": …}`, and last `{"end": true}` or `{"problem": …}`.
"""

import json
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, BinaryIO

from conversations.readers.document import (
    HEADING_CHARACTERS,
    MAX_CHARACTERS,
    MAX_SECTIONS,
    PAGE_CHARACTERS,
    Page,
    Problem,
    Progress,
    ReaderOutput,
    Title,
    Unreadable,
)
from conversations.readers.media_types import CNXML, DOCX, IMAGES, MARKDOWN, PDF, TARRED_CNXML, TEXT, ZIPPED_CNXML

MEMORY = 512 * 1024 * 1024
CPU_S = 120
KILLED_CPU_S = CPU_S + 5
"""The kernel kills the process without a message at this limit."""
STALL_CPU_S = 9
"""CPU time between two outputs; a busy machine does not count against a file."""
FILES = 64
FILE_BYTES = 64 * 1024 * 1024
"""For a re-encoded picture, or a library's bytecode."""
FIRST_TO_END = "1000"
"""The highest score by which Linux chooses what to end when memory runs out."""
READERS = {
    PDF: "pdf",
    DOCX: "docx",
    MARKDOWN: "markdown",
    TEXT: "text",
    CNXML: "cnxml",
    ZIPPED_CNXML: "cnxml",
    TARRED_CNXML: "cnxml",
    **dict.fromkeys(IMAGES, "images"),
}
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\xad\ud800-\udfff\ufffe\uffff]")


def main(task: str, argument: str) -> None:
    limit()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    # Output printed by a library must not be mistaken for the reader's.
    os.dup2(2, 1)

    def say(**said: Any) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (min(CPU_S, int(process_time()) + STALL_CPU_S), KILLED_CPU_S))
        out.write(json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n")

    try:
        if task == "reencode":
            import_module("conversations.readers.images").reencode(sys.stdin.buffer, int(argument))
        else:
            deliver(parts(sys.stdin.buffer, argument), say=say)
        say(end=True)
    except BaseException as error:
        say(problem=problem_of(error))


def limit() -> None:
    """Limit this process: memory, time, files, no core dump, no child processes (does not bind root).

    If the machine runs out of memory, the system ends this process first, and not the server.
    """
    for what, most in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (STALL_CPU_S, KILLED_CPU_S))
    # A soft limit: the OCR libraries map more than they use, see ocr.py.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, 3 * MEMORY))
    with suppress(FileNotFoundError):  # Linux alone has it.
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END)


def parts(file: BinaryIO, media_type: str) -> Iterator[ReaderOutput]:
    """Return the reader's output; each reader is a module of this package, imported only for its file type."""
    reader = import_module(f"conversations.readers.{READERS[media_type]}")
    found: Iterator[ReaderOutput] = reader.parts(file)
    return found


def deliver(found: Iterator[ReaderOutput], *, say: Callable[..., None]) -> None:
    """Write what was found, cleaned and within limits. Raises Unreadable if it is too much, or nothing."""
    characters = sections = 0
    for part in found:
        match part:
            case Progress():
                say(progress=[part.page, part.of])
            case Title():
                say(title=clean_text(part.title)[:HEADING_CHARACTERS])
            case Page():
                characters += len(part.text)
                if characters > MAX_CHARACTERS:
                    raise Unreadable(Problem.TOO_LONG)
                for page in split_page(part):
                    sections += 1
                    say(page=asdict(page))
        if sections > MAX_SECTIONS:
            raise Unreadable(Problem.TOO_LONG)
    if not sections:
        raise Unreadable(Problem.NO_TEXT)


def split_page(page: Page) -> Iterator[Page]:
    """Yield a page with clean text, split if it is long, at a line end if one is near; nothing if empty."""
    heading = " ".join(clean_text(page.heading).split())[:HEADING_CHARACTERS]
    text = clean_text(page.text).strip()
    while text:
        cut = len(text)
        if cut > PAGE_CHARACTERS:
            line_end = text.rfind("\n", PAGE_CHARACTERS // 2, PAGE_CHARACTERS)
            cut = line_end if line_end > 0 else PAGE_CHARACTERS
        yield replace(page, heading=heading, text=text[:cut].rstrip())
        text = text[cut:].lstrip("\n")


def clean_text(text: str) -> str:
    """Return text without characters that a database or page cannot handle, with single-character line ends."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))


def problem_of(error: BaseException) -> Problem:
    """Return the problem for an exception; unknown errors of a library count as a damaged file."""
    if isinstance(error, Unreadable):
        return error.problem
    if isinstance(error, MemoryError):
        return Problem.TOO_LARGE
    return Problem.DAMAGED


if __name__ == "__main__":
    main(*sys.argv[1:])
