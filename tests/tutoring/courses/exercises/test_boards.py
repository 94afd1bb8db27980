"""Boards drawn still, in words, and with answers on them."""

import re
from fractions import Fraction

import pytest

from tutoring.courses.exercises.board_pictures import board_picture, empty_board
from tutoring.courses.exercises.construction_texts import board_text, construction_text
from tutoring.courses.exercises.sample_constructions import other_answers
from tutoring.courses.pictures import render_svg
from tutoring.grading.boards import Board, BuildBoard, CombineBoard, CutBoard, PlaceBoard, ShadeBoard, ShareBoard

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
BOARDS: tuple[Board, ...] = (
    ShadeBoard(shape="bar", parts=4),
    ShadeBoard(shape="circle", parts=3, shaded=(1,)),
    ShadeBoard(shape="grid", rows=12, columns=12),
    CutBoard(shape="bar"),
    CutBoard(shape="circle"),
    PlaceBoard(start=Fraction(-1), end=Fraction(2), ticks=6),
    PlaceBoard(start=THIRD, end=Fraction(4, 3), ticks=3),
    BuildBoard(pieces=(HALF, THIRD), length=Fraction(2)),
    ShareBoard(things=12, people=2, cut=8),
    ShareBoard(things=3, people=8),
    CombineBoard(first=Fraction(4, 5), sign="+", second=Fraction(3, 4)),
    CombineBoard(first=HALF, sign="-", second=HALF),
)


@pytest.mark.parametrize("board", BOARDS, ids=board_text)
def test_every_answer_can_be_drawn(board):
    assert render_svg(empty_board(board))
    for _, answer in other_answers(board):
        drawn = board_picture(board, answer)
        assert drawn.alt == construction_text(board, answer)
        assert render_svg(drawn)


@pytest.mark.parametrize(
    ("board", "answer", "text"),
    [
        (BOARDS[0], "2,3,4", "3 of 4 parts shaded"),
        (BOARDS[3], "1/3,2/3", "3 equal parts"),
        (BOARDS[3], "1/3,0.9", "3 unequal parts"),
        (BOARDS[5], "-1/2", "the point at −1/2"),
        (BOARDS[7], "1/2,1/3", "1/2 + 1/3 = 5/6"),
        (ShareBoard(things=3, people=2, cut=2), "A=3 B=2", "A: 1 1/2, B: 1, 1 part left over"),
        (BOARDS[9], "A=1 B=0 C=0 D=0 E=0 F=0 G=0 H=0", "A: 1, B: 0, C: 0, D: 0, E: 0, F: 0, G: 0, H: 0, 2 parts left over"),
        (BOARDS[10], "16/20+15/20=31/20", "16/20 + 15/20 = 31/20"),
        (BOARDS[11], "1/2-1/2=0/2", "1/2 − 1/2 = 0/2"),
        (BOARDS[11], "1/3", "1/3"),
    ],
)  # fmt: skip
def test_construction_is_told_in_words(board, answer, text):
    assert construction_text(board, answer) == text


def test_bars_that_do_not_fit_show_where_the_shading_ends():
    drawn = board_picture(CombineBoard(first=HALF, sign="+", second=THIRD), "2/5")
    assert drawn.bars[0].parts == (1, 1, 0.5, 0.5, 1, 1)
    assert drawn.bars[0].shaded == (0, 1, 2)


def test_second_bar_of_a_sum_has_its_own_pattern():
    patterns = re.findall(r"pic-shaded pic-(\w+)", render_svg(board_picture(BOARDS[10], "16/20+15/20=31/20")))
    assert [patterns.count(each) for each in ("striped", "dotted", "crossed")] == [16 + 11, 15, 20]


def test_answer_that_the_board_cannot_show_leaves_it_empty():
    for board in BOARDS:
        assert board_picture(board, "nothing of this") == empty_board(board)
