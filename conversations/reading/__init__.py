"""Turning a file into text with page numbers, in a limited child process. No Django here, so that it starts fast.

`kind_of(path)` tells by content what a file is, or raises Unreadable; `read(path, media_type=…)` gives a Read;
`reencode(path, to)` writes a picture anew.
"""

from conversations.reading.kinds import kind_of
from conversations.reading.parent import read, reencode
from conversations.reading.values import Page, Problem, Read, Unreadable

__all__ = ["Page", "Problem", "Read", "Unreadable", "kind_of", "read", "reencode"]
