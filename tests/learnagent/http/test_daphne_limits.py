"""Frames as they go out beside Autobahn."""

import struct

import pytest
from twisted.internet.defer import Deferred

from learnagent.http.daphne_limits import MEDIUM_BYTES, SHORT_BYTES, BoundedProtocol, text_frame


@pytest.mark.parametrize("length", [1, SHORT_BYTES, SHORT_BYTES + 1, MEDIUM_BYTES])
def test_a_frame_says_how_long_it_is(length):
    kind, second, *rest = text_frame(b"x" * length)
    head = 2 if second < 126 else 4
    said = second if second < 126 else struct.unpack("!H", bytes(rest[:2]))[0]
    assert (kind, said, second & 0x80) == (0x81, length, 0)
    assert text_frame(b"x" * length)[head:] == b"x" * length


@pytest.mark.parametrize(
    ("headers", "answer"),
    [([], None), ([(b"sunset", b"soon"), (b"link", b"<x>")], (None, {"sunset": "soon", "link": "<x>"}))],
)
def test_headers_of_the_handshake_reach_the_client(headers, answer):
    """Autobahn takes a subprotocol, or one with headers."""
    answers = []
    protocol = BoundedProtocol()
    protocol.client_addr = None
    protocol.handshake_deferred = Deferred().addCallback(answers.append)
    protocol.handle_reply({"type": "websocket.accept", "subprotocol": None, "headers": headers})
    assert answers == [answer]
