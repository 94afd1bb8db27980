"""A forgotten password, and the mail that leads to another."""

import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django_tasks_db.models import DBTaskResult

from learnagent.accounts.authentication import password_resets
from learnagent.accounts.authentication.password_resets import (
    RESET_MAILS,
    RESETS,
    person_for_reset,
    reset_address,
    send_reset_mails,
    use_reset,
)
from learnagent.accounts.models import BrowserSession, Person
from learnagent.configuration.email_url import parse_mailer
from tests.page_text import without_csrf
from tests.people import PASSWORD, make_ben, make_person

pytestmark = pytest.mark.django_db
FORGOTTEN, NEW, MAIL = "/accounts/forgotten/", "four slow rivers", "ben@mail.example"


@pytest.fixture
def ben(db):
    return make_ben(password=PASSWORD, email=MAIL)


def ask(client, who="ben"):
    """Ask for a link, and let the worker send what was ordered. Return the answer."""
    response = client.post(FORGOTTEN, {"who": who})
    for job in DBTaskResult.objects.ready():
        send_reset_mails.func(*job.args_kwargs["args"])
        job.delete()
    return response


def path_in(letter):
    return re.search(r"https?://[^/]+(/accounts/reset/\S+)", letter.body)[1]


def set_password(client, path, new=NEW):
    return client.post(path, {"password": new, "again": new})


@pytest.mark.parametrize("who", ["ben", MAIL, "Ben@Mail.Example", " ben "])
def test_a_link_comes_to_the_accounts_address_and_sets_a_password(client, ben, who, settings):
    settings.PUBLIC_URL = "https://learn.example"
    ask(client, who)
    [letter] = mail.outbox
    assert letter.to == [MAIL]
    assert "https://learn.example/accounts/reset/" in letter.body
    path = path_in(letter)
    assert client.get(path).status_code == 200
    assert set_password(client, path).status_code == 302
    ben.refresh_from_db()
    assert ben.check_password(NEW)
    assert client.session["_auth_user_id"] == str(ben.pk)


def test_known_and_unknown_get_the_same_answer_and_cost_the_same_job(client, ben):
    """W2: who has an account cannot be found out."""
    make_person("carl", password=PASSWORD)
    client.get(FORGOTTEN)
    answers, jobs = [], []
    for who in ("ben", "nobody", "carl", "nobody@mail.example", "%", "benx"):
        answers.append(without_csrf(client.post(FORGOTTEN, {"who": who})))
        jobs.append(DBTaskResult.objects.count())
    assert len(set(answers)) == 1
    assert jobs == [1, 2, 3, 4, 5, 6]
    assert [job.args_kwargs["args"] for job in DBTaskResult.objects.order_by("enqueued_at")] == [[[ben.pk]]] + [
        [[]]
    ] * 5


def test_a_link_works_once(client, ben):
    ask(client)
    path = path_in(mail.outbox[0])
    set_password(client, path)
    stranger = Client()
    assert set_password(stranger, path, "other slow rivers").status_code == 404
    assert Person.objects.get().check_password(NEW)
    assert "_auth_user_id" not in stranger.session


def test_two_who_press_at_once_set_one_password(client, ben):
    raw = reset_address(ben).rstrip("/").rpartition("/")[2]
    assert use_reset(raw, NEW) == ben
    assert use_reset(raw, "other slow rivers") is None


def test_a_link_works_for_an_hour(client, ben, monkeypatch):
    path = path_in(type("Letter", (), {"body": reset_address(ben)}))
    for minutes, status in ((59, 200), (61, 404)):
        later = datetime.now() + timedelta(minutes=minutes)
        monkeypatch.setattr(password_resets.tokens, "_now", lambda later=later: later)
        assert client.get(path).status_code == status


@pytest.mark.parametrize("change", [{"email": "other@mail.example"}, {"is_active": False}])
def test_a_link_ends_with_what_it_rests_on(client, ben, change):
    path = path_in(type("Letter", (), {"body": reset_address(ben)}))
    Person.objects.update(**change)
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("raw", ["x", "1", "1.", ".x", "1.x-y", "-1.x", "١.x", "9" * 30 + ".x", "1.2.3", "0.a-b"])
def test_made_up_links_lead_nowhere(client, ben, raw):
    """B5"""
    assert client.get(f"/accounts/reset/{raw}/").status_code == 404


