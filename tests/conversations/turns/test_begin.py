"""A message is accepted whole or not at all, and once."""

import uuid

import pytest

from agents.wire.rejections import Rejection
from conversations import validators
from conversations.models import Message, Session, Turn
from conversations.processes.identity import PROCESS
from conversations.turns import begin, leases
from tests.conversations.turn_helpers import begun, bodies, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


def refusal(owner, **options):
    with pytest.raises(Rejection) as caught:
        begun(owner, **options)
    return caught.value.status, caught.value.code


def over(turn):
    Turn.objects.filter(pk=turn.pk).update(status="done")


def test_message_turn_and_first_event_are_stored_together(ada):
    turn = begun(ada, text="What is a half?", client_id="c1")
    assert Message.objects.get(turn=turn).text == "What is a half?"
    (started,) = bodies(turn.pk)
    assert started.items() >= {"seq": 1, "type": "turn_started", "session_id": "s", "client_id": "c1"}.items()


def test_turn_is_leased_as_it_begins(ada):
    turn = begun(ada)
    turn.refresh_from_db()
    assert (turn.status, turn.lease_owner, turn.attempt) == ("queued", PROCESS, 0)
    assert not Turn.objects.all().orphaned().exists()


def test_message_with_a_file_that_is_not_there_leaves_nothing_behind(ada):
    """It is refused after its session was begun."""
    assert refusal(ada, attachments=[uuid.uuid4()]) == (422, "invalid_input")
    assert not Session.objects.exists()
    assert not Turn.objects.exists()


def test_message_is_stored_before_anybody_reads_it(ada, host, monkeypatch):
    for step in ("read", "apply", "prepare"):
        monkeypatch.setattr(host, step, lambda *args: pytest.fail("the host was asked"))
    turn = begun(ada)
    turn.refresh_from_db()
    assert (turn.analysis, turn.decision) == (None, None)


class TestClientId:
    def test_same_message_again_is_the_same_turn(self, ada):
        """B6"""
        first = begun(ada, client_id="c1")
        again = begin.begin_turn(owner=ada, session_key="s", text="hello", client_id="c1")
        assert (again.turn, again.created) == (first, False)
        assert Message.objects.count() == 1

    def test_same_message_again_is_the_same_turn_after_it_ended(self, ada):
        """B6"""
        first = begun(ada, client_id="c1")
        over(first)
        assert begun(ada, client_id="c1") == first

    @pytest.mark.parametrize("change", [{"text": "other"}, {"key": "other"}, {"payload": {"a": 1}}])
    def test_another_body_is_a_conflict(self, ada, change):
        """B6"""
        over(begun(ada, client_id="c1"))
        assert refusal(ada, client_id="c1", **change) == (409, "conflict")

    def test_message_to_a_conversation_deleted_since_is_not_found(self, ada):
        over(begun(ada, client_id="c1"))
        Session.objects.update(deleted_at="2026-01-01T00:00:00Z")
        assert refusal(ada, client_id="c1") == (404, "not_found")

    def test_another_person_has_a_turn_of_their_own(self, ada, eve):
        """B6"""
        hers, eves = begun(ada, client_id="c1"), begun(eve, client_id="c1")
        assert hers.session != eves.session
        assert (hers.owner, eves.owner) == (ada, eve)

    @pytest.mark.parametrize("client_id", ["", "x" * 65, "a\nb", "é", "\x00", 7, None])
    def test_unfit_one_is_refused(self, client_id):
        with pytest.raises(Rejection) as caught:
            validators.validate_client_id(client_id)
        assert (caught.value.status, [*caught.value.fields]) == (422, ["client_id"])

    def test_longest_fits(self):
        assert validators.validate_client_id("x" * 64) == "x" * 64


def test_key_of_a_deleted_conversation_begins_a_new_one(ada):
    first = begun(ada)
    over(first)
    Session.objects.update(deleted_at="2026-01-01T00:00:00Z")
    second = begun(ada)
    assert second.session_id != first.session_id
    over(second)
    assert begun(ada).session_id == second.session_id


