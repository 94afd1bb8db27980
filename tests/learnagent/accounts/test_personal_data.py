"""Every table that knows a person: in their copy, and gone with them."""

import csv
import io
import json
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models
from django_tasks_db.models import DBTaskResult

from agents.privacy import apps_to_erase, personal_tables
from agents.wire.csv_export import escape_formula
from conversations.models import Message
from learnagent.accounts.models import DataCopy, Person
from learnagent.accounts.personal_data import copies
from learnagent.accounts.personal_data.archive import archive_chunks, count_rows
from learnagent.accounts.views import personal_data
from tests.learnagent.accounts.person_rows import MARK, USERNAME, person_with_rows
from tests.people import make_person
from tests.tutoring.small_course import ask, make_turn, numeric

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db,
    # The tests' client is not asynchronous, as the servers are.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]
DATA, COPY = "/accounts/data/", "/accounts/data/copy/"


def models_with_a_way_to_a_person():
    """Return every model whose rows lead to a person, over however many foreign keys."""
    found = {Person}
    while True:
        more = {
            model
            for model in apps.get_models()
            for field in model._meta.concrete_fields
            if field.is_relation and field.related_model in found
        }
        if more <= found:
            return found
        found |= more


@pytest.fixture
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path / "copies"


@pytest.fixture
def person(db, folder):
    return person_with_rows()


