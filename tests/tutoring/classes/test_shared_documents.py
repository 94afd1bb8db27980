"""One document all the way: read by whom it is shared with, there for nobody else, and after its deletion for nobody."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.wire.rejections import Rejection
from conversations.history import exports
from conversations.library import folders, uploads
from conversations.models import Document, Passage, Turn
from tests import people
from tests.conversations.search.passage_helpers import found, index_document
from tests.conversations.turn_helpers import begun
from tests.tutoring.lessons.lesson_player import StageWithTools, counted_turns
from tests.tutoring.roles.explanation.test_lookup_answers import ASKED, BOOK, QUOTE
from tutoring.classes.membership import join_class, make_class

pytestmark = [pytest.mark.django_db, pytest.mark.db]


@pytest.fixture
def ada(kept_fractions: None) -> Any:
    return people.make_person("ada", level="beginner")


@pytest.fixture
def shared(ada: Any, settings: Any, tmp_path: Path) -> Document:
    """Grace's, in a folder that the class in which she teaches Ada may read."""
    settings.DATA_DIR = tmp_path
    grace = people.make_person("grace", role="teacher")
    make_class(grace, "4b", code="4b")
    join_class(ada, "4b")
    folder = folders.make_folder(grace, "For 4b")
    folders.share(folder, "class:4b")
    document = uploads.accept(grace, SimpleUploadedFile("python.txt", b"Of lists and dictionaries."), in_library=True)
    index_document(document, BOOK)
    Document.objects.filter(pk=document.pk).update(folder=folder, status="ready", title="Python for you")
    document.refresh_from_db()
    return document


@pytest.fixture
def turn(ada: Any, shared: Document) -> Turn:
    """Ada's, in which she was answered from it."""
    with counted_turns(seed=1):
        came = StageWithTools(ada).say(ASKED)
    assert len(came.cards("sources")) == 1
    return came.turn


def reached(person: Any, document: Document, turn: Turn) -> list[str]:
    """Return by which ways a person gets at the document, or at its words in the conversation; to a message it goes never."""
    client = Client()
    client.force_login(person)
    page, conversation = document.get_absolute_url(), turn.session.get_absolute_url()
    ways = [page, f"{page}?at=2", f"{page}file", f"{page}delete/"]
    opened = [way for way in ways if client.get(way).status_code == 200]
    opened += [way for way in (conversation, f"/library/?q={ASKED}") if QUOTE in _content(client.get(way))]
    if client.get(f"{conversation}export.md").status_code == 200:
        opened += ["export"] if QUOTE in str(exports._page(turn.session, person, 0)) else []
    opened += [
        way for way in ("/library/", f"/library/?folder={document.folder_id}") if page in _content(client.get(way))
    ]
    opened += ["states"] if str(document.pk) in _content(client.get(f"/library/states/?id={document.pk}")) else []
    opened += [mode for mode in ("keyword", "semantic", "hybrid") if QUOTE in " ".join(found(person, ASKED, mode=mode))]
    with pytest.raises(Rejection) as refused:
        begun(person, key="with it", attachments=[document.pk])
    assert refused.value.status == 422
    return opened


def _content(response: Any) -> str:
    return response.content.decode() if response.status_code == 200 else ""


def test_a_stranger_reaches_nothing(shared: Document, turn: Turn) -> None:
    """A1, P3: by search, id, file, citation and attachment alike."""
    assert reached(people.make_person("eve"), shared, turn) == []


def test_whom_it_is_shared_with_reaches_it_until_it_is_taken_back(ada: Any, shared: Document, turn: Turn) -> None:
    """A4: then not even the words that an answer cited."""
    before = reached(ada, shared, turn)
    assert {"keyword", "semantic", "hybrid", "export", "states"} <= {*before}
    assert turn.session.get_absolute_url() in before
    assert not [way for way in before if "delete" in way]
    assert shared.folder is not None
    folders.share(shared.folder, "")
    assert reached(ada, shared, turn) == []


def test_after_its_deletion_nobody_reaches_it(
    ada: Any, shared: Document, turn: Turn, django_capture_on_commit_callbacks: Any, tmp_path: Path
) -> None:
    """A6: neither its owner, nor whom it was shared with; its file and its passages are gone."""
    owner, client = shared.owner, Client()
    client.force_login(owner)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"{shared.get_absolute_url()}delete/").status_code == 302
    assert (reached(owner, shared, turn), reached(ada, shared, turn)) == ([], [])
    assert not Passage.objects.filter(text__contains="by its key").exists()
    assert [path for path in (tmp_path / "uploads").rglob("*") if path.is_file()] == []
