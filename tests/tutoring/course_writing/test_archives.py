"""A course that was exported as a ZIP becomes a draft: whole, or not at all with the file, the line and the reason."""

import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.people import make_person
from tests.tutoring.course_imports.import_helpers import GIFT
from tests.tutoring.course_writing.draft_helpers import small_course
from tutoring.course_exports.archives import write_course_archive
from tutoring.course_writing import archives
from tutoring.course_writing.archives import import_course
from tutoring.course_writing.draft_files import DraftRefused
from tutoring.course_writing.publishing import publish_course
from tutoring.course_writing.versions import create_draft
from tutoring.models import AuthoredCourse, Course

pytestmark = pytest.mark.django_db

ITEMS = "concepts/doubling/items.yaml"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>A</title><script>1</script></svg>'


def packed(files: dict[str, str | bytes], *, folder: str = "doubles/") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(folder + name, text)
    return target.getvalue()


def course(**changed: str | bytes) -> dict[str, str | bytes]:
    return dict(small_course()) | changed


def upload(client: Client, *files: tuple[str, bytes], title: str = "") -> Any:
    chosen = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post("/teach/courses/import/", {"upload": chosen, "title": title}, follow=True)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_an_exported_course_becomes_a_draft_that_can_be_published(grace: Any, tmp_path: Path) -> None:
    published = publish_course(create_draft(grace, small_course(), message="New"), by=grace)
    data = write_course_archive(tmp_path / "courses" / published.slug)
    linus = make_person("linus", role="teacher")

    page = upload(signed_in(linus), ("doubles.zip", data))

    draft = AuthoredCourse.objects.get(owner=linus)
    assert page.redirect_chain[-1][0] == draft.get_absolute_url()
    assert "The course is now a draft of your own." in page.content.decode()
    assert draft.title == "Doubles"
    again = publish_course(draft, by=linus)
    assert again.slug != published.slug
    assert [each.slug for each in again.concepts.all()] == [each.slug for each in published.concepts.all()]


def test_the_title_that_is_typed_is_the_title_of_the_course(grace: Any) -> None:
    upload(signed_in(grace), ("doubles.zip", packed(course(), folder="")), title="Twice")

    assert AuthoredCourse.objects.get().title == "Twice"


def test_what_a_packing_program_adds_is_left_out(grace: Any) -> None:
    draft = import_course("a.zip", packed(course(**{"__MACOSX/._course.yaml": "x", ".DS_Store": b"\0"})), owner=grace)

    assert draft.files.keys() == small_course().keys()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"course.yaml": "[]"}, "course.yaml, line 1: This must be fields with names, such as “title: Fractions”."),
        ({"course.yaml": "title: [1"}, "course.yaml, line 2: This is not valid YAML."),
        (
            {"graph.yaml": "a: &a [x]\nb: *a"},
            "graph.yaml, line 1: Names for repeated parts (“&name”, “*name”) are not allowed.",
        ),
        ({ITEMS: "!!python/object/apply:os.system [id]"}, f"{ITEMS}, line 1: Tags (“!name”) are not allowed."),
        ({ITEMS: "- id: one\n  stem: What?"}, f"{ITEMS}, line 1: "),
        (
            {"assets/a.svg": SVG},
            "assets/a.svg, line 1: The element <script> is not allowed in a drawing.",
        ),
        ({"run.py": "1"}, "A course cannot contain the file run.py."),
        ({"assets/a.svg": b"\xff\xfe"}, "assets/a.svg is not a text file in UTF-8."),
        ({"sayings.yaml": "#" * 300_000}, "sayings.yaml would be larger than 256 KB."),
        ({"../../evil.yaml": "1"}, "lead out of it"),
        ({f"assets/a{at}.svg": "" for at in range(600)}, "The course would be too large."),
    ],
)
def test_a_hostile_or_faulty_course_is_refused_with_its_reason(
    grace: Any, changed: dict[str, str | bytes], told: str
) -> None:
    page = upload(signed_in(grace), ("a.zip", packed(course(**changed))))

    assert page.status_code == 422
    assert any(told in error for error in page.context["form"].errors["upload"]), page.context["form"].errors
    assert not AuthoredCourse.objects.exists()
    assert not Course.objects.exists()


def test_links_and_files_that_come_twice_are_refused(grace: Any) -> None:
    target = io.BytesIO(packed(course()))
    with zipfile.ZipFile(target, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("doubles/course.yaml", "title: Other")
    with pytest.raises(DraftRefused, match=r"course\.yaml is in the archive more than once"):
        import_course("a.zip", target.getvalue(), owner=grace)

    target = io.BytesIO(packed(course()))
    with zipfile.ZipFile(target, "a") as archive:
        link = zipfile.ZipInfo("doubles/sayings.yaml")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(DraftRefused, match="has links"):
        import_course("a.zip", target.getvalue(), owner=grace)
    assert not AuthoredCourse.objects.exists()


def test_only_the_first_faults_are_listed(grace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FAULTS", 1)
    with pytest.raises(DraftRefused) as refused:
        import_course("a.zip", packed(course(**{"course.yaml": "language: en"})), owner=grace)

    first, _fault, more = str(refused.value).splitlines()
    assert first == "a.zip is a course with faults. Nothing was imported. Correct them, then choose it again."
    assert more.endswith(" more")


def test_a_whole_course_is_chosen_alone(grace: Any) -> None:
    page = upload(signed_in(grace), ("a.gift", GIFT.encode()), ("b.zip", packed(course())))

    assert page.context["form"].errors["upload"] == ["b.zip is a whole course. Choose no other file with it."]
