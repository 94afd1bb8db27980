"""Folders for unfinished files, which nobody finds under a final name."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PREFIX = ".learnagent-"
LOCK = "lock"


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder that only its owner can read; it is deleted at the end. Those of killed processes go first."""
    _remove_abandoned(parent)
    with TemporaryDirectory(dir=parent, prefix=PREFIX) as name, (Path(name) / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        # One in use is locked by its process, and the lock goes with the process.
        with suppress(OSError), (folder / LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
