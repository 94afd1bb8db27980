"""Process names for leases, and detection of dead processes."""

import hashlib
import os
import socket
import uuid
from pathlib import Path

OWN_PROCESS_IDS = "/proc/self/ns/pid"
"""The inode identifies this process's PID namespace; no two live namespaces of a kernel share one."""


def _machine() -> str:
    """Return a name for this process's PID namespace; empty if the system gives none.

    A host name is not enough: two containers with the same name each count their processes from 1.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        ids = os.stat(OWN_PROCESS_IDS).st_ino
    except OSError:
        return ""
    return hashlib.sha256(f"{socket.gethostname()} {boot} {ids}".encode()).hexdigest()[:16]


MACHINE = _machine()
PROCESS = f"{MACHINE}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
"""This process's name on its leases: machine, process id, and a part that no later process can have."""


def is_known_dead(name: str) -> bool:
    """Return whether the named process has certainly died: it was on this machine, and its id is free or ours now.

    False means that it lives, or that this is unknown: its id may belong to another program now.
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
        # It exists and belongs to another user.
        return True
    return True
