"""The command that loads courses: idempotent, all or nothing for each course, one line a fault."""

import shutil
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from conversations.models import Session
from tutoring.courses.files.sources import read_sources
from tutoring.courses.quiz_limits import QuizLimits
from tutoring.models import Concept, Course, Cycle, Goal, KnowledgeGap, Mastery, Review

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


def test_unchanged_course_is_not_tried_again(spoil, folder):
    load(folder)
    faulty = spoil("concepts/halves/items.yaml", "{a} + {a} = {b}", "{a} + {a} = {b + 1}")
    assert "the solution says" in load(faulty)[1]
    Course.objects.update(source_hash=read_sources(faulty).hash)
    assert load(faulty) == (f"{faulty}: unchanged\n", "")


def test_changed_course_replaces_the_old_one(spoil, folder):
    load(folder)
    load(spoil("course.yaml", "title: Tiny", "title: Small"))
    assert Course.objects.get().title == "Small"
    assert Concept.objects.count() == 2


def test_check_loads_nothing(folder):
    assert "valid" in load(folder, "--check")[0]
    assert not Course.objects.exists()


def test_nothing_is_loaded_of_a_faulty_course_and_the_old_one_stays(spoil, folder):
    load(folder)
    out, err = load(spoil("concepts/halves/lesson.md", "(uneven)", "(even)"))
    assert out == ""
    assert err.splitlines()[0] == f"{folder}/concepts/halves/lesson.md:12: there is no picture 'even'"
    assert Course.objects.get().title == "Tiny"


def test_faulty_command_ends_in_an_error(folder):
    (folder / "course.yaml").write_text("id: tiny")
    with pytest.raises(CommandError, match="not loaded because of faults: 1 course"):
        call_command("load_courses", str(folder), stdout=StringIO(), stderr=StringIO())


def test_missing_folder_is_told(tmp_path):
    assert "no such folder" in load(tmp_path / "nowhere")[1]


@pytest.fixture
def without_adding(folder, spoil):
    """Take the second concept out of the files, after the course was loaded with it."""
    load(folder)
    shutil.rmtree(folder / "concepts/adding")
    graph = (folder / "graph.yaml").read_text().split("  - id: adding")[0]
    (folder / "graph.yaml").write_text(graph.replace("    level: 1", "    level: 1\n    goal: true"))
    return spoil("misconceptions.yaml", "  concepts: [adding]\n", "")


WORK = {
    "mastery": lambda own: Mastery.objects.create(**own, probability=0.5, threshold=0.85),
    "goal": lambda own: Goal.objects.create(**own),
    "review": lambda own: Review.objects.create(**own, card={}, due_at=timezone.now(), reviewed_at=timezone.now()),
    "gap": lambda own: KnowledgeGap.objects.create(**own, source="diagnostic", current=0.1, required=0.85),
}


@pytest.mark.parametrize("kind", WORK)
def test_concept_that_learners_worked_on_is_never_dropped(ada, without_adding, kind):
    WORK[kind]({"learner": ada, "concept": Concept.objects.get(slug="adding")})
    assert "'adding' is missing, but learners have worked on it" in load(without_adding)[1]
    assert Course.objects.get().catalogue().concept("adding")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("mastery: {threshold: 1.01}", "less than or equal to 1"),
        ("mastery: {threshold: -0.1}", "greater than or equal to 0"),
        ("mastery: {threshold: yes}", "must be a number"),
        ("mastery: {threshold: '0.9'}", "must be a number"),
        ("mastery: {cycles: 0}", "greater than or equal to 1"),
        ("mastery: {cycles: 6}", "less than or equal to 5"),
        ("mastery: {cycles: many}", "must be a number"),
        ("quiz: {questions: 2}", "greater than or equal to 3"),
        ("quiz: {questions: 11}", "less than or equal to 10"),
        ("quiz: {per_concept: 0}", "greater than or equal to 1"),
        ("quiz: {per_concept: 4}", "less than or equal to 3"),
    ],
)
def test_setting_out_of_its_range_is_told_with_its_line(spoil, setting, told):
    _out, err = load(spoil("course.yaml", "mastery: {threshold: 0.85}", setting))
    assert "/course.yaml:" in err
    assert told in err
    assert not Course.objects.exists()


@pytest.mark.parametrize("threshold", [0, 1])
def test_ends_of_the_ranges_are_taken(spoil, threshold):
    settings = f"mastery: {{threshold: {threshold}}}\nquiz: {{questions: 3, per_concept: 1}}"
    load(spoil("course.yaml", "mastery: {threshold: 0.85}", settings))
    course = Course.objects.get().catalogue()
    assert (course.threshold, course.quiz) == (threshold, QuizLimits(questions=3, per_concept=1))


@pytest.mark.parametrize(("setting", "cycles"), [(", cycles: 1", 1), (", cycles: 5", 5), ("", 5)])
def test_course_says_how_often_its_lessons_go_round(spoil, setting, cycles):
    load(spoil("course.yaml", "mastery: {threshold: 0.85}", f"mastery: {{threshold: 0.8{setting}}}"))
    assert Course.objects.get().catalogue().cycles == cycles


def test_concept_of_which_only_an_explanation_was_begun_goes_with_its_files(ada, without_adding):
    session = Session.objects.create(owner=ada, key="lesson")
    Cycle.objects.create(learner=ada, session=session, concept=Concept.objects.get(slug="adding"), number=1)
    load(without_adding)
    assert [concept.slug for concept in Concept.objects.all()] == ["halves"]


def test_concept_nobody_worked_on_goes_with_its_files(without_adding):
    load(without_adding)
    assert [concept.slug for concept in Concept.objects.all()] == ["halves"]
