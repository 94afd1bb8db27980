"""A teacher's pages of courses: import from files to report, export, publish, delete."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.people import make_person
from tests.tutoring.course_imports.import_helpers import GIFT, oatutor_file, small_draft
from tests.tutoring.course_writing.draft_helpers import small_course
from tutoring.classes.membership import join_class, make_class
from tutoring.course_imports.drafts import draft_course
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_writing.publishing import publish_course
from tutoring.course_writing.versions import create_draft
from tutoring.models import Course, CourseImport

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def grace() -> Any:
    return make_person("grace", role="teacher")


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def upload(client: Client, text: str = GIFT) -> Any:
    file = SimpleUploadedFile("plants.gift", text.encode())
    return client.post("/teach/courses/import/", {"upload": [file], "title": "Plants"}, follow=True)


def changes(**given: str) -> dict[str, str]:
    """Return the fields of the draft as its page sends them."""
    fields = {"title": "Plants", "language": "en", "license": "CC BY 4.0", "attribution": "Ms <Grace>"}
    for topic, title in (("seeds", "Seeds"), ("growing-from-seeds", "Growing")):
        fields |= {f"title-{topic}": title, f"keep-{topic}": "on"}
    return fields | given


def test_a_file_becomes_a_draft_with_its_questions_and_what_is_left_out(grace: Any) -> None:
    page = upload(signed_in(grace)).content.decode()

    assert "6 of 7 questions can be imported." in page
    assert "Which part of a bean grows first?" in page
    assert "It is an essay: no rule can grade it." in page
    assert not Course.objects.exists()


def test_the_proposed_draft_is_accepted_as_it_is_however_many_sources_it_has(grace: Any) -> None:
    client, book = signed_in(grace), "https://openstax.org/books/algebra"
    sources = [f"https://example.org/{at}/{'long' * 20}" for at in range(60)]
    sources += [f"{book}/pages/{at}" for at in range(5)] + [f"{book}?{at} <OpenStax: Algebra>" for at in range(5)]
    file = SimpleUploadedFile("steps.jsonl", oatutor_file(*({"oer": source} for source in reversed(sources))))
    page = client.post("/teach/courses/import/", {"upload": [file], "title": "Sums"}, follow=True)
    proposed = {field.html_name: field.value() or "" for field in page.context["form"]}

    client.post(page.redirect_chain[-1][0], proposed | {"action": "import"})

    credits = Course.objects.get().catalogue().attribution
    assert credits.startswith(f"OpenStax: Algebra ({book}?4) · {book} · https://example.org/59/")
    assert credits.endswith(" more sources")


def test_all_questions_of_a_topic_can_be_seen_with_the_partners_that_fit_no_row(grace: Any) -> None:
    client = signed_in(grace)
    page = upload(client, f"{GIFT}\n\n" + "\n\n".join(f"Is {number} even? {{T}}" for number in range(9)))
    path = page.redirect_chain[-1][0]
    topic = next(row["topic"] for row in page.context["rows"] if row["more"])

    whole = client.get(f"{path}?topic={topic.id}").content.decode()
    listed = client.get(f"{path}?topic={topic.id}", headers={"HX-Request": "true"}).content.decode()

    assert f"Show {len(topic.questions) - 5} more questions" in page.content.decode()
    assert "fits no row" in page.content.decode()
    assert whole.count('<div class="prose">') == listed.count('<div class="prose">') == len(topic.questions)
    assert "<html" not in listed


def test_importing_the_same_again_leads_to_the_course(grace: Any) -> None:
    client = signed_in(grace)
    for _time in range(2):
        path = upload(client).redirect_chain[-1][0]
        page = client.post(path, changes(), follow=True)

    assert "Nothing was changed." in page.content.decode()
    assert page.redirect_chain[-1][0] == "/teach/courses/plants/"


def test_a_file_that_cannot_be_read_is_refused_with_its_reason(grace: Any) -> None:
    response = upload(signed_in(grace), "nothing")

    assert response.status_code == 422
    assert "A course needs at least 3 questions" in response.content.decode()
    assert 'value="Plants"' in response.content.decode()


def test_too_many_files_keep_the_form_and_are_told_the_limit(grace: Any) -> None:
    files = [SimpleUploadedFile(f"{number}.gift", b"Why? {}") for number in range(51)]

    response = signed_in(grace).post("/teach/courses/import/", {"upload": files, "title": "Plants"})

    assert response.status_code == 422
    assert "Choose from 1 to 50 files; you chose 51." in response.content.decode()
    assert 'value="Plants"' in response.content.decode()


def test_a_confirmed_draft_is_a_course_with_the_teachers_changes_and_its_source(grace: Any) -> None:
    client = signed_in(grace)
    upload(client)
    draft = CourseImport.objects.get()

    page = client.post(draft.get_absolute_url(), changes(**{"after1-growing-from-seeds": "seeds"}), follow=True)

    course = Course.objects.get()
    assert "6 of 7 questions were imported." in page.content.decode()
    assert (course.owner_id, course.is_public) == (grace.pk, False)
    assert course.catalogue().concept("growing-from-seeds").requires == ("seeds",)
    shown = client.get(course.get_absolute_url()).content.decode()
    assert "Ms &lt;Grace&gt;" in shown
    assert "CC BY 4.0" in shown


def test_a_draft_without_a_license_keeps_what_was_typed(grace: Any) -> None:
    client = signed_in(grace)
    upload(client)

    page = client.post(CourseImport.objects.get().get_absolute_url(), changes(license="", **{"title-seeds": "Beans"}))

    assert page.status_code == 422
    assert 'value="Beans"' in page.content.decode()
    assert not Course.objects.exists()


def test_a_discarded_draft_is_gone(grace: Any) -> None:
    client = signed_in(grace)
    upload(client)

    client.post(CourseImport.objects.get().get_absolute_url(), {"action": "discard"})

    assert not CourseImport.objects.exists()


@pytest.mark.parametrize(("kind", "start"), [("files", b"PK"), ("gift", b"$CATEGORY"), ("qti", b"PK"), ("anki", b"PK")])
def test_a_teacher_downloads_the_course(grace: Any, kind: str, start: bytes) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)

    response = signed_in(grace).get(f"/teach/courses/{course.slug}/export/{kind}/")

    assert response.content.startswith(start)
    assert response["Content-Disposition"].startswith('attachment; filename="plants')


def test_the_page_of_a_course_names_what_an_export_leaves_out(grace: Any) -> None:
    steps = oatutor_file({}, {}, {"step_id": "expand", "step_title": "Expand $$2(x+1)$$.", "answers": ["$$2x+2$$"]})
    course, _changed = publish_draft(draft_course([("steps.jsonl", steps)], title="Sums"), owner=grace)

    page = signed_in(grace).get(f"/teach/courses/{course.slug}/").content.decode()

    assert page.count("1 question is left out") == 2
    assert "<bdi>expand</bdi>: GIFT has no question of this kind." in page


def test_another_teacher_finds_nothing_of_it(grace: Any) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)
    client = signed_in(make_person("tess", role="teacher"))

    paths = ("", "summary/", "export/gift/")
    statuses = {client.get(f"/teach/courses/{course.slug}/{path}").status_code for path in paths}

    assert statuses == {404}
    assert course.title not in client.get("/teach/courses/").content.decode()


def test_only_an_admin_publishes_it(grace: Any) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)
    path = f"/teach/courses/{course.slug}/change/"

    assert signed_in(grace).post(path, {"action": "publish"}).status_code == 404
    signed_in(make_person("root", role="admin")).post(path, {"action": "publish"})

    assert Course.objects.get().is_public


def test_its_owner_deletes_it_after_confirming(grace: Any, tmp_path: Path) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)
    client, path = signed_in(grace), f"/teach/courses/{course.slug}/change/"

    assert "Delete this course?" in client.post(path, {"action": "delete"}).content.decode()
    assert Course.objects.exists()
    client.post(path, {"action": "delete", "confirmed": "1"})

    assert not Course.objects.exists()
    assert not (tmp_path / "courses" / course.slug).exists()


def test_the_summary_names_topics_license_and_source(grace: Any) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)

    page = signed_in(grace).get(f"/teach/courses/{course.slug}/summary/").content.decode()

    assert "Growing from seeds" in page
    assert "Comes after: Seeds" in page
    assert "not stated" in page


def test_a_teachers_own_course_is_printed_with_its_lessons_exercises_and_key(grace: Any) -> None:
    course = publish_course(create_draft(grace, small_course(), message="New"), by=grace)

    page = signed_in(grace).get(f"/teach/courses/{course.slug}/summary/").content.decode()

    assert "Two and two are four." in page
    assert "Which number is even?" in page
    assert "8 is 4 and 4." in page.split('class="card paper-key"')[1]


def test_a_pupil_of_its_owner_opens_its_topics_and_nobody_else_does(grace: Any) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)
    make_class(grace, "4b", code="4b")
    ada = make_person("ada")
    join_class(ada, "4b")
    ben = signed_in(make_person("ben"))
    paths = ("/learn/plants/", "/learn/plants/path/", "/progress/plants/seeds/")

    assert {signed_in(ada).get(path).status_code for path in paths} == {200}
    assert {ben.get(path).status_code for path in paths} == {404}
    assert course.title in signed_in(ada).get("/learn/").content.decode()
