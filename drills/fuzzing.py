"""Drill: a fuzzer that learns from the code it reaches looks for inputs that crash the readers of untrusted input."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT

SECONDS = int(os.environ.get("DRILL_FUZZ_S", "60"))
"""How long each reader is tried."""
TARGETS = ("answer", "calculation", "frame", "sql", "markdown", "questions", "yaml", "textbook")
ONE_INPUT_S = 10
"""The longest that a reader may take for one input; a busy machine is much slower than a quiet one."""
MEMORY_MB = 2_000
LONGEST_BYTES = 4_000
AFTERWARDS_S = 120


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    folder = base.folder.parent / "fuzzing"
    (folder / "data").mkdir(parents=True, mode=0o700)
    for target in TARGETS:
        yield fuzz(target, folder)


def fuzz(target: str, folder: Path, *, seconds: int = SECONDS) -> DrillResult:
    """Try a reader; an input at which it fails is kept in the folder."""
    began = monotonic()
    log = folder / f"{target}.log"
    command = [
        sys.executable, "-m", "drills.fuzz_targets", target, f"-max_total_time={seconds}", f"-timeout={ONE_INPUT_S}",
        f"-rss_limit_mb={MEMORY_MB}", f"-max_len={LONGEST_BYTES}", f"-artifact_prefix={folder}/{target}-",
    ]  # fmt: skip
    with log.open("w") as out:
        code = subprocess.run(
            command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False, timeout=seconds + AFTERWARDS_S,
            env={**os.environ, "LEARNAGENT_DATA": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "learnagent.settings"},
        ).returncode  # fmt: skip
    done = [line for line in log.read_text(errors="replace").splitlines() if line.startswith("Done ")]
    return DrillResult(
        name=f"fuzzing: {target}", faults=(f"see {log}",) if code or not done else (), seconds=monotonic() - began,
        measured="tried for", note=done[0].partition(" in ")[0] if done else "",
    )  # fmt: skip
