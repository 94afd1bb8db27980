"""This process's name on the leases it holds, and how to tell that the process behind another name has died."""

import hashlib
import os
import socket
import uuid
from pathlib import Path

OWN_PROCESS_IDS = "/proc/self/ns/pid"
"""Its inode numbers the set of process ids this process lives in; no two living sets of a kernel share one."""


def _machine() -> str:
    """Return a name for the set of process ids that this process lives in; empty where the system gives none.

    A host's name is not enough: two containers of one name each count their processes from 1.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        ids = os.stat(OWN_PROCESS_IDS).st_ino
    except OSError:
        return ""
    return hashlib.sha256(f"{socket.gethostname()} {boot} {ids}".encode()).hexdigest()[:16]


MACHINE = _machine()
PROCESS = f"{MACHINE}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
"""This process's name on the leases it holds: machine, process id, and a part that no later process has."""


def is_known_dead(name: str) -> bool:
    """Whether the process of this name has certainly died: it lived on this machine, and its id is free or ours now.

    False says that it lives, or that nobody here can know: its id may have passed to a stranger by now.
    """
    machine, _, number = name.rpartition(":")[0].partition(":")
    if name == PROCESS or not machine or machine != MACHINE or not number.isdecimal():
        return False
    return int(number) == os.getpid() or not _process_exists(int(number))


def _process_exists(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It is there, and somebody else's.
        return True
    return True
