"""The board's snapshots: taken once, gone with a message, shown, deleted, and nobody else's."""

import json
import uuid
from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from agents.models import ModelCall
from agents.tools import ToolFailed, ToolUse
from agents.wire.rejections import Rejection
from conversations.board import snapshots
from conversations.models import Analysis, Event, Finding, Session, Snapshot
from conversations.tools.board import look_at_board
from conversations.turns import begin
from conversations.web.presentation import turn_views
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.db, pytest.mark.django_db]

EMPTY = b'{"items": []}'
TEXT = {"kind": "text", "x": 10.0, "y": 50.0}
LINE = {"kind": "line", "start": [10.0, 10.0], "end": [500.0, 10.0]}


def board(*items):
    return json.dumps({"items": items or [LINE]}).encode()


@pytest.fixture
def session(host, ada):
    return Session.objects.create(owner=ada, key="s")


def post(client, session, content):
    address = reverse("board", args=[session.key])
    return client.post(address, content, content_type="application/json")


class TestTaking:
    def test_is_kept_with_what_geometry_reads(self, client, ada, session):
        client.force_login(ada)
        answer = post(client, session, board())
        snapshot = Snapshot.objects.get()
        assert (answer.status_code, answer.json()["id"]) == (201, str(snapshot.pk))
        assert answer.json()["reading"]["description"] == snapshot.reading["description"] != ""

    def test_the_same_drawing_is_taken_once(self, session):
        assert snapshots.take(session, board()) == snapshots.take(session, board())

    def test_nothing_is_kept_of_an_empty_board(self, client, ada, session):
        client.force_login(ada)
        answer = post(client, session, EMPTY)
        assert (answer.status_code, answer.json()["id"], Snapshot.objects.count()) == (200, None, 0)

    @pytest.mark.parametrize(
        ("content", "status"),
        [
            *((damaged, 400) for damaged in (b"", b"[]", b"{", b'{"items": [{"kind": "pen"}]}', b"\xff")),
            *((full, 413) for full in (b"1" * 1_000_001, board(*[LINE] * 601))),
        ],
    )
    def test_what_is_no_board_gets_a_clear_error(self, client, ada, session, content, status):
        """U1: the lesson goes on, and the page can say why the drawing was not looked at."""
        client.force_login(ada)
        answer = post(client, session, content)
        assert answer.status_code == status
        assert answer.json()["error"]["message"]
        assert answer.json()["error"]["ref"] == answer.wsgi_request.ref
        assert not Snapshot.objects.exists()

    def test_drawings_that_went_with_no_message_are_let_go(self, session):
        for end in range(snapshots.UNSPOKEN + 3):
            snapshots.take(session, board(LINE | {"end": [100.0 + end, 20.0]}))
        session.snapshots.update(created_at=F("created_at") - timedelta(minutes=2))
        latest = snapshots.take(session, board())
        assert session.snapshots.count() == snapshots.UNSPOKEN
        assert latest in session.snapshots.all()

    def test_an_emptied_board_is_kept_as_empty_and_what_was_on_it_comes_back(self, session):
        first = snapshots.take(session, board())
        assert (snapshots.take(session, EMPTY), snapshots.latest_of(session)) == (None, None)
        assert (snapshots.take(session, EMPTY), session.snapshots.count()) == (None, 2)
        again = snapshots.take(session, board())
        assert again != first
        assert snapshots.latest_of(session) == again

    def test_a_flood_is_held_back(self, session, monkeypatch):
        monkeypatch.setattr(snapshots, "A_MINUTE", most := snapshots.UNSPOKEN + 2)
        for end in range(most):
            snapshots.take(session, board(LINE | {"end": [100.0 + end, 20.0]}))
        with pytest.raises(Rejection) as refused:
            snapshots.take(session, board(LINE, LINE))
        assert refused.value.status == 429

    def test_drawings_of_a_clock_that_was_ahead_do_not_count(self, session, monkeypatch):
        """G11"""
        monkeypatch.setattr(snapshots, "A_MINUTE", 1)
        snapshots.take(session, board(LINE))
        session.snapshots.update(created_at=timezone.now() + timedelta(days=3))
        assert snapshots.take(session, board(LINE, LINE))


