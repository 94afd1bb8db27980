"""An account's end: nothing of it in any table, nor in a byte of the data folder."""

import logging
import re
from datetime import timedelta
from io import StringIO

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from agents.models import AgentCall, ModelCall, Run
from conversations.models import Turn
from learnagent.accounts.mail import send_mail
from learnagent.accounts.models import Erasure, Person
from learnagent.accounts.personal_data import copies, erasure
from learnagent.accounts.personal_data.file_traces import blank_in_logs, identifying_words
from learnagent.configuration.email_url import parse_mailer
from tests.conversations.turn_helpers import Pause, begun
from tests.learnagent.accounts.person_rows import EMAIL, MARK, USERNAME, person_with_rows
from tests.people import make_person
from tests.sqlite_files import bytes_of_database

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]
ERASE = "/accounts/erase/"
WORDS = (MARK, MARK.lower(), USERNAME, EMAIL)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    """A data folder of its own for what lies beside the database."""
    settings.DATA_DIR = tmp_path
    settings.LOG_FILE = tmp_path / "log"
    settings.MAIL_FOLDER = str(tmp_path / "mail")
    settings.MAILERS = {"default": parse_mailer("", folder=tmp_path / "mail")}
    return tmp_path


@pytest.fixture
def person(db):
    return person_with_rows()


def stored():
    return "".join(serializers.serialize("json", model._base_manager.all()) for model in apps.get_models())


def found_in(text):
    return [word for word in WORDS if word in text]


def erase(name=USERNAME):
    said = StringIO()
    call_command("erase_person", name, "--yes", stdout=said)
    return said.getvalue()


def test_nothing_of_the_person_is_left_in_any_table(person):
    """A6: a second search finds nothing."""
    assert {*found_in(stored())} == {*WORDS}
    erase()
    assert found_in(stored()) == []
    assert not Person.objects.filter(pk=person.pk).exists()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL sweeps its files by itself, in time")
def test_nothing_of_the_person_is_left_in_the_bytes_of_the_data_folder(person, folder):
    """A6, K1: not in free pages, nor the write-ahead log, the log, mail or copies."""
    send_mail(person, subject="A word", text=f"Dear {USERNAME}, {MARK}")
    copies.make_copy.func(str(person.data_copies.get().pk))
    (folder / "log").write_text(f"Not Found: /x/{USERNAME}/\nmail to {EMAIL}\n{MARK} display said something\n")
    # Rows deleted before leave their bytes behind, too.
    Turn.objects.filter(owner=person).first().messages.all().delete()
    assert MARK.encode() in bytes_of_database()
    assert sum(1 for each in folder.rglob("*") if each.is_file()) == 3
    erase()
    everything = bytes_of_database() + b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
    assert [word for word in WORDS if word.encode() in everything] == []


def test_what_stays_is_figures_of_nobody(person):
    """A6: what models cost adds up afterwards as before."""
    erase()
    calls = ModelCall.objects.all()
    assert {(call.person_id, call.turn_id, call.reply, call.cost_usd) for call in calls} == {(None, None, "", 0.02)}
    assert {tuple(call.accounts) for call in calls} == {("class:4c", "site")}
    assert not calls.filter(status="open").exists()
    assert list(Run.objects.values_list("person_id", "turn_id")) == [(None, None)]
    assert AgentCall.objects.count() == 1


def test_nobody_else_loses_anything(person):
    teacher = Person.objects.get(username="grace2")
    before = list(teacher.conversations.values_list("pk", "title"))
    erase()
    assert before
    assert before == list(teacher.conversations.values_list("pk", "title"))
    assert [place.classroom.code for place in teacher.memberships.all()] == ["4c"]


def test_the_receipt_tells_how_much_went(person):
    said = erase()
    receipt = Erasure.objects.get()
    assert "messages 2\n" in said
    assert str(receipt.pk) in said
    assert (receipt.counts["messages"], receipt.subject, receipt.traces) == (2, None, [])
    assert receipt.finished_at


@pytest.mark.parametrize(
    ("arguments", "says"), [((USERNAME,), "--yes"), (("nobody", "--yes"), "There is no account nobody")]
)
def test_the_command_refuses_what_it_should(person, arguments, says):
    with pytest.raises(CommandError, match=says):
        call_command("erase_person", *arguments)
    assert Person.objects.filter(pk=person.pk, is_active=True).exists()


def test_the_page_erases_who_types_their_name(client, ada):
    client.force_login(ada)
    assert "whose run it was" in client.get(ERASE).content.decode()
    response = client.post(ERASE, {"username": "ada"})
    row = Erasure.objects.get()
    assert response["Location"] == f"/accounts/erased/{row.pk}/"
    # Closed at once, whatever the worker does.
    assert client.get("/accounts/profile/").status_code == 302
    assert "is being erased" in client.get(response["Location"]).content.decode()
    [job] = DBTaskResult.objects.ready()
    erasure.erase.func(*job.args_kwargs["args"])
    assert not Person.objects.exists()
    page = client.get(response["Location"]).content.decode()
    assert "Everything has been erased" in page
    assert "Your profile" in page
    assert not re.search(r"\bada\b", page.lower())


