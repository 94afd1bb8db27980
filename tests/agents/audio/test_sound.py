"""What a recording is, and how long: told by bytes that anybody may have made."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.audio.sound import FILE_EXTENSIONS, Sound, duration_of, media_type_of
from tests.provider.audio_wire import tone

OGG = b"OggS" + b"\0" * 24 + b"OpusHead" + b"OggS\0\4" + struct.pack("<q", 96_000) + b"\0" * 12
WEBM = b"\x1aE\xdf\xa3" + b"\0" * 9 + b"\x1f\x43\xb6\x75\x01\xff\xff\xff\xff\xff\xff\xff\xe7\x82\x13\x88\xa3"
MP4 = b"\0\0\0\x10ftypisom" + b"\0" * 8 + b"mvhd" + struct.pack(">IIIII", 0, 0, 0, 1_000, 2_500)
BEGINNINGS = (b"\x1aE\xdf\xa3", b"OggS", b"RIFF\0\0\0\0WAVE", b"\0\0\0\0ftyp")


@pytest.mark.parametrize(
    ("data", "kind", "seconds"),
    [
        (tone(0.5), "audio/wav", 0.5),
        (OGG, "audio/ogg", 2.0),
        (WEBM, "audio/webm", 5.0),
        (MP4, "audio/mp4", 2.5),
        (b"\x1aE\xdf\xa3 and nothing else", "audio/webm", None),
    ],
)
def test_kind_and_length_are_told_by_the_bytes(data: bytes, kind: str, seconds: float | None) -> None:
    assert media_type_of(data) == kind
    assert duration_of(Sound(media_type=kind, data=data)) == seconds


@pytest.mark.parametrize("data", [b"", b"ID3", b"<svg/>", b"%PDF-1.7", b"#EXTM3U\nfile:///etc/passwd", b"RIFF....AVI "])
def test_what_is_no_sound_is_not_taken(data: bytes) -> None:
    """U1: a playlist is no sound either."""
    assert media_type_of(data) is None


@settings(max_examples=25)
@given(
    st.sampled_from(BEGINNINGS),
    st.lists(st.sampled_from([b"mvhd", b"data", b"fmt ", b"OggS", b"\x1f\x43\xb6\x75", b"\xe7\xff"]) | st.binary()),
)
def test_hostile_bytes_have_a_length_or_none(beginning: bytes, rest: list[bytes]) -> None:
    data = beginning + b"".join(rest)
    for kind in FILE_EXTENSIONS:
        seconds = duration_of(Sound(media_type=kind, data=data))
        assert seconds is None or seconds >= 0
