"""The gate: what a course that reads well must still show before it is loaded."""

from pathlib import Path

import pytest

from tests.tutoring.courses.conftest import TINY
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.checks.exercise_trials import pairwise_sums
from tutoring.courses.checks.style import reading_grade
from tutoring.courses.files.faults import CourseFaults

ITEMS = "concepts/halves/items.yaml"
LESSON = "concepts/halves/lesson.md"
LONG = "Here is one more word. " * 15
HARD = (
    "Notwithstanding considerable mathematical sophistication, practitioners occasionally misinterpret denominators. "
)


def faults_of(folder: Path) -> str:
    with pytest.raises(CourseFaults) as caught:
        load_checked_course(folder, seeds=8)
    return str(caught.value)


def test_sound_course_passes():
    assert load_checked_course(TINY, seeds=8).course.id == "tiny"


@pytest.mark.parametrize(
    ("file", "before", "after", "fault"),
    [
        ("graph.yaml", "    level: 1\n", "    level: 1\n    requires: [adding]\n", "halves is its own prerequisite, in the circle: Halves, Adding"),
        ("graph.yaml", "goal: true", "goal: false", "course.yaml:1: no concept is marked as a goal"),
        ("graph.yaml", "requires: [halves]", "requires: []", "graph.yaml:2: halves leads nowhere"),
        (LESSON, "Are the two parts halves?", "They are halves.", f"{LESSON}:8: cut: asks 0 questions"),
        (LESSON, "A bar is cut in two.", "A bar? It is cut.", f"{LESSON}:8: cut: asks 2 questions"),
        (LESSON, "Are the two parts halves?", "Are they halves? Look.", f"{LESSON}:8: cut: must end with its question"),
        (LESSON, "A bar is cut in two.", LONG, f"{LESSON}:8: cut: 80 words"),
        (LESSON, "A bar is cut in two.", "A bar is cut!", f"{LESSON}:8: cut: no exclamation marks"),
        (LESSON, "A bar is cut in two.", HARD * 5, "reads like school grade"),
        ("misconceptions.yaml", "Is that half of the cake?", "Oh.", "misconceptions.yaml:1: any-two-pieces: asks 0"),
        ("concepts/halves/dialogue.yaml", "    heard: You compared the two sizes.\n", "", "ideas need two replies"),
        ("concepts/halves/milestones.yaml", "halves-*", "half-*", "halves has no exercise named 'half-*'"),
        (ITEMS, "rung: 1, focus: Look at all the parts.", 'rung: 1, focus: "Say 1/{rest + 1}."', "hint 1 gives the answer"),
        (ITEMS, "focus: Think of a fair cut.", "focus: They have the same size.", "hint 1 gives the answer"),
        (ITEMS, "Neither of them, since", "B, since", "“B” would be taken for the letter of another choice"),
        (ITEMS, "focus: Look at the sizes.", "focus: A bar in 2 equal parts.", ""),
        (ITEMS, "{a} + {a} = {b}", "{a} + {a} = {b + 1}", "halves-number: seed 0: the solution says"),
        (ITEMS, "So 1/{rest + 1} is dark.", "That is it.", "the solution does not contain the answer"),
        (ITEMS, "{keep-first: b}", "{keep-first: b - a}", "'keep-first' gives the right answer"),
        (ITEMS, "Both parts are equal.", "Because.", "its own answer 'Because.' is graded wrong"),
        (ITEMS, '  where: ["distinct_malrules()"]\n', "", "tell two of its misconceptions apart"),
        (ITEMS, '["distinct_malrules()"]', '["rest > 9"]', "no exercise within 1000 tries"),
        (ITEMS, 'parts: "rest + 1"', 'parts: "rest - 9"', "a picture must have 1 to 100 parts"),
    ],
)  # fmt: skip
def test_fault_is_found_with_its_place(spoil, file, before, after, fault):
    folder = spoil(file, before, after)
    if fault:
        assert fault in faults_of(folder)
    else:
        assert load_checked_course(folder, seeds=8)


def test_too_few_templates_are_a_fault(folder):
    path = folder / "concepts/adding/items.yaml"
    path.write_text(path.read_text().split("- id: adding-6")[0])
    assert "graph.yaml:7: adding has 5 exercise templates" in faults_of(folder)


def test_sums_are_found_in_words_and_formulas():
    assert list(pairwise_sums(r"So $\frac{1}{2} = \frac{2}{4}$ cm.")) == [("(1)/(2)", "(2)/(4)")]
    assert list(pairwise_sums("7 + 7 = 14 cm, and x = 3.")) == [("7 + 7", "14")]
    assert list(pairwise_sums("4 · 6 = 24, so x · 6 = 24 and 2x + 6 = 30.")) == [("4 · 6", "24")]


def test_longer_sentences_read_like_a_higher_grade():
    short = "We cut the cake in two. Each part is the same. You take one. I take one. " * 3
    assert reading_grade(short) < 3 < 12 < reading_grade(HARD * 5)
