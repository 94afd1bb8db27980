"""The check of exercises about programs: it runs them, and tells each fault with its place."""

import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings as django_settings

from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.exercises.exercise import find_misconceptions
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.misconception_finder import misconceptions_behind
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.loader import parse_course
from tutoring.courses.without_programs import runs_programs, without_programs
from tutoring.grading import program_runner

PROGRAMS = Path(__file__).parents[1] / "data" / "programs"
ITEMS = "concepts/functions/items.yaml"
COURSE = parse_course(PROGRAMS)


def spoilt(folder: Path, before: str, after: str) -> Path:
    copied = Path(shutil.copytree(PROGRAMS, folder / "programs"))
    text = (copied / ITEMS).read_text(encoding="utf-8")
    assert before in text
    (copied / ITEMS).write_text(text.replace(before, after, 1), encoding="utf-8")
    return copied


def test_course_about_programs_passes():
    assert load_checked_course(PROGRAMS).course.id == "programs"


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('{prints: "{a + b}\\n{a}{b}"}', '{prints: "{a + b}\\n{a + b}"}', "its program prints"),
        ('{prints: "{a + b}\\n{a}{b}"}', "{}", "a trace question needs answer: {prints: what the program prints}"),
        ("return first + second", "return first + third", "its program does not run to its end: line 2: NameError"),
        ("return first + second", "return first + {c}", "unknown name 'c'"),
        ("found.get(letter, 0) + 1\n", "found.get(letter, 0) + 2\n", "its own solution is graded wrong, value, at \"count('a' *"),
        ("needs: [for]", "needs: [while]", "its own solution is graded equivalent_not_in_form, needs while"),
        ("needs: [for]", "without: [for]", "its own solution is graded equivalent_not_in_form, without for"),
        ("found[letter] = 1\n", "found[letter] = found.get(letter, 0) + 1\n", "passes all cases"),
        ("found[letter] = 1\n", "found[letter] =\n", "Python cannot read the wrong program"),
        ("        print(found)\n", "        return {{each: 1 for each in letters}}\n", "do the same in all cases"),
        ('value: "{{\'a\': 1, \'b\': 1}}"', "says: two", "a case needs the value of its call, or what is printed"),
        ("{call: \"count('')\", value: \"{{}}\"}", '{value: "{{}}"}', "a case with a value needs the call that has it"),
        ('"    more = n + {k}", "    return more", ', "", "at least 3 lines are needed"),
        ('spare: ["    print(more)"]', 'spare: ["    return more"]', "this line belongs to the program, so it is not spare"),
        ('"    more = n + {k}", "    return more"', '"   more = n + {k}", "    return more"', "indent by 4 spaces for each level"),
        ('lines: ["def grow(n):"', 'lines: ["def grow(n)"', "is not offered, or not so often|Python cannot read the lines"),
        ("type: trace", "type: numeric", "only a trace question has a program"),
    ],
)  # fmt: skip
def test_fault_is_told_with_file_and_line(tmp_path, before, after, fault):
    with pytest.raises(CourseFaults) as raised:
        load_checked_course(spoilt(tmp_path, before, after), seeds=6)
    told = [str(each) for each in raised.value.faults]
    assert any(
        re.search(rf"items\.yaml:\d+: .*(?:{fault if '|' in fault else re.escape(fault)})", each) for each in told
    ), told


def test_a_template_starts_few_programs(monkeypatch):
    ran = []
    run = program_runner.run_programs
    monkeypatch.setattr(
        program_runner, "run_programs", lambda place, programs: ran.extend(programs) or run(place, programs)
    )
    program_runner.forget_outcomes()
    load_checked_course(PROGRAMS)
    assert len(ran) == len(set(ran))
    assert len(ran) < 200


def test_programs_are_not_run_where_none_can(settings, tmp_path):
    settings.AGENTS = django_settings.AGENTS | {"sandbox": ""}
    folder = spoilt(tmp_path, "return first + second", "return first + third")
    assert load_checked_course(folder, seeds=4).course.id == "programs"


def test_program_that_does_the_same_as_a_wrong_one_shows_its_misconception():
    made = make_exercise(COURSE.template("fn-code"), seed=1, course=COURSE)
    own = "def count(text):\n    return {each: 1 for each in text}"
    assert misconceptions_behind(made, own) == ("forgets_one",)
    assert misconceptions_behind(made, "def count(text):\n    print({})") == ()
    assert misconceptions_behind(made, "def count(text:") == ()
    assert find_misconceptions(made, own) == ()


def test_where_programs_cannot_run_something_else_is_asked():
    course = without_programs(COURSE)
    (concept,) = course.concepts
    assert runs_programs(COURSE)
    assert not runs_programs(course)
    assert {each.kind for each in concept.templates} == {"trace", "lines", "choice", "numeric"}
    asked = {piece.id: piece.step and piece.step.kind for piece in concept.every_piece}
    assert asked["fn-write"] == "choice"
    assert asked["fn-read"] == "trace"
    assert concept.pieces["beginner"][2].question.startswith("Which line")
    assert without_programs(course) is course
