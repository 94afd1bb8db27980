"""Naming, pinning, putting away and deleting whole conversations, and what becomes of deleted ones."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.http import Http404
from django.test import AsyncClient
from django.utils import timezone

from agents.models import ModelCall
from conversations.history import actions
from conversations.models import Analysis, Event, Feedback, Finding, Message, Session, Snapshot, Turn
from conversations.web.request_lookup import own_session
from conversations.web.views import history as history_views
from tests.conversations.turn_helpers import Pause, begun
from tests.conversations.web.test_pages import said
from tests.tutoring.small_course import ask
from tutoring.models import Question

pytestmark = [pytest.mark.django_db, pytest.mark.db, pytest.mark.usefixtures("host")]


@pytest.fixture
def reader(client, ada):
    client.force_login(ada)
    return client


def trashed(person, *, days=0, key="s"):
    said(person, f"hello {key}", key=key)
    session = Session.objects.get(key=key)
    actions.delete(session)
    Session.with_deleted.filter(pk=session.pk).update(deleted_at=timezone.now() - timedelta(days=days))
    return session


class TestNaming:
    def test_is_kept_and_leaves_its_place_in_the_list(self, reader, ada):
        said(ada, "hello")
        before = Session.objects.get().updated_at
        assert reader.post("/c/s/rename/", {"title": "  My  halves "}).status_code == 302
        session = Session.objects.get()
        assert (session.title, session.updated_at) == ("My halves", before)

    @pytest.mark.parametrize("title", ["", "  ", "x" * 201, "a\x00b"])
    def test_with_what_is_no_name_says_so_and_keeps_the_old_one(self, reader, ada, title):
        """B1"""
        said(ada, "hello")
        assert (
            "A name must be 1 to 200 characters long."
            in reader.post("/c/s/rename/", {"title": title}, follow=True).text
        )
        assert Session.objects.get().title == "hello"

    def test_is_not_undone_by_the_next_message(self, reader, ada):
        said(ada, "hello")
        reader.post("/c/s/rename/", {"title": "Mine"})
        said(ada, "and now")
        assert Session.objects.get().title == "Mine"


def test_pinned_ones_come_first_and_archived_ones_stand_apart(reader, ada):
    for key in ("old", "middle", "new"):
        said(ada, f"words {key}", key=key)
    reader.post("/c/old/pin/", {"on": "yes"})
    reader.post("/c/middle/archive/", {"on": "yes"})
    page = reader.get("/c/").text.partition("<main")[2]
    assert page.index("Pinned") < page.index("words old") < page.index("words new")
    assert "words middle" not in page
    assert "words middle" in reader.get("/c/?show=archived").text
    reader.post("/c/old/pin/", {"on": "no"})
    reader.post("/c/middle/archive/", {"on": "no"})
    assert not Session.objects.filter(pinned=True).exists()
    assert "words middle" in reader.get("/c/").text


class TestDeleting:
    def test_hides_it_everywhere(self, reader, ada):
        """A1"""
        turn = said(ada, "hello", key="lesson")
        question = ask(ada)
        assert reader.post("/c/lesson/delete/").status_code == 302
        for path in ("/c/lesson/", "/c/lesson/before/9/", "/c/lesson/from/1/", "/v2/sessions/lesson/turns"):
            assert reader.get(path).status_code == 404, path
        for path in (f"/v2/turns/{turn.pk}", f"/v2/turns/{turn.pk}/events"):
            assert reader.get(path).status_code == 404, path
        assert reader.post(f"/learn/answers/{question.pk}", {"answer": "1", "action": "check"}).status_code == 404
        assert reader.get("/v2/sessions").json() == []
        assert "hello" not in reader.get("/").text
        with pytest.raises(Http404):
            own_session(SimpleNamespace(user=ada), "lesson")

    def test_can_be_undone_from_the_list(self, reader, ada):
        said(ada, "hello")
        page = reader.post("/c/s/delete/", follow=True).text
        deleted = Session.with_deleted.get()
        assert f"/c/trash/{deleted.pk}/bring-back/" in page
        answer = reader.post(f"/c/trash/{deleted.pk}/bring-back/")
        assert answer["Location"] == "/c/s/"
        assert "hello" in reader.get("/c/s/").text

    def test_frees_its_key(self, reader, ada):
        first = trashed(ada)
        said(ada, "a new beginning")
        answer = reader.post(f"/c/trash/{first.pk}/bring-back/")
        assert "hello s" in reader.get(answer["Location"]).text
        assert "a new beginning" in reader.get("/c/s/").text

    def test_is_ones_own(self, reader, ada, eve):
        """A1"""
        theirs = trashed(eve)
        for press in ("bring-back", "give-up"):
            assert reader.post(f"/c/trash/{theirs.pk}/{press}/").status_code == 404
        assert "hello s" not in reader.get("/c/?show=trash").text

    def test_asks_an_unfinished_turn_to_stop(self, ada):
        turn = begun(ada)
        assert actions.delete(turn.session) == [turn.pk]
        turn.refresh_from_db()
        assert turn.stop_requested


class TestTrash:
    def test_shows_what_is_in_it_and_for_how_long(self, reader, ada):
        trashed(ada, days=5)
        page = reader.get("/c/?show=trash").text
        assert "hello s" in page
        assert "kept for 2 more days" in page

    def test_keeps_nothing_after_seven_days(self, reader, ada):
        session = trashed(ada, days=7)
        assert "hello s" not in reader.get("/c/?show=trash").text
        assert reader.post(f"/c/trash/{session.pk}/bring-back/").status_code == 404

    def test_lets_go_at_once_where_one_wishes(self, reader, ada):
        session = trashed(ada)
        reader.post(f"/c/trash/{session.pk}/give-up/")
        assert reader.post(f"/c/trash/{session.pk}/bring-back/").status_code == 404
        assert actions.purge() == 1

    def test_purge_leaves_no_word(self, ada, eve, monkeypatch):
        """A6"""
        monkeypatch.setattr(actions, "TURNS_AT_ONCE", 1)
        said(ada, "one more", key="gone")
        session = trashed(ada, days=8, key="gone")
        turn = session.turns.first()
        Finding.objects.create(session=session, turn=turn, agent="tutor", kind="x", words="noticed")
        Feedback.objects.create(turn=turn, person=ada, verdict="up")
        ModelCall.objects.create(turn_id=turn.pk, agent="tutor", backend="x", model="m", asked={"a": "b"}, reply="said")
        said(eve, "mine stays")
        recent = trashed(ada, key="recent")
        assert actions.purge() == 1
        assert [*Message.objects.filter(author="learner").values_list("text", flat=True)] == [
            "mine stays",
            "hello recent",
        ]
        assert not Finding.objects.exists()
        assert not Feedback.objects.exists()
        assert not Event.objects.exclude(turn__owner=eve).exclude(turn__session=recent).exists()
        assert not Session.with_deleted.filter(pk=session.pk).exists()
        assert [*ModelCall.objects.values_list("asked", "reply")] == [({}, "")]
        assert actions.purge() == 0

    def test_purge_leaves_the_answers_a_mastery_rests_on(self, ada):
        question = ask(ada)
        unspoken = Snapshot.objects.create(session=Session.objects.get(), board={"items": ["a drawing"]})
        Analysis.objects.create(session=unspoken.session, person=ada, snapshot=unspoken, agent="vision", key="k")
        Session.objects.update(deleted_at=timezone.now() - timedelta(days=8), title="private")
        assert actions.purge() == 1
        assert Question.objects.filter(pk=question.pk).exists()
        session = Session.with_deleted.get()
        assert (session.key, session.title, session.state) == ("", "", {})
        left = (Turn, Snapshot, Analysis)
        assert not any(each.objects.filter(session=session).exists() for each in left)
        assert actions.purge() == 0


@pytest.mark.django_db(transaction=True)
async def test_deleting_stops_what_runs_and_closes_the_sockets(connect, supervisor, says, ada, monkeypatch):
    """A7"""
    monkeypatch.setattr(history_views, "supervisor", supervisor)
    pause = Pause()
    says("One ", pause, "half.")
    socket = await connect(ada)
    await socket.send({"type": "message", "text": "hello"})
    await pause.reached.wait()
    turn = await Turn.objects.aget()
    browser = AsyncClient()
    await sync_to_async(browser.force_login)(ada)
    assert (await browser.post("/c/s/delete/")).status_code == 302
    await supervisor.finished(turn.pk)
    await turn.arefresh_from_db()
    assert turn.status == "stopped"
    await socket.until("error")
    assert await socket.closed() == 4404
