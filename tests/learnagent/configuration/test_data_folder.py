"""Who else is on the machine reads nothing of the data folder."""

import stat

import pytest
from pydantic import ValidationError

from learnagent.checks import check_data_folder
from learnagent.configuration.data_folder import data_folder_needed, is_open_to_others, make_private
from learnagent.configuration.environment import Environment, read_environment


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}


@pytest.fixture
def opened(tmp_path):
    """A data folder as older versions made it."""
    folder = tmp_path / "var"
    (folder / "uploads").mkdir(parents=True)
    for name in ("learnagent.sqlite3", "learnagent.sqlite3-wal", "uploads/document"):
        (folder / name).write_text("kept")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    folder.chmod(0o755)
    return folder


def test_folder_that_was_open_is_closed_with_all_that_is_in_it(opened):
    make_private(opened)
    assert modes(opened) == {
        "var": 0o700,
        "uploads": 0o700,
        "learnagent.sqlite3": 0o600,
        "learnagent.sqlite3-wal": 0o600,
        "document": 0o600,
    }


def test_what_is_written_later_is_private_too(tmp_path):
    make_private(tmp_path / "new" / "var")
    (tmp_path / "new" / "var" / "mail").mkdir()
    (tmp_path / "new" / "var" / "mail" / "letter").write_text("kept")
    assert modes(tmp_path / "new" / "var") == {"var": 0o700, "mail": 0o700, "letter": 0o600}


def test_file_put_into_a_private_folder_is_closed(opened):
    """A database that was restored by hand, for example."""
    opened.chmod(0o700)
    make_private(opened)
    assert modes(opened)["learnagent.sqlite3"] == 0o600


def test_what_a_link_leads_to_is_left_alone(opened, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("somebody else's")
    outside.chmod(0o644)
    (opened / "link").symlink_to(outside)
    make_private(opened)
    assert is_open_to_others(outside)


def test_folder_that_cannot_be_used_ends_the_process_with_one_line(tmp_path):
    (tmp_path / "file").touch()
    said = r"cannot start: LEARNAGENT_DATA: Not a directory: .*/file/data$"
    with pytest.raises(SystemExit, match=said), data_folder_needed():
        make_private(tmp_path / "file" / "data")


def test_folder_of_everybody_is_no_data_folder(tmp_path, monkeypatch):
    """To close /tmp would stop the machine."""
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("LEARNAGENT_DATA", str(tmp_path))
    with pytest.raises(ValidationError, match="LEARNAGENT_DATA"):
        Environment()


@pytest.mark.parametrize("names", [["letter.txt"], ["work/plan.txt", "mail/letter"], ["secret_key.old"]])
def test_folder_of_somebodys_files_is_no_data_folder(tmp_path, monkeypatch, names):
    """To close /home or /opt would lock everybody else out."""
    folder = tmp_path / "home"
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("somebody else's")
        path.chmod(0o644)
    folder.chmod(0o755)
    before = modes(folder)
    monkeypatch.setenv("LEARNAGENT_DATA", str(folder))
    with pytest.raises(SystemExit, match=r"LEARNAGENT_DATA: .* not learnagent's"):
        read_environment()
    assert modes(folder) == before


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        (0o755, []),
        (0o755, ["lost+found/"]),
        (0o755, ["learnagent.sqlite3", "notes.log"]),
        (0o755, ["secret_key", "uploads/", "backup/"]),
        (0o755, ["uploads/", "mail/"]),
        (0o700, ["notes.log"]),
    ],
)
def test_empty_private_or_own_folder_is_a_data_folder(tmp_path, monkeypatch, mode, names):
    folder = tmp_path / "var"
    folder.mkdir()
    for name in names:
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()
    folder.chmod(mode)
    monkeypatch.setenv("LEARNAGENT_DATA", str(folder))
    assert folder == read_environment().LEARNAGENT_DATA


def test_folder_that_others_can_read_is_warned_of(opened, settings):
    settings.DATA_DIR = opened
    assert [each.id for each in check_data_folder()] == ["learnagent.W003"]
    make_private(opened)
    assert check_data_folder() == []
