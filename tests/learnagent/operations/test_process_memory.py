"""Huge pages for the heaps of a serving process."""

import subprocess
import sys
from pathlib import Path

import pytest

from learnagent.operations import process_memory
from learnagent.operations.process_memory import HUGE_PAGE, heap_ranges, use_huge_pages

MEBIBYTE = 1 << 20
on_linux = pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux lists its mappings")
COLLAPSED = """
import re
from learnagent.operations.process_memory import use_huge_pages
kept = [str(number) * 10 for number in range(500_000)]
on_huge_pages = lambda: int(re.search(r"AnonHugePages: +(\\d+)", open("/proc/self/smaps_rollup").read())[1]) << 10
before = on_huge_pages()
print(use_huge_pages(), on_huge_pages() - before, kept[-1] == "499999" * 10)
"""


def mapping(start: int, end: int, *, rights: str = "rw-p", inode: int = 0, name: str = "", used: int) -> str:
    lines = (
        f"{start:x}-{end:x} {rights} 00000000 00:00 {inode} {name}",
        f"Size: {(end - start) >> 10:14} kB",
        "KernelPageSize:        4 kB",
        "MMUPageSize:           4 kB",
        f"Rss: {used >> 10:15} kB",
        f"Pss: {used >> 10:15} kB",
        "",
    )
    return "\n".join(lines)


def test_whole_huge_pages_of_used_heaps_are_found() -> None:
    mappings = (
        mapping(3 * MEBIBYTE, 9 * MEBIBYTE, used=6 * MEBIBYTE),
        mapping(16 * MEBIBYTE, 20 * MEBIBYTE, name="[heap]", used=2 * MEBIBYTE),
        mapping(33 * MEBIBYTE, 35 * MEBIBYTE, used=2 * MEBIBYTE),
        mapping(40 * MEBIBYTE, 48 * MEBIBYTE, used=MEBIBYTE),
        mapping(50 * MEBIBYTE, 54 * MEBIBYTE, name="[stack]", used=4 * MEBIBYTE),
        mapping(60 * MEBIBYTE, 64 * MEBIBYTE, rights="r-xp", inode=7, name="/lib/python.so", used=4 * MEBIBYTE),
        mapping(70 * MEBIBYTE, 74 * MEBIBYTE, inode=7, name="/lib/python.so", used=4 * MEBIBYTE),
    )
    assert list(heap_ranges("".join(mappings))) == [
        (4 * MEBIBYTE, 8 * MEBIBYTE),
        (16 * MEBIBYTE, 20 * MEBIBYTE),
    ]


@on_linux
def test_own_heaps_are_found() -> None:
    held = bytearray(b"x") * (8 * HUGE_PAGE)
    found = list(heap_ranges(Path("/proc/self/smaps").read_text()))
    assert sum(end - start for start, end in found) >= len(held) - 2 * HUGE_PAGE


@on_linux
def test_loaded_memory_moves_to_huge_pages_and_keeps_its_content() -> None:
    ran = subprocess.run([sys.executable, "-c", COLLAPSED], capture_output=True, text=True, check=True)
    moved, grown, is_kept = ran.stdout.split()
    assert is_kept == "True"
    # Where the kernel cannot do it, nothing is moved.
    assert int(grown) >= int(moved) // 2


def test_nothing_changes_where_mappings_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_memory, "MAPPINGS", tmp_path / "smaps")
    assert use_huge_pages() == 0
