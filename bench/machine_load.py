"""How busy the machine was with others: wall times mean little when the pressure is high."""

import os
from pathlib import Path
from time import thread_time

CPU = Path("/proc/pressure/cpu")
STAT = Path("/proc/stat")
QUIET = 20.0
"""CPU pressure, or CPU time used by others, in percent, above which wall time says nothing of ours."""
FIXED_WORK_S = 0.02
"""CPU time that the fixed work takes on a core of 2.6 GHz that nothing else uses."""
SLOW = 1.5
"""The slowness above which wall time says nothing of ours."""


def cpu_pressure() -> float | None:
    """Return the share of the last 10 s, in percent, in which some task waited for a CPU; None where none tells."""
    try:
        some = CPU.read_text().splitlines()[0]
    except OSError:
        return None
    return float(dict(part.split("=") for part in some.split()[1:])["avg10"])


def slowness() -> float:
    """Return how much more CPU time a fixed calculation takes now than on a core that nothing else uses.

    A virtual machine whose host is busy is slow, though nothing else runs on it. The best of some tries: the first may
    find cold caches.
    """
    return min(_fixed_work_s() for _ in range(5)) / FIXED_WORK_S


def _fixed_work_s() -> float:
    started, total = thread_time(), 0
    for number in range(300_000):
        total += number * number % 7
    return thread_time() - started


def used_cpu_s() -> float:
    """Return the CPU time that all processes of the machine have used since it started, in seconds; 0 where none tells."""
    try:
        user, nice, system, _idle, _waiting, *interrupts = map(int, STAT.read_text().splitlines()[0].split()[1:8])
    except OSError:
        return 0.0
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def process_cpu_s(pid: int) -> float:
    """Return the CPU time that a process has used, all its threads, in seconds; 0 if there is no such process."""
    own = _cpu_ticks(pid)
    return own[0] + own[1] if own else 0.0


def family_cpu_s(pid: int) -> float:
    """Return the CPU time of a process and of its children, those that have ended too, in seconds."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    living = map(int, children.read_text().split()) if children.exists() else ()
    return sum(_cpu_ticks(pid)) + sum(map(process_cpu_s, living))


def _cpu_ticks(pid: int) -> list[float]:
    """Return user and system time, of the process and of its ended children, in seconds; nothing if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields[11:15]]
