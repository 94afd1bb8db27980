"""The sandbox that is there by default, with real processes: C1 to C12."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic_monty import AsyncMonty, ResourceLimits

from agents.sandbox import monty
from agents.sandbox.blocking import close_programs
from agents.sandbox.monty import ROOT, MontySandbox
from agents.sandbox.monty_child import LIMITS, ProgramPool
from agents.sandbox.program import OUTPUT_BYTES, VALUE_CHARACTERS, ProgramNotRun
from tests.agents.sandbox.hostile_programs import HOSTILE, LOOP, HostileProgram
from tests.event_log import EventLog

pytestmark = pytest.mark.asyncio(loop_scope="module")

BRIEF: ResourceLimits = {**LIMITS, "max_feed_duration_secs": 0.2}
GROWTH_KB = 10_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox() -> AsyncIterator[MontySandbox]:
    await asyncio.to_thread(close_programs)  # Other tests' processes would be counted here.
    sandbox = MontySandbox()
    yield sandbox
    await sandbox.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brief() -> AsyncIterator[ProgramPool]:
    """Run programs as the child does, with less time: what spins costs the suite less."""
    async with AsyncMonty(max_processes=2, max_checkouts_per_worker=1, checkout_timeout=10) as pool:
        yield ProgramPool(pool, BRIEF)


def children(pid: int | str = "self") -> list[int]:
    return [int(child) for each in Path(f"/proc/{pid}/task").glob("*/children") for child in each.read_text().split()]


def keepers() -> Iterator[int]:
    """Yield the processes that keep the workers."""
    return (pid for pid in children() if b"monty_child" in Path(f"/proc/{pid}/cmdline").read_bytes())


def environment(pid: int) -> bytes:
    """Return what a process was given; nothing for a worker that has just ended."""
    with suppress(ProcessLookupError, FileNotFoundError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""


def resident_kb() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.parametrize(
    "each", [each for each in HOSTILE if not each.spins], ids=lambda each: f"{each.row} {each.code[:30]!r}"
)
async def test_hostile_program_is_told_off(sandbox: MontySandbox, each: HostileProgram) -> None:
    """C1, C2, C4, C5, C6, C7, C8, C10, C11: it ends with a message, and neither reaches nor swells the server."""
    before = resident_kb()
    found = await sandbox.run(each.code)
    assert (found.error.kind if found.error else "done") in each.kinds
    assert str(ROOT) not in found.model_dump_json()
    assert resident_kb() - before < GROWTH_KB


@pytest.mark.parametrize(
    "each", [each for each in HOSTILE if each.spins], ids=lambda each: f"{each.row} {each.code[:30]!r}"
)
async def test_program_that_spins_is_stopped(brief: ProgramPool, each: HostileProgram) -> None:
    """C3, C9, C11, C12: whatever it catches, its time ends."""
    found = await brief.run(each.code)
    assert (found.error.kind if found.error else "done") in each.kinds


async def test_endless_loop_ends_in_its_time(sandbox: MontySandbox) -> None:
    """C3: the shipped limits hold, and the words say what happened."""
    found = await sandbox.run(f"print('begun')\n{LOOP}")
    assert found.error
    assert (found.error.kind, found.output) == ("timeout", "begun\n")
    assert "2 seconds" in found.error.hint


async def test_what_is_printed_is_cut(sandbox: MontySandbox) -> None:
    """C11: 64 KB are kept, in whole letters, and the cut is told."""
    found = await sandbox.run("print('é' * 20_000_000)")
    assert found.is_cut
    assert OUTPUT_BYTES - 1 <= len(found.output.encode()) <= OUTPUT_BYTES


async def test_value_is_cut(sandbox: MontySandbox) -> None:
    """C2: a value is shown up to a length, and said to be cut."""
    found = await sandbox.run("'a' * 1_000_000")
    assert found.value is not None
    assert len(found.value) == VALUE_CHARACTERS + 1
    assert found.value.endswith("…")


async def test_fifty_at_once_are_all_answered(sandbox: MontySandbox) -> None:
    """C12, T7: they wait in line, and none is mixed up with another."""
    found = await asyncio.gather(*(sandbox.run(f"print({number})\n{number} * 2") for number in range(50)))
    assert [(run.value, run.output) for run in found] == [(str(number * 2), f"{number}\n") for number in range(50)]


async def test_who_waits_too_long_is_told_that_there_is_no_room() -> None:
    """C12: the line ends with a typed error, not with a program that never runs."""
    async with AsyncMonty(max_processes=1, checkout_timeout=0.05) as pool, pool.checkout(limits=LIMITS):
        with pytest.raises(ProgramNotRun) as caught:
            await ProgramPool(pool).run("1")
    assert caught.value.error_type == "resource"


async def test_worker_that_is_killed_is_replaced(sandbox: MontySandbox) -> None:
    """C12: kill −9 of a worker ends one program, with a typed error; the next runs."""
    (keeper,) = keepers()
    running = asyncio.create_task(sandbox.run(f"print(1)\n{LOOP}"))
    while not running.done():
        for worker in children(keeper):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        await asyncio.sleep(0)
    with pytest.raises(ProgramNotRun) as caught:
        running.result()
    assert caught.value.error_type == "internal"
    assert (await sandbox.run("1 + 1")).value == "2"


async def test_keeper_that_is_killed_is_replaced(sandbox: MontySandbox) -> None:
    """C12: the process that keeps the workers may die, too: what ran is told so, and the next program runs."""
    (keeper,) = keepers()
    running = asyncio.create_task(sandbox.run(LOOP))
    await asyncio.sleep(0)
    os.kill(keeper, signal.SIGKILL)
    with pytest.raises(ProgramNotRun) as caught:
        await running
    assert caught.value.error_type == "internal"
    assert (await sandbox.run("1 + 1")).value == "2"


async def test_keeper_that_hangs_is_replaced(sandbox: MontySandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """C12: one that says nothing is ended, and nobody waits for it for long."""
    await sandbox.run("1")
    (keeper,) = keepers()
    monkeypatch.setattr("agents.sandbox.monty.HANG_TIMEOUT_S", 0.1)
    os.kill(keeper, signal.SIGSTOP)
    with pytest.raises(ProgramNotRun) as caught:
        await sandbox.run("1")
    assert caught.value.error_type == "internal"
    monkeypatch.undo()
    assert (await sandbox.run("1 + 1")).value == "2"


async def test_program_that_nobody_waits_for_makes_room(sandbox: MontySandbox) -> None:
    """C12: those who left are not run to their end before the others."""
    loops = [asyncio.create_task(sandbox.run(LOOP)) for _ in range(40)]
    await sandbox.run("1")
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*loops, return_exceptions=True)
    assert (await sandbox.run("1 + 1")).value == "2"


async def test_nothing_of_the_servers_surroundings_is_handed_on(
    sandbox: MontySandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C6: neither keys nor addresses stand in the environment of what runs strangers' programs."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted")
    await sandbox.close()
    await sandbox.run("1")
    (keeper,) = keepers()
    assert b"planted" not in environment(keeper) + b"".join(map(environment, children(keeper)))
    assert environment(keeper).count(b"=") == 2


async def test_closing_ends_the_processes_and_the_next_program_starts_them_again(sandbox: MontySandbox) -> None:
    await sandbox.run("1")
    await sandbox.close()
    assert list(keepers()) == []
    assert (await sandbox.run("1 + 1")).value == "2"


@pytest.mark.parametrize("limits", [None, {}, {**LIMITS, "max_memory": None}, {"max_memory": 1_000_000}])
async def test_limits_that_leave_one_out_are_refused(brief: ProgramPool, limits: ResourceLimits) -> None:
    """C2, C3: without a limit a loop runs for ever and memory grows freely."""
    with pytest.raises(ValueError, match="needs each limit"):
        ProgramPool(brief.pool, limits)


@pytest.mark.parametrize(
    ("code", "value", "output"),
    [
        ("print('hi')\n1 + 2", "3", "hi\n"),
        ("from collections import Counter\nCounter('aab')", "Counter({'a': 2, 'b': 1})", ""),
        ("x = 3", None, ""),
        ("None", None, ""),
        ("repr = 3\n'a'", "'a'", ""),
        ("import re, json, math, random, datetime\nmath.sqrt(16)", "4.0", ""),
        ("def double(n):\n    return n * 2\n\n[double(n) for n in range(3)]", "[0, 2, 4]", ""),
    ],
)
async def test_program_runs(sandbox: MontySandbox, code: str, value: str | None, output: str) -> None:
    found = await sandbox.run(code)
    assert (found.value, found.output, found.error) == (value, output, None)


@pytest.mark.parametrize(
    ("code", "kind", "line", "message"),
    [
        ("x = 1\nprint(y)", "error", 2, "NameError: name 'y' is not defined"),
        ("def f(a):\n    return 1 / a\n\nf(0)", "error", 2, "ZeroDivisionError: division by zero"),
        ("class A:\n    def __repr__(self):\n        return 1 / 0\nA()", "error", 3, "ZeroDivisionError: division by zero"),
        ("for i in range(3)\n    print(i)", "syntax", 1, "SyntaxError: expected ':'"),
        ("class A:\n    pass\n\nclass B(A):\n    pass", "missing", 4, "NotImplementedError: class inheritance and metaclasses"),
        ("raise ValueError('so')", "error", 1, "ValueError: so"),
        ("import time\ntime.sleep(100)", "timeout", 2, "TimeoutError"),
        ("x = 1\ninput()", "missing", 2, "NameError: name 'input' is not defined"),
    ],
)  # fmt: skip
async def test_error_has_its_line(sandbox: MontySandbox, code: str, kind: str, line: int, message: str) -> None:
    error = (await sandbox.run(code)).error
    assert error
    assert (error.kind, error.line, error.message) == (kind, line, message)


async def test_program_that_reached_a_limit_is_told_without_its_code(sandbox: MontySandbox, log: EventLog) -> None:
    await sandbox.run("print('CANARY' * 100_000)")
    assert [(event["event"], event["reason"]) for event in log.events] == [("program_stopped", "output")]
    assert "CANARY" not in log.text


async def test_process_that_does_not_answer_is_killed_and_told(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """C12"""
    monkeypatch.setattr(monty, "HANG_TIMEOUT_S", 0)
    hanging = MontySandbox()
    with pytest.raises(ProgramNotRun):
        await hanging.run("1")
    await hanging.close()
    assert [(event["event"], event["level"]) for event in log.events] == [("sandbox_killed", "error")]
