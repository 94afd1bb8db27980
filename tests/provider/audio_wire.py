"""OpenAI's Audio API: recordings sent as forms, words and sound sent back whole."""

import io
import math
import struct
import wave
from email import message_from_bytes, policy
from typing import Any

from tests.provider.http import Request

HEARING, SPEAKING = "/v1/audio/transcriptions", "/v1/audio/speech"
PATHS = (HEARING, SPEAKING)


def read(request: Request) -> Any:
    """Return what is asked for: fields by name, of a file its name, type and size."""
    if request.path == SPEAKING:
        return request.json()
    head = f"content-type: {request.headers.get('content-type', '')}\r\n\r\n".encode()
    fields: dict[str, Any] = {}
    for part in message_from_bytes(head + request.body, policy=policy.HTTP).iter_parts():
        name, data = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
        is_file = part.get_filename() is not None
        fields[name] = (part.get_filename(), part.get_content_type(), len(data)) if is_file else data.decode()
    return fields


def words(text: str) -> dict[str, Any]:
    return {"text": text, "usage": {"type": "tokens", "input_tokens": 30, "output_tokens": 9, "total_tokens": 39}}


def tone(seconds: float = 0.25, *, rate: int = 16_000) -> bytes:
    """Return a WAV file that hums."""
    samples = (int(8_000 * math.sin(2 * math.pi * 440 * place / rate)) for place in range(int(seconds * rate)))
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return file.getvalue()
