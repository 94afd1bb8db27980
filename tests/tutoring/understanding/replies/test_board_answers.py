"""Messages to a question that is answered on a board."""

from fractions import Fraction

import pytest

from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import ConstructionKey, ExpressionKey, OrderKey
from tutoring.grading.boards import Board, BuildBoard, PlaceBoard, ShadeBoard, ShareBoard
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, Pan, PointBoard
from tutoring.output_checks.own_calculation import is_own_calculation
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt

SHADE = ShadeBoard(shape="bar", parts=8)
LINE = PlaceBoard(start=Fraction(0), end=Fraction(2), ticks=8)


def on_board(board: Board, stem: str, value: str) -> Context:
    asked = Exercise(
        template="t", seed=1, concept="parts", kind=board.kind, difficulty="easy", stem=stem, board=board,
        key=ConstructionKey(board=board, value=value), hints=("",) * 5, solution=("",),
    )  # fmt: skip
    return Context(prompts=(Prompt(id="q1", kind="question", text=stem, instance=asked),))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("3", "right"),
        ("3/8", "right"),
        ("i think 3", "right"),
        ("2", "wrong"),
        ("3 cuz 8 is 3 and 5", "right"),
        ("i TOLD u 3", "right"),
        ("3 parts", "right"),
        ("oh wait 3. each one is an eighth", "right"),
        ("i said 3!! 3 of the little parts", "right"),
        ("you shade 2 parts because 5 are left", "wrong"),
        ("there is 4 groups so i shade 1 and a half that is 3 parts", "right"),
    ],
)
def test_one_number_is_how_many_parts_are_shaded(text, verdict):
    (given,) = analyse(text, on_board(SHADE, "Shade 3/8 of the bar.", "3/8")).answers
    assert given.verdict == verdict
    assert given.value in ("1,2,3", "1,2")


@pytest.mark.parametrize("text", ["9", "1/3", "my sister is 3", "i was 3 when i learned that", "why 3"])
def test_a_number_that_is_no_shading_answers_nothing(text):
    assert analyse(text, on_board(SHADE, "Shade 3/8 of the bar.", "3/8")).answers == ()


def test_more_pieces_than_fit_into_the_frame_are_refused_as_an_answer():
    halves = BuildBoard(pieces=(Fraction(1, 2),), length=Fraction(1))
    (given,) = analyse("its 4", on_board(halves, "How many halves make the whole?", "1")).answers
    assert (given.value, given.verdict) == ("1/2 1/2 1/2 1/2", "none")
    assert analyse("500", on_board(halves, "How many halves make the whole?", "1")).answers == ()


def test_parts_named_by_number_and_places_are_answers():
    (shaded,) = analyse("1, 4, 5", on_board(SHADE, "Shade 3/8 of the bar.", "3/8")).answers
    (placed,) = analyse("5/4", on_board(LINE, "Put the point at 5/4.", "5/4")).answers
    assert (shaded.verdict, placed.verdict) == ("right", "right")


@pytest.mark.parametrize(
    ("text", "verdict"), [("two of them. the line of 2 thirds", "right"), ("2/3", "right"), ("3 cuz it fits", "wrong")]
)
def test_one_number_is_how_many_equal_pieces_are_laid(text, verdict):
    board = BuildBoard(pieces=(Fraction(1, 3),))
    (given,) = analyse(text, on_board(board, "Put 1/3 pieces in a row up to the mark.", "2/3")).answers
    assert given.verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("2 more fifths because 3 and 2 is 5", "right"), ("2 more", "right"), ("3 cuz 3 are shaded", "wrong")],
)
def test_a_piece_is_told_by_its_name_in_the_reply_or_in_the_question(text, verdict):
    board = BuildBoard(pieces=(Fraction(1, 3), Fraction(1, 5)))
    (given,) = analyse(text, on_board(board, "How many more fifths do you need to fill the ribbon?", "2/5")).answers
    assert given.verdict == verdict


def test_a_number_without_a_name_is_no_answer_where_pieces_differ():
    board = BuildBoard(pieces=(Fraction(1, 3), Fraction(1, 5)))
    found = analyse("2", on_board(board, "Fill the rest of the ribbon.", "2/5")).answers
    assert all(each.verdict == "none" for each in found)