class TestLimits:
    def test_session_has_one_open_turn(self, ada):
        begun(ada)
        assert refusal(ada) == (409, "turn_in_progress")

    def test_person_may_have_two_turns_at_once_but_no_third(self, ada, eve):
        """L1"""
        begun(ada, key="a"), begun(ada, key="b")
        with pytest.raises(Rejection) as caught:
            begun(ada, key="c")
        assert (caught.value.status, caught.value.retry_after_s) == (429, 5)
        assert begun(eve, key="c")

    def test_a_turn_that_ended_makes_room(self, ada):
        over(begun(ada, key="a")), begun(ada, key="b")
        assert begun(ada, key="a").number == 2

    def test_one_message_more_than_a_minute_allows_is_refused(self, ada, settings):
        """L1"""
        settings.AGENTS = {"turns_per_minute": 2}
        over(begun(ada)), over(begun(ada))
        assert refusal(ada) == (429, "rate_limited")

    def test_cards_do_not_count_as_messages(self, ada, settings):
        settings.AGENTS = {"turns_per_minute": 1}
        over(begun(ada, kind="answer")), over(begun(ada)), over(begun(ada, kind="answer"))
        assert refusal(ada) == (429, "rate_limited")

    def test_limit_of_zero_is_none(self, ada, settings):
        settings.AGENTS = {"turns_per_minute": 0}
        for _ in range(40):
            over(begun(ada))

    def test_refused_message_leaves_nothing_behind(self, ada):
        begun(ada)
        refusal(ada)
        assert (Message.objects.count(), Turn.objects.count()) == (1, 1)

    def test_refused_message_leaves_no_empty_conversation(self, ada):
        begun(ada, key="a"), begun(ada, key="b")
        refusal(ada, key="c")
        assert not Session.objects.filter(key="c").exists()


class TestOrder:
    def test_turns_are_numbered_whatever_the_clock_says(self, ada):
        """G11"""
        first = begun(ada)
        orphaned(first, status="done", created_at="2099-01-01T00:00:00Z")
        second = begun(ada)
        orphaned(second, status="done", created_at="1999-01-01T00:00:00Z")
        third = begun(ada)
        assert [first.number, second.number, third.number] == [1, 2, 3]

    def test_lease_goes_by_the_databases_clock(self, ada, monkeypatch):
        """G11"""
        monkeypatch.setattr("django.utils.timezone.now", lambda: pytest.fail("the process's clock was asked"))
        turn = Turn(session=Session(owner=ada), owner=ada)
        leases.renew_leases([turn.pk])


class TestTitle:
    def test_first_message_names_the_conversation(self, ada):
        over(begun(ada, text="What is\n a half?"))
        assert begun(ada, text="And then?").session.title == "What is a half?"

    def test_long_message_is_cut_at_a_word(self):
        title = begin.title_from("word " * 40)
        assert len(title) <= 60
        assert title.endswith("word…")

    def test_opened_lesson_is_not_named_by_no_words(self, ada):
        turn = begun(ada, text="", kind="open")
        assert turn.session.title == ""
        assert not turn.messages.exists()


STEPS = ("..", ".", "x/../y", "../..", "a/.")
"""What browsers and proxies take out of an address."""


class TestText:
    @pytest.mark.parametrize(
        "text",
        [
            "x" * 10_000,
            "🥧" * 10_000,
            "\u202eflah a",
            "e" + "\u0301" * 5_000,
            "  kept as typed\r\n\t ",
            "\u2400\ufffd\ufeff\u0001",
        ],
    )
    def test_is_stored_as_it_was_typed(self, ada, text):
        """B1"""
        turn = begun(ada, text=validators.validate_text(text))
        assert Message.objects.get(turn=turn).text == text

    @pytest.mark.parametrize("character", ["x", "🥧"])
    def test_one_character_too_many_is_refused_with_the_limit_named(self, character):
        """B1"""
        with pytest.raises(Rejection, match="10000") as caught:
            validators.validate_text(character * 10_001)
        assert (caught.value.status, caught.value.code) == (413, "too_large")

    @pytest.mark.parametrize("text", ["", "   ", "\n\t\u3000", "a\x00b", "\ud800", "a\udfffb", None, 7, ["a"]])
    def test_what_is_no_text_is_refused(self, text):
        """B1"""
        with pytest.raises(Rejection) as caught:
            validators.validate_text(text)
        assert (caught.value.status, [*caught.value.fields]) == (422, ["text"])

    @pytest.mark.parametrize("key", ["", " ", "x" * 129, "\x00", "\ud800", "a\nb", "a\u2028b", 7, None, *STEPS])
    def test_unfit_session_id_is_refused(self, key):
        with pytest.raises(Rejection) as caught:
            validators.validate_session_key(key)
        assert [*caught.value.fields] == ["session_id"]

    @pytest.mark.parametrize("key", ["x" * 128, "a/b", "a..b", "...", "a/.b", "🥧", "%2F"])
    def test_any_other_session_id_is_kept(self, ada, key):
        session = begun(ada, key=validators.validate_session_key(key)).session
        assert session.key == key
        assert session.get_absolute_url()
