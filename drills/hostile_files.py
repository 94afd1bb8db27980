"""Drill: every hostile file is refused or contained, each opened by a process that does nothing else."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import monotonic

from conversations.readers import Unreadable, media_type_of, read, reencode
from conversations.readers.media_types import IMAGES
from drills.data_folder import PreparedFolder
from drills.result import DrillResult

CPU_S = 10.0
CHILD_MB = 512
SERVER_MB = 50


def run(_base: PreparedFolder) -> Iterator[DrillResult]:
    from tests.conversations.readers.hostile_files import ALL

    with tempfile.TemporaryDirectory() as folder:
        for name, make in ALL.items():
            path = Path(folder) / "file"
            path.write_bytes(make())
            started = monotonic()
            found = json.loads(subprocess.check_output([sys.executable, "-m", "drills.hostile_files", path], text=True))
            yield DrillResult(
                name=name,
                faults=tuple(faults(found)),
                seconds=monotonic() - started,
                measured="refused in",
                note=f"{found['problem']}; {path.stat().st_size // 1024} KB; {found['cpu_s']:.1f} s CPU; "
                f"child {found['child_mb']} MB, server +{found['server_mb']} MB",
            )


def faults(found: dict[str, float]) -> Iterator[str]:
    if not found["problem"]:
        yield "it was taken"
    for figure, most in (("cpu_s", CPU_S), ("child_mb", CHILD_MB), ("server_mb", SERVER_MB)):
        if found[figure] > most:
            yield f"{figure} {found[figure]:.1f}, not {most}"


def opened(path: Path) -> dict[str, object]:
    """Do with a file what is done with an upload; return its problem, what it cost, and how much memory it took."""
    before = getrusage(RUSAGE_SELF).ru_maxrss
    problem = None
    try:
        kind = media_type_of(path)
        problem = read(path, media_type=kind).problem
        if kind in IMAGES:
            reencode(path, path.with_suffix(".webp"))
    except Unreadable as refusal:
        problem = refusal.problem
    with suppress(FileNotFoundError):
        path.with_suffix(".webp").unlink()
    own, child = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return {
        "problem": problem,
        "cpu_s": own.ru_utime + own.ru_stime + child.ru_utime + child.ru_stime,
        "child_mb": child.ru_maxrss // 1024,
        "server_mb": (own.ru_maxrss - before) // 1024,
    }


if __name__ == "__main__":
    print(json.dumps(opened(Path(sys.argv[1]))))
