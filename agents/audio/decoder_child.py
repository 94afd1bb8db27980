"""What runs in a child for each recording: limits first, then the decoder. `python -m agents.audio.decoder_child MEDIA_TYPE`

A recording in, 16,000 floats a second out, of one channel. Ends with DAMAGED for what is no sound, TOO_LONG for too much.
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
"""Named, for a decoder that guesses takes a list of other files for sound, too."""


def limit() -> None:
    """Bind this process: time, memory, no file to write, no core dump, no process beside it (root is not bound by that)."""
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
        # A recording that was broken off is good as far as it goes.
    sys.stdout.buffer.write(b"".join(pieces))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
