"""Exports: the same questions come back from GIFT and QTI; Anki and ZIP files hold what they should."""

import io
import json
import sqlite3
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site

from tests.tutoring.course_imports.import_helpers import small_draft
from tests.tutoring.document_courses.document_helpers import TEXT, passages
from tutoring.course_exports.anki import write_anki
from tutoring.course_exports.archives import write_course_archive
from tutoring.course_exports.gift import write_gift
from tutoring.course_exports.qti import write_qti
from tutoring.course_exports.questions import questions_of
from tutoring.course_exports.xhtml import xhtml_of
from tutoring.course_imports.files import read_file
from tutoring.course_imports.html_text import markdown_of_html
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_imports.questions import ImportedQuestion, Option, Skipped
from tutoring.course_storage import store_course
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.document_courses.course_files import CourseNames, document_course_files
from tutoring.document_courses.drafts import draft_document
from tutoring.models import Course

HARD = (
    ImportedQuestion(
        name="signs",
        kind="choice",
        stem="Which is `{a}` ~ 1 = 2 # 3: a \\ b?\n\nAnd $\\frac{1}{2}$?",
        options=(Option(text="a=b", is_right=True, feedback="So: yes"), Option(text="{c} # d")),
        explanation="Line 1\n\nLine 2",
        topic="A/B",
    ),
    ImportedQuestion(
        name="one", kind="multi", stem="Which?", options=(Option(text="a", is_right=True), Option(text="b"))
    ),
    ImportedQuestion(
        name="Marks: one::two",
        kind="choice",
        stem="Which sign costs $\\$34.98$, on [2,4] or \\(x-\\)?",
        options=(Option(text="\\\\", is_right=True), Option(text="\\#"), Option(text="\\>"), Option(text="\\$5")),
    ),
    ImportedQuestion(name="word", kind="text", stem="Say *it*.", accepted=("<b", "a & b")),
    ImportedQuestion(name="near", kind="numeric", stem="How much?", accepted=("-3.5",), tolerance="0.25"),
)


def bare(question: ImportedQuestion, *, hints: bool) -> ImportedQuestion:
    """Return the question without its name, and its texts as they come back from XHTML."""

    def text(markdown: str) -> str:
        return markdown_of_html(xhtml_of(markdown))

    return replace(
        question,
        name="",
        stem=text(question.stem),
        options=tuple(replace(each, text=text(each.text), feedback=text(each.feedback)) for each in question.options),
        pairs=tuple((text(row), text(partner)) for row, partner in question.pairs),
        spare=tuple(map(text, question.spare)),
        hints=tuple(map(text, question.hints)) if hints else (),
        explanation=text(question.explanation),
    )


def test_hard_signs_come_back_from_gift_as_they_were() -> None:
    text, skipped = write_gift(HARD)

    back = read_file("a.gift", text.encode()).questions

    assert not skipped
    topics = ["A/B"] * len(HARD)
    assert list(back) == [
        replace(each, name=each.name.replace("::", ":"), topic=topic) for each, topic in zip(HARD, topics, strict=True)
    ]


def test_hard_signs_come_back_from_qti_as_they_were() -> None:
    data, skipped = write_qti(HARD, title="A & B")

    back = read_file("a.zip", data).questions

    assert not skipped
    assert [replace(bare(each, hints=True), topic="") for each in back] == [
        replace(bare(each, hints=True), topic="") for each in HARD
    ]


def test_exports_name_what_they_leave_out() -> None:
    sums = ImportedQuestion(name="sums", kind="expression", stem="Expand.", accepted=("2x",))
    picture = Skipped(name="cake", reason="It has a picture.")

    gift, left_out = write_gift([*HARD, sums], [picture])
    package, also_left_out = write_qti([*HARD, sums], [picture], title="Sums")

    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        listed = archive.read("left-out.md").decode()
    assert gift.splitlines()[-2:] == [
        "// Left out: cake: It has a picture.",
        "// Left out: sums: GIFT has no question of this kind.",
    ]
    assert listed == "- Left out: cake: It has a picture.\n- Left out: sums: QTI has no question of this kind.\n"
    assert [len(left_out), len(also_left_out)] == [2, 2]
    assert [len(read_file("a.x", data).questions) for data in (gift.encode(), package)] == [len(HARD)] * 2


