"""How a serving process holds its memory: few heaps for its threads, and huge pages for what stays loaded."""

import ctypes
import mmap
import re
from collections.abc import Iterator
from pathlib import Path

M_ARENA_MAX, HEAPS = -8, 2
"""The `mallopt` parameter for the number of heaps, and its value."""
MADV_COLLAPSE = 25
"""The advice of `madvise(2)` to put a range on huge pages now. Linux knows it since 6.1; `mmap` does not name it."""
SMALL_PAGE, HUGE_PAGE = 4 << 10, 2 << 20
"""Bytes of a page and of a huge page. Processors with other pages are left alone."""
MAPPINGS = Path("/proc/self/smaps")
HEAP = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ (\d+) *(.*)\nSize: +(\d+) kB\n(?:.*PageSize:.*\n)*Rss: +(\d+) kB$",
    re.MULTILINE,
)
"""A private writable mapping: start, end, inode, name, and how many KiB it has and uses."""


def share_heaps() -> None:
    """Let all threads share glibc's heaps: with one each, each would keep what its largest request took."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(M_ARENA_MAX, HEAPS)


def use_huge_pages() -> int:
    """Put the heaps of this process on huge pages, and return the bytes for which Linux did so.

    A turn reads modules and models all over some 200 MB. With pages of 4 KiB, the processor looks up many of their
    addresses in page tables, which in a virtual machine costs up to a fifth of the turn. Memory that comes later
    stays as it is. Where it cannot be done, nothing changes.
    """
    madvise = getattr(ctypes.CDLL(None), "madvise", None)
    if madvise is None or mmap.PAGESIZE != SMALL_PAGE:
        return 0
    try:
        mappings = MAPPINGS.read_text()
    except OSError:
        return 0
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(end - start for start, end in heap_ranges(mappings) if madvise(start, end - start, MADV_COLLAPSE) == 0)


def heap_ranges(mappings: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where huge pages fit into the process's heaps, of text as in `/proc/self/smaps`, see proc(5).

    A heap is writable memory that no file backs. One that is mostly unused, as the stack of a thread, is left out:
    huge pages would fill it up.
    """
    for start, end, inode, name, size, used in HEAP.findall(mappings):
        first, last = -(-int(start, 16) // HUGE_PAGE), int(end, 16) // HUGE_PAGE
        if inode == "0" and name in ("", "[heap]") and 2 * int(used) >= int(size) and first < last:
            yield first * HUGE_PAGE, last * HUGE_PAGE
