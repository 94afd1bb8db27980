"""Frames that a client may send."""

import json
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sockets.frames import Ping, Resume, Say, Seen, Stop, parse_frame, parse_json
from agents.wire.rejections import Rejection

TURN = uuid.UUID("00000000-0000-4000-8000-000000000001")


@pytest.mark.parametrize(
    ("content", "frame"),
    [
        ({"type": "message", "text": "a"}, Say(type="message", text="a")),
        ({"type": "message", "text": "", "client_id": "c"}, Say(type="message", text="", client_id="c")),
        ({"type": "stop"}, Stop(type="stop")),
        ({"type": "stop", "turn_id": str(TURN)}, Stop(type="stop", turn_id=TURN)),
        ({"type": "resume"}, Resume(type="resume", after=0)),
        ({"type": "resume", "after": 7}, Resume(type="resume", after=7)),
        ({"type": "seen", "turn_id": str(TURN), "seq": 1}, Seen(type="seen", turn_id=TURN, seq=1)),
        ({"type": "ping"}, Ping(type="ping")),
    ],
)
def test_frame_is_read(content, frame):
    assert parse_frame(parse_json(json.dumps(content))) == frame


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ({}, "type"),
        ({"type": "dance"}, "type"),
        ({"type": ["message"]}, "type"),
        ({"type": "message"}, "message.text"),
        ({"type": "message", "text": 1}, "message.text"),
        ({"type": "message", "text": "a", "is_admin": True}, "message.is_admin"),
        ({"type": "seen", "turn_id": str(TURN), "seq": 0}, "seen.seq"),
        ({"type": "resume", "after": 2**31}, "resume.after"),
    ],
)
def test_wrong_shape_is_refused_by_its_field(content, field):
    """B2, B8"""
    with pytest.raises(Rejection) as caught:
        parse_frame(content)
    assert (caught.value.status, [*caught.value.fields]) == (422, [field])


@given(st.text() | st.dictionaries(st.text(), st.integers() | st.text()).map(json.dumps))
def test_noise_is_a_frame_or_a_refusal(raw):
    """B2"""
    try:
        outcome = parse_frame(parse_json(raw)).type
    except Rejection as rejection:
        outcome = rejection.status
    assert outcome in (400, 422, "message", "stop", "resume", "seen", "ping")
