"""Making backups: everything is in them, and a file under the final name is a whole one."""

import os
import random
import resource
import stat
import zipfile
from contextlib import contextmanager

import pytest
from django.core.management import CommandError
from django.db import connection
from django.utils import timezone
from pydantic import SecretStr

from conversations.library import document_files
from conversations.library.deletion import delete_documents
from conversations.models import Document
from learnagent.accounts.models import DataCopy
from learnagent.accounts.personal_data import copies
from learnagent.backups.archive import ArchiveWriter
from learnagent.backups.databases import own_engine
from learnagent.backups.postgresql_programs import find_program
from learnagent.backups.record import latest_backup
from learnagent.backups.stored_files import add_stored_files
from learnagent.backups.verification import verify_backup
from learnagent.backups.work_folder import work_folder
from learnagent.backups.writing import still_named
from learnagent.configuration.environment import environment
from learnagent.configuration.storage_url import parse_storage
from tests.fake_services.s3_bucket import Bucket

pytestmark = pytest.mark.django_db(transaction=True)
SQLITE_ALONE = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no file of the test's own")


@contextmanager
def files_limited_to(size):
    """Let every file that is written be full at this size, in bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def write(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("anything")


def names_in(path):
    with zipfile.ZipFile(path) as file:
        return {*file.namelist()}


def name_of(document):
    return document_files.name_of(document.stored_as)


@pytest.mark.db
def test_everything_is_in_it(folder, tmp_path, manage, put, ada):
    document, copy = put(ada), copies.request_copy(ada)
    copies.make_copy.func(str(copy.pk))
    for name in ("halves/course.yaml", "halves/parts/items.yaml", ".new-x/course.yaml"):
        write(folder / "courses" / name)
    write(folder / "mail" / "letter.log")
    for name in ("static/base.css", "understanding/heads.npz", "arriving/unfinished", "uploads/ab/stray", "log"):
        write(folder / name)

    said = manage("backup", tmp_path / "backup.zip")

    assert "verified" in said
    assert "1 people, 0 conversations, 2 uploads and exports" in said
    assert names_in(tmp_path / "backup.zip") == {
        "manifest.json",
        own_engine().FILE,
        "secret_key",
        name_of(document),
        f"copies/{copy.pk}.zip",
        "mail/letter.log",
        "courses/halves/course.yaml",
        "courses/halves/parts/items.yaml",
    }


def test_its_time_is_recorded(folder, tmp_path, manage):
    before = timezone.now()
    manage("backup", tmp_path / "backup.zip")
    first = latest_backup()
    assert before <= first
    manage("backup", "--verify", tmp_path / "backup.zip")
    assert latest_backup() == first


def test_it_is_private_and_nothing_is_left_beside_it(folder, tmp_path, manage):
    target = tmp_path / "backups"
    target.mkdir()
    manage("backup", target / "backup.zip")
    assert [path.name for path in target.iterdir()] == ["backup.zip"]
    assert stat.S_IMODE((target / "backup.zip").stat().st_mode) == 0o600


@pytest.mark.db
def test_manifest_says_what_it_is(tmp_path, manage, ada, folder):
    manage("backup", tmp_path / "backup.zip")
    manifest = verify_backup(tmp_path / "backup.zip", folder)
    assert (manifest.engine, manifest.rows["accounts_person"], manifest.missing) == (connection.vendor, 1, ())
    assert ("conversations", "0001_initial") in manifest.migrations
    assert manifest.engine_version == own_engine().version()


def test_key_from_the_settings_is_not_in_it(folder, tmp_path, manage, monkeypatch, settings):
    monkeypatch.setattr(environment, "SECRET_KEY", SecretStr(settings.SECRET_KEY))
    manage("backup", tmp_path / "backup.zip")
    assert "secret_key" not in names_in(tmp_path / "backup.zip")


def test_backup_is_verified_on_demand(folder, tmp_path, manage):
    path = tmp_path / "backup.zip"
    manage("backup", path)
    assert "verified" in manage("backup", "--verify", path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(CommandError, match="incomplete"):
        manage("backup", "--verify", path)
    assert not [*folder.glob(".learnagent-*")]


@pytest.mark.db
def test_what_is_not_committed_is_not_in_it(tmp_path, manage, ada, folder):
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("DELETE FROM accounts_person")
        manage("backup", tmp_path / "backup.zip")
        cursor.execute("ROLLBACK")
    other.close()
    assert verify_backup(tmp_path / "backup.zip", folder).rows["accounts_person"] == 1


@pytest.mark.db
class TestFilesOfRows:
    """Files are copied after the database, while others add and delete some."""

    @pytest.fixture
    def copied(self, tmp_path, put):
        """Return a function that copies the database, and then the files after something has happened in between."""

        def run(in_between):
            facts = own_engine().copy_database(tmp_path / "copy")
            in_between()
            with ArchiveWriter(tmp_path / "archive.zip") as archive:
                missing = add_stored_files(archive, facts.files)
            return facts.files, missing, names_in(tmp_path / "archive.zip")

        return run

    def test_added_in_between_is_left_out(self, copied, put, ada):
        before = put(ada)
        files, missing, names = copied(lambda: put(ada, b"Another file."))
        assert (files, missing, names) == ((name_of(before),), (), {name_of(before)})

    def test_deleted_in_between_is_missing_and_was_not_lost(self, copied, put, ada):
        kept, deleted = put(ada), put(ada, b"Another file.")
        files, missing, names = copied(lambda: delete_documents(Document.objects.filter(pk=deleted.pk)))
        assert ({*files}, missing, names) == ({name_of(kept), name_of(deleted)}, (name_of(deleted),), {name_of(kept)})
        assert still_named(missing) == []

    def test_lost_before_is_told_and_the_rest_is_backed_up(self, folder, tmp_path, manage, put, ada):
        kept, lost = put(ada), put(ada, b"Another file.")
        (folder / name_of(lost)).unlink()
        said = manage("backup", tmp_path / "backup.zip")
        assert f"warning: 1 files are in the database, but not in the file store: {name_of(lost)}" in said
        assert name_of(kept) in names_in(tmp_path / "backup.zip")

    def test_export_that_is_not_ready_is_not_expected(self, tmp_path, manage, ada):
        DataCopy.objects.create(person=ada)
        assert "warning" not in manage("backup", tmp_path / "backup.zip")


class TestBucket:
    @pytest.fixture(autouse=True)
    def bucket(self, settings):
        with Bucket() as bucket:
            settings.STORAGES = settings.STORAGES | {"files": parse_storage(bucket.url)}
            yield bucket

    def test_files_come_from_there(self, tmp_path, manage, put, ada):
        document = put(ada, b"In the bucket.")
        manage("backup", tmp_path / "backup.zip")
        with zipfile.ZipFile(tmp_path / "backup.zip") as file:
            assert file.read(name_of(document)) == b"In the bucket."

    def test_file_that_is_gone_there_is_told(self, tmp_path, manage, put, ada, bucket):
        put(ada)
        bucket.objects.clear()
        assert "warning: 1 files" in manage("backup", tmp_path / "backup.zip")

    def test_bucket_that_does_not_answer_ends_the_backup(self, tmp_path, manage, put, ada, bucket):
        """Its files are not taken for lost ones."""
        put(ada)
        bucket.fails = True
        with pytest.raises(CommandError, match="file store"):
            manage("backup", tmp_path / "backup.zip")
        assert not (tmp_path / "backup.zip").exists()


class TestNothingHalf:
    @pytest.mark.db
    @pytest.mark.parametrize("limit", [20_000, 4_000_000], ids=["the database", "the archive"])
    def test_full_disk_is_told_and_leaves_nothing(self, tmp_path, manage, put, ada, limit):
        """G4"""
        put(ada, random.Random(1).randbytes(4_000_000).hex().encode())
        target = tmp_path / "backups"
        target.mkdir()
        with files_limited_to(limit), pytest.raises(CommandError) as refused:
            manage("backup", target / "backup.zip")
        assert "\n" not in str(refused.value)
        assert [*target.iterdir()] == []

    def test_earlier_backup_stays_where_a_new_one_fails(self, tmp_path, manage):
        path = tmp_path / "backup.zip"
        manage("backup", path)
        before = path.read_bytes()
        with files_limited_to(20_000), pytest.raises(CommandError):
            manage("backup", path)
        assert path.read_bytes() == before

    def test_what_a_killed_process_left_goes_with_the_next_backup(self, tmp_path, manage):
        left = tmp_path / ".learnagent-killed"
        left.mkdir()
        (left / "lock").touch()
        (left / "backup.zip").write_text("half")
        with work_folder(tmp_path) as in_use:
            manage("backup", tmp_path / "backup.zip")
            assert (in_use.exists(), left.exists()) == (True, False)

    @SQLITE_ALONE
    def test_damaged_database_is_told(self, folder, tmp_path, manage):
        connection.close()
        with (folder / "learnagent.sqlite3").open("r+b") as file:
            file.seek(4096 * 3)
            file.write(b"\xff" * 4096 * 10)
        with pytest.raises(CommandError, match=r"malformed|damaged"):
            manage("backup", tmp_path / "backup.zip")
        assert not (tmp_path / "backup.zip").exists()


class TestTarget:
    def test_other_file_is_not_overwritten(self, tmp_path, manage):
        (tmp_path / "letter.txt").write_text("hello")
        with pytest.raises(CommandError, match="exists and is not a backup"):
            manage("backup", tmp_path / "letter.txt")
        assert (tmp_path / "letter.txt").read_text() == "hello"

    def test_earlier_backup_is_replaced(self, tmp_path, manage, ada, folder):
        manage("backup", tmp_path / "backup.zip")
        ada.delete()
        manage("backup", tmp_path / "backup.zip")
        assert verify_backup(tmp_path / "backup.zip", folder).rows["accounts_person"] == 0

    @pytest.mark.parametrize(
        ("target", "words"),
        [("", "add --keep"), ("none/backup.zip", "There is no folder"), ("file/backup.zip", "no folder")],
    )
    def test_path_that_is_none_is_told(self, tmp_path, manage, target, words):
        (tmp_path / "file").touch()
        with pytest.raises(CommandError, match=words):
            manage("backup", tmp_path / target)


class TestKeep:
    def test_oldest_go_and_other_files_stay(self, tmp_path, manage):
        target = tmp_path / "backups"
        target.mkdir()
        old = [target / f"learnagent-2026010{day}T030000Z.zip" for day in range(1, 5)]
        others = [target / "notes.txt", target / "learnagent-before-update.zip"]
        for path in [*old, *others]:
            path.touch()
        manage("backup", target, "--keep", 3)
        left = {*target.iterdir()}
        assert {*others, *old[2:]} <= left
        [new] = left - {*others, *old}
        assert new.name > old[3].name
        assert len(left) == 5

    def test_oldest_stay_where_the_new_one_fails(self, tmp_path, manage):
        old = tmp_path / "learnagent-20260101T030000Z.zip"
        old.touch()
        with files_limited_to(20_000), pytest.raises(CommandError):
            manage("backup", tmp_path, "--keep", 1)
        assert old.exists()

    @pytest.mark.parametrize("number", ["0", "-1", "all"])
    def test_wrong_number_is_refused(self, tmp_path, manage, number):
        with pytest.raises(CommandError, match="must be a number from 1"):
            manage("backup", tmp_path, f"--keep={number}")


@pytest.mark.db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's programs")
class TestPrograms:
    @pytest.fixture
    def programs(self, tmp_path, monkeypatch):
        """Return a function that makes a program of some version, in folders where no others are found."""
        monkeypatch.setattr("learnagent.backups.postgresql_programs.USUAL_PLACES", ())
        monkeypatch.setenv("PATH", "")

        def make(version):
            folder = tmp_path / version
            folder.mkdir()
            (folder / "pg_dump").write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}'\n")
            (folder / "pg_dump").chmod(0o700)
            monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{folder}")
            return str(folder / "pg_dump")

        return make

    def test_oldest_that_fits_is_taken(self, programs):
        programs("15.18"), programs("21.1")
        fitting = programs("19.2")
        assert find_program("pg_dump", major=18) == fitting

    @pytest.mark.parametrize("versions", [[], ["15.18"]])
    def test_want_of_one_is_told(self, programs, tmp_path, manage, versions):
        for version in versions:
            programs(version)
        with pytest.raises(CommandError, match=r"pg_dump is needed, in version 1\d or newer: install it"):
            manage("backup", tmp_path / "backup.zip")


@SQLITE_ALONE
def test_empty_database_is_told(folder, tmp_path, manage):
    connection.close()
    (folder / "learnagent.sqlite3").unlink()
    with pytest.raises(CommandError, match="nothing to back up"):
        manage("backup", tmp_path / "backup.zip")
