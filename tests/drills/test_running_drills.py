"""One drill that cannot go on does not keep the others from running."""

import tempfile
from pathlib import Path

import pytest

import drills.__main__ as command
from drills.data_folder import PreparedFolder
from drills.result import DrillResult


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, bool]:
    """What was stored about each drill: whether it held."""
    found: dict[str, bool] = {}
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(command, "store_drill", lambda name, *, held: found.update({name: held}))
    monkeypatch.setattr(
        command, "prepare_folder", lambda folder, with_question: PreparedFolder(folder=folder, tokens=(), browsers=())
    )
    return found


def test_runs_the_others(
    stored: dict[str, bool], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(base: PreparedFolder):
        yield DrillResult(name="first step", faults=(), seconds=1.0)
        raise TimeoutError("the server did not end")

    def works(base: PreparedFolder):
        yield DrillResult(name="only step", faults=(), seconds=1.0)

    monkeypatch.setattr(command, "DRILLS", {"breaks": breaks, "works": works})
    assert command.run_drills(["breaks", "works"]) == 1
    assert stored == {"breaks": False, "works": True}
    said = capsys.readouterr()
    assert "FAILED" in said.out
    assert "the server did not end" in said.err
