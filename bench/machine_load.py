"""How busy the machine was with others: wall times mean little when the pressure is high."""

import os
from pathlib import Path

CPU = Path("/proc/pressure/cpu")
STAT = Path("/proc/stat")
QUIET = 20.0
"""CPU pressure, or CPU time used by others, in percent, above which wall time says nothing of ours."""


def cpu_pressure() -> float | None:
    """Return the share of the last 10 s, in percent, in which some task waited for a CPU; None where none tells."""
    try:
        some = CPU.read_text().splitlines()[0]
    except OSError:
        return None
    return float(dict(part.split("=") for part in some.split()[1:])["avg10"])


def used_cpu_s() -> float:
    """Return the CPU time that all processes of the machine have used since it started, in seconds; 0 where none tells."""
    try:
        user, nice, system, _idle, _waiting, *interrupts = map(int, STAT.read_text().splitlines()[0].split()[1:8])
    except OSError:
        return 0.0
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
