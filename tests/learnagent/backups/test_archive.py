"""A file that is no whole backup, or a hostile one, is refused by a sentence, and nothing of it gets anywhere."""

import stat
import warnings
import zipfile
from contextlib import suppress
from hashlib import sha256

import pytest

from learnagent.backups import archive
from learnagent.backups.faults import BackupFault
from learnagent.backups.verification import verify_backup
from tests.learnagent.backups.small_backup import UPLOAD, rewritten, write_small_backup


@pytest.fixture
def verify(tmp_path):
    """Return a function that verifies a backup in a folder of its own, and looks that nothing stays there."""
    scratch = tmp_path / "outer" / "scratch"
    scratch.mkdir(parents=True)

    def run(path):
        try:
            return verify_backup(path, scratch)
        finally:
            assert [*scratch.parent.rglob("*")] == [scratch]

    return run


def with_entry(path, name, content=b"x", *, mode=0o600, listed=False):
    """Add an entry, to the manifest too if `listed`."""
    if listed:
        writer_files = {name: archive.FileEntry(size=len(content), sha256=sha256(content).hexdigest())}
        path = rewritten(path, lambda manifest: manifest.model_copy(update={"files": manifest.files | writer_files}))
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # A name that is there already.
        file.writestr(entry, content)
    return path


def test_whole_backup_is_verified(small, verify):
    manifest = verify(small)
    assert (manifest.rows["conversations_document"], manifest.stored_files) == (1, [UPLOAD])


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_truncated_file_is_refused(small, verify, share):
    content = small.read_bytes()
    small.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(BackupFault, match="not a backup, or it is incomplete"):
        verify(small)


@pytest.mark.parametrize("share", range(0, 100, 4))
def test_flipped_byte_is_refused_wherever_it_is(small, verify, share):
    """Or it is one that nobody reads, such as a date."""
    before, content = verify(small), bytearray(small.read_bytes())
    content[len(content) * share // 100] ^= 0x55
    small.write_bytes(content)
    with suppress(BackupFault):
        assert verify(small) == before


@pytest.mark.parametrize("name", ["database.sqlite3", UPLOAD, "manifest.json"])
def test_flipped_byte_in_a_file_is_refused(small, verify, name):
    with zipfile.ZipFile(small) as file:
        entry = file.getinfo(name)
    content = bytearray(small.read_bytes())
    content[entry.header_offset + 30 + len(name) + 20 + entry.compress_size // 2] ^= 0x55
    small.write_bytes(content)
    with pytest.raises(BackupFault, match="damaged"):
        verify(small)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, b"SQLite format 3\0" * 9])
def test_other_kind_of_file_is_refused(tmp_path, verify, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(BackupFault, match="not a backup"):
        verify(path)


def test_other_zip_is_refused(tmp_path, verify):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("letter.txt", "hello")
    with pytest.raises(BackupFault, match="no manifest"):
        verify(tmp_path / "other.zip")


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/evil",
        "uploads/../../../evil",
        "uploads/..",
        "uploads\\..\\..\\evil",
        "C:\\evil",
        "./secret_key",
        "uploads//evil",
        "uploads/folder/",
        "uploads",
        "static/evil.js",
        "evil",
        ".learnagent-x/lock",
    ],
)
def test_name_that_no_backup_has_is_refused(small, verify, name):
    with pytest.raises(BackupFault, match="an entry that no backup has"):
        verify(with_entry(small, name, listed=True))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFDIR, stat.S_IFCHR])
def test_link_or_device_is_refused(small, verify, kind):
    with pytest.raises(BackupFault, match="an entry that no backup has"):
        verify(with_entry(small, "courses/evil", b"/etc/passwd", mode=kind | 0o777, listed=True))


def test_entry_that_is_not_in_the_manifest_is_refused(small, verify):
    with pytest.raises(BackupFault, match=r"does not match its entries: 'mail/evil\.log'"):
        verify(with_entry(small, "mail/evil.log"))


