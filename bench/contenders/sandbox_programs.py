"""Programs in the sandbox, fifty at once, and calculations that are meant to hang, each as a learner would send it."""

import asyncio
import shutil
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import quantiles
from time import perf_counter, process_time

from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.monty import MontySandbox
from agents.sandbox.program import Sandbox
from agents.tools.arithmetic import CannotCalculate
from agents.tools.calculation_finder import find_calculation
from agents.tools.calculator import calculate

AT_ONCE = 50
PROGRAM = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n\nprint(fib(15))\nsum(range(1_000))"
HOSTILE = (
    "9**9**9",
    "factorial(10**8)",
    "().__class__",
    "1/0",
    "1" * 100_000,
    "1e400",
    "1e999999999999",
    "٣+٤",
    "2^10",
    "(" * 500,
    "-" * 499 + "1",
    "2^" * 249 + "2",
    "1+" * 249 + "1",
    "lcm(" + ",".join(str(10**8 + n) for n in range(45)) + ")",
    "factorial(170)^0.5 * 1.0000001^1000",
)
IN_SENTENCES = ("1+1" * 3_000, "(" * 9_000, "1+" * 5_000, "-1a " * 2_500, "x " * 5_000, "1," * 5_000)


def has_bubblewrap() -> bool:
    return shutil.which("bwrap") is not None


def sample_monty() -> dict[str, float]:
    before = _children_cpu_s()
    figures = asyncio.run(_fifty(MontySandbox()))
    # With the start of what keeps the workers.
    return figures | {"cpu_ms": (_children_cpu_s() - before) / AT_ONCE * 1000}


def sample_bubblewrap() -> dict[str, float]:
    return asyncio.run(_fifty(BubblewrapSandbox()))


async def _fifty(sandbox: Sandbox) -> dict[str, float]:
    started = perf_counter()
    await sandbox.run("1")
    first_s = perf_counter() - started
    memory, cpu = getrusage(RUSAGE_SELF).ru_maxrss, process_time()
    seconds = await asyncio.gather(*(_timed(sandbox) for _ in range(AT_ONCE)))
    figures = {
        "p50_s": quantiles(seconds, n=20)[9],
        "p95_s": quantiles(seconds, n=20)[18],
        "first_s": first_s,
        "own_ms": (process_time() - cpu) / AT_ONCE * 1000,
        "grown_mb": (getrusage(RUSAGE_SELF).ru_maxrss - memory) / 1024,
    }
    await sandbox.close()
    return figures


async def _timed(sandbox: Sandbox) -> float:
    started = perf_counter()
    found = await sandbox.run(PROGRAM)
    assert (found.output, found.value) == ("610\n", "499500"), found
    return perf_counter() - started


def _children_cpu_s() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sample_calculator() -> dict[str, float]:
    """Return the CPU of the worst calculation, and of looking for one in the worst message."""
    return {
        "worst_ms": max(_least_ms(lambda text=text: _calculated(text)) for text in HOSTILE),
        "search_ms": max(_least_ms(lambda text=text: find_calculation(text)) for text in IN_SENTENCES),
    }


def _calculated(text: str) -> None:
    try:
        calculate(text)
    except CannotCalculate:
        return


def _least_ms(act: object) -> float:
    """Return the CPU of the quickest of three: the others were disturbed."""
    assert callable(act)
    spent = []
    for _ in range(3):
        started = process_time()
        act()
        spent.append((process_time() - started) * 1000)
    return min(spent)
