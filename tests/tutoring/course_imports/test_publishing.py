"""Drafts become courses: whole or not at all, once, and only for those they belong to."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from tests.people import make_person
from tests.tutoring.course_imports.import_helpers import GIFT, small_draft
from tutoring.classes.membership import join_class, make_class
from tutoring.course_imports.course_files import CourseHead, course_files
from tutoring.course_imports.drafts import changed_draft, draft_course, draft_from_json, draft_to_json
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_imports.questions import ImportedQuestion, ImportRefused
from tutoring.course_imports.topics import propose_topics
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.exercises.generator import make_exercise
from tutoring.grading import grade
from tutoring.models import Course
from tutoring.understanding.parsing.assertions import find_patterns


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def test_topics_come_from_the_file_and_a_later_one_needs_the_one_that_its_questions_name() -> None:
    topics = small_draft().topics

    assert [(topic.id, len(topic.questions), topic.requires) for topic in topics] == [
        ("seeds", 3, ()),
        ("growing-from-seeds", 3, ("seeds",)),
    ]


def test_questions_without_a_topic_join_the_one_that_shares_their_words() -> None:
    named = [ImportedQuestion(name=str(at), kind="text", stem="Roots drink water", topic="Roots") for at in range(3)]
    named += [
        ImportedQuestion(name=f"l{at}", kind="text", stem="Leaves catch light", topic="Leaves") for at in range(3)
    ]
    loose = ImportedQuestion(name="loose", kind="text", stem="What catches light")

    topics = propose_topics([*named, loose], title="Plants")

    assert [(topic.title, len(topic.questions)) for topic in topics] == [("Roots", 3), ("Leaves", 4)]


def test_a_question_that_shares_no_words_joins_the_topic_of_similar_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [
        ImportedQuestion(name=f"{topic}{at}", kind="text", stem=stem, topic=topic)
        for topic, stem in (("Roots", "Roots drink water"), ("Leaves", "Leaves catch light"))
        for at in range(3)
    ]
    loose = ImportedQuestion(name="loose", kind="text", stem="Who uses sunshine")
    monkeypatch.setattr("tutoring.course_imports.topics.closest_groups", lambda texts, groups: [1] * len(texts))

    topics = propose_topics([*named, loose], title="Plants")

    assert [(topic.title, len(topic.questions)) for topic in topics] == [("Roots", 3), ("Leaves", 4)]


def test_a_topic_of_fewer_than_three_questions_joins_another() -> None:
    lines = "\n\n".join(f"$CATEGORY: {name}\n\nQ{name}? {{T}}" for name in ("a", "b", "c", "d"))

    (topic,) = small_draft(lines).topics

    assert len(topic.questions) == 4


def test_a_draft_survives_being_stored() -> None:
    draft = small_draft()

    assert draft_from_json(draft_to_json(draft)) == draft


def test_a_teachers_changes_keep_the_order_free_of_cycles() -> None:
    head = {"title": "Plants", "language": "en", "license": "own work", "attribution": "Ms Grace"}
    requires = {"seeds": ["growing-from-seeds"], "growing-from-seeds": ["seeds"]}

    changed = changed_draft(small_draft(), head=head, titles={"seeds": "Beans?"}, requires=requires)  # type: ignore[arg-type]

    assert [(topic.title, topic.requires) for topic in changed.topics] == [
        ("Beans", ()),
        ("Growing from seeds", ("seeds",)),
    ]


@pytest.mark.django_db
class TestPublishing:
    def test_a_draft_becomes_a_checked_course_that_grades_its_own_answers(self, tmp_path: Path) -> None:
        course, changed = publish_draft(small_draft(), owner=None)

        assert changed
        content = load_checked_course(tmp_path / "courses" / course.slug).course
        exercise = make_exercise(content.template("growing-from-seeds-q4"), seed=0, course=content)
        assert [grade(exercise.key, said).verdict for said in ("10", "12", "13")] == ["correct", "correct", "wrong"]
        words = make_exercise(content.template("growing-from-seeds-q5"), seed=0, course=content)
        assert [grade(words.key, said).is_correct for said in ("Heat.", "WARMTH", "heat or cold")] == [
            True,
            True,
            False,
        ]

    def test_braces_and_formulas_stay_as_they_are(self) -> None:
        question = r"[markdown]Half of $\\frac\{4\}\{8\}$ and \{half\}? {=a\{x\} ~b}"

        course, _changed = publish_draft(small_draft(f"{question}\n\n{GIFT}"), owner=None)

        stems = [each.stem for concept in course.catalogue().concepts for each in concept.templates]
        assert r"Half of $\frac{4}{8}$ and {half}?" in stems

    def test_importing_again_changes_nothing(self, tmp_path: Path) -> None:
        first, _changed = publish_draft(small_draft(), owner=None)
        before = (tmp_path / "courses/plants/graph.yaml").stat().st_mtime_ns

        second, changed = publish_draft(small_draft(), owner=None)

        assert (second.pk, changed) == (first.pk, False)
        assert (tmp_path / "courses/plants/graph.yaml").stat().st_mtime_ns == before
        assert [each.name for each in (tmp_path / "courses").iterdir()] == ["plants"]

    def test_two_teachers_courses_of_one_title_are_apart(self) -> None:
        grace, tess = make_person("grace", role="teacher"), make_person("tess", role="teacher")

        slugs = {publish_draft(small_draft(), owner=person)[0].slug for person in (grace, tess)}

        assert slugs == {"plants", "plants-2"}

    def test_an_invalid_course_leaves_nothing_behind(self, tmp_path: Path) -> None:
        draft = small_draft()
        head = {"title": "Plants", "language": "no language", "license": "x", "attribution": ""}

        with pytest.raises(ImportRefused, match="language"):
            publish_draft(changed_draft(draft, head=head, titles={}, requires={}), owner=None)  # type: ignore[arg-type]

        assert not Course.objects.exists()
        assert not list((tmp_path / "courses").iterdir())

    def test_it_belongs_to_its_owner_and_their_classes_until_it_is_published(self) -> None:
        grace, tess, root = (
            make_person(name, role=role)
            for name, role in (("grace", "teacher"), ("tess", "teacher"), ("root", "admin"))
        )
        ada, ben = make_person("ada"), make_person("ben")
        make_class(grace, "4b", code="4b")
        join_class(ada, "4b")

        course, _changed = publish_draft(small_draft(), owner=grace)

        sees = [person for person in (grace, tess, root, ada, ben) if course in Course.objects.listed_for(person)]
        assert sees == [grace, root, ada]
        assert course not in Course.objects.listed()
        Course.objects.update(is_public=True)
        assert course in Course.objects.listed_for(ben)

    def test_the_command_reports_what_it_leaves_out(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "plants.gift").write_text(GIFT)

        call_command("import_course", tmp_path / "plants.gift", license="CC0")

        said = capsys.readouterr().out
        assert "line 20: It is an essay" in said
        assert "plants: 6 of 7 questions, 2 topics" in said
        assert Course.objects.get().catalogue().license == "CC0"


@pytest.mark.django_db
def test_the_command_gives_no_course_to_a_learner(tmp_path: Path) -> None:
    (tmp_path / "plants.gift").write_text(GIFT)
    make_person("ben")

    with pytest.raises(CommandError, match="'ben' is no teacher"):
        call_command("import_course", tmp_path / "plants.gift", owner="ben")

    assert not Course.objects.exists()


@pytest.mark.parametrize(
    ("reply", "is_ready"),
    [("Yes!", True), ("I'm ready", True), ("sí", True), ("I'm not ready", False), ("Roots", False)],
)
def test_the_opening_of_a_topic_asks_what_the_program_understands(reply: str, is_ready: bool) -> None:
    topic = small_draft().topics[0]
    head = CourseHead(id="a", title="A", summary="A.", language="en", license="CC0")

    files = course_files(head, [topic], {topic.id: []})
    patterns = yaml.safe_load(files["concepts/seeds/dialogue.yaml"])["pieces"]["start"]["ideas"][0]["any"]

    assert files["concepts/seeds/lesson.md"].count("Are you ready for the first one?") == 3
    assert any(match.standing == "claimed" for match in find_patterns(patterns, text=reply)) == is_ready


def test_too_few_questions_are_refused_with_what_was_read_and_what_was_left_out() -> None:
    with pytest.raises(ImportRefused) as refused:
        draft_course([("a.gift", b"Why? {}\n\nIs it so? {T}")])

    said, *lines = str(refused.value).splitlines()
    assert "at least 3 questions that can be graded; there are 1. Choose several files together" in said
    assert lines == [
        "Read: a.gift, line 3: Is it so?",
        "Left out: a.gift, line 1: It is an essay: no rule can grade it.",
    ]


@pytest.mark.django_db
def test_a_stored_draft_with_an_answer_that_cannot_be_graded_makes_no_course() -> None:
    draft = small_draft()
    bad = ImportedQuestion(name="a.json, odd", kind="expression", stem="What is it?", accepted=("9**9**9",))
    first, *others = draft.topics
    old = replace(draft, topics=(replace(first, questions=(*first.questions, bad)), *others))

    with pytest.raises(ImportRefused, match=r"^a.json, odd: The program cannot grade its answer"):
        publish_draft(old, owner=None)
    assert not Course.objects.exists()
