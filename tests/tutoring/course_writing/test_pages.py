"""The pages on which a teacher writes a course: what they store, say and refuse."""

from typing import Any

import pytest
from django.test import Client

from tests.people import make_person
from tests.tutoring.course_imports.import_helpers import small_draft
from tests.tutoring.course_writing.draft_helpers import DOUBLE, small_course
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_writing.concepts import add_concept, draft_concepts
from tutoring.course_writing.exercise_values import values_of
from tutoring.course_writing.exercises import draft_exercise, draft_exercises
from tutoring.course_writing.lessons import draft_piece
from tutoring.course_writing.publishing import publish_course
from tutoring.course_writing.versions import change_draft, create_draft
from tutoring.models import AuthoredCourse, Course

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(grace: Any) -> Client:
    return signed_in(grace)


@pytest.fixture
def draft(grace: Any) -> AuthoredCourse:
    return create_draft(grace, small_course(), message="New")


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response
    return response.content.decode()


def base_of(page: str) -> str:
    return page.split('name="base" value="')[1].split('"')[0]


def test_a_new_course_is_a_draft_with_files(client: Client) -> None:
    fields = {"title": "Plants", "summary": "How they grow.", "language": "en", "license": "CC0 1.0"}

    page = client.post("/teach/courses/write/", fields, follow=True).content.decode()

    draft = AuthoredCourse.objects.get()
    assert "A course consists of topics." in page
    assert set(draft.files) == {"course.yaml", "graph.yaml", "misconceptions.yaml"}
    assert "Plants" in page_of(client, "/teach/courses/")


@pytest.mark.parametrize(
    "rest", ["", "about/", "concepts/doubling/", "concepts/doubling/exercises/doubling-q1/", "files/", "versions/1/"]
)
def test_a_draft_is_its_owners_and_the_admins(draft: AuthoredCourse, rest: str) -> None:
    address = f"{draft.get_absolute_url()}{rest}"
    got = {
        person.username: signed_in(person).get(address).status_code
        for person in (make_person("tess", role="teacher"), make_person("ada"), make_person("root", role="admin"))
    }
    assert got == {"tess": 404, "ada": 404, "root": 200}


def test_an_invalid_exercise_is_stored_and_its_fields_say_why(client: Client, draft: AuthoredCourse) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/exercises/doubling-q1/"

    page = client.post(
        address, {**DOUBLE, "value": "2*m", "hint-1": "Think of {n} + {n}"}, follow=True
    ).content.decode()

    draft.refresh_from_db()
    stored = draft_exercise(draft.files, "doubling", "doubling-q1") or {}
    assert values_of(stored)["value"] == "2*m"
    assert "is not one of the values" in page.split('id="faults-value"')[1].split("</ul>")[0]
    overview = page_of(client, f"{draft.get_absolute_url()}check/")
    assert f"{address}#field-value" in overview


def test_a_preview_shows_three_examples_and_stores_nothing(client: Client, draft: AuthoredCourse) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/exercises/doubling-q1/"

    shown = client.post(address, {**DOUBLE, "stem": "Double {n}.", "preview": "1"}).content.decode()

    assert shown.count('class="example-exercise"') == 3
    assert 'id="faults-stem" hx-swap-oob="true"' in shown
    assert AuthoredCourse.objects.get().revision == 1


def test_a_preview_shows_the_options_as_the_form_names_them_and_what_is_to_be_arranged(
    client: Client, draft: AuthoredCourse
) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/exercises/doubling-q1/"
    common = {"difficulty": "easy", "verbatim": "1", "stem": "Which?", "solution": "So.", "preview": "1"}

    def shown(**values: str) -> str:
        return client.post(address, {**common, **values}).content.decode().split("</article>")[0]

    options = {f"choice-{letter}": f"number {letter}" for letter in "ABCDEF"}
    letters = shown(kind="choice", right="E", **options).split('<span class="letter">')[1:]
    assert [each[0] for each in letters] == [each.split("number ")[1][0] for each in letters] == list("ABCDEF")
    assert shown(kind="order", order="one\ntwo\nthree").count('class="piece"') == 3
    rows = {f"{name}-{at}": f"{name} {at}" for name in ("row", "partner") for at in range(3)}
    matched = shown(kind="match", **rows, **{"spare-0": "nobody’s"})
    assert matched.count('class="piece"') == 7
    assert "nobody’s" in matched


def test_a_hint_that_tells_the_answer_is_told_at_the_hint(client: Client, draft: AuthoredCourse) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/exercises/doubling-q1/"
    shown = client.post(address, {**DOUBLE, "hint-2": "It is {2*n}.", "preview": "1"}).content.decode()
    assert "gives the answer away" in shown.split('id="faults-hint-2"')[1].split("</ul>")[0]


