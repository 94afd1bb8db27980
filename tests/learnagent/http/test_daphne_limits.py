"""Frames as they go out beside Autobahn."""

import struct

import pytest

from learnagent.http.daphne_limits import MEDIUM_BYTES, SHORT_BYTES, text_frame


@pytest.mark.parametrize("length", [1, SHORT_BYTES, SHORT_BYTES + 1, MEDIUM_BYTES])
def test_a_frame_says_how_long_it_is(length):
    kind, second, *rest = text_frame(b"x" * length)
    head = 2 if second < 126 else 4
    said = second if second < 126 else struct.unpack("!H", bytes(rest[:2]))[0]
    assert (kind, said, second & 0x80) == (0x81, length, 0)
    assert text_frame(b"x" * length)[head:] == b"x" * length
