"""Reading a course: all of it as values, or every fault with file, line and reason."""

import json
import os

import pytest

from tutoring.courses.catalogue import ConceptWordings, Wordings
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.loader import parse_course, read_course
from tutoring.courses.pictures import Picture
from tutoring.courses.serialization import (
    course_from_json,
    course_to_json,
    with_wordings,
    without_wordings,
    wordings_to_json,
)

ITEMS = "concepts/halves/items.yaml"
WORDINGS = "concepts/halves/wordings.yaml"
LESSON = "concepts/halves/lesson.md"


def faults_of(folder):
    with pytest.raises(CourseFaults) as caught:
        parse_course(folder)
    return caught.value.faults


def test_course_is_read_whole(tiny):
    halves, adding = tiny.concepts
    assert tiny.prerequisites("adding") == ("halves",)
    assert [len(halves.pieces[level]) for level in ("beginner", "intermediate", "advanced")] == [2, 1, 2]
    assert [template.kind for template in halves.templates] == [
        "numeric",
        "numeric",
        "choice",
        "choice",
        "multi",
        "text",
    ]
    assert adding.goal
    assert adding.minutes == 6


def test_piece_has_its_blocks_its_question_and_what_a_reply_should_say(tiny):
    piece = tiny.concept("halves").pieces["beginner"][0]
    assert [type(block) for block in piece.blocks] == [str, Picture, str]
    assert piece.question == "Are the two parts halves?"
    assert piece.blocks[1].alt == "A bar in two parts, one three times as long"
    assert piece.heard == "You compared the two sizes."
    assert "same size" in piece.ideas[0].any


def test_json_gives_an_equal_course_and_its_wordings_apart(tiny):
    kept = course_from_json(json.loads(json.dumps(course_to_json(tiny))))
    assert kept == without_wordings(tiny)
    assert kept.wordings_key
    assert with_wordings(kept, json.loads(json.dumps(wordings_to_json(tiny)))) == tiny


def test_wordings_are_read_by_what_they_are_of(tiny):
    found = tiny.concept("halves").wordings
    assert found.replies["cut"].wrong["any-two-pieces"][0] == "yes, there are two parts"
    assert found.contrasts["any-two-pieces"].wrong == {"any-two-pieces": ("yes, one of two pieces",)}
    assert found.milestones["same-size"].against[0] == "teach me one half"
    assert found.misconceptions["any-two-pieces"].sayings[0] == "any two pieces are halves"
    assert tiny.sayings["none"] == ("what is a half?",)
    assert tiny.concept("adding").wordings == ConceptWordings()


def test_key_of_the_wordings_changes_with_each_of_them(tiny, spoil):
    changed = parse_course(spoil(WORDINGS, "it is a bar", "it is a rod"))
    assert changed.wordings_key != tiny.wordings_key
    (changed_back := spoil(WORDINGS, "it is a rod", "it is a bar") / "sayings.yaml").unlink()
    assert parse_course(changed_back.parent).wordings_key != tiny.wordings_key


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("  cut:", "  cat:", 2, "lesson.md has no piece 'cat'"),
        ("      any-two-pieces:\n        - \"yes,", "      any-two:\n        - \"yes,", 10, "there is no misconception 'any-two'"),
        ("  same-size:", "  same-sizes:", 16, "milestones.yaml has no milestone 'same-sizes'"),
        ("misconceptions:\n  any-two-pieces:", "misconceptions:\n  any-two:", 24, "there is no misconception 'any-two'"),
        ("contrasts:\n  any-two-pieces:", "contrasts:\n  any-two:", 33, "there is no misconception 'any-two'"),
        ("    partly:\n      - \"no\"", "    partly: []", 7, "has too few entries"),
        ('- "no, one is longer"', "- false", 4, "must be text"),
        ('- "no, one is longer"', "- 5", 4, "must be text"),
    ],
)  # fmt: skip
def test_faults_of_wordings_have_their_line(spoil, before, after, line, reason):
    (fault, *_) = faults_of(spoil(WORDINGS, before, after))
    assert (fault.file, fault.line) == (WORDINGS, line)
    assert reason in fault.reason


