"""Reading material: attached to concepts, with its license, found by the search, and imported once."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from conversations.models import Publication
from conversations.readers import Page
from conversations.search.publications import publish_changed
from tests.people import make_person
from tests.tutoring.document_courses.document_helpers import document_of
from tests.tutoring.lessons.lesson_player import load_fractions
from tutoring.course_imports.questions import ImportRefused
from tutoring.course_imports.readings import add_reading, attach
from tutoring.models import Course, CourseReading

pytestmark = pytest.mark.django_db

PAGES = (
    Page(number=1, heading="Unit fractions", text="A unit fraction has a 1 above the line."),
    Page(number=2, heading="More", text="Comparing fractions is useful. We compare fractions by comparing fractions."),
    Page(number=3, heading="Farewell", text="Good bye."),
)


@pytest.fixture
def fractions(db):
    load_fractions()
    return Course.objects.get(slug="fractions")


def added(course, **given):
    return add_reading(
        course, PAGES, **{"title": "A text", "license": "CC BY 4.0", "attribution": "Ann", "digest": "1" * 64} | given
    )


def test_sections_are_attached_to_the_concepts_that_they_name(fractions):
    reading, is_new = added(fractions)
    assert is_new
    attached = [section["concepts"] for section in reading.sections]
    assert "unit-fractions" in attached[0]
    assert attached[2] == []


def test_the_same_file_again_changes_nothing(fractions):
    first, _is_new = added(fractions)
    assert added(fractions, license="other") == (first, False)
    assert CourseReading.objects.get().license == "CC BY 4.0"


def test_a_text_without_a_license_is_refused(fractions):
    with pytest.raises(ImportRefused):
        added(fractions, license=" ")
    assert not CourseReading.objects.exists()


def test_a_text_without_words_is_refused(fractions):
    with pytest.raises(ImportRefused):
        add_reading(fractions, [], title="A", license="B", attribution="", digest="2")


def test_other_topics_can_be_chosen(fractions):
    reading, _is_new = added(fractions)
    attach(reading, {2: ["one-half", "never"], 9: ["one-half"]})
    reading.refresh_from_db()
    assert reading.sections[2]["concepts"] == ["one-half"]


def test_the_search_finds_texts_of_courses_for_everybody(fractions):
    reading, _is_new = added(fractions)
    publish_changed()
    links = Publication.objects.get(kind="reading").passages.values_list("link", flat=True)
    assert f"{reading.get_absolute_url()}#section-1" in links
    Course.objects.update(is_public=False)
    publish_changed()
    assert not Publication.objects.filter(kind="reading").exists()


def test_learners_see_the_license_and_the_source(fractions, ada):
    reading, _is_new = added(fractions)
    client = Client()
    client.force_login(ada)
    page = client.get(reading.get_absolute_url()).content.decode()
    assert "CC BY 4.0" in page
    assert "Ann" in page
    assert reading.title in client.get("/learn/fractions/").content.decode()


def test_an_admin_adds_a_document_of_their_library(fractions):
    root = make_person("root-2", role="admin")
    document = document_of(root)
    client = Client()
    client.force_login(root)
    given = {"document": document.pk, "license": "own work", "attribution": ""}
    for _again in range(2):
        client.post("/teach/courses/fractions/reading/", given)
    reading = CourseReading.objects.get()
    assert reading.title == "Memory and learning"
    page = client.get("/teach/courses/fractions/reading/").content.decode()
    assert "Memory and learning" in page
    client.post("/teach/courses/fractions/reading/", {"action": "delete", "reading": reading.pk})
    assert not CourseReading.objects.exists()


def test_the_command_imports_a_file_once(fractions, tmp_path):
    path = tmp_path / "text.md"
    path.write_text("# Unit fractions\n\nA unit fraction has a 1 above the line.\n")
    said = StringIO()
    for _again in range(2):
        call_command("import_reading", "fractions", str(path), license="CC BY 4.0", stdout=said)
    first, second = said.getvalue().splitlines()
    assert first.startswith("text.md: imported, attached to ")
    assert second == "text.md: unchanged"


@pytest.mark.parametrize(("name", "content"), [("missing.md", None), ("page.html", "<html></html>")])
def test_the_command_refuses_what_it_cannot_read(fractions, tmp_path, name, content):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommandError):
        call_command("import_reading", "fractions", str(path), license="CC BY 4.0")