def test_file_of_the_manifest_that_is_not_there_is_refused(small, verify):
    path = rewritten(
        small,
        lambda manifest: manifest.model_copy(update={"files": manifest.files | {"secret_key": manifest.files[UPLOAD]}}),
    )
    with pytest.raises(BackupFault, match="does not match its entries: 'secret_key'"):
        verify(path)


def test_same_name_twice_is_refused(small, verify):
    with pytest.raises(BackupFault, match="two entries"):
        verify(with_entry(small, UPLOAD, b"other"))


def test_bomb_is_refused_before_it_is_inflated(small, verify, monkeypatch):
    monkeypatch.setattr(archive, "ANY_RATIO", 1_000_000)
    with pytest.raises(BackupFault, match="too large"):
        verify(with_entry(small, "uploads/ab/zeros", bytes(20_000_000), listed=True))


def test_large_manifest_is_refused_before_it_is_read(tmp_path, verify):
    with zipfile.ZipFile(tmp_path / "large.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", b" " * 2_000_000)
    with pytest.raises(BackupFault, match="manifest of the backup is too large"):
        verify(tmp_path / "large.zip")


def test_backup_that_does_not_fit_on_the_disk_is_refused(small, verify, monkeypatch):
    monkeypatch.setattr(archive, "MIN_FREE_BYTES", 10**18)
    with pytest.raises(BackupFault, match="are free on the disk"):
        verify(small)


@pytest.mark.parametrize("other", [{"size": 25_600, "sha256": "0" * 64}, {"size": 7, "sha256": "0" * 64}])
def test_file_that_is_not_what_the_manifest_says_is_refused(small, verify, other):
    """Its own checksum is right."""
    path = rewritten(
        small,
        lambda manifest: manifest.model_copy(update={"files": manifest.files | {UPLOAD: archive.FileEntry(**other)}}),
    )
    with pytest.raises(BackupFault, match=f"damaged: '{UPLOAD}'"):
        verify(path)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": 2, "program": "9.0"}, "made by a newer learnagent"),
        (
            {"rows": {"django_migrations": 0, "conversations_document": 2, "accounts_datacopy": 0}},
            "rows in 'conversations_doc",
        ),
        (
            {"rows": {"django_migrations": 0, "conversations_document": 1}},
            "rows in 'accounts_datacopy': 0, not no table",
        ),
    ],
)
def test_manifest_that_does_not_fit_is_refused(tmp_path, verify, fields, words):
    with pytest.raises(BackupFault, match=words):
        verify(write_small_backup(tmp_path / "other.zip", **fields))


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"format": 1}', b'{"format": "x"}', b"\xff"])
def test_manifest_that_is_none_is_refused(tmp_path, verify, content):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("manifest.json", content)
    with pytest.raises(BackupFault, match="manifest of the backup is damaged"):
        verify(tmp_path / "other.zip")


def test_damaged_database_is_refused(tmp_path, verify):
    """As it was damaged before it was copied: all hashes are right."""
    small = write_small_backup(tmp_path / "small.zip")
    with zipfile.ZipFile(small) as file:
        database = bytearray(file.read("database.sqlite3"))
    database[4096 * 2 : 4096 * 2 + 40] = b"\xff" * 40
    content = bytes(database)
    entry = archive.FileEntry(size=len(content), sha256=sha256(content).hexdigest())
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(small) as old, zipfile.ZipFile(path, "w") as new:
        manifest = archive.parse_manifest(old.read("manifest.json"))
        files = manifest.files | {"database.sqlite3": entry}
        new.writestr("database.sqlite3", content)
        new.writestr(UPLOAD, old.read(UPLOAD))
        new.writestr("manifest.json", manifest.model_copy(update={"files": files}).model_dump_json())
    with pytest.raises(BackupFault, match="copy of the database is damaged"):
        verify(path)
