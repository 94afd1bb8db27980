"""Restoring: all is as it was in the backup, or, where that fails, as it was before."""

import shutil
import sqlite3
import zipfile
from contextlib import closing

import pytest
from django.core.management import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pydantic import SecretStr

from agents.models import PeriodicWork
from conversations.library import document_files, file_store
from conversations.library.deletion import delete_documents
from conversations.models import Document, Turn
from conversations.processes import heartbeats
from learnagent.accounts.authentication.sign_in_cards import make_codes
from learnagent.accounts.authentication.sign_in_links import make_link
from learnagent.accounts.models import ApiToken, BrowserSession, Person, SignInLink
from learnagent.accounts.personal_data import copies
from learnagent.backups.databases import ENGINES, own_engine
from learnagent.backups.restoration import restore_backup
from learnagent.configuration.environment import environment
from learnagent.configuration.storage_url import parse_storage
from tests.conversations.turn_helpers import begun
from tests.fake_services.s3_bucket import Bucket
from tests.learnagent.backups.small_backup import rewritten
from tests.people import make_person

pytestmark = pytest.mark.django_db(transaction=True)
SQLITE_ALONE = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no file of the test's own")


def name_of(document):
    return document_files.name_of(document.stored_as)


def files_in(folder):
    """Return path → content of what is in the data folder, without the database, locks, and what was put aside."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "preparing" and not path.name.startswith("learnagent.sqlite3")
        if path.relative_to(folder).parts[0] != "replaced"
    }


def people():
    return {*Person.objects.values_list("username", flat=True)}


@pytest.fixture
def backup(folder, tmp_path, manage, put, ada):
    """A backup of an installation with Ada and a file of every kind, and what was in it."""
    copy = copies.request_copy(ada)
    put(ada, b"Ada's notes.")
    copies.make_copy.func(str(copy.pk))
    for name in ("mail/letter.log", "courses/halves/course.yaml"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(f"{name} of the backup")
    manage("backup", tmp_path / "backup.zip")
    return tmp_path / "backup.zip"


@pytest.fixture
def went_on(backup, folder, put, ada):
    """What happened after the backup: everything is different."""
    make_person("ben")
    delete_documents(Document.objects.all())
    put(ada, b"Newer notes.")
    for name in ("mail/letter.log", "mail/newer.log", "courses/halves/course.yaml", "courses/newer/course.yaml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("newer")
    (folder / "secret_key").write_text("newer")


class TestRoundTrip:
    @pytest.fixture
    def before(self, backup, folder):
        return files_in(folder), people(), {*Document.objects.values_list("pk", "stored_as")}

    @pytest.mark.db
    def test_everything_is_as_it_was(self, backup, before, went_on, folder, manage):
        """G5"""
        said = manage("restore", backup, "--replace")
        assert (files_in(folder), people(), {*Document.objects.values_list("pk", "stored_as")}) == before
        for line in ("people         1", "conversations  0", "files          2 uploads", "integrity ok"):
            assert line in said

    @pytest.mark.db
    def test_old_data_are_kept_aside(self, backup, went_on, folder, manage):
        old = files_in(folder)
        shared = {name for name in old if name.startswith("copies/")}
        manage("restore", backup, "--replace")
        [aside] = (folder / "replaced").iterdir()
        kept = files_in(aside)
        kept.pop("database.dump", None)
        assert kept == {name: content for name, content in old.items() if name not in shared}
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(aside / "learnagent.sqlite3")) as database:
                assert database.execute("SELECT COUNT(*) FROM accounts_person").fetchone() == (2,)

    @SQLITE_ALONE
    def test_it_can_be_restored_where_nothing_is(self, backup, before, folder, manage, settings):
        connection.close()
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "secret_key").write_text("generated when the new installation was first called")
        said = manage("restore", backup)
        assert (files_in(folder), people()) == before[:2]
        assert "old data" not in said
        assert not (folder / "replaced").exists()

    def test_restored_twice_is_restored_once(self, backup, before, folder, manage):
        manage("restore", backup, "--replace")
        manage("restore", backup, "--replace")
        assert (files_in(folder), people()) == before[:2]

    @pytest.mark.db
    def test_what_was_written_is_found_and_more_can_be(self, backup, went_on, manage, put, ada):
        """Indexes and sequences come along."""
        manage("restore", backup, "--replace")
        assert make_person("cleo").pk != ada.pk
        put(ada, b"Written after the restoration.")
        assert Document.objects.count() == 2

    @SQLITE_ALONE
    def test_damaged_database_can_be_replaced(self, backup, folder, manage):
        connection.close()
        (folder / "learnagent.sqlite3").write_bytes(b"no database at all" * 1000)
        with pytest.raises(CommandError, match="add --replace"):
            manage("restore", backup)
        manage("restore", backup, "--replace")
        assert people() == {"ada"}


class TestBucket:
    @pytest.fixture(autouse=True)
    def bucket(self, settings):
        with Bucket() as bucket:
            settings.STORAGES = settings.STORAGES | {"files": parse_storage(bucket.url)}
            yield bucket

    def test_files_are_put_there_and_others_come_aside(self, backup, bucket, went_on, folder, manage):
        [newer] = [name for name, content in bucket.objects.items() if content == b"Newer notes."]
        manage("restore", backup, "--replace")
        assert sorted(bucket.objects.values())[0] == b"Ada's notes."
        assert len(bucket.objects) == 2
        [aside] = (folder / "replaced").iterdir()
        assert (aside / newer.removeprefix("here/")).read_bytes() == b"Newer notes."

    def test_bucket_that_does_not_answer_changes_nothing(self, backup, bucket, went_on, folder, manage):
        before = files_in(folder), people()
        bucket.fails = True
        with pytest.raises(CommandError, match="file store"):
            manage("restore", backup, "--replace")
        assert (files_in(folder), people()) == before


def test_backup_of_a_folder_is_restored_to_a_bucket(backup, went_on, manage, settings):
    with Bucket() as bucket:
        settings.STORAGES = settings.STORAGES | {"files": parse_storage(bucket.url)}
        manage("restore", backup, "--replace")
        assert f"here/{name_of(Document.objects.get())}" in bucket.objects


class TestRefusals:
    @pytest.fixture(autouse=True)
    def unchanged(self, backup, went_on, folder):
        before = files_in(folder), people()
        yield
        assert (files_in(folder), people()) == before
        assert not (folder / "replaced").exists()
        assert not [*folder.glob(".learnagent-*")]

    def test_data_that_are_here_are_not_overwritten(self, backup, manage):
        with pytest.raises(CommandError, match="There is data here already"):
            manage("restore", backup)

    @pytest.mark.parametrize("kind", ["web", "worker"])
    def test_running_site_is_left_alone(self, backup, manage, kind):
        heartbeats.record_heartbeat(kind)
        with pytest.raises(CommandError, match="The site is running"):
            manage("restore", backup, "--replace")

    @SQLITE_ALONE
    def test_open_database_is_left_alone(self, backup, manage, folder):
        with closing(sqlite3.connect(folder / "learnagent.sqlite3")) as other:
            other.execute("SELECT COUNT(*) FROM accounts_person").fetchall()
            with pytest.raises(CommandError, match="The site is running"):
                manage("restore", backup, "--replace")

    @pytest.mark.parametrize("share", [0.3, 0.99])
    def test_truncated_backup_is_refused(self, backup, manage, share):
        backup.write_bytes(backup.read_bytes()[: int(backup.stat().st_size * share)])
        with pytest.raises(CommandError, match="incomplete"):
            manage("restore", backup, "--replace")

    def test_damaged_backup_is_refused(self, backup, manage):
        content = bytearray(backup.read_bytes())
        content[len(content) // 3] ^= 0xFF
        backup.write_bytes(content)
        with pytest.raises(CommandError, match="damaged"):
            manage("restore", backup, "--replace")

    def test_file_that_is_not_there_is_told(self, tmp_path, manage):
        with pytest.raises(CommandError, match=r"none\.zip: No such file"):
            manage("restore", tmp_path / "none.zip", "--replace")

    def test_backup_of_a_newer_program_is_refused(self, backup, manage):
        newer = rewritten(
            backup,
            lambda manifest: manifest.model_copy(
                update={"program": "9.0", "migrations": (*manifest.migrations, ("tutoring", "0099_mars"))}
            ),
        )
        with pytest.raises(CommandError, match=r"newer learnagent \('9\.0'\).* 'tutoring\.0099_mars'. Update"):
            manage("restore", newer, "--replace")

    @pytest.mark.db
    def test_backup_of_the_other_kind_of_database_is_refused(self, backup, manage):
        other = {"sqlite": "postgresql", "postgresql": "sqlite"}[connection.vendor]
        names = {own_engine().FILE: ENGINES[other].FILE}

        def change(manifest):
            files = {names.get(name, name): entry for name, entry in manifest.files.items()}
            return manifest.model_copy(update={"engine": other, "files": files})

        changed = rewritten(backup, change, names=names)
        with pytest.raises(CommandError, match=r"The backup is of .*, but DATABASE_URL means"):
            manage("restore", changed, "--replace")

    def test_full_disk_is_told(self, backup, manage, monkeypatch):
        monkeypatch.setattr("learnagent.backups.archive.MIN_FREE_BYTES", 10**18)
        with pytest.raises(CommandError, match="GB are free on the disk"):
            manage("restore", backup, "--replace")

    @pytest.mark.db
    def test_what_fails_midway_is_undone(self, backup, manage, folder):
        """A folder is where an upload has to be: the database is in place by then."""
        with zipfile.ZipFile(backup) as file:
            [upload] = [name for name in file.namelist() if name.startswith("uploads/")]
        (folder / upload).mkdir(parents=True)
        with pytest.raises(CommandError, match=r"directory|exists"):
            manage("restore", backup, "--replace")
        (folder / upload).rmdir()

    def test_what_fails_while_files_are_moved_is_undone(self, backup, manage, folder):
        """A file is where the folder of courses has to be."""
        shutil.move(folder / "courses", folder / "elsewhere")
        (folder / "courses").symlink_to("nowhere")
        with pytest.raises(CommandError):
            manage("restore", backup, "--replace")
        (folder / "courses").unlink()
        shutil.move(folder / "elsewhere", folder / "courses")

    def test_interruption_is_undone(self, backup):
        with pytest.MonkeyPatch.context() as patch:

            def interrupted(*arguments):
                patch.undo()
                raise KeyboardInterrupt

            patch.setattr(file_store, "keep", interrupted)
            with pytest.raises(KeyboardInterrupt):
                restore_backup(backup, replace=True, tell=print)


class TestAfterwards:
    @pytest.mark.db
    def test_nobody_is_signed_in_and_one_time_links_are_void(self, folder, tmp_path, manage, ada):
        """They may have been ended, or used, after the backup was made."""
        Client().force_login(ada)
        make_link(ada)
        make_codes([ada])
        ApiToken.objects.create(owner=ada, prefix="la", digest="d")
        manage("backup", tmp_path / "backup.zip")
        manage("restore", tmp_path / "backup.zip", "--replace")
        assert [model.objects.count() for model in (BrowserSession, SignInLink, ApiToken)] == [0, 0, 1]

    def test_processes_of_the_time_of_the_backup_do_not_count_as_running(self, tmp_path, manage, folder):
        heartbeats.record_heartbeat("web")
        heartbeats.record_heartbeat("worker")
        PeriodicWork.objects.create(name="refit of mastery")
        manage("backup", tmp_path / "backup.zip")
        heartbeats.remove_all_heartbeats()
        manage("restore", tmp_path / "backup.zip", "--replace")
        assert [*PeriodicWork.objects.values_list("name", flat=True)] == ["refit of mastery"]

    @pytest.mark.db
    def test_turn_that_was_running_is_an_orphan_as_soon_as_its_lease_is_out(self, tmp_path, manage, ada, host):
        turn = begun(ada, text="A half, or a third?")
        Turn.objects.update(lease_owner="elsewhere:1:0123456789ab", lease_until="2026-03-04T12:00:00Z")
        manage("backup", tmp_path / "backup.zip")
        Turn.objects.update(status="done")
        manage("restore", tmp_path / "backup.zip", "--replace")
        assert Turn.objects.all().orphaned().get() == turn

    @pytest.mark.db
    def test_older_backup_is_migrated(self, tmp_path, manage, folder):
        """One of Django's migrations that change nothing here stands for those of later versions."""
        last = MigrationRecorder.Migration.objects.filter(app="auth").latest("id")
        last.delete()
        manage("backup", tmp_path / "backup.zip")
        manage("restore", tmp_path / "backup.zip", "--replace")
        assert MigrationRecorder.Migration.objects.filter(app="auth", name=last.name).exists()

    def test_missing_key_is_told(self, tmp_path, manage, folder, monkeypatch, settings):
        with monkeypatch.context() as patch:
            patch.setattr(environment, "SECRET_KEY", SecretStr(settings.SECRET_KEY))
            manage("backup", tmp_path / "backup.zip")
        said = manage("restore", tmp_path / "backup.zip", "--replace")
        assert "set SECRET_KEY to the value that the original site had" in said
        assert (folder / "secret_key").read_text() == settings.SECRET_KEY

    def test_key_from_the_settings_stays_and_that_is_told(self, backup, manage, folder, monkeypatch, settings):
        monkeypatch.setattr(environment, "SECRET_KEY", SecretStr("another"))
        (folder / "secret_key").unlink()
        assert "not used, because SECRET_KEY is set" in manage("restore", backup, "--replace")
        assert not (folder / "secret_key").exists()

    def test_mail_stays_in_the_backup_where_mail_is_sent(self, backup, manage, folder, settings):
        settings.MAIL_FOLDER = None
        assert "saved mail was not restored" in manage("restore", backup, "--replace")

    def test_files_that_were_missing_are_told(self, tmp_path, manage, folder, put, ada):
        (folder / name_of(put(ada))).unlink()
        manage("backup", tmp_path / "backup.zip")
        assert "1 were missing in the backup" in manage("restore", tmp_path / "backup.zip", "--replace")


