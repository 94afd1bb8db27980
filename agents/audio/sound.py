"""Uploaded sound: its media type and approximate length, read from its bytes."""

import struct

from agents.values import value

MOST_BYTES = 10 * 1024 * 1024
MOST_SECONDS = 120.0
FILE_EXTENSIONS = {"audio/webm": "webm", "audio/ogg": "ogg", "audio/wav": "wav", "audio/mp4": "mp4"}
"""Accepted media types → file extension; servers use it to detect the format."""
_OPUS_RATE = 48_000
_CHUNKS = 64
"""Most chunks of a WAV file read before its sound is found."""
_CLUSTER, _TIMECODE = b"\x1f\x43\xb6\x75", 0xE7


@value
class Sound:
    media_type: str
    data: bytes


def media_type_of(data: bytes) -> str | None:
    """Return the media type found in the bytes, None if it is not accepted. The client's own claim is ignored."""
    if data.startswith(b"\x1aE\xdf\xa3"):
        return "audio/webm"
    if data.startswith(b"OggS"):
        return "audio/ogg"
    if data.startswith(b"RIFF") and data[8:12] == b"WAVE":
        return "audio/wav"
    return "audio/mp4" if data[4:8] == b"ftyp" else None


def duration_of(sound: Sound) -> float | None:
    """Return the approximate length in seconds, None if unknown. The file may lie about it."""
    reader = {"audio/wav": _wav, "audio/ogg": _ogg, "audio/webm": _webm, "audio/mp4": _mp4}[sound.media_type]
    try:
        return reader(sound.data)
    except (struct.error, IndexError, ZeroDivisionError):
        return None


def _wav(data: bytes) -> float | None:
    place, rate = 12, 0
    for _ in range(_CHUNKS):
        name, size = data[place : place + 4], struct.unpack_from("<I", data, place + 4)[0]
        if name == b"fmt ":
            rate = struct.unpack_from("<I", data, place + 16)[0]
        if name == b"data":
            # A piped recording claims to be endless.
            return float(min(size, len(data) - place - 8) / rate)
        place += 8 + size + size % 2
    return None


def _ogg(data: bytes) -> float | None:
    samples = struct.unpack_from("<q", data, data.rfind(b"OggS") + 6)[0]
    vorbis = data[:4_096].find(b"\x01vorbis")
    rate = struct.unpack_from("<I", data, vorbis + 12)[0] if vorbis >= 0 else _OPUS_RATE
    return float(samples / rate) if samples > 0 else None


def _webm(data: bytes) -> float | None:
    """Return the start of its last cluster: browsers write no duration."""
    place = data.rfind(_CLUSTER) + len(_CLUSTER)
    if place < len(_CLUSTER):
        return None
    place += 9 - data[place].bit_length()  # The cluster's size; its first bits give the number of bytes.
    if data[place] != _TIMECODE:
        return None
    size = data[place + 1] & 0x7F
    return int.from_bytes(data[place + 2 : place + 2 + min(size, 8)]) / 1000


def _mp4(data: bytes) -> float | None:
    place = data.find(b"mvhd") + 4
    if place < 4:
        return None
    scale, length = (
        struct.unpack_from(">IQ", data, place + 20) if data[place] else struct.unpack_from(">II", data, place + 12)
    )
    return float(length / scale) if length else None
