"""The sandbox for whole Python, where bubblewrap is installed: C1 to C12."""

import asyncio
import shutil

import pytest

from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.program import OUTPUT_BYTES
from tests.agents.sandbox.hostile_programs import HOSTILE, LOOP, REFUSED, HostileProgram

if not shutil.which("bwrap"):
    pytest.skip("not run: the sandbox by bubblewrap, for want of its command bwrap", allow_module_level=True)


@pytest.mark.parametrize(
    "each", [each for each in HOSTILE if not each.spins], ids=lambda each: f"{each.row} {each.code[:30]!r}"
)
async def test_hostile_program_is_contained(each: HostileProgram) -> None:
    """C1, C2, C4, C5, C6, C7, C8, C10, C11: processes, memory, files and the network are out of reach."""
    found = await BubblewrapSandbox().run(each.code)
    kind = found.error.kind if found.error else "done"
    assert kind in each.kinds | (REFUSED if each.kinds & REFUSED else set())
    assert len(found.output.encode()) <= OUTPUT_BYTES


async def test_programs_that_spin_are_stopped() -> None:
    """C3, C9, C11, C12: whatever they catch, their time ends."""
    spinning = [each for each in HOSTILE if each.spins]
    found = await asyncio.gather(*(BubblewrapSandbox().run(each.code) for each in spinning))
    for each, run in zip(spinning, found, strict=True):
        assert (run.error.kind if run.error else "done") in each.kinds


@pytest.mark.parametrize(
    ("code", "value", "output", "message"),
    [
        ("print('hi')\n1 + 2", "3", "hi\n", ""),
        ("class A:\n    pass\n\nclass B(A):\n    pass\n\ndef some():\n    yield 1\n\nlist(some())", "[1]", "", ""),
        ("import fractions\nfractions.Fraction(1, 2)", "Fraction(1, 2)", "", ""),
        ("import sys\nprint('so', file=sys.stderr)", None, "so\n", ""),
        ("print('begun')\nimport os\nos._exit(3)", None, "begun\n", "The program stopped Python itself."),
        ("x = 1\nprint(y)", None, "", "NameError: name 'y' is not defined"),
        ("input()", None, "", "EOFError: EOF when reading a line"),
        ("import os\nos.getuid(), os.getgid()", "(65534, 65534)", "", ""),
        ("import os\nsorted(os.listdir('/'))", "['bin', 'etc', 'lib', 'lib64', 'python', 'usr']", "", ""),
    ],
)
async def test_program_runs(code: str, value: str | None, output: str, message: str) -> None:
    found = await BubblewrapSandbox().run(code)
    assert (found.value, found.output, found.error.message if found.error else "") == (value, output, message)


async def test_more_than_run_at_once_wait_in_line() -> None:
    """C12: none is lost, and none is mixed up with another."""
    sandbox = BubblewrapSandbox()
    found = await asyncio.gather(*(sandbox.run(f"{number} * 2") for number in range(10)))
    assert [run.value for run in found] == [str(number * 2) for number in range(10)]


async def test_program_that_nobody_waits_for_is_ended() -> None:
    sandbox = BubblewrapSandbox()
    loops = [asyncio.create_task(sandbox.run(LOOP)) for _ in range(4)]
    await asyncio.sleep(0)
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*loops, return_exceptions=True)
    assert (await sandbox.run("1 + 1")).value == "2"
