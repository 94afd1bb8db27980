"""An installation of the test's own: a data folder, and on SQLite a database in it that a restoration may replace."""

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, connections
from pydantic import SecretStr

from conversations.library import uploads
from conversations.models import Document
from learnagent.configuration.environment import environment
from tests.learnagent.backups.small_backup import write_small_backup


@pytest.fixture
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, with a generated key."""
    data = tmp_path / "data"
    data.mkdir()
    settings.DATA_DIR = data
    settings.MAIL_FOLDER = str(data / "mail")
    monkeypatch.setattr(environment, "SECRET_KEY", SecretStr(""))
    (data / "secret_key").write_text(settings.SECRET_KEY)
    return data


@pytest.fixture
def database(transactional_db: None, empty_database: Path | None, folder: Path) -> Iterator[None]:
    """The database, which no other thread has open."""
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
    if empty_database is None:
        yield
        return
    own = connection.settings_dict
    connection.close()
    before, own["NAME"] = own["NAME"], shutil.copy(empty_database, folder / "learnagent.sqlite3")
    yield
    connection.close()
    own["NAME"] = before


@pytest.fixture
def put(database: None) -> Callable[..., Document]:
    """Return a function that puts a file in somebody's library."""

    def put_in(person: Any, content: bytes = b"A half is one of two equal parts.") -> Document:
        return uploads.accept(person, SimpleUploadedFile("notes.txt", content), in_library=True)

    return put_in


@pytest.fixture
def manage(database: None) -> Callable[..., str]:
    """Return a function that runs a command and returns what it prints."""

    def run(*arguments: object) -> str:
        said = io.StringIO()
        call_command(*map(str, arguments), stdout=said, stderr=said)
        return said.getvalue()

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A backup of a database with hardly anything in it."""
    return write_small_backup(tmp_path / "small.zip")
