"""Turning a file into text with page numbers, in a limited child process. No Django here, so that it starts fast.

`kind_of(path)` tells by content what a file is, or raises Unreadable; `read(path, media_type=…)` gives a Read;
`reencode(path, to)` writes a picture anew.
"""

from conversations.readers.document import Page, Problem, ReadDocument, Unreadable
from conversations.readers.media_types import media_type_of
from conversations.readers.sandbox import read, reencode

__all__ = ["Page", "Problem", "ReadDocument", "Unreadable", "media_type_of", "read", "reencode"]