@pytest.mark.django_db
class TestCourses:
    @pytest.fixture(autouse=True)
    def _own_folder(self, settings: Any, tmp_path: Path) -> None:
        settings.DATA_DIR = tmp_path

    @pytest.fixture
    def fractions(self) -> Course:
        return store_course(load_checked_course(Path(site.BASE_DIR) / "courses/fractions", seeds=1), position=0)

    def test_a_shipped_courses_questions_come_back_from_gift_and_qti(self, fractions: Course) -> None:
        questions, left_out = questions_of(fractions)
        in_gift = [each for each in questions if each.kind not in ("order", "expression")]
        in_qti = [each for each in questions if each.kind != "expression"]

        from_gift = read_file("a.gift", write_gift(questions)[0].encode())
        from_qti = read_file("a.zip", write_qti(questions, title="F")[0])

        assert len(questions) > 50
        assert {each.reason for each in left_out} <= {
            "It has a picture.",
            "Other programs have no question of this kind.",
        }
        assert [bare(each, hints=False) for each in from_gift.questions] == [
            bare(each, hints=False) for each in in_gift
        ]
        assert [bare(each, hints=True) for each in from_qti.questions] == [bare(each, hints=True) for each in in_qti]

    def test_an_imported_courses_questions_are_those_that_were_read(self) -> None:
        draft = small_draft()
        course, _changed = publish_draft(draft, owner=None)

        questions, left_out = questions_of(course)

        assert [replace(each, topic="") for each in questions] == [
            replace(each, topic="") for topic in draft.topics for each in topic.questions
        ]
        assert not left_out

    def test_a_document_courses_terms_are_exported_and_its_links_are_not(self, tmp_path: Path) -> None:
        draft = draft_document(passages(TEXT), title="Memory", layout="markdown")
        names = CourseNames(id="own", key=1, document="memory.md", license="own")
        for name, text in document_course_files(draft, names).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        course = store_course(load_checked_course(tmp_path, seeds=1), position=0)

        questions, left_out = questions_of(course)

        assert not left_out
        assert any(each.kind == "text" and each.accepted for each in questions)
        assert "/passages/" not in write_gift(questions)[0]

    def test_the_files_of_a_course_can_be_loaded_again(self, tmp_path: Path) -> None:
        course, _changed = publish_draft(small_draft(), owner=None)

        data = write_course_archive(tmp_path / "courses" / course.slug)

        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive.extractall(tmp_path / "again")
        assert load_checked_course(tmp_path / "again" / course.slug, seeds=1).hash == course.source_hash


def test_an_anki_package_has_a_card_for_each_question_and_knows_it_again(tmp_path: Path) -> None:
    data = write_anki(HARD, title="Plants", key="plants")

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    connection = sqlite3.connect(tmp_path / "collection.anki2")
    try:
        fields = [text.split("\x1f") for (text,) in connection.execute("SELECT flds FROM notes ORDER BY id")]
        decks = json.loads(connection.execute("SELECT decks FROM col").fetchone()[0])
        cards = connection.execute("SELECT COUNT(*) FROM cards JOIN notes ON nid = notes.id").fetchone()[0]
    finally:
        connection.close()
    assert cards == len(HARD)
    assert fields[3] == ["<p>Say <em>it</em>.</p>", "<p><b>&lt;b or a &amp; b</b></p>"]
    assert "-3.5 ± 0.25" in fields[4][1]
    assert {each["name"] for each in decks.values()} == {"Default", "Plants"}
    assert (tmp_path / "media").read_text() == "{}"
