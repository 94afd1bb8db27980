"""Readers: turn a file into text with page numbers, in a limited child process. No Django, so that it starts fast.

`media_type_of(path)` detects the type from the content, or raises Unreadable; `read(path, media_type=…)` returns a
ReadDocument; `reencode(path, to)` re-encodes a picture.
"""

from conversations.readers.document import Page, Problem, ReadDocument, Unreadable
from conversations.readers.media_types import media_type_of
from conversations.readers.sandbox import read, reencode

__all__ = ["Page", "Problem", "ReadDocument", "Unreadable", "media_type_of", "read", "reencode"]