AXIS = Axis(start=Fraction(-5), end=Fraction(5))
POINT = (PointBoard(x=AXIS, y=AXIS), "Put the point with x = 2 and y = -3 on the grid.", "2, -3")
SLOPED = (LineBoard(x=AXIS, y=AXIS), "Draw the line with slope 2 that crosses the y axis at -1.", "2, -1")
SCALE = (BalanceBoard(left=Pan(x=2, ones=3), right=Pan(ones=11)), "What does one box weigh?", "4")


@pytest.mark.parametrize(
    ("asked", "text", "verdict"),
    [
        (POINT, "(2, -3)", "right"),
        (POINT, "2, -3", "right"),
        (POINT, "x = 2, y = -3", "right"),
        (POINT, "(-3, 2)", "wrong"),
        (SLOPED, "y = 2x - 1", "right"),
        (SLOPED, "y = 2x + 1", "wrong"),
        (SCALE, "x = 4", "right"),
        (SCALE, "4", "right"),
        (SCALE, "x=8", "wrong"),
    ],
)
def test_points_equations_and_weights_are_answers(asked, text, verdict):
    (given,) = analyse(text, on_board(*asked)).answers
    assert given.verdict == verdict


def test_sum_of_a_construction_is_its_own_calculation():
    key = ConstructionKey(board=SHADE, value="3/8")
    assert is_own_calculation("1/8 + 1/4", stem="Shade 1/4 + 1/8 of the bar.", key=key)


FROST = PlaceBoard(start=Fraction(-5), end=Fraction(5), ticks=10)


@pytest.mark.parametrize("text", ["-2", "−2", "it's -2", "minus 2", "negative two", "-2!!!"])
def test_a_number_keeps_its_sign(text):
    (given,) = analyse(text, on_board(FROST, "It is 3 degrees, and gets 5 degrees colder.", "-2")).answers
    assert given.verdict == "right"


def test_numbers_in_order_are_no_calculation():
    stem = "Put these floors in order, from the lowest to the highest."
    key = OrderKey(right=("A", "B", "D", "C"), options=(("A", "−3"), ("B", "−1"), ("C", "2"), ("D", "0")))
    asked = Exercise(
        template="t", seed=1, concept="parts", kind="order", difficulty="easy", stem=stem, key=key, hints=("",) * 5,
        solution=("",),
    )  # fmt: skip
    context = Context(prompts=(Prompt(id="q1", kind="question", text=stem, instance=asked),))
    for text, verdict in (("-3 -1 0 2", "right"), ("-3, -1, 0, 2", "right"), ("-1 0 -3 2", "wrong")):
        analysis = analyse(text, context)
        assert [each.verdict for each in analysis.answers] == [verdict]
        assert not analysis.sum


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("i think A gets 4 B gets 4 C 4 and D 4", "right"),
        ("4", "right"),
        ("4 each", "right"),
        ("everybody gets four", "right"),
        ("3 each", "wrong"),
        ("5 each", "none"),
    ],
)
def test_what_each_person_gets_can_be_said_in_words(text, verdict):
    board = ShareBoard(things=16, people=4)
    (given,) = analyse(text, on_board(board, "Share the 16 mushrooms.", "4")).answers
    assert given.verdict == verdict


def test_a_number_in_a_sentence_about_the_people_is_no_share():
    board = ShareBoard(things=16, people=4)
    assert analyse("there are 4 people", on_board(board, "Share the 16 mushrooms.", "4")).answers == ()


WRITTEN = Exercise(
    template="t", seed=1, concept="expressions", kind="expression", difficulty="easy", stem="Write the price of m months.",
    key=ExpressionKey(value="7 + 4m"), hints=("",) * 5, solution=("",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("7 + 4m", "right"), ("7 plus 4 times m", "right"), ("so its 4m + 7", "right"), ("7m + 4", "wrong")],
)
def test_an_expression_with_a_letter_is_an_answer_and_no_sum(text, verdict):
    found = analyse(text, Context(prompts=(Prompt(id="q1", kind="question", text=WRITTEN.stem, instance=WRITTEN),)))
    assert [each.verdict for each in found.answers] == [verdict]
    assert not found.sum