@pytest.mark.db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="schemas and extensions")
def test_what_others_have_in_the_database_is_left_alone(tmp_path, manage, ada, folder):
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA monitoring")
        cursor.execute("CREATE TABLE monitoring.accounts_person AS SELECT 1 AS seen")
        try:
            manage("backup", tmp_path / "backup.zip")
            cursor.execute("UPDATE monitoring.accounts_person SET seen = 2")
            manage("restore", tmp_path / "backup.zip", "--replace")
            cursor.execute("SELECT seen FROM monitoring.accounts_person")
            assert (cursor.fetchone(), people()) == ((2,), {"ada"})
        finally:
            cursor.execute("DROP SCHEMA monitoring CASCADE")


@pytest.mark.db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="extensions")
def test_extensions_are_left_alone(tmp_path, manage, ada, folder):
    """Where an admin of the database created one, the program may not drop it, nor create it again."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        cursor.execute("SELECT oid FROM pg_extension WHERE extname = 'vector'")
        before = cursor.fetchone()
        manage("backup", tmp_path / "backup.zip")
        manage("restore", tmp_path / "backup.zip", "--replace")
        cursor.execute("SELECT oid FROM pg_extension WHERE extname = 'vector'")
        assert (cursor.fetchone(), people()) == (before, {"ada"})
