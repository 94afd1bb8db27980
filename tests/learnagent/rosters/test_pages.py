"""The pages of an import: from a file to pupils in a class, and what goes wrong on the way."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from learnagent.accounts.models import Person
from learnagent.rosters.tables import MAX_BYTES
from tests.learnagent.rosters.roster_helpers import zipped
from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tutoring.classes import groups, membership
from tutoring.models import Classroom

pytestmark = pytest.mark.django_db
IMPORT = "/teach/4b/pupils/import/"


@pytest.fixture
def classroom(grace):
    return make_class(grace)


@pytest.fixture
def teaching(client, grace, classroom):
    client.force_login(grace)
    return client


def send(client, data=None, *, name="roster.csv", **fields):
    files = {"file": SimpleUploadedFile(name, data)} if data is not None else {}
    return client.post(IMPORT, {"step": "upload", "age_band": "child", **fields, **files})


def go_on(client, response, step, **fields):
    token = re.search(r'name="token" value="(\w+)"', response.content.decode())[1]
    return client.post(IMPORT, {"step": step, "token": token, **fields})


def learners(code="4b"):
    return list(Classroom.objects.get(code=code).memberships.filter(role="learner"))


def test_a_file_is_shown_and_then_imported(teaching):
    shown = send(teaching, "Name\tGruppe\nJürgen Groß\tBlau\n".encode("utf-16"))
    assert "jurgen.gross" in shown.content.decode()
    assert not learners()
    done = go_on(teaching, shown, "confirm")
    assert "Print 1 card" in done.content.decode()
    assert [str(place.person) for place in learners()] == ["Jürgen Groß"]


def test_pasted_names_are_imported(teaching):
    go_on(teaching, send(teaching, text="Zoë\nLuca"), "confirm")
    assert len(learners()) == 2


def test_columns_without_known_headings_are_asked_for(teaching):
    asked = send(teaching, b"Huber,Mia\nRossi,Luca\n")
    assert "What is in each column?" in asked.content.decode()
    refused = go_on(teaching, asked, "columns", **{"column-0": "name", "column-1": "name"})
    assert refused.status_code == 422
    assert go_on(teaching, asked, "confirm").status_code == 200
    assert not learners()
    shown = go_on(teaching, asked, "columns", **{"column-0": "last", "column-1": "first"})
    go_on(teaching, shown, "confirm")
    assert sorted(str(place.person) for place in learners()) == ["Luca Rossi", "Mia Huber"]


def test_classes_of_a_school_are_asked_for(teaching):
    asked = send(teaching, zipped(), name="school.zip")
    assert "Maths 5" in asked.content.decode()
    assert go_on(teaching, asked, "classes").status_code == 422
    assert go_on(teaching, asked, "classes", **{"class-0": "4b", "class-1": "4b"}).status_code == 422
    shown = go_on(teaching, asked, "classes", **{"class-0": "4b", "class-1": "new class"})
    go_on(teaching, shown, "confirm")
    assert len(learners()) == 2
    assert Classroom.objects.filter(name="Maths 5").exists()


def test_classes_of_others_are_no_choice(teaching):
    membership.make_class(make_person("henry", role="teacher"), "5c", code="5c")
    asked = send(teaching, zipped(), name="school.zip")
    assert go_on(teaching, asked, "classes", **{"class-0": "5c"}).status_code == 422


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Choose a file or paste a list."),
        ({"data": b"name\nMia", "text": "Luca"}, "not both"),
        ({"data": b"x" * (MAX_BYTES + 1)}, "up to 1 MB"),
        ({"data": b""}, "no rows"),
        ({"data": b"name\n" + b"a\n" * 10_001}, "up to 10000 rows"),
        ({"text": "x" * 200_001}, "too long to paste"),
        ({"text": "Mia", "age_band": "old"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_read_is_explained_and_nothing_is_lost(teaching, sent, words):
    response = send(teaching, sent.pop("data", None), **sent)
    assert response.status_code == 422
    assert words in response.content.decode()


def test_a_roster_is_imported_once(teaching):
    shown = send(teaching, b"name\nMia\n")
    go_on(teaching, shown, "confirm")
    assert go_on(teaching, shown, "confirm")["Location"] == IMPORT
    assert len(learners()) == 1


def test_two_uploads_at_once_make_no_pupil_twice(teaching):
    first, second = send(teaching, b"name\nMia\nLuca\n"), send(teaching, b"name\nMia\nZoe\n")
    for shown in (first, second):
        go_on(teaching, shown, "confirm")
    assert sorted(str(place.person) for place in learners()) == ["Luca", "Mia", "Zoe"]


def test_what_another_teacher_uploaded_is_not_there(teaching, client, classroom):
    shown = send(teaching, b"name\nMia\n")
    classroom.memberships.create(person=make_person("henry", role="teacher"), role="teacher")
    client.force_login(Person.objects.get(username="henry"))
    assert go_on(client, shown, "confirm")["Location"] == IMPORT
    assert not learners()


def test_a_class_that_was_deleted_meanwhile_is_not_found(teaching, classroom):
    shown = send(teaching, b"name\nMia\n")
    people = Person.objects.count()
    classroom.delete()
    assert go_on(teaching, shown, "confirm").status_code == 404
    assert Person.objects.count() == people


def test_an_archived_class_says_what_to_do(teaching, classroom):
    membership.archive_class(classroom)
    assert teaching.get(IMPORT)["Location"] == "/teach/4b/pupils/"


def test_too_many_groups_are_refused_and_the_upload_stays(teaching, monkeypatch):
    monkeypatch.setattr(groups, "MAX_GROUPS", 1)
    shown = send(teaching, b"name,group\nMia,Blue\nLuca,Red\n")
    refused = go_on(teaching, shown, "confirm")
    assert "up to 100 groups" in refused.content.decode()
    assert not learners()
    monkeypatch.undo()
    go_on(teaching, refused, "confirm")
    assert len(learners()) == 2


def test_words_of_a_file_are_text_on_the_page(teaching):
    page = send(teaching, b"name\n<b>Mia</b>\n").content.decode()
    assert "<b>Mia</b>" not in page
    assert "&lt;b&gt;Mia" in page
