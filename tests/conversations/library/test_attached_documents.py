"""Documents that go with a message."""

import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from agents.wire.rejections import Rejection
from conversations.history.actions import TRASH_RETENTION, purge
from conversations.library import attached_documents, uploads
from conversations.models import Document, Session, Turn
from conversations.web.presentation import turn_views
from tests.conversations.conftest import connect, host, says, supervisor  # noqa: F401  # Fixtures.
from tests.conversations.library.conftest import files_in
from tests.conversations.sockets import Socket, token_of
from tests.conversations.turn_helpers import begun
from tests.learnagent.api.test_ninja_api import Caller

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


def ended(turn):
    Turn.objects.filter(pk=turn.pk).update(status="done")
    return turn


def shown_with(turn):
    [view] = turn_views(turn.owner, turns=[turn])
    return [document.name for document in view.attachments]


def test_stand_under_the_message_in_their_order(ada, put):
    second, first = put(ada, b"2", name="2.txt", in_library=False), put(ada, b"1", name="1.txt", in_library=False)
    turn = begun(ada, attachments=[first.pk, second.pk])
    assert shown_with(turn) == ["1.txt", "2.txt"]
    assert {*Document.objects.values_list("session", flat=True)} == {turn.session_id}


def test_of_the_library_stay_there(ada, put):
    document = put(ada)
    begun(ada, attachments=[document.pk])
    document.refresh_from_db()
    assert (document.session, document.in_library) == (None, True)


@pytest.mark.parametrize("of", ["eve's", "another conversation's", "nobody's"])
def test_must_be_ones_own_and_free(ada, eve, put, of):
    """A1: what is somebody else's looks like what is missing, and no turn begins."""
    document = put(eve if of == "eve's" else ada, in_library=False)
    if of == "another conversation's":
        Document.objects.update(session=Session.objects.create(owner=ada, key="other"))
    wanted = uuid.uuid4() if of == "nobody's" else document.pk
    with pytest.raises(Rejection) as caught:
        begun(ada, attachments=[wanted])
    assert (caught.value.status, caught.value.code, [*caught.value.fields]) == (422, "invalid_input", ["attachments"])
    assert not Turn.objects.exists()


@pytest.mark.parametrize(
    "ids", [["x"], ["1"], [str(uuid.uuid4())] * 2, [uuid.uuid4().hex], [str(uuid.uuid4()) for _ in range(6)]]
)
def test_are_five_at_most_each_by_its_id(ids):
    """B4"""
    with pytest.raises(Rejection) as caught:
        attached_documents.validate_ids(ids)
    assert [*caught.value.fields] == ["attachments"]


def test_other_ones_by_the_same_client_id_are_a_conflict(ada, put):
    """B6"""
    document = put(ada, in_library=False)
    turn = ended(begun(ada, client_id="one", attachments=[document.pk]))
    assert begun(ada, client_id="one", attachments=[document.pk]) == turn
    with pytest.raises(Rejection) as caught:
        begun(ada, client_id="one")
    assert caught.value.status == 409


def test_stay_with_a_message_that_is_said_anew(ada, put):
    turn = ended(begun(ada, attachments=[put(ada, in_library=False).pk]))
    anew = begun(ada, text="hello again", replaces=turn.pk)
    assert shown_with(anew) == shown_with(turn) == ["notes.md"]


def test_go_with_their_conversation_for_good(ada, put, folder, django_capture_on_commit_callbacks):
    """A6: text and files too; what was kept in the library stays."""
    gone, kept = put(ada, b"gone", in_library=False), put(ada, b"kept", in_library=False)
    turn = ended(begun(ada, attachments=[gone.pk, kept.pk]))
    kept.refresh_from_db()
    uploads.keep_in_library(kept)
    Session.objects.filter(pk=turn.session_id).update(deleted_at=timezone.now() - TRASH_RETENTION - timedelta(hours=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert purge() == 1
    assert Document.objects.get() == kept
    assert len(files_in(folder)) == 1


def test_kept_in_the_library_still_stand_under_the_message(ada, put):
    document = put(ada, in_library=False)
    turn = begun(ada, attachments=[document.pk])
    document.refresh_from_db()
    uploads.keep_in_library(document)
    assert shown_with(turn) == ["notes.md"]
    document.delete()
    assert shown_with(turn) == []


def test_kept_twice_is_one_in_the_library(ada, put):
    """The same file, attached to two conversations."""
    first = put(ada, in_library=False)
    Document.objects.update(session=Session.objects.create(owner=ada, key="s"))
    second = put(ada, in_library=False)
    assert uploads.keep_in_library(first) == uploads.keep_in_library(second) == first
    assert Document.objects.filter(in_library=True).count() == 1


@pytest.mark.django_db(transaction=True)
async def test_are_sent_by_api_and_by_socket(ada, connect):  # noqa: F811  # The fixture.
    """The fields of an answer (docs/reference/api.md)."""
    socket: Socket = await connect(ada)
    caller = Caller(await token_of(ada))
    ids = []
    for name in ("one.txt", "two.txt"):
        response = await caller.client.post(
            "/v2/attachments", {"file": SimpleUploadedFile(name, name.encode())}, headers=caller.headers
        )
        ids.append(response.json()["id"])
    await socket.say("look", attachments=ids[:1])
    await socket.until("turn_finished")
    said = await caller.say("look", attachments=ids[1:], session_id="by-api")
    assert said.status_code == 200
    await socket.say("look", attachments=ids[1:])
    assert (await socket.frame())["error"]["fields"].keys() == {"attachments"}
    assert [turn.payload async for turn in Turn.objects.order_by("created_at")] == [
        {"attachments": ids[:1]}, {"attachments": ids[1:]},
    ]  # fmt: skip
