"""Every kind of question: made, judged by its own key, and its faults told with their place."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise, find_misconceptions
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.misconception_finder import misconceptions_behind
from tutoring.courses.exercises.sample_answers import answer_with_mistake, right_answers, wrong_answer
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.loader import parse_course
from tutoring.grading import ExpressionKey, MatchKey, OrderKey, SetKey, StepsKey
from tutoring.grading.semantic_grader import grade_by_meaning

KINDS = Path(__file__).parents[1] / "data" / "kinds"
ITEMS = "concepts/parts/items.yaml"
COURSE = parse_course(KINDS)
TEMPLATES = [template for concept in COURSE.concepts for template in concept.templates]
SEEDS = range(12)


def made(template: str, seed: int = 3) -> Exercise:
    return make_exercise(COURSE.template(template), seed=seed, course=COURSE)


@pytest.fixture
def spoil(tmp_path: Path) -> Callable[[str, str], Path]:
    """Change one exercise and leave the others out, their lines empty."""

    def spoilt(before: str, after: str) -> Path:
        folder = Path(shutil.copytree(KINDS, tmp_path / "kinds"))
        blocks = re.split(r"^(?=- id:)", (folder / ITEMS).read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert sum(before in block for block in blocks) == 1
        kept = [block.replace(before, after) if before in block else "\n" * block.count("\n") for block in blocks]
        (folder / ITEMS).write_text("".join(kept), encoding="utf-8")
        return folder

    return spoilt


def test_a_course_of_every_kind_passes():
    assert {template.kind for template in load_checked_course(KINDS, seeds=4).course.concepts[0].templates} == {
        "numeric", "expression", "set", "choice", "multi", "order", "match", "steps", "text",
        "shade", "cut", "place", "build", "share", "combine", "point", "line", "balance", "trace", "code", "lines",
    }  # fmt: skip


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_exercise_comes_back_as_it_was_asked_and_finds_its_answer_right(template):
    for seed in SEEDS:
        asked = make_exercise(template, seed=seed, course=COURSE)
        assert asked == make_exercise(template, seed=seed, course=COURSE)
        parts = {"public": serialization.public_part(asked), "secret": serialization.secret_part(asked)}
        assert asked == serialization.exercise_from_json(
            template=asked.template, seed=seed, concept=asked.concept, kind=asked.kind, stem=asked.stem, **parts
        )
        assert all(grade_by_meaning(asked.key, answer).is_correct for answer in right_answers(asked))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_known_mistakes_and_any_wrong_answer_are_read_and_wrong(template):
    for seed in SEEDS:
        asked = make_exercise(template, seed=seed, course=COURSE)
        assert grade_by_meaning(asked.key, wrong_answer(asked)).verdict in ("wrong", "partial")
        for wrong, found in asked.wrong.items():
            answer = answer_with_mistake(asked, wrong)
            assert grade_by_meaning(asked.key, answer).verdict in ("wrong", "partial")
            assert set(found) <= set(misconceptions_behind(asked, answer))


def test_pieces_never_stand_in_the_right_order():
    shown = set()
    for seed in range(60):
        key = made("p-order", seed).key
        assert isinstance(key, OrderKey)
        shown.add(key.right)
        assert key.right != tuple(letter for letter, _ in key.options)
    assert len(shown) > 15


def test_rows_never_stand_beside_their_options():
    for seed in range(60):
        key = made("p-match", seed).key
        assert isinstance(key, MatchKey)
        assert [option for _, option in key.right] != ["1", "2", "3"]
        assert len(key.options) == 4


def test_an_option_of_several_rows_is_offered_once():
    key = made("p-sort").key
    assert isinstance(key, MatchKey)
    assert sorted(text for _, text in key.options) == ["less than a half", "more than a half"]
    assert not key.uses_each_once


def test_mistakes_are_known_by_what_they_answer():
    for seed in SEEDS:
        order, match, several = made("p-order", seed), made("p-match", seed), made("p-set", seed)
        assert isinstance(order.key, OrderKey)
        assert isinstance(match.key, MatchKey)
        assert find_misconceptions(order, " ".join(reversed(order.key.right))) == ("bigger-bottom-bigger",)
        (spare,) = {letter for letter, _ in match.key.options} - {option for _, option in match.key.right}
        half = next(letter for letter, text in match.key.rows if text == "1/2")
        answer = " ".join(f"{row}={spare if row == half else option}" for row, option in match.key.right)
        assert find_misconceptions(match, answer) == ("add-same-to-both",)
        (wrong,) = several.wrong
        assert find_misconceptions(several, f"{wrong}, 7/8") == ("add-same-to-both",)


def test_mistake_of_a_working_is_found_on_the_line_that_breaks():
    for seed in SEEDS:
        working = made("p-steps", seed)
        assert isinstance(working.key, StepsKey)
        for wrong, found in working.wrong.items():
            right = f"{working.key.start} = {working.key.value}\n" if found == ("bottoms-too",) else ""
            assert find_misconceptions(working, f"{right}{wrong}\n{wrong}") == found
    solving = made("p-solve", 3)
    (wrong,) = solving.wrong
    assert find_misconceptions(solving, f"{wrong}\nx = 1") == ("upside-down",)


def test_mistakes_of_an_expression_are_found_in_any_spelling():
    ribbon = made("p-expression")
    assert isinstance(ribbon.key, ExpressionKey)
    wrong = next(text for text, found in ribbon.wrong.items() if found == ("upside-down",))
    top, bottom = wrong.split("n/")
    assert find_misconceptions(ribbon, f"n * {top} / {bottom}") == ("upside-down",)
    assert find_misconceptions(ribbon, ribbon.key.value) == ()


def test_sets_are_written_as_the_question_shows_them():
    key = made("p-set").key
    assert isinstance(key, SetKey)
    assert all("/" in value for value in key.values)


def test_named_values_are_taken_with_their_names_or_in_order_and_so_are_their_mistakes():
    asked = made("p-named")
    assert isinstance(asked.key, SetKey)
    total, rest = asked.key.values
    assert asked.key.names == ("sum", "difference")
    assert right_answers(asked) == (f"sum = {total}, difference = {rest}", f"{total}, {rest}")
    assert find_misconceptions(asked, f"{rest}, {total}") == ("upside-down",)
    assert find_misconceptions(asked, f"difference {rest}, sum {total}") == ()


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('answer: {value: "{k}n/{b}"}', "answer: {}", ":55: an expression question needs answer: {value: …}"),
        ('answer: {value: "{k}n/{b}"}', 'answer: {value: "{k}n/{z}"}', ":55: unknown name 'z'"),
        ('answer: {value: "{k}n/{b}"}', 'answer: {value: "{k}n/{b}", places: 2}', "the answer of an expression question cannot have 'places'"),
        ('{upside-down: "{b}n/{k}"}', "upside-down", "write {upside-down: the wrong expression}"),
        ('{upside-down: "{b}n/{k}"}', '{upside-down: "n*{k}/{b}"}', "is graded right"),
        (", form: expanded", "", "which is graded right: ask for a form that rejects it"),
        ("names: [sum, difference]", "names: [sum]", ":520: there are 2 values, but 1 names"),
        ("names: [sum, difference]", 'names: [sum, ""]', "names › 2: is empty"),
        ("names: [sum, difference]", "names: [sum, Sum]", "duplicate name"),
        ("names: [sum, difference]", 'names: [sum, "2 = x"]', "'2 = x' is no name: write a word or a letter"),
        ('["a + b", "a - b"], names', "['\"tall\"', \"a - b\"], names", "only numbers can have names in the answer, not 'tall'"),
        ('upside-down: ["a - b", "a + b"]', 'upside-down: ["a - b", "a + b", "b"]', "write {upside-down: [a wrong value for each name]}"),
        ('upside-down: ["a - b", "a + b"]', 'upside-down: ["a + b", "a - b"]', "where"),
        ("answer: {values: [A, C]}", "answer: {values: [A, C], names: [first, second]}", "the answer of a multi question cannot have 'names'"),
        ('order: ["1/{d}", "1/{c}", "1/{b}", "1/{a}"]', 'order: ["1/{d}", "1/{c}"]', "needs answer: {order: [at least three pieces]}"),
        ('"1/{c}", "1/{b}", "1/{a}"]', '"1/{b}", "1/{c}", "1/{a}"]', "the numbers on the pieces are in neither rising nor falling order"),
        ("bigger-bottom-bigger: [4, 3, 2, 1]", "bigger-bottom-bigger: [4, 3]", "[the numbers of all pieces in the wrong order]"),
        ("bigger-bottom-bigger: [4, 3, 2, 1]", "bigger-bottom-bigger: [1, 2, 3, 4]", "is graded right"),
        ('      - ["1/3", "{m}/{3*m}"]\n', "", "needs answer: {pairs: [at least three"),
        ('["1/3", "{m}/{3*m}"]', '["1/2", "{m}/{3*m}"]', "duplicate row"),
        ('spare: ["{k + 1}/{k + 2}"]', 'spare: ["{k}/{2*k}"]', "this belongs to a row, so it is not spare"),
        ('spare: ["{k + 1}/{k + 2}"]', 'spare: ["{3*k}/{6*k}"]', "are equal in value but belong to different rows"),
        ("add-same-to-both: [4, 0, 0]", "add-same-to-both: [5, 0, 0]", "for each of the 3 pairs, the number"),
        ("add-same-to-both: [4, 0, 0]", "add-same-to-both: [1, 0, 0]", "gives no wrong partner"),
        ('values: ["frac(k, 2*k)", "frac(m, 2*m)"]', 'values: ["frac(k, 2*k)"]', "needs answer: {values: [at least two]}"),
        ('values: ["frac(k, 2*k)", "frac(m, 2*m)"]', 'values: ["k", "k"]', "duplicate value"),
        ('add-same-to-both: "frac(w, w + 2)"', 'add-same-to-both: "frac(k, 2*k)"', "is graded right"),
        ('start: "{a}/{b} + {c}/{d}"', 'start: "{a}/{b} - {c}/{d}"', "does not follow"),
        ('"{a*l/b + c*l/d}/{l}", "{a/b + c/d}"', '"{a*l/b + c*l/d}/{2*l}", "{a/b + c/d}"', "does not follow"),
        ("add-tops-bottoms, {bottoms-too", "bottoms-too, {bottoms-too", "'bottoms-too' has no malrule"),
        ('bottoms-too: ["{a*l/b + c*l/d}/{2*l}"]', 'bottoms-too: ["{a*l/b + c*l/d}/{l}"]', "are met too rarely"),
        ("form: simplified", "form: as_written", "a steps question cannot have the form 'as_written'"),
        ('board: {shape: bar, parts: "b*k"}', "shuffle: true", "the type shade needs board: {shape: bar, parts: …}"),
        ('board: {shape: bar, parts: "b*k"}', "board: {shape: bar, parts: b*k, ticks: 2}", "the board of shade has no 'ticks'"),
        ('board: {shape: bar, parts: "b*k"}', "board: {shape: star, parts: b*k}", "shape is bar or circle or grid, not 'star'"),
        ('board: {shape: bar, parts: "b*k"}', "board: {shape: bar, parts: q}", "unknown name 'q'"),
        ('board: {shape: bar, parts: "b*k"}', "board: {shape: bar, parts: 30*b}", "a bar or circle can have at most 24 parts"),
        ('board: {shape: bar, parts: "b*k"}', "board: {shape: bar, parts: b+1}", "its board cannot show the answer"),
        ('columns: "c", shaded: [0]', 'columns: "c", shaded: [40]', "shaded parts must be different indexes, from 0"),
        ('columns: "c", shaded: [0]', 'columns: "c", shaded: "c"', "the parts shaded at the start are already the answer"),
        ('bigger-bottom-bigger: "(b-a)/b"', 'bigger-bottom-bigger: "a/(7*b)"', "no board can show the wrong answer"),
        ('bigger-bottom-bigger: "(b-a)/b"', 'bigger-bottom-bigger: ["(b-a)/b", "1/b"]', "a shade question can have only one wrong expression"),
        ("unequal: add-tops-bottoms", "unequal: nothing-known", "misconceptions.yaml has no 'nothing-known'"),
        ('answer: {value: "k/6"}', 'unequal: upside-down\n  answer: {value: "k/6"}', "only cut and share have 'unequal'"),
        ('answer: {value: "n"}', 'answer: {value: "n", form: whole}', "the answer of a cut question cannot have 'form'"),
        ("ticks: \"2*b\"", "ticks: 3", "its board cannot show the answer"),
        ('"2/3", exact_pieces: true', '"2/3", pieces: ["1/2", "1/3"]', "its pieces make 5/6, and not the answer 2/3"),
        ('"2/3", exact_pieces: true', '"2/3", pieces: ["5/12", "1/4"]', "the answer has a piece that the board does not"),
        ('"2/3", exact_pieces: true', '"2/3", pieces: ["1/3", "1/3"], exact_pieces: true', "'pieces' already gives the sizes"),
        ('"2/3", exact_pieces: true', '"2/3", pieces: ["1/q", "1/3"]', "unknown name 'q'"),
        ('value: "t/2"', 'value: "(t+1)/2"', "its board cannot show the answer"),
        ('value: "t/2"', 'value: "(t-1)/2"', "shared by 2 is not"),
        ('value: "1/b + 1/d"', 'value: "1/b - 1/d"', "not"),
        ('sign: "-"', 'sign: "*"', "sign is + or -, not '*'"),
        ("movable: true, bars: [{parts: 1, label: Mia}, ", "movable: true, bars: [{parts: 1, label: Mia}, {parts: 2}, ", "only a comparison of two bars can be movable"),
        ('focus: "All the tops are 1. Look at the bottom numbers."', 'focus: "1/{d}, 1/{c}, 1/{b}, 1/{a}"', "hint 1 gives the answer"),
        ('focus: "Take one fraction and', 'focus: "1/2 is {k}/{2*k}. Take one and', "hint 1 gives the answer"),
        ('focus: "Start with the length of one', 'focus: "Write {k}n/{b}. Start with one', "hint 1 gives the answer"),
        ('focus: "Look at the two bottom', 'focus: "Make it {a*l/b + c*l/d}/{l}. Look at both', "hint 1 gives the answer"),
        ('focus: "For each one, look', 'focus: "{k}/{2*k} and {m}/{2*m}. Look', "hint 1 gives the answer"),
    ],
)  # fmt: skip
def test_fault_of_an_author_is_told_with_its_place(spoil, before, after, fault):
    with pytest.raises(CourseFaults) as caught:
        load_checked_course(spoil(before, after), seeds=1)
    assert fault in str(caught.value)
    assert f"{ITEMS}:" in str(caught.value)
