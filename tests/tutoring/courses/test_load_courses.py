"""The command that loads courses: idempotent, all or nothing for each course, one line a fault."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tutoring.models import Concept, Course

pytestmark = pytest.mark.django_db


def load(*arguments: object) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("load_courses", *map(str, arguments), trials=3, stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
    return out.getvalue(), err.getvalue()


def test_course_and_its_concepts_become_rows(folder):
    assert load(folder)[0] == f"{folder}: loaded, 2 concepts, 12 exercise templates\n"
    course = Course.objects.get(slug="tiny")
    assert [concept.slug for concept in course.concepts.order_by("position")] == ["halves", "adding"]
    assert course.catalogue().template("adding-1").difficulty == "easy"


def test_unchanged_course_is_left_alone(folder):
    load(folder)
    assert load(folder.parent)[0] == f"{folder}: unchanged\n"
    assert Course.objects.count() == 1


def test_changed_course_replaces_the_old_one(spoil, folder):
    load(folder)
    load(spoil("course.yaml", "title: Tiny", "title: Small"))
    assert Course.objects.get().title == "Small"
    assert Concept.objects.count() == 2


def test_check_loads_nothing(folder):
    assert "sound" in load(folder, "--check")[0]
    assert not Course.objects.exists()


def test_nothing_is_loaded_of_a_faulty_course_and_the_old_one_stays(spoil, folder):
    load(folder)
    out, err = load(spoil("concepts/halves/lesson.md", "(uneven)", "(even)"))
    assert out == ""
    assert err.splitlines()[0] == f"{folder}/concepts/halves/lesson.md:12: there is no picture 'even'"
    assert Course.objects.get().title == "Tiny"


def test_faulty_command_ends_in_an_error(folder):
    (folder / "course.yaml").write_text("id: tiny")
    with pytest.raises(CommandError, match="1 faulty course"):
        call_command("load_courses", str(folder), stdout=StringIO(), stderr=StringIO())


def test_missing_folder_is_told(tmp_path):
    assert "no such folder" in load(tmp_path / "nowhere")[1]