def test_what_the_answer_lacks_is_told_beside_it_before_the_solution_is_written(
    client: Client, draft: AuthoredCourse
) -> None:
    address = f"{draft.get_absolute_url()}concepts/even-numbers/exercises/even-numbers-q2/"
    options = {"kind": "choice", "difficulty": "easy", "stem": "Which?", "choice-A": "7", "choice-B": "8"}

    def told(field: str, **more: str) -> str:
        page = client.post(address, {**options, "verbatim": "1", **more}, follow=True).content.decode()
        return page.split(f'id="faults-{field}"')[1].split("</ul>")[0]

    assert "Mark the right option." in told("answer")
    assert "Fill this in." in told("solution")
    assert "Fill this in." in told("partner-1", **{"kind": "match", "row-0": "1", "partner-0": "2", "row-1": "3"})


@pytest.mark.parametrize(
    ("option", "hint"), [("root", "Think of the roots."), ("roots", "It is a root."), ("class", "Look at the classes.")]
)
def test_a_hint_that_tells_the_answer_in_another_number_is_told(
    client: Client, draft: AuthoredCourse, option: str, hint: str
) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/exercises/doubling-q1/"
    values = {
        "kind": "choice",
        "difficulty": "easy",
        "stem": "Which?",
        "solution": "So.",
        "right": "A",
        "verbatim": "1",
    }
    options = {"choice-A": option, "choice-B": "leaf", "hint-1": hint, "preview": "1"}

    shown = client.post(address, {**values, **options}).content.decode()

    assert "gives the answer away" in shown.split('id="faults-hint-1"')[1].split("</ul>")[0]


def test_two_teachers_changes_of_one_part_are_told_with_both_texts(client: Client, draft: AuthoredCourse) -> None:
    root = make_person("root", role="admin")
    address = f"{draft.get_absolute_url()}concepts/doubling/pieces/doubling-p1/"
    base = base_of(page_of(client, address))
    fields = {"section": "explain.beginner", "question": "What is twice 5?", "base": base}
    signed_in(root).post(address, {**fields, "text": "Theirs <b>."})

    response = client.post(address, {**fields, "text": "Mine."})

    page = response.content.decode()
    assert response.status_code == 409
    assert "Theirs &lt;b&gt;." in page
    assert ">Mine.</textarea>" in page.replace("\n", "")
    assert "root" in page
    client.post(address, {**fields, "text": "Mine.", "base": base_of(page)})
    draft.refresh_from_db()
    assert draft_piece(draft.files, "doubling", "doubling-p1").text == "Mine."  # type: ignore[union-attr]


def test_changes_of_different_parts_do_not_meet(client: Client, draft: AuthoredCourse, grace: Any) -> None:
    address = f"{draft.get_absolute_url()}concepts/doubling/"
    base = base_of(page_of(client, address))
    change_draft(draft, lambda files: add_concept(files, "Another")[0], author=grace, message="More")

    response = client.post(address, {"title": "Twice", "summary": "As before.", "base": base})

    assert response.status_code == 302
    draft.refresh_from_db()
    assert [each.title for each in draft_concepts(draft.files)] == ["Twice", "Even numbers", "Another"]


def test_topics_are_moved_removed_and_their_order_suggested(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}concepts/", {"action": "add", "title": "Doubling even numbers"})
    client.post(f"{url}concepts/", {"action": "up", "concept": "even-numbers"})

    page = page_of(client, f"{url}?suggest=1")

    assert 'value="doubling-even-numbers even-numbers"' in page or 'value="doubling-even-numbers doubling"' in page
    client.post(f"{url}order/", {"accept": ["doubling-even-numbers doubling", "nothing nowhere"]})
    client.post(f"{url}concepts/", {"action": "remove", "concept": "even-numbers"})
    draft.refresh_from_db()
    assert [(each.id, each.requires, each.goal) for each in draft_concepts(draft.files)] == [
        ("doubling", (), False),
        ("doubling-even-numbers", ("doubling",), True),
    ]


def test_a_circle_of_topics_is_told_and_breaks_no_page(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}concepts/doubling/", {"title": "Doubling", "summary": "Twice.", "requires": ["even-numbers"]})

    assert "need each other in a circle" in page_of(client, url)
    told = "Topics need each other in a circle: Doubling, Even numbers."
    assert told in page_of(client, f"{url}check/")
    assert "No topic comes last" not in page_of(client, f"{url}check/")
    assert told in page_of(client, f"{url}concepts/doubling/").split('id="field-requires"')[1].split("</fieldset>")[0]


