"""A photo that goes with a message: what is written on it is asked about, else the learner says what it shows."""

import pytest

from agents.models import ModelCall
from conversations.library import deletion
from conversations.models import Document, Finding
from conversations.readers import Page
from conversations.search.index import store_passages
from tests.conversations.conftest import host  # noqa: F401  # A fixture.
from tests.conversations.library.conftest import folder, path_of, picture, put  # noqa: F401  # Fixtures.
from tests.conversations.turn_helpers import begun
from tests.tutoring.halves_course import COURSE
from tutoring.side_agents import fact_queries, vision
from tutoring.side_agents.utterance_facts import OverheardUtterance

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture
def photo(ada, put, monkeypatch):  # noqa: F811
    """Return a function that puts a picture in, as read with this text; no child process writes it anew."""
    monkeypatch.setattr("conversations.library.uploads.reencode", lambda path, to: to.write_bytes(b"RIFFwebp"))

    def taken(text="", *, status="ready"):
        document = put(ada, picture(), name="photo.png", in_library=False)
        if text:
            store_passages(document, [Page(number=1, heading="", text=text)])
        Document.objects.filter(pk=document.pk).update(status=status)
        return document

    return taken


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("", "I can’t make out what’s in your photo. Can you tell me what it shows?"),
        ("1/2\n\nhalf", "In your photo, I can read “1/2 half”. Is that right, and what else does the photo show?"),
    ],
)
def test_what_is_not_seen_is_asked(ada, photo, text, question):
    seen = fact_queries.drawing_with(begun(ada, attachments=[photo(text).pk]))
    judged = vision.judge(OverheardUtterance(turn=1, course=COURSE, concept=COURSE.concepts[0], seen=seen))
    assert (seen.question, judged.suggestion, seen.is_clear, judged.description) == (question, question, False, "")


@pytest.mark.parametrize(("text", "status"), [("a page of text " * 9, "ready"), ("", "waiting")])
def test_a_page_of_text_and_what_is_still_read_is_no_drawing(ada, photo, text, status):
    assert fact_queries.drawing_with(begun(ada, attachments=[photo(text, status=status).pk])) is None


def test_neither_is_another_document(ada, put):  # noqa: F811
    assert fact_queries.drawing_with(begun(ada, attachments=[put(ada).pk])) is None


def test_without_any_nothing_is_asked_of_the_database(ada, django_assert_num_queries):
    turn = begun(ada)
    with django_assert_num_queries(0):
        assert fact_queries.drawing_with(turn) is None


def test_a_model_that_sees_is_shown_the_photo(ada, photo):
    document = photo()
    turn = begun(ada, attachments=[document.pk])
    seen = fact_queries.load_picture(fact_queries.drawing_with(turn), turn.session)
    assert seen.picture == path_of(document).read_bytes() == b"RIFFwebp"
    facts = OverheardUtterance(turn=1, course=COURSE, concept=COURSE.concepts[0], seen=seen)
    [image] = vision.ROLE.plan(vision.Request(facts=facts)).images
    assert (image.media_type, image.data) == ("image/webp", seen.picture)


def test_what_was_seen_of_a_photo_goes_with_it(ada, photo):
    document = photo()
    turn = begun(ada, attachments=[document.pk])
    seen = {"content": {"snapshot": str(document.pk)}, "kind": "vision", "agent": "vision", "words": "I looked"}
    Finding.objects.create(session=turn.session, turn=turn, **seen)
    ModelCall.objects.create(person=ada, turn_id=turn.pk, agent="vision", backend="x", model="x", reply="a secret")
    deletion.delete_documents(Document.objects.filter(pk=document.pk))
    assert not Finding.objects.exists()
    assert ModelCall.objects.get().reply == ""