def test_sayings_of_an_unknown_misconception_are_a_fault(spoil):
    (fault,) = faults_of(spoil("sayings.yaml", "any-two-pieces", "any-two"))
    assert (fault.file, fault.line, fault.reason) == ("sayings.yaml", 1, "there is no misconception 'any-two'")


def test_a_misconceptions_name_under_contradicts_stands_for_its_utterances(tiny):
    assert tiny.template("halves-why").answer.contradicts == ("(two|both) pieces are halves", "never")


def test_wordings_of_an_idea_begin_with_its_name(tiny):
    (milestone,) = next(each for each in tiny.concepts if each.id == "halves").milestones
    assert milestone.wordings == (
        Wordings(said=("same size", "neither of the two is bigger"), against=("one is bigger than the other",)),
        Wordings(said=("two", "it is cut into two parts")),
    )


def test_yes_and_no_are_words(tiny):
    assert [choice.text for choice in tiny.template("halves-say").choices] == ["Yes", "No"]


@pytest.mark.parametrize(
    ("file", "before", "after", "line", "reason"),
    [
        ("course.yaml", "license: CC BY 4.0\n", "", 1, "license: is missing"),
        ("course.yaml", "language: en", "langauge: en", 4, "langauge: is not a known key"),
        ("graph.yaml", "[halves]", "[havles]", 10, "there is no concept 'havles'"),
        ("graph.yaml", "minutes: 6\n", "minutes: 6\n    tasks: [Halve.]\n    shown_by: [[nothing]]\n", 16, "no exercise, step or milestone 'nothing'"),
        ("graph.yaml", "minutes: 6\n", "minutes: 6\n    shown_by: [[]]\n", 15, "there are more lists than tasks"),
        ("graph.yaml", "minutes: 6\n", "minutes: 6\n  - {id: halves, title: H, summary: S}\n", 15, "duplicate"),
        ("misconceptions.yaml", "(two|both)", "(two|both", 6, "not a regular expression"),
        ("misconceptions.yaml", "(two|both)", "(a+)+", 6, "repeated group"),
        ("misconceptions.yaml", "(crumb)", "(crum)", 14, "there is no picture 'crum'"),
        ("misconceptions.yaml", "frac(a+c, b+d)", "fracc(a+c)", 27, "unknown function 'fracc'"),
        (LESSON, "(uneven)", "(even)", 12, "there is no picture 'even'"),
        (LESSON, "### fold", "### cut", 16, "duplicate piece 'cut'"),
        (LESSON, "## example", "## exampel", 52, "unknown section"),
        (LESSON, "concept: halves", "concept: adding", 2, "folder of 'halves'"),
        (LESSON, "### cut\n", "", 9, "text outside a piece"),
        ("concepts/halves/dialogue.yaml", "  cut:", "  cud:", 2, "lesson.md has no piece 'cud'"),
        ("concepts/halves/pictures.yaml", "gap: 6", "gap: 66", 1, "a gap must be from 0 to 20"),
        ("concepts/halves/milestones.yaml", "[any-two-pieces]", "[any-two]", 6, "no misconception 'any-two'"),
        ("concepts/halves/milestones.yaml", "    two:", "    too:", 1, "these do not match: too, two"),
        (ITEMS, "{shape} is dark?", "{shap} is dark?", 7, "unknown name 'shap'"),
        (ITEMS, "rung: 2, principle", "rung: 3, principle", 13, "rung 3 has"),
        (ITEMS, "twin: {shape: bar, rest: 9}", "twin: {rst: 9}", 15, "no parameter 'rst'"),
        (ITEMS, '"distinct_malrules()"', '"distinct()"', 6, "unknown function 'distinct'"),
        (ITEMS, "any-two-pieces: 1/2", "any-three: 1/2", 10, "misconceptions.yaml has no 'any-three'"),
        (ITEMS, "{any-two-pieces: 1/2}", "any-two-pieces", 10, "give malrule_params"),
        (ITEMS, "{B: any-two-pieces, C: other}", "{B: any-two-pieces}", 44, "wrong choice C needs"),
        (ITEMS, "answer: {value: A}", "answer: {value: D}", 43, "there is no choice 'D'"),
        (ITEMS, "id: halves-number", "id: halves-shaded", 18, "duplicate template 'halves-shaded'"),
        (ITEMS, "form: whole", "form: hole", 24, "answer › form"),
        (ITEMS, "id: halves-number\n", "id: halves-number\n  after: [cutt]\n", 19, "lesson.md has no piece 'cutt'"),
    ],
)  # fmt: skip
def test_fault_names_file_line_and_reason(spoil, file, before, after, line, reason):
    faults = faults_of(spoil(file, before, after))
    assert any(fault.file == file and reason in fault.reason for fault in faults), faults
    assert line in [fault.line for fault in faults if reason in fault.reason]


