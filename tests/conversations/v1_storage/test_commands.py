"""The commands of the move from v1: clear lines, exit codes, and nothing written where nothing should be."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from conversations.models import Capture, Message, Turn, V1Import
from tests.conversations.v1_storage.v1_helpers import imported, row, texts_of, v1_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


def output(*command, **options):
    out = StringIO()
    call_command(*command, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


@pytest.fixture
def damaged(tmp_path):
    return v1_file(tmp_path, row(1), row(2, None, None), row(3, "a\x00b", session="t"))


def test_import_and_verification_say_what_came_over(ada, damaged, tmp_path):
    report = tmp_path / "report.jsonl"
    said = output("import_v1", str(damaged), "--owner", "ada", "--report", str(report))
    assert "3 of 3 rows\nimported: 2\nimported before: 0\nwithout an owner: 0\nrejected: 1\n" in said
    problems = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(each["row"], each["reason"], each["is_rejected"]) for each in problems] == [
        (2, "null_text", True), (2, "no_text", True), (3, "replaced", False),
    ]  # fmt: skip
    assert output("verify_v1", str(damaged)) == (
        "equal: 3 rows in 2 sessions: 2 in both storages, 0 without an owner, 1 rejected and reported\n"
    )
    assert output("verify_v1") == "equal\n"


def test_dry_run_writes_nothing(ada, damaged):
    """R6"""
    assert output("import_v1", str(damaged), "--owner", "ada", "--dry-run").startswith(
        "3 rows: 2 can be imported, 0 without an owner, 1 would be rejected; nothing was written\n"
    )
    assert [model.objects.count() for model in (V1Import, Capture, Turn)] == [0, 0, 0]


def test_owners_come_from_a_file(ada, ben, damaged, tmp_path):
    owners = tmp_path / "owners.csv"
    owners.write_text("t,ben\n\n")
    assert "without an owner: 1" in output("import_v1", str(damaged), "--owners", str(owners))
    owners.write_text("﻿s,ada\nt,ben\n")
    assert "without an owner: 0" in output("import_v1", str(damaged), "--owners", str(owners))
    assert (len(texts_of(ada)), len(texts_of(ben, "t"))) == (1, 1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"s", "owners.csv, line 1: expected session_id,username"),
        (b"s,nobody", "owners.csv, line 1: there is no person nobody"),
        (b"s,ada\ns,ben", "owners.csv, line 2: s has another owner on an earlier line"),
        (b"s,a\x00", "there is no person"),
        (b"\xff\xfe,", "owners.csv is not a CSV file in UTF-8"),
    ],
)
def test_bad_mappings_are_refused(ada, ben, damaged, tmp_path, content, words):
    owners = tmp_path / "owners.csv"
    owners.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        output("import_v1", str(damaged), "--owners", str(owners))
    assert not V1Import.objects.exists()


def test_unusable_input_is_refused_in_one_line(ada, ben, damaged, tmp_path):
    for command, words in [
        (("import_v1", str(tmp_path / "none")), "cannot be opened"),
        (("verify_v1", str(tmp_path / "none")), "cannot be opened"),
        (("import_v1", str(damaged), "--owner", "nobody"), "There is no person nobody."),
        (("import_v1", str(damaged), "--owners", str(tmp_path / "none")), "cannot be opened"),
        (("import_v1", str(damaged), "--owner", "ada", "--report", str(tmp_path)), "could not be written"),
    ]:
        with pytest.raises(CommandError, match=words):
            output(*command)
    with pytest.raises(CommandError, match="was imported for ada before"):
        output("import_v1", str(damaged), "--owner", "ben")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: Capture.objects.filter(turn__number=1).update(user_text="x"), "user_text differs in v1's storage"),
        (lambda: Message.objects.filter(author="team").update(text="x"), "agent_text differs in v2's storage"),
        (lambda: Message.objects.filter(author="team").delete(), "agent_text differs in v2's storage"),
        (lambda: Turn.objects.update(created_at="2025-01-01T00:00:00Z"), "timestamp differs in v2's storage"),
        (lambda: Capture.objects.update(turn=None), "v2's storage lacks it"),
        (lambda: Capture.objects.all().delete(), "v1's storage lacks it"),
        (lambda: V1Import.objects.get().problems.all().delete(), "cannot be stored, and that is not reported"),
    ],
)
def test_verification_lists_what_differs(ada, damaged, change, words):
    imported(damaged, ada)
    change()
    out = StringIO()
    with pytest.raises(CommandError, match=r"\d rows and \d sessions differ"):
        call_command("verify_v1", str(damaged), stdout=out)
    assert words in out.getvalue()
    assert "Is a half more?" not in out.getvalue()
    assert not V1Import.objects.get().verification["is_equal"]


def test_file_that_was_never_imported_differs(damaged):
    with pytest.raises(CommandError, match="3 rows"):
        output("verify_v1", str(damaged))


def test_reconciliation_says_what_is_left(ada, damaged):
    imported(damaged, ada)
    Capture.objects.update(turn=None)
    Turn.objects.all().delete()
    with pytest.raises(CommandError, match="2 only in v1's storage"):
        output("verify_v1")
    assert output("reconcile_storages") == "repaired: 2, failed: 0, divergence: 0\n"
