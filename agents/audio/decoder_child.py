"""Child process that decodes one recording, with limits. `python -m agents.audio.decoder_child MEDIA_TYPE`

Reads a recording, writes 16,000 floats per second, one channel. Exit code DAMAGED: not sound; TOO_LONG: too long.
"""

import io
import resource
import sys

from agents.audio.sound import MOST_SECONDS

RATE = 16_000
MEMORY_BYTES = 384 * 1024 * 1024
CPU_S = 10
DAMAGED, TOO_LONG = 3, 4
FORMATS = {"audio/webm": "matroska", "audio/ogg": "ogg", "audio/wav": "wav", "audio/mp4": "mp4"}
"""Given explicitly, because a decoder that guesses accepts many other files as sound."""


def limit() -> None:
    """Limit this process: time, memory, no files to write, no core dump, no child processes (does not bind root)."""
    for what, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_DATA, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))


def main(media_type: str) -> int:
    import av

    limit()
    left = int(MOST_SECONDS * RATE)
    pieces = []
    try:
        with av.open(io.BytesIO(sys.stdin.buffer.read()), format=FORMATS[media_type]) as container:
            container.streams.audio[0].codec_context.thread_count = 1
            resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
            for frame in container.decode(audio=0):
                for piece in resampler.resample(frame):
                    left -= piece.samples
                    if left < 0:
                        return TOO_LONG
                    pieces.append(piece.to_ndarray().tobytes())
    except (av.FFmpegError, IndexError, ValueError, MemoryError):
        if not pieces:
            return DAMAGED
        # The beginning of a broken-off recording is still usable.
    sys.stdout.buffer.write(b"".join(pieces))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
