"""A v1 file is read and nothing more, whatever it is."""

import sqlite3
from contextlib import closing

import pytest

from conversations.v1_storage.v1_file import UnusableFile, V1File
from drills.v1_file_maker import write_v1_file
from tests.conversations.v1_storage.v1_helpers import row, v1_file


def summary(path):
    with V1File(path) as file:
        return file.summarize()


def test_rows_are_read_byte_for_byte(tmp_path):
    path = v1_file(tmp_path, row(1, "a\x00b", b"\xff\xfe"), row(2, None, "🍕", metadata="{}"))
    with V1File(path) as file:
        first, second = file.rows(upto=2)
    assert (first.values["user_text"].data, first.values["agent_text"].data) == (b"a\x00b", b"\xff\xfe")
    assert (second.values["user_text"].kind, second.values["agent_text"].data) == ("null", "🍕".encode())


def test_a_file_is_known_by_its_rows_not_by_its_name_or_layout(tmp_path):
    path = v1_file(tmp_path, row(1), row(2, "And a third?"))
    before = summary(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("VACUUM")
    assert summary(path.rename(tmp_path / "other.db")) == before
    assert summary(v1_file(tmp_path, row(1), row(2, "And a fifth?"))).digest != before.digest


def test_rows_that_say_the_same_are_found(tmp_path):
    path = v1_file(tmp_path, row(1), row(2), row(3, session="t"), row(4, at="2025-03-01 10:00:01"))
    assert summary(path).duplicates == {2}


def test_a_table_without_a_key_may_repeat_an_id(tmp_path):
    schema = "CREATE TABLE captures (id, session_id, timestamp, user_text, agent_text, metadata)"
    path = v1_file(tmp_path, row(1), row(1), row(1, "Other words"), schema=schema)
    with V1File(path) as file:
        assert len({each.origin() for each in file.rows(upto=3)}) == 3


def test_the_file_stays_as_it_is(tmp_path):
    path = v1_file(tmp_path, row(1))
    before = path.read_bytes()
    path.chmod(0o400)
    summary(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_v1_has_only_in_its_log_is_read_too(tmp_path):
    path = v1_file(tmp_path, row(1))
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO captures (id, session_id, user_text) VALUES (2, 's', 'new')")
        writer.commit()
        assert summary(path).total == 2


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("CREATE TABLE other (id)", "has no table captures"),
        ("CREATE TABLE captures (id, session_id, timestamp, user_text)", "has no column agent_text"),
        ("CREATE TABLE t (id); CREATE VIEW captures AS SELECT * FROM t", "has no table captures"),
        ("CREATE VIRTUAL TABLE captures USING fts5(id, session_id, timestamp, user_text, agent_text)", "has no table"),
        (
            "CREATE TABLE captures (id, session_id, timestamp, user_text, agent_text GENERATED ALWAYS AS (hex(zeroblob(9))))",
            "has no column agent_text",
        ),
        (
            "CREATE TABLE captures (id PRIMARY KEY, session_id, timestamp, user_text, agent_text) WITHOUT ROWID",
            "cannot be",
        ),
    ],
)
def test_other_tables_are_refused(tmp_path, schema, words):
    path = tmp_path / "v1.sqlite3"
    write_v1_file(path, [], schema=schema)
    with pytest.raises(UnusableFile, match=words):
        summary(path)


@pytest.mark.parametrize(
    "content", [b"", b"SQLite format 3\x00", b"SQLite format 3\x00" + b"\xff" * 5000, b"no database"]
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "v1.sqlite3"
    path.write_bytes(content)
    with pytest.raises(UnusableFile):
        summary(path)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(UnusableFile, match="No such file"):
        summary(tmp_path / "none")


def test_damage_in_the_middle_is_told(tmp_path):
    path = v1_file(tmp_path, *(row(number, "x" * 900) for number in range(1, 200)))
    content = bytearray(path.read_bytes())
    content[40_000:60_000] = b"\xff" * 20_000
    path.write_bytes(content)
    with pytest.raises(UnusableFile, match="cannot be read"):
        summary(path)


def test_an_endless_value_is_not_read(tmp_path):
    path = v1_file(tmp_path, row(1, "x" * 1_500_000))
    with V1File(path) as file:
        [value] = [each.values["user_text"] for each in file.rows(upto=1)]
    assert (len(value.data), value.length, value.is_whole) == (0, 1_500_000, False)
