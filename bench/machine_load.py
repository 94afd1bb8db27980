"""How busy the machine was with others: wall times mean little when the pressure is high."""

from pathlib import Path

CPU = Path("/proc/pressure/cpu")


def cpu_pressure() -> float | None:
    """Return the share of the last 10 s, in percent, in which some task waited for a CPU; None where none tells."""
    try:
        some = CPU.read_text().splitlines()[0]
    except OSError:
        return None
    return float(dict(part.split("=") for part in some.split()[1:])["avg10"])