class TestMessage:
    def test_it_goes_with_its_message_and_stands_under_it(self, ada, session):
        taken = snapshots.take(session, board())
        turn = begun(ada, board=taken.pk)
        (view,) = turn_views(ada, turns=[turn])
        assert view.shot["url"] == reverse("drawing", args=["s", taken.pk])
        assert snapshots.drawing_of(turn) == taken

    def test_the_same_drawing_goes_with_a_second_message_and_stands_under_the_first(self, ada, session):
        taken = snapshots.take(session, board())
        first = begun(ada, board=taken.pk)
        first.status = "done"
        first.save()
        second = begun(ada, board=taken.pk)
        assert snapshots.drawings_of([first, second]) == {first.pk: taken}
        assert snapshots.drawing_of(second) == taken

    def test_it_stays_with_a_message_said_anew(self, ada, session):
        taken = snapshots.take(session, board())
        first = begun(ada, board=taken.pk)
        type(first).objects.filter(pk=first.pk).update(status="done")
        again = begun(ada, text="or this?", replaces=first.pk)
        first.refresh_from_db()
        assert snapshots.drawings_of([first, again]) == {first.pk: taken, again.pk: taken}

    @pytest.mark.parametrize("other", [lambda ben: uuid.uuid4(), lambda ben: theirs(ben)])
    def test_anothers_drawing_goes_with_nothing(self, ada, ben, session, other):
        with pytest.raises(Rejection) as refused:
            begin.begin_turn(owner=ada, session_key="s", text="look", board=other(ben))
        assert refused.value.status == 422


def theirs(ben):
    return snapshots.take(Session.objects.create(owner=ben, key="s"), board()).pk


class TestLooking:
    @staticmethod
    def look(turn):
        return look_at_board(
            ToolUse(turn_id=turn.pk, person_id=turn.owner_id, agent="tutor", number=1, tool=snapshots.LOOK_TOOL)
        )

    def test_the_tool_sees_what_goes_with_the_turn_or_what_was_drawn_last(self, ada, session):
        gone_with = snapshots.take(session, board())
        turn = begun(ada, board=gone_with.pk)
        latest = snapshots.take(session, board(LINE, LINE))
        assert self.look(turn).drawing == str(gone_with.pk)
        turn.payload = {}
        turn.save()
        assert self.look(turn).drawing == str(latest.pk)

    def test_what_was_wiped_off_is_not_seen_any_more(self, ada, session):
        snapshots.take(session, board())
        turn = begun(ada)
        assert self.look(turn).drawing
        snapshots.take(session, EMPTY)
        with pytest.raises(ToolFailed, match="The board is empty"):
            self.look(turn)

    def test_what_comes_before_all_teaching_is_shown_to_no_model(self, ada, session):
        """P5: written on a drawing that was not spoken of yet, or that nobody else looks at."""
        snapshots.take(session, board(LINE, TEXT | {"text": "keep this to yourself"}))
        with pytest.raises(ToolFailed, match="The board is empty"):
            self.look(begun(ada))


class TestDeleting:
    def test_the_picture_goes_and_what_was_seen_in_it(self, client, ada, session):
        taken = snapshots.take(session, board())
        turn = begun(ada, board=taken.pk)
        Analysis.objects.create(session=session, person=ada, snapshot=taken, agent="vision", key="k")
        Finding.objects.create(
            session=session, turn=turn, agent="vision", kind="vision", words="x", content={"snapshot": str(taken.pk)}
        )
        client.force_login(ada)
        answer = client.post(reverse("delete-drawing", args=["s", taken.pk]), headers={"HX-Request": "true"})
        taken.refresh_from_db()
        assert "You deleted this drawing." in answer.text
        assert (taken.board, taken.reading) == ({}, {})
        assert not Analysis.objects.exists()
        assert not Finding.objects.exists()
        assert client.get(taken.get_absolute_url()).status_code == 404
        assert snapshots.drawing_of(turn) is None

    @pytest.mark.parametrize("is_its_own", [True, False])
    def test_the_story_of_its_turns_says_no_more_what_was_on_it(self, ada, session, is_its_own):
        """A turn with no drawing of its own may have looked at this one."""
        taken = snapshots.take(session, board())
        turn = begun(ada, **({"board": taken.pk} if is_its_own else {}))
        told = (
            {"type": "finding", "kind": "vision", "words": "a secret", "content": {"snapshot": str(taken.pk)}},
            {"type": "tool_returned", "tool": "look_at_board", "summary": "a secret"},
            {"type": "tool_returned", "tool": "library", "summary": "a page"},
        )
        for seq, body in enumerate(told, start=100):
            Event.objects.create(turn=turn, seq=seq, type=body["type"], body=body | {"seq": seq})
        ModelCall.objects.create(person=ada, turn_id=turn.pk, agent="vision", backend="x", model="x", reply="a secret")
        snapshots.delete(taken)
        assert ModelCall.objects.get().reply == ""
        left = [event.body for event in Event.objects.filter(turn=turn, seq__gte=100).order_by("seq")]
        assert [body["seq"] for body in left] == [100, 101, 102]
        assert "secret" not in str(left[0 if is_its_own else 1 :])
        assert left[2]["summary"] == "a page"

    def test_a_picture_is_drawn_anew_from_its_strokes(self, client, ada, session):
        taken = snapshots.take(session, board())
        client.force_login(ada)
        answer = client.get(taken.get_absolute_url())
        assert answer.content.startswith(b"\x89PNG")
        assert answer["X-Content-Type-Options"] == "nosniff"
