"""Points, lines and scales: read from what is written or spoken, judged, and refused where nothing can be read."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tutoring.courses.exercises.board_pictures import board_picture, empty_board
from tutoring.courses.exercises.construction_texts import board_text, construction_text
from tutoring.courses.exercises.sample_constructions import construct, other_answers
from tutoring.courses.pictures import render_svg
from tutoring.grading import ConstructionKey, grade, key_from_json, key_to_json
from tutoring.grading.boards import Board, BoardError, board_from_json, board_to_json
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, Pan, PointBoard
from tutoring.grading.judges.constructions import constructed_value
from tutoring.grading.shown_values import shown_text
from tutoring.pages.cards.construction_feedback import construction_look

FIVE = Axis(start=Fraction(-5), end=Fraction(5))
POINT = PointBoard(x=FIVE, y=FIVE)
HALVES = PointBoard(x=Axis(start=Fraction(0), end=Fraction(2), step=Fraction(1, 2)), y=FIVE)
LINE = LineBoard(x=FIVE, y=FIVE)
SCALE = BalanceBoard(left=Pan(x=2, ones=3), right=Pan(ones=11))
BOTH = BalanceBoard(left=Pan(x=3, ones=1), right=Pan(x=1, ones=7))
BOARDS: tuple[Board, ...] = (POINT, HALVES, LINE, SCALE, BOTH)


def judged(board: Board, value: str, answer: str) -> tuple[str, str]:
    judgement = grade(ConstructionKey(board=board, value=value), answer)
    return judgement.verdict, judgement.reason


@pytest.mark.parametrize(
    ("board", "value", "answer"),
    [
        (POINT, "2, 3", "(2, 3)"),
        (POINT, "2, 3", "2,3"),
        (POINT, "2, 3", "the point is at two, three"),
        (POINT, "-2, 3", "x = −2 and y = 3"),
        (POINT, "-2, 3", "y is 3, x is negative 2"),
        (POINT, "-2, 3", "minus 2 and 3"),
        (HALVES, "1/2, -1", "(0.5, -1)"),
        (HALVES, "3/2, -1", "(3/2; -1)"),
        (LINE, "2, -1", "(0, -1), (1, 1)"),
        (LINE, "2, -1", "y = 2x - 1"),
        (LINE, "2, -1", "Y=2X−1"),
        (LINE, "2, -1", "f(x) = 2x - 1"),
        (LINE, "2, -1", "2x - y = 1"),
        (LINE, "2, -1", "2x - 1"),
        (LINE, "2, -1", "the line is y = 2(x - 1) + 1."),
        (LINE, "0, 3", "y = 3"),
        (LINE, "1/2, 0", "y = x/2"),
        (LINE, "1/2, 0", "y = ½ x"),
        (SCALE, "4", "2x + 3 = 11; 2x = 8; x = 4"),
        (SCALE, "4", "x = 4"),
        (SCALE, "4", "4 = x"),
        (SCALE, "4", "x is four"),
        (SCALE, "4", "it weighs 4"),
        (SCALE, "4", "2x = 8, so x = 4"),
        (BOTH, "3", "3x + 1 = x + 7; 2x + 1 = 7; 2x = 6; x = 3"),
    ],
)
def test_right_answer_is_right_however_it_is_said(board, value, answer):
    assert judged(board, value, answer) == ("correct", "")


@pytest.mark.parametrize(
    ("board", "value", "answer", "reason", "look"),
    [
        (POINT, "2, 3", "(3, 2)", "swapped", "The first number says how far across"),
        (POINT, "2, 3", "(2, -3)", "y", "Its x is right"),
        (POINT, "2, 3", "(4, 3)", "x", "Its y is right"),
        (POINT, "2, 3", "(4, 4)", "both", "x is 4 and y is 4"),
        (LINE, "2, -1", "(1, 0), (1, 2)", "vertical", "straight up"),
        (LINE, "2, -1", "x = 1", "vertical", "straight up"),
        (LINE, "2, -1", "y = 2x + 1", "intercept", "Check where it crosses"),
        (LINE, "2, -1", "y = -x - 1", "slope", "y = -x - 1"),
        (LINE, "2, -1", "y = 3", "both", "y = 3"),
        (SCALE, "4", "2x + 3 = 11; 2x = 11; x = 11/2", "unbalanced", "You went from 2x + 3 = 11 to 2x = 11."),
        (SCALE, "4", "2x = 11; x = 11", "unbalanced", "You went from 2x + 3 = 11 to 2x = 11."),
        (SCALE, "4", "x = 8", "value", "Put 8 in place of x in 2x + 3 = 11."),
    ],
)
def test_what_is_wrong_has_its_reason_and_its_sentence(board, value, answer, reason, look):
    assert judged(board, value, answer) == ("wrong", reason)
    key = key_to_json(ConstructionKey(board=board, value=value))
    assert look in construction_look(key, answer, reason=reason)


@pytest.mark.parametrize(
    ("board", "answer", "reason"),
    [
        (POINT, "", "empty"),
        (POINT, "up there", "words"),
        (POINT, "3", "one_number"),
        (POINT, "(1, 2, 3)", "two_points"),
        (POINT, "(9, 0)", "outside"),
        (POINT, "(1/2, 0)", "between_marks"),
        (POINT, "(1/0, 0)", "division_by_zero"),
        (POINT, "1," * 600, "too_long"),
        (LINE, "", "empty"),
        (LINE, "straight", "words"),
        (LINE, "(1, 2)", "unexpected"),
        (LINE, "(1, 2), (1, 2)", "same_point"),
        (LINE, "y = x^2", "unexpected"),
        (LINE, "y = z", "unexpected"),
        (LINE, "0 = 1", "unexpected"),
        (SCALE, "", "empty"),
        (SCALE, "£", "empty"),
        (SCALE, "heavy", "words"),
        (SCALE, "2x = 8", "not_alone"),
        (SCALE, "2x + 3 = 11; 2x = 8", "not_alone"),
        (SCALE, "x^2 = 16", "unexpected"),
        (SCALE, "x = 4;" * 60, "too_long"),
    ],
)
def test_answer_that_the_board_cannot_show_is_a_free_retry(board, answer, reason):
    assert judged(board, "1, 1" if board in (POINT, LINE) else "1", answer) == ("unparsable", reason)
    assert construction_text(board, answer) == answer


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (lambda: Axis(start=Fraction(1), end=Fraction(1)), "go up"),
        (lambda: Axis(start=Fraction(0), end=Fraction(1), step=Fraction(2, 3)), "whole steps"),
        (lambda: Axis(start=Fraction(0), end=Fraction(21)), "1 to 20"),
        (lambda: BalanceBoard(left=Pan(x=1), right=Pan(x=1, ones=2)), "different numbers of boxes"),
        (lambda: BalanceBoard(left=Pan(x=2), right=Pan(ones=3)), "whole number"),
        (lambda: BalanceBoard(left=Pan(x=1, ones=3), right=Pan(ones=1)), "must weigh 0 to"),
        (lambda: BalanceBoard(left=Pan(x=1), right=Pan(ones=3)), "already stands alone"),
        (lambda: Pan(x=7), "at most 6 boxes"),
    ],
)
def test_board_that_cannot_be_drawn_is_refused(board, reason):
    with pytest.raises(BoardError, match=reason):
        board()


@pytest.mark.parametrize("board", BOARDS, ids=board_text)
def test_board_comes_back_from_json_and_every_answer_can_be_drawn(board):
    assert board_from_json(board_to_json(board)) == board
    assert render_svg(empty_board(board))
    for value, answer in other_answers(board):
        key = ConstructionKey(board=board, value=shown_text(value))
        assert key_from_json(key_to_json(key)) == key
        assert render_svg(board_picture(board, answer))
        assert board_picture(board, answer).alt == construction_text(board, answer)


@given(st.sampled_from(BOARDS), st.text(max_size=80) | st.text("0123456789/,.+-=xy();() ", max_size=80))
def test_any_text_is_graded_without_an_error(board, answer):
    value = "1, 1" if board.kind in ("point", "line") else "1"
    assert grade(ConstructionKey(board=board, value=value), answer).verdict in ("correct", "wrong", "unparsable")
    assert construction_text(board, answer) or not answer


@given(st.sampled_from(BOARDS), st.data())
def test_every_value_is_right_for_its_own_key_only(board, data):
    value, answer = data.draw(st.sampled_from(list(other_answers(board))))
    other, _ = data.draw(st.sampled_from(list(other_answers(board))))
    assert constructed_value(board, answer) == value
    assert judged(board, shown_text(value), answer) == ("correct", "")
    assume(other != value)
    assert judged(board, shown_text(other), answer)[0] == "wrong"


NUMBERS = st.integers(-5, 5)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_line_through_any_two_points_is_that_of_its_equation(x1, y1, x2, y2):
    assume(x1 != x2)
    slope = Fraction(y2 - y1, x2 - x1)
    key = shown_text((slope, y1 - slope * x1))
    assert judged(LINE, key, f"({x1}, {y1}), ({x2}, {y2})") == ("correct", "")
    told = construction_text(LINE, f"({x2}, {y2}), ({x1}, {y1})").removeprefix("the line ")
    assert judged(LINE, key, told) == ("correct", "")


@given(st.integers(0, 6), st.integers(0, 30), st.integers(0, 6), st.integers(0, 30))
def test_every_scale_is_solved_step_by_step(left, ones, right, others):
    try:
        board = BalanceBoard(left=Pan(x=left, ones=ones), right=Pan(x=right, ones=others))
    except BoardError:
        return
    answer = construct(board, board.value)
    assert answer is not None
    assert answer.startswith(str(board))
    assert judged(board, str(board.value), answer) == ("correct", "")
