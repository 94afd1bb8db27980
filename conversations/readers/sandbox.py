"""Parent side of reading: starts the child process, reads its output, and kills it if it is late or not wanted."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from conversations.readers.document import MAX_CHARACTERS, Page, Problem, ReadDocument, Unreadable

ROOT = Path(__file__).resolve().parents[2]
STALL_S = 30.0
"""A child silent for so long is killed. Its own limit is a third of that in CPU time; see sandbox_child.py."""
TOTAL_S = 120.0
LOOK_S = 0.25
"""How often `stop` is called."""
MAX_LINE = 8 * MAX_CHARACTERS
CHUNK = 1 << 16
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENCV_FOR_THREADS_NUM": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "LC_ALL": "C.UTF-8",
}
"""The child's whole environment, without keys, addresses or a home folder."""


def _ignore_progress(page: int, of: int) -> None: ...


def _never_stop() -> bool:
    return False


def read(
    path: Path,
    *,
    media_type: str,
    on_progress: Callable[[int, int], None] = _ignore_progress,
    stop: Callable[[], bool] = _never_stop,
) -> ReadDocument:
    """Return a document's pages, or its problem. Blocks: seconds for a book, at most `TOTAL_S`.

    `on_progress(page, of)` is called in this thread before each page; `of` is 0 if unknown. `stop()` is called a few
    times a second; once it returns true, the child is killed and the problem is STOPPED. Raises only what these two
    raise, and OSError if the file is gone.
    """
    pages: list[Page] = []
    title = ""
    try:
        with _child("read", media_type, file=path) as child:
            for said in _lines(child, stop=stop):
                match said:
                    case {"page": page}:
                        pages.append(Page(**page))
                    case {"progress": [page, of]}:
                        on_progress(page, of)
                    case {"title": title}:
                        pass
    except Unreadable as error:
        return ReadDocument(problem=error.problem)
    return ReadDocument(pages=tuple(pages), title=title)


def reencode(path: Path, to: Path) -> None:
    """Re-encode a picture to a new file, upright and as WebP: only its first frame, without metadata or hidden data.

    Raises Unreadable, without leaving a file; FileExistsError if the target exists.
    """
    with to.open("xb") as new:
        try:
            with _child("reencode", str(new.fileno()), file=path, passing=new) as child:
                for _ in _lines(child, stop=_never_stop):
                    pass
        except BaseException:
            to.unlink()
            raise


@contextmanager
def _child(*arguments: str, file: Path, passing: BinaryIO | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Start the child with the file as its input; at the end its whole process group is killed."""
    with (
        file.open("rb") as content,
        subprocess.Popen(
            [sys.executable, "-E", "-s", "-m", "conversations.readers.sandbox_child", *arguments],
            stdin=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=ENVIRONMENT,
            pass_fds=[passing.fileno()] if passing else [],
            process_group=0,
        ) as child,
    ):
        try:
            yield child
        finally:
            # Not yet waited for, so the process id is still its own, even if it has ended.
            os.killpg(child.pid, signal.SIGKILL)


def _lines(child: subprocess.Popen[bytes], *, stop: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield the child's output up to its "end". Raises Unreadable for a reported problem or a failed child."""
    ended = False
    for line in _raw_lines(child, stop=stop):
        said = json.loads(line)
        if "problem" in said:
            raise Unreadable(Problem(said["problem"]))
        ended = ended or "end" in said
        yield said
    if not ended:
        raise Unreadable(_cause_of_death(child))


def _cause_of_death(child: subprocess.Popen[bytes]) -> Problem:
    ended = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    return Problem.TOO_SLOW if ended and ended.si_status == signal.SIGXCPU else Problem.DAMAGED


def _raw_lines(child: subprocess.Popen[bytes], *, stop: Callable[[], bool]) -> Iterator[bytes]:
    assert child.stdout
    started = heard = monotonic()
    taken, rest = 0, b""
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            ready = selector.select(LOOK_S)
            if stop():
                raise Unreadable(Problem.STOPPED)
            now = monotonic()
            if now - started > TOTAL_S or (not ready and now - heard > STALL_S):
                raise Unreadable(Problem.TOO_SLOW)
            if not ready:
                continue
            chunk = os.read(child.stdout.fileno(), CHUNK)
            if not chunk:
                return
            heard = now
            taken += len(chunk)
            if taken > MAX_LINE:
                raise Unreadable(Problem.TOO_LONG)
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