def test_every_fault_is_told_at_once(spoil, folder):
    spoil("course.yaml", "language: en", "language: English")
    spoil(LESSON, "## example", "## exampel")
    (folder / "concepts/adding/items.yaml").unlink()
    assert {fault.file for fault in faults_of(folder)} == {"course.yaml", LESSON, "concepts/adding/items.yaml"}


def test_codes_need_the_name_of_their_standards(spoil):
    folder = spoil("graph.yaml", "    requires: [halves]", "    standards: [3.NF.A.1]\n    requires: [halves]")
    assert faults_of(folder)[0].reason == "course.yaml does not say whose standards these are"


def test_symbolic_links_are_refused(folder, tmp_path):
    """X6"""
    secret = tmp_path / "secret.yaml"
    secret.write_text("a: 1")
    (folder / "misconceptions.yaml").unlink()
    os.symlink(secret, folder / "misconceptions.yaml")
    assert "symbolic link" in faults_of(folder)[0].reason


def test_ids_cannot_lead_out_of_the_folder(spoil):
    faults = faults_of(spoil("graph.yaml", "id: adding", "id: ../../adding"))
    assert "concepts › 2 › id" in faults[0].reason


def test_oversized_files_are_refused(folder):
    (folder / "course.yaml").write_text("# " + "x" * 300_000)
    assert "larger than 256 KB" in faults_of(folder)[0].reason


def test_bytes_that_are_not_text_are_refused(folder):
    (folder / "graph.yaml").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in faults_of(folder)[0].reason


def test_files_nobody_reads_are_told(folder):
    (folder / "concepts/halves/itmes.yaml").write_text("[]")
    assert "cannot contain this file" in faults_of(folder)[0].reason


def test_hash_changes_with_any_file(spoil, folder):
    before = read_course(folder).hash
    assert read_course(spoil(LESSON, "A bar is cut in two.", "A bar is cut.")).hash != before


def test_questions_have_several_wordings(spoil):
    course = spoil("course.yaml", "id:", "id:")
    (course / "concepts" / "halves" / "questions.yaml").write_text("- asked: [a, b]\n  says: Yes.\n")
    (fault,) = faults_of(course)
    assert (fault.file, fault.line) == ("concepts/halves/questions.yaml", 1)


def test_requests_belong_to_a_concept_or_to_none(spoil):
    course = spoil("course.yaml", "id:", "id:")
    path = course / "requests.yaml"
    path.write_text("none: [something harder]\nno-such-concept: [that one]\n")
    (fault,) = faults_of(course)
    assert (fault.file, fault.line, fault.reason) == ("requests.yaml", 2, "there is no concept 'no-such-concept'")