def unpacked(zipped):
    with ZipFile(io.BytesIO(zipped)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def copied(person):
    return unpacked(b"".join(archive_chunks(person)))


def downloaded(client, address=COPY, method="post"):
    return unpacked(b"".join(getattr(client, method)(address)))


def test_every_table_that_knows_a_person_is_declared():
    """A6: a new one fails here until its room's `personal.py` says what is done with it."""
    somebody = Person(pk=0, username="somebody")
    in_a_copy = {part.of(somebody).model for part in personal_tables()}
    left_out = {each for room in apps_to_erase() for each in room.LEFT_OUT}
    assert models_with_a_way_to_a_person() - (in_a_copy ^ left_out) == set()


def goes_or_stays(model, known):
    """Return whether the model's rows go with their person, or are declared to stay."""
    ways = [field for field in model._meta.concrete_fields if field.is_relation and field.related_model in known]
    goes = any(field.remote_field.on_delete is models.CASCADE for field in ways)
    stays = any(model in room.STAYS for room in apps_to_erase())
    keeps_without = any(
        field.remote_field.on_delete is models.SET_NULL and field.related_model is Person for field in ways
    )
    return stays or (goes and not keeps_without)


def test_every_row_goes_with_its_person_or_is_declared_to_stay():
    """A6: what a deleted person would leave behind stays on purpose only."""
    known = models_with_a_way_to_a_person()
    assert len(known) > 80
    assert {model for model in known - {Person} if not goes_or_stays(model, known)} == set()


def test_rooms_know_each_other_by_name_only():
    assert [room.__name__ for room in apps_to_erase()] == [
        "tutoring.personal",
        "conversations.personal",
        "agents.personal",
        "learnagent.lti.personal",
        "learnagent.accounts.personal",
    ]
    names = [part.name for part in personal_tables()]
    assert len(names) == len({*names})


def test_a_copy_holds_a_row_of_everything(person):
    """A6"""
    files = copied(person)
    for part in personal_tables():
        rows = json.loads(files[f"{part.name}.json"])
        table = list(csv.reader(io.StringIO(files[f"{part.name}.csv"], newline="")))
        assert rows, part.name
        assert [*rows[0]] == table[0] == [*part.fields]
        assert len(rows) == len(table) - 1 == count_rows(person)[part.name]
        assert part.name in files["README.txt"]
    for name in (
        "messages",
        "answers",
        "feedback",
        "findings",
        "misconceptions",
        "tokens",
        "conversations",
        "turns",
        "drawings",
        "analyses",
    ):
        assert MARK in files[f"{name}.json"], name
        assert MARK in files[f"{name}.csv"], name


def test_a_copy_of_somebody_who_did_nothing_is_whole(eve):
    files = copied(eve)
    assert json.loads(files["messages.json"]) == []
    assert json.loads(files["profile.json"])[0]["username"] == "eve"


def test_nothing_of_anybody_else_is_in_it(person, eve):
    """A1"""
    assert MARK not in "".join(copied(eve).values())


def test_a_copy_answers_no_open_question(ada):
    """A question's key never leaves the server while it is open."""
    question = ask(ada, numeric())
    assert question.is_open
    files = "".join(copied(ada).values())
    assert question.stem in files
    assert not any(hint in files for hint in question.key["hints"])


def test_what_signs_somebody_in_is_in_no_copy(person):
    """K1"""
    files = "".join(copied(person).values())
    secrets = [person.password, person.api_tokens.get().digest, person.sign_in_links.get().digest]
    secrets += [row.session_key for row in person.browser_sessions.all()]
    assert len(secrets) == 4
    assert not any(secret in files for secret in secrets)


HOSTILE = (
    '=HYPERLINK("http://evil.example","x")', "+1", "-2+3", "@SUM(1)", "\t=1", "＝1", "<script>alert(1)</script>",
    '"]},{"x":"', 'a\r\nb,"c"', "\u202egnp.exe", "']", "\ufeff=1", "{{ 7 }}", "\x0b\x85", "e\u0301" * 3,
)  # fmt: skip


def test_hostile_words_stay_text(ada):
    """X1, X6, CSV1: JSON holds them as they are, a table so that no program runs them."""
    for text in HOSTILE:
        turn = make_turn(ada)
        Message.objects.create(session=turn.session, turn=turn, author="learner", text=text)
    files = copied(ada)
    assert [row["text"] for row in json.loads(files["messages.json"])] == [*HOSTILE]
    head, *rows = csv.reader(io.StringIO(files["messages.csv"], newline=""))
    assert [row[head.index("text")] for row in rows] == [escape_formula(text) for text in HOSTILE]


def test_a_small_copy_is_handed_out_at_once(client, ada):
    client.force_login(ada)
    response = client.post(COPY)
    assert response["Content-Type"] == "application/zip"
    assert response["Content-Disposition"] == 'attachment; filename="learnagent-ada.zip"'
    assert json.loads(unpacked(b"".join(response))["profile.json"])[0]["display_name"] == "Ada"


def test_a_large_copy_is_made_by_the_worker_and_downloaded_later(client, ada, folder, monkeypatch):
    monkeypatch.setattr(personal_data, "MAX_ROWS_AT_ONCE", 0)
    client.force_login(ada)
    assert client.post(COPY)["Location"] == DATA
    assert client.post(COPY)["Location"] == DATA
    copy = DataCopy.objects.get()
    assert client.get(f"{COPY}{copy.pk}/").status_code == 404
    assert "creating your copy" in client.get(DATA).content.decode()
    copies.make_copy.func(str(copy.pk))
    copies.make_copy.func(str(copy.pk))
    assert f"{COPY}{copy.pk}/" in client.get(DATA).content.decode()
    assert "profile.json" in downloaded(client, f"{COPY}{copy.pk}/", "get")
    assert oct(next(folder.iterdir()).stat().st_mode)[-3:] == "600"


def test_a_copy_belongs_to_its_person(client, ada, eve, folder):
    """A1"""
    copy = copies.request_copy(ada)
    copies.make_copy.func(str(copy.pk))
    client.force_login(eve)
    assert client.get(f"{COPY}{copy.pk}/").status_code == 404


def test_a_copy_whose_file_is_gone_is_not_there(client, ada, folder):
    copy = copies.request_copy(ada)
    copies.make_copy.func(str(copy.pk))
    next(folder.iterdir()).unlink()
    client.force_login(ada)
    assert client.get(f"{COPY}{copy.pk}/").status_code == 404


@pytest.mark.parametrize(
    "shift", [-copies.STALLED_AFTER, timedelta(days=3)], ids=["long ago", "by a clock that was ahead"]
)
def test_old_copies_go_and_lost_ones_are_made_anew(ada, eve, folder, shift):
    copy = copies.request_copy(ada)
    copies.make_copy.func(str(copy.pk))
    DataCopy.objects.update(asked_at=copy.asked_at - copies.RETENTION)
    lost = copies.request_copy(eve)
    DataCopy.objects.filter(pk=lost.pk).update(asked_at=lost.asked_at + shift)
    for _ in range(2):
        copies.clean_up_copies()
    assert list(DataCopy.objects.all()) == [lost]
    assert list(folder.iterdir()) == []
    assert [job.args_kwargs["args"] for job in DBTaskResult.objects.all()] == [[str(lost.pk)]]


def test_a_copy_that_nobody_wants_any_more_leaves_no_file(ada, folder, monkeypatch):
    copy = copies.request_copy(ada)

    def write_and_erase(person, path):
        path.write_bytes(b"zip")
        DataCopy.objects.all().delete()
        return 3

    monkeypatch.setattr(copies, "write_copy", write_and_erase)
    copies.make_copy.func(str(copy.pk))
    assert list(folder.iterdir()) == []


def test_the_page_says_what_is_kept_and_why_in_few_queries(client, person, django_assert_max_num_queries):
    client.force_login(person)
    with django_assert_max_num_queries(15):
        page = client.get(DATA).content.decode()
    assert all(str(part.title) in page for part in personal_tables())


def test_the_command_writes_a_copy_that_only_its_owner_reads(person, tmp_path, capsys):
    call_command("export_person", USERNAME, "--to", str(tmp_path / "copy.zip"))
    path = tmp_path / "copy.zip"
    assert MARK in unpacked(path.read_bytes())["messages.json"]
    assert oct(path.stat().st_mode)[-3:] == "600"
    assert str(path.stat().st_size) in capsys.readouterr().out


@pytest.mark.parametrize(("name", "to"), [("nobody", "copy.zip"), ("eve", "nowhere/copy.zip")])
def test_the_command_says_in_a_line_what_is_wrong(eve, tmp_path, name, to):
    with pytest.raises(CommandError) as caught:
        call_command("export_person", name, "--to", str(tmp_path / to))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_long_lives_are_read_a_few_rows_at_a_time(ada, monkeypatch, django_assert_num_queries):
    """G2: no reader holds the write-ahead log for long."""
    monkeypatch.setattr("agents.privacy.ROWS_AT_ONCE", 2)
    for _ in range(5):
        ask(ada)
    [questions] = [part for part in personal_tables() if part.name == "questions"]
    with django_assert_num_queries(4):
        portions = list(questions.rows(ada))
    assert [len(rows) for rows in portions] == [2, 2, 1]


def test_nobody_else_is_counted(person):
    assert set(count_rows(make_person("new")).values()) == {0, 1}