def test_a_file_that_is_not_yaml_is_stored_told_by_line_and_led_to(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}files/graph.yaml/", {"text": "concepts:\r\n  - id: [\r\n"})

    draft.refresh_from_db()
    assert draft.files["graph.yaml"] == "concepts:\n  - id: [\n"
    page = client.get(url, follow=True)
    assert page.redirect_chain[-1][0] == f"{url}files/graph.yaml/"
    assert 'id="line-' in page.content.decode()


@pytest.mark.parametrize(
    "path", ["../course.yaml", "concepts/../x.yaml", "course.yml", "concepts/a/b/lesson.md", "x/lesson.md"]
)
def test_other_files_are_not_there(client: Client, draft: AuthoredCourse, path: str) -> None:
    address = f"{draft.get_absolute_url()}files/{path}/"
    assert client.post(address, {"text": "x"}).status_code == 404


def test_a_file_that_is_too_large_is_refused(client: Client, draft: AuthoredCourse) -> None:
    page = client.post(f"{draft.get_absolute_url()}files/graph.yaml/", {"text": "x" * 300_000}, follow=True)
    assert "would be larger than 256 KB" in page.content.decode()
    assert AuthoredCourse.objects.get().revision == 1


def test_versions_are_compared_and_restored(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}about/", {"title": "Twice", "summary": "Two times.", "language": "en", "license": "CC0 1.0"})

    page = page_of(client, f"{url}versions/2/")

    assert 'class="is-removed"' in page
    assert "About the course" in page
    assert "<code>Title: Twice</code>" in page
    client.post(f"{url}concepts/doubling/", {"title": "Doubling", "summary": "Twice.", "requires": ["even-numbers"]})
    client.post(f"{url}concepts/doubling/exercises/doubling-q1/", {**DOUBLE, "value": "3*n"})
    assert "<code>Needs first: Even numbers</code>" in page_of(client, f"{url}versions/3/")
    page = page_of(client, f"{url}versions/4/")
    assert "Exercise of Doubling: What is twice {n}?" in page
    assert "<code>Right number: 3*n</code>" in page
    assert ".yaml" not in page
    assert "<code>Right number: 3*n</code>" in page_of(client, f"{url}versions/1/")
    client.post(f"{url}versions/1/")
    draft.refresh_from_db()
    assert (draft.title, draft.revision) == ("Doubles", 5)


def test_publishing_with_faults_lists_them_with_links(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}concepts/doubling/exercises/", {"action": "add", "kind": "order"})

    response = client.post(f"{url}change/", {"action": "publish"})

    assert response.status_code == 422
    page = response.content.decode()
    assert "exercises/doubling-q4/#field-" in page
    assert "Not published: " in page
    assert client.get(f"{url}change/").url == url
    assert not Course.objects.exists()


def test_a_course_is_published_withdrawn_and_offered_again(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    client.post(f"{url}change/", {"action": "publish"})
    client.post(f"{url}change/", {"action": "withdraw"})
    assert not Course.objects.get().is_open
    assert "nobody new can begin it" in page_of(client, url)
    client.post(f"{url}change/", {"action": "offer"})
    assert Course.objects.get().is_open
    assert client.post(f"{url}change/", {"action": "delete"}).status_code == 404


def test_a_draft_that_was_never_published_is_deleted_once_confirmed(client: Client, draft: AuthoredCourse) -> None:
    url = draft.get_absolute_url()
    assert "cannot be undone" in client.post(f"{url}change/", {"action": "delete"}).content.decode()
    client.post(f"{url}change/", {"action": "delete", "confirmed": "1"})
    assert not AuthoredCourse.objects.exists()


def test_anothers_course_is_copied_and_stays_as_it_is(draft: AuthoredCourse, grace: Any) -> None:
    course = publish_course(draft, by=grace)
    Course.objects.update(is_public=True)
    tess = make_person("tess", role="teacher")
    client = signed_in(tess)

    client.post(f"/teach/courses/{course.slug}/write/", {"action": "edit"})

    copy = AuthoredCourse.objects.get(owner=tess)
    assert (copy.title, copy.course) == ("Doubles (my version)", None)
    client.post(f"{copy.get_absolute_url()}change/", {"action": "publish"})
    assert [each.slug for each in Course.objects.order_by("pk")] == ["doubles", "doubles-my-version"]
    assert "Based on “Doubles”." in Course.objects.get(slug="doubles-my-version").catalogue().attribution


def test_ones_own_imported_course_is_edited_as_it_is(client: Client, grace: Any) -> None:
    course, _changed = publish_draft(small_draft(), owner=grace)

    page = client.post(f"/teach/courses/{course.slug}/write/", {"action": "edit"}, follow=True).content.decode()

    draft = AuthoredCourse.objects.get()
    assert (draft.course, draft.is_changed) == (course, False)
    assert "Learners have this version." in page
    first = draft_concepts(draft.files)[0]
    assert draft_exercises(draft.files, first.id)
    client.post(f"{draft.get_absolute_url()}concepts/{first.id}/", {"title": "Seedlings", "summary": "Young plants."})
    client.post(f"{draft.get_absolute_url()}change/", {"action": "publish"})
    assert Course.objects.get().catalogue().concept(first.id).title == "Seedlings"
    again, _changed = publish_draft(small_draft(), owner=grace)
    assert again.pk != course.pk


def test_an_exercise_is_moved_to_another_topic(client: Client, draft: AuthoredCourse) -> None:
    fields = {"action": "move", "exercise": "doubling-q1", "to": "even-numbers"}
    client.post(f"{draft.get_absolute_url()}concepts/doubling/exercises/", fields)
    draft.refresh_from_db()
    assert [each["id"] for each in draft_exercises(draft.files, "doubling")] == ["doubling-q2", "doubling-q3"]
    assert draft_exercises(draft.files, "even-numbers")[-1]["concept"] == "even-numbers"
