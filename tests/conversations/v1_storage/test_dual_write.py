"""A finished turn is in both storages, or it is noted that one lacks it."""

import pytest

from conversations.history import actions
from conversations.models import Capture, Message, Session, StorageTask, Turn
from conversations.v1_storage.capture_search import search_captures
from conversations.v1_storage.divergence import measure_divergence, storage_divergence
from conversations.v1_storage.history import read_history
from conversations.v1_storage.modes import StorageMode
from conversations.v1_storage.reconciler import reconcile
from tests.conversations.turns.test_finish import end, taken
from tests.conversations.v1_storage.v1_helpers import imported, read_from, refusing, row, v1_file
from tests.tutoring.small_course import ask, choice

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture(params=["v1", "dual"])
def both(request, db):
    read_from(request.param)


@pytest.fixture
def mode(db):
    read_from("dual")
    return read_from


def finished(person, *, key="s", text="hello", **ending):
    turn = taken(person, key=key, text=text)
    assert end(turn, **ending)
    return turn


def shown(person, key="s", limit=20):
    return [(each.user_text, each.agent_text) for each in read_history(person, key, limit)]


def test_finished_turn_is_captured_with_it(ada, both):
    turn = finished(ada)
    capture = Capture.objects.get()
    assert (capture.owner, capture.session_id, capture.turn) == (ada, "s", turn)
    assert (capture.user_text, capture.agent_text, capture.timestamp) == ("hello", "One half.", turn.created_at)
    assert (storage_divergence(), StorageTask.objects.count()) == (0, 0)
    assert shown(ada) == [("hello", "One half.")]
    assert search_captures(ada, "half", limit=5) == [capture]


def test_nothing_is_captured_once_v2_alone_is_read(ada, mode):
    mode("v2")
    finished(ada)
    assert (Capture.objects.count(), storage_divergence(), shown(ada)) == (0, 0, [("hello", "One half.")])
    assert storage_divergence(StorageMode.DUAL) == 1


def test_a_failing_v1_store_costs_no_reply_and_is_repaired(ada, both):
    """R4"""
    with refusing("captures"):
        turn = finished(ada)
        assert Message.objects.filter(turn=turn).count() == 2
        assert StorageTask.objects.get().turn == turn
        assert measure_divergence().without_capture == 1
        assert reconcile().failed == 1
        assert StorageTask.objects.get().attempts == 2
    assert (reconcile().repaired, StorageTask.objects.count(), storage_divergence()) == (1, 0, 0)
    assert shown(ada) == [("hello", "One half.")]


def test_dual_read_shows_what_v2_lacks(ada, mode):
    """R5: empty"""
    finished(ada)
    finished(ada, text="second")
    Message.objects.all().delete()
    assert shown(ada) == [("hello", "One half."), ("second", "One half.")]
    assert storage_divergence() == 2
    mode("v2")
    assert shown(ada) == [("", ""), ("", "")]


def test_dual_read_shows_what_v2_has_only_in_part(ada, mode, tmp_path):
    """R5: partial"""
    imported(v1_file(tmp_path, row(1, "first"), row(2, "second"), row(3, "third")), ada)
    Capture.objects.filter(user_text="second").update(turn=None)
    Turn.objects.filter(number=2).delete()
    finished(ada, text="fourth")
    assert [said for said, _ in shown(ada)] == ["first", "third", "second", "fourth"]
    assert shown(ada, limit=2) == [("second", "Yes."), ("fourth", "One half.")]
    assert reconcile().repaired == 1
    assert {said for said, _ in shown(ada)} == {"first", "second", "third", "fourth"}
    assert storage_divergence() == 0


def test_dual_read_shows_v1s_words_where_v2s_are_stale(ada, mode):
    """R5: stale"""
    finished(ada)
    Message.objects.filter(author="team").update(text="")
    assert shown(ada) == [("hello", "One half.")]
    assert (measure_divergence().different, reconcile().repaired, storage_divergence()) == (1, 1, 0)
    assert Message.objects.get(author="team").text == "One half."