@pytest.mark.parametrize("typed", ["", "Ada", "ad", "eve", "ada\x00"])
def test_the_page_erases_nobody_by_mistake(client, ada, typed):
    client.force_login(ada)
    assert client.post(ERASE, {"username": typed}).status_code == 422
    assert Person.objects.filter(is_active=True).count() == 1
    assert not Erasure.objects.exists()


def test_a_closed_account_signs_in_by_nothing(client, person):
    """A7"""
    token = person.api_tokens.get()
    erasure.close_account(person)
    assert not type(token).objects.exists()
    assert not person.browser_sessions.exists()
    response = client.post("/accounts/sign-in/", {"username": USERNAME, "password": "four slow rivers"})
    assert response.status_code == 422


@pytest.mark.parametrize(
    "shift", [timedelta(hours=-1), timedelta(days=3)], ids=["long ago", "by a clock that was ahead"]
)
def test_an_erasure_that_breaks_off_is_gone_on_with(person, monkeypatch, shift):
    """F10: whatever step its worker died at."""
    monkeypatch.setattr(erasure, "blank_in_logs", _dies)
    row = erasure.close_account(person)
    with pytest.raises(KeyboardInterrupt):
        erasure.run_erasure(row)
    monkeypatch.undo()
    DBTaskResult.objects.all().delete()
    erasure.resume_erasures()
    assert not DBTaskResult.objects.exists()
    Erasure.objects.update(asked_at=timezone.now() + shift)
    erasure.resume_erasures()
    [job] = DBTaskResult.objects.all()
    erasure.erase.func(*job.args_kwargs["args"])
    receipt = Erasure.objects.get()
    assert (receipt.counts["messages"], bool(receipt.finished_at)) == (2, True)
    assert found_in(stored()) == []
    erasure.erase.func(str(receipt.pk))


def _dies(words):
    raise KeyboardInterrupt


async def test_a_turn_that_runs_meanwhile_stores_nothing_more(supervisor, says, ada, caplog):
    """A6: it ends by itself, quietly."""
    pause = Pause()
    says("One ", pause, f"{MARK}.")
    turn = await sync_to_async(begun)(ada)
    supervisor.claim(turn.pk)
    await pause.reached.wait()
    await sync_to_async(erase)("ada")
    pause.over.set()
    await supervisor.finished(turn.pk)
    assert not await Turn.objects.aexists()
    assert await sync_to_async(lambda: found_in(stored()))() == []
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's log")
def test_a_reader_in_the_way_leaves_the_erasure_open(ada):
    """G2: the receipt is not filled in before the last byte is gone."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    other = connection.copy()
    other.ensure_connection()
    with other.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
        cursor.execute("BEGIN")
        cursor.execute("SELECT count(*) FROM accounts_person")
        with pytest.raises(CommandError, match="Not finished"):
            erase("ada")
        assert Erasure.objects.get().finished_at is None
        cursor.execute("COMMIT")
    other.close()
    connection.close()
    erasure.run_erasure(Erasure.objects.get())
    assert Erasure.objects.get().finished_at


def test_words_in_the_log_become_stars_and_no_byte_moves(folder):
    """K1: others write on at its end meanwhile."""
    person = make_person("al", display_name="Zoë", email="al@mail.example")
    before = "also al, Zoë and zal al@mail.example\nal\n"
    (folder / "log").write_text(before)
    (folder / "log.1").write_text("al")
    with (folder / "log").open("a") as writer:
        blank_in_logs(identifying_words(person))
        writer.write("later\n")
    after = (folder / "log").read_text()
    assert after == "also **, **** and zal ***************\n**\nlater\n"
    assert len(after.encode()) == len(before.encode()) + len("later\n")
    assert (folder / "log.1").read_text() == "**"


def test_mail_of_others_stays(ada, ben, folder):
    for each in (ada, ben):
        Person.objects.filter(pk=each.pk).update(email=f"{each.username}@mail.example")
        each.refresh_from_db()
        send_mail(each, subject="x", text="y")
    assert len(list((folder / "mail").iterdir())) == 2
    erase("ada")
    [left] = (folder / "mail").iterdir()
    assert b"ben@mail.example" in left.read_bytes()


def test_logging_of_it_names_nobody(person, caplog):
    """K1"""
    caplog.set_level(logging.DEBUG)
    erase()
    assert not [record for record in caplog.records if USERNAME in record.getMessage() and "SELECT" not in record.msg]
