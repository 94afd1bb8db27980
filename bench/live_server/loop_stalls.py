"""The longest that the server's event loop was kept from its work, as a heartbeat in that loop sees it."""

import asyncio
import os
from pathlib import Path
from time import perf_counter

BEAT_S = 0.002


def stall_file(folder: str) -> Path:
    """Return the file that holds the longest stall so far, in ms."""
    return Path(folder) / "stall_ms"


async def record_stalls() -> None:
    path, longest = stall_file(os.environ["LEARNAGENT_DATA"]), 0.0
    path.write_text("0")
    while True:
        due = perf_counter() + BEAT_S
        await asyncio.sleep(BEAT_S)
        late = (perf_counter() - due) * 1000
        # An empty file is the order to begin anew.
        if late > longest or not path.stat().st_size:
            longest = late
            path.write_text(f"{late:.2f}")
