"""What bubblewrap is asked for, and what is made of how a program ended in it; where it is not installed, too."""

import pytest

from agents.sandbox.bubblewrap import ADDRESS_SPACE_BYTES, BubblewrapSandbox, command, parse_outcome
from agents.sandbox.bubblewrap_child import run_program
from agents.sandbox.program import MAX_CHARACTERS, ProgramNotRun


@pytest.mark.parametrize("uid", [0, 1000])
def test_everything_is_closed_off(monkeypatch: pytest.MonkeyPatch, uid: int) -> None:
    """C1, C4, C5, C6: no network, no other processes, no environment, nothing of the system that can be written to."""
    monkeypatch.setattr("os.getuid", lambda: uid)
    asked = command()
    for option in (
        "--unshare-net",
        "--unshare-pid",
        "--unshare-ipc",
        "--clearenv",
        "--die-with-parent",
        "--remount-ro",
    ):
        assert option in asked
    assert not {"--bind", "--dev-bind", "--dev", "--proc", "--tmpfs", "--share-net"} & set(asked)
    assert asked[-2] == str(ADDRESS_SPACE_BYTES)
    assert ("--unshare-user" in asked) is (uid != 0)


@pytest.mark.parametrize(
    ("report", "code", "value", "kind"),
    [
        (b'begun\n{"value": "3"}\n', 0, "3", ""),
        (b"begun\n{}\n", 0, None, ""),
        (b"begun\n", 0, None, ""),
        (b"begun\n", 139, None, "error"),
        (b"begun\nnot JSON\n", 3, None, "error"),
        (b'begun\n{"value": 3}\n', 3, None, "error"),
        (b"begun\n", 152, None, "timeout"),
        (b'begun\n{"name": "MemoryError", "message": "", "line": 2}\n', 0, None, "memory"),
        (b'begun\n{"name": "NameError", "message": "name \'y\' is not defined", "line": 2}\n', 0, None, "error"),
        (
            b'begun\n{"name": "SyntaxError", "message": "expected \':\'", "line": 1, "is_syntax": true}\n',
            0,
            None,
            "syntax",
        ),
    ],
)
def test_end_of_a_program_is_understood(report: bytes, code: int, value: str | None, kind: str) -> None:
    """C12: what a program says of its own end is read as a stranger's words."""
    found, error = parse_outcome(report, code=code, is_late=False)
    assert (found, error.kind if error else "") == (value, kind)


def test_time_that_is_over_goes_before_what_it_says() -> None:
    """C3: a program that was ended says nothing any more."""
    value, error = parse_outcome(b'begun\n{"value": "3"}\n', code=0, is_late=True)
    assert (value, error and error.kind) == (None, "timeout")


def test_place_that_cannot_begin_is_no_programs_fault() -> None:
    with pytest.raises(ProgramNotRun) as caught:
        parse_outcome(b"bwrap: No permissions to create new namespace", code=1, is_late=False)
    assert caught.value.error_type == "internal"


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("1 + 2", {"value": "3"}),
        ("x = 1", {}),
        ("raise SystemExit(3)", {}),
        ("def f():\n    return 1 / 0\n\nf()", {"name": "ZeroDivisionError", "message": "division by zero", "line": 2}),
        ("raise ValueError('a' * 100)", {"name": "ValueError", "message": "a" * 40, "line": 1}),
        ("x = ", {"name": "SyntaxError", "message": "invalid syntax", "line": 1, "is_syntax": True}),
    ],
)
def test_program_says_how_it_ended(code: str, how: dict[str, object]) -> None:
    assert run_program(code, 40) == how


def test_program_that_is_too_deep_is_no_program() -> None:
    """C7: a parser that gives up is no fault of the place."""
    assert run_program("-" * 9_000 + "1", 40)["is_syntax"]


async def test_where_it_is_not_installed_nothing_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert BubblewrapSandbox().problem()
    with pytest.raises(ProgramNotRun):
        await BubblewrapSandbox().run("1 + 1")


async def test_program_that_is_too_long_is_not_begun() -> None:
    found = await BubblewrapSandbox().run("a" * (MAX_CHARACTERS + 1))
    assert found.error
    assert found.error.kind == "syntax"