def test_a_new_password_signs_out_whoever_was_signed_in(client, ben):
    thief = Client()
    thief.force_login(ben)
    # As of a later login the first link would be dead.
    ask(client)
    set_password(client, path_in(mail.outbox[0]))
    assert thief.get("/accounts/profile/").status_code == 302
    assert BrowserSession.objects.filter(person=ben).count() == 1


def test_a_password_that_will_not_do_leaves_the_link_as_it_is(client, ben):
    ask(client)
    path = path_in(mail.outbox[0])
    assert set_password(client, path, "ab").status_code == 422
    assert set_password(client, path, "x" * 100_000).status_code == 400
    assert set_password(client, path).status_code == 302


def test_asking_is_throttled_and_says_so(client, ben):
    """W2"""
    for _ in range(RESETS.limit):
        assert ask(client, "nobody").status_code == 200
    response = ask(client, "nobody")
    assert (response.status_code, response["Retry-After"]) == (429, str(RESETS.window_s))


def test_nobody_is_flooded_with_mail(client, ben):
    """W2: not from many addresses either, and whoever asks does not learn of it."""
    answers = {ask(Client(REMOTE_ADDR=f"10.0.0.{n}")).status_code for n in range(RESET_MAILS.limit + 2)}
    assert answers == {200}
    assert len(mail.outbox) == RESET_MAILS.limit


def test_who_shares_an_address_gets_a_link_each(client, ben):
    make_person("ada", age_band="child", email=MAIL)
    ask(client, MAIL)
    assert sorted(re.search(r"account (\w+)\.", letter.body)[1] for letter in mail.outbox) == ["ada", "ben"]


def test_who_came_by_a_link_sets_a_first_password(client):
    eve = make_person("eve", email=MAIL)
    ask(client, "eve")
    set_password(client, path_in(mail.outbox[0]))
    eve.refresh_from_db()
    assert eve.check_password(NEW)


def test_a_mail_that_is_not_taken_is_tried_again_and_named_nowhere(ben, monkeypatch, caplog):
    """K1: a mail server's words hold the address."""

    def refuse(*args, **kwargs):
        raise ConnectionRefusedError(f"no {MAIL} here")

    monkeypatch.setattr(password_resets, "send_mail", refuse)
    for tries in (1, 2, 3):
        send_reset_mails.func([ben.pk], tries)
    waiting = DBTaskResult.objects.filter(run_after__gt=ben.created_at)
    assert sorted(job.args_kwargs["args"][1] for job in waiting) == [2, 3]
    assert MAIL not in caplog.text


def test_a_letter_says_whose_it_is_and_nothing_a_stranger_wrote(client):
    """X1: a display name is a stranger's word in somebody's mail."""
    make_person("eve", email=MAIL, display_name="Click http://evil.example now")
    ask(client, "eve")
    letter = mail.outbox[0]
    assert "evil.example" not in letter.subject + letter.body
    assert letter.content_subtype == "plain"


def test_in_a_file_the_address_stands_whole(ben, settings, tmp_path):
    """Whoever reads the file sees the mail as it is, not as a mail program shows it."""
    settings.MAILERS = {"default": parse_mailer("", folder=tmp_path / "mail")}
    send_reset_mails.func([ben.pk])
    send_reset_mails.func([ben.pk])
    letters = [path.read_text() for path in (tmp_path / "mail").iterdir()]
    assert len(letters) == 2
    for letter in letters:
        [address] = [line for line in letter.splitlines() if "/accounts/reset/" in line]
        assert person_for_reset(address.rstrip("/").rpartition("/")[2]) == ben


def test_what_cannot_be_stored_is_refused(client, db):
    """B1"""
    for who in ("", "x" * 255, "a\x00b"):
        assert client.post(FORGOTTEN, {"who": who}).status_code == 422