def test_dual_read_shows_what_v1_lacks(ada, mode):
    mode("v2")
    finished(ada)
    mode("dual")
    finished(ada, text="second")
    assert [said for said, _ in shown(ada)] == ["second", "hello"]
    assert (reconcile().repaired, storage_divergence()) == (1, 0)
    assert [said for said, _ in shown(ada)] == ["hello", "second"]


@pytest.mark.parametrize("lacking", ["messages", "turns", "nothing", "captures", "texts"])
def test_dual_read_never_shows_fewer_than_v1_has(ada, mode, tmp_path, lacking):
    """R5"""
    imported(v1_file(tmp_path, *(row(number, f"message {number}") for number in range(1, 8))), ada)
    finished(ada)
    mode("v1")
    in_v1 = shown(ada)
    match lacking:
        case "messages":
            Message.objects.filter(turn__number__lt=4).delete()
        case "turns":
            Capture.objects.filter(turn__number__lt=4).update(turn=None)
            Turn.objects.filter(number__lt=4).delete()
        case "captures":
            Capture.objects.filter(turn__number__lt=4).delete()
        case "texts":
            Message.objects.filter(turn__number__lt=4).update(text="")
    mode("dual")
    assert sorted({*in_v1} - {*shown(ada)}) == []
    assert (storage_divergence() > 0) == (lacking != "nothing")
    reconcile()
    assert storage_divergence() == 0
    assert len(shown(ada)) == len(in_v1) == 8


def test_after_a_rollback_of_the_release_v1_reads_everything_written_since(ada, mode, tmp_path):
    """R8: what was written while only v2's storage was read too, once the way back is taken."""
    imported(v1_file(tmp_path, row(1)), ada)
    finished(ada, text="while both were read")
    mode("v2")
    finished(ada, text="after the move")
    mode("dual")
    assert storage_divergence() == 1
    reconcile()
    assert storage_divergence() == 0
    mode("v1")
    assert [said for said, _ in shown(ada)] == ["Is a half more?", "while both were read", "after the move"]


def test_history_is_its_owners_alone(ada, eve, both):
    finished(ada)
    assert (shown(eve), search_captures(eve, "half", limit=5)) == ([], [])


def test_edited_and_deleted_messages_are_in_neither(ada, both):
    first, second = finished(ada), finished(ada, text="second")
    Turn.objects.filter(pk=first.pk).update(replaced_by=second)
    assert shown(ada) == [("second", "One half.")]
    actions.delete(Session.objects.get())
    assert (shown(ada), search_captures(ada, "half", limit=5), storage_divergence()) == ([], [], 0)


def test_purged_conversation_leaves_no_capture(ada, both):
    finished(ada)
    actions.delete(Session.objects.get())
    actions.delete_forever(ada, Session.with_deleted.get().pk)
    actions.purge()
    assert not Capture.objects.exists()


def test_texts_that_differ_are_as_they_were_shown(ada, mode, tmp_path):
    imported(v1_file(tmp_path, row(1)), ada)
    finished(ada)
    Message.objects.filter(author="team").update(text="changed")
    assert measure_divergence().different == 2
    reconcile()
    assert shown(ada) == [("Is a half more?", "Yes."), ("hello", "changed")]
    assert storage_divergence() == 0


def test_cards_are_captured_in_words(ada, mode):
    question = ask(ada, choice())
    card = {"kind": "question", "id": str(question.pk), "at": 5}
    message = Message.objects.create(
        session=question.session, turn=question.turn, author="team", text="Look.", cards=[card]
    )
    Turn.objects.filter(pk=question.turn.pk).update(status="done")
    assert reconcile().repaired == 1
    capture = Capture.objects.get()
    assert (capture.reply, capture.agent_text.startswith("Look.\n\n"), storage_divergence()) == ("Look.", True, 0)
    assert question.stem in capture.agent_text
    Message.objects.filter(pk=message.pk).update(text="Look here.")
    assert storage_divergence() == 1
