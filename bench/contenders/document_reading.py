"""A book of 300 pages and a page of print, read as uploads are: by a child, measured with all that it loads."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from textwrap import wrap
from time import perf_counter

from PIL import Image, ImageDraw, ImageFont

from bench.harness import ROOT
from conversations.readers import read
from tests.conversations.readers.sample_files import pages_pdf

PAGES, LINES, COLUMNS = 300, 48, 92
OUTLINE = 12
PRINTED_LINES = 24


def sample_book() -> dict[str, float]:
    path, start = _book(), _start_mb()
    cpu, started = _children_cpu_s(), perf_counter()
    found = read(path, media_type="application/pdf")
    assert found.problem is None
    assert found.pages[-1].number == PAGES
    return {
        "wall_s": perf_counter() - started,
        "cpu_s": _children_cpu_s() - cpu,
        "child_mb": getrusage(RUSAGE_CHILDREN).ru_maxrss / 1024,
        "grown_mb": getrusage(RUSAGE_SELF).ru_maxrss / 1024 - start,
        "characters": sum(len(page.text) for page in found.pages),
    }


def sample_upright() -> dict[str, float]:
    return _seen(0)


def sample_quarter() -> dict[str, float]:
    return _seen(90)


def sample_half() -> dict[str, float]:
    return _seen(180)


def sample_three_quarters() -> dict[str, float]:
    return _seen(270)


def _seen(turned: int) -> dict[str, float]:
    image, words = _page()
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        image.rotate(turned, expand=True).save(file.name)
        cpu, started = _children_cpu_s(), perf_counter()
        found = read(Path(file.name), media_type="image/png")
        taken = {"wall_ms": 1000 * (perf_counter() - started), "cpu_ms": 1000 * (_children_cpu_s() - cpu)}
    assert found.problem is None, found.problem
    wrong = character_error("".join(page.text for page in found.pages), words)
    return {"wrong_pct": 100 * wrong, **taken, "child_mb": getrusage(RUSAGE_CHILDREN).ru_maxrss / 1024}


def character_error(read_: str, written: str) -> float:
    """Return the edits between two texts as a share of what was written; spaces do not count."""
    ours, theirs = (re.sub(r"\s", "", text) for text in (read_, written))
    before = list(range(len(theirs) + 1))
    for number, letter in enumerate(ours, start=1):
        row = [number]
        for place, other in enumerate(theirs):
            row.append(min(before[place + 1] + 1, row[-1] + 1, before[place] + (letter != other)))
        before = row
    return before[-1] / len(theirs)


@cache
def _page() -> tuple[Image.Image, str]:
    """Return a page as a picture, and what is written on it."""
    words = "\n".join(wrap(_prose(), 60)[:PRINTED_LINES])
    page = Image.new("RGB", (1240, 1000), "white")
    ImageDraw.Draw(page).text((80, 60), words, fill="black", font=ImageFont.load_default(30), spacing=8)
    return page, words


@cache
def _book() -> Path:
    """Return where the book is, made by another process: this one's memory is measured."""
    path = Path(tempfile.mkstemp(suffix=".pdf")[1])
    subprocess.run([sys.executable, "-m", __name__, path], cwd=ROOT, check=True)
    return path


@cache
def _start_mb() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024


def book() -> bytes:
    lines = _lines()
    texts = ["\n".join(next(lines) for _ in range(LINES)) for _ in range(PAGES)]
    return pages_pdf(texts, outline=[(f"Chapter {number + 1}", number * PAGES // OUTLINE) for number in range(OUTLINE)])


def _lines() -> Iterator[str]:
    while True:
        yield from wrap(_prose(), COLUMNS)


def _prose() -> str:
    """Return what the lessons say, as one long text."""
    files = sorted((ROOT / "courses").rglob("*.yaml")) + sorted((ROOT / "docs").rglob("*.md"))
    text = " ".join(file.read_text(encoding="utf-8") for file in files)
    return text.encode("cp1252", "ignore").decode("cp1252")


def _children_cpu_s() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(book())
