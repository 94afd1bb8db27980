"""What is constructed on a board: read, judged, and refused where the board cannot show it."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tutoring.courses.exercises.construction_texts import construction_text
from tutoring.courses.exercises.sample_constructions import construct, other_answers, unequal_cuts, unequal_shares
from tutoring.grading import ConstructionKey, grade, key_from_json, key_to_json
from tutoring.grading.boards import (
    Board,
    BoardError,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    ShadeBoard,
    ShareBoard,
    board_from_json,
    board_to_json,
)
from tutoring.grading.judges.constructions import CUT_TOLERANCE, constructed_value
from tutoring.pages.cards.construction_feedback import construction_look

HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
BAR = ShadeBoard(shape="bar", parts=8)
CUT = CutBoard(shape="bar")
LINE = PlaceBoard(start=Fraction(0), end=Fraction(2), ticks=8)
FRAME = BuildBoard(pieces=(HALF, THIRD, SIXTH))
SHARE = ShareBoard(things=7, people=2, cut=2)
SUM = CombineBoard(first=HALF, sign="+", second=THIRD)
LEFT = CombineBoard(first=HALF, sign="-", second=THIRD)
BOARDS: tuple[Board, ...] = (BAR, CUT, LINE, FRAME, SHARE, SUM, LEFT)


def judged(board: Board, value: str, answer: str, **more: bool) -> tuple[str, str]:
    judgement = grade(ConstructionKey(board=board, value=value, **more), answer)
    return judgement.verdict, judgement.reason


@pytest.mark.parametrize(
    ("board", "value", "answer"),
    [
        (BAR, "3/8", "1,4,5"),
        (BAR, "3/8", "parts 8, 2 and 7"),
        (BAR, "1/4", "3 6"),
        (ShadeBoard(shape="grid", rows=2, columns=3), "1/2", "1,5,6"),
        (CUT, "4", "0.25,0.5,0.75"),
        (CUT, "4", "3/4; 1/2; 1/4"),
        (CUT, "3", "0.33, 0.67"),
        (CutBoard(shape="circle"), "2", "½"),
        (LINE, "5/4", "5/4"),
        (LINE, "5/4", "1 1/4"),
        (LINE, "5/4", "it is at 1.25, i think"),
        (FRAME, "5/6", "1/2,1/3"),
        (FRAME, "5/6", "1/6 + 1/6 + 1/2"),
        (SHARE, "7/2", "A=7 B=7"),
        (SHARE, "7/2", "b: 7, a: 7"),
        (SUM, "5/6", "3/6+2/6=5/6"),
        (SUM, "5/6", "6/12 + 4/12 = 10/12"),
        (SUM, "5/6", "5/6"),
        (LEFT, "1/6", "3/6−2/6=1/6"),
    ],
)
def test_right_construction_is_right(board, value, answer):
    assert judged(board, value, answer) == ("correct", "")


@pytest.mark.parametrize(
    ("board", "value", "answer", "verdict", "reason"),
    [
        (BAR, "3/8", "1,4", "wrong", "too_little"),
        (BAR, "3/8", "1,2,3,4", "wrong", "too_much"),
        (CUT, "4", "0.25,0.5,0.8", "wrong", "unequal"),
        (CUT, "4", "1/5,2/5,3/5,4/5", "wrong", "count"),
        (LINE, "5/4", "1", "wrong", "before"),
        (LINE, "5/4", "3/2", "wrong", "behind"),
        (FRAME, "5/6", "1/2", "wrong", "short"),
        (FRAME, "5/6", "1/2,1/2", "wrong", "long"),
        (SHARE, "7/2", "A=6 B=6", "wrong", "left_over"),
        (SHARE, "7/2", "A=8 B=6", "wrong", "unequal"),
        (SUM, "5/6", "2/5", "wrong", "does_not_fit"),
        (SUM, "5/6", "1/6+1/6=2/6", "wrong", "renamed"),
        (SUM, "5/6", "3/6+2/6=5/12", "unparsable", "two_sizes"),
        (SUM, "5/6", "3/6+2/6=4/6", "partial", "result"),
    ],
)
def test_what_is_wrong_has_its_reason(board, value, answer, verdict, reason):
    assert judged(board, value, answer) == (verdict, reason)


@pytest.mark.parametrize(
    ("board", "answer", "reason"),
    [
        (BAR, "", "empty"),
        (BAR, " , ", "empty"),
        (BAR, "9", "no_such_part"),
        (BAR, "0", "no_such_part"),
        (BAR, "1/2", "no_such_part"),
        (BAR, "1,1", "twice"),
        (BAR, "-1", "unexpected"),
        (BAR, "the first two", "unexpected"),
        (BAR, "9" * 30, "unexpected"),
        (BAR, "1," * 600, "too_long"),
        (CUT, "4", "outside"),
        (CUT, "0", "outside"),
        (CUT, "1/0", "division_by_zero"),
        (CUT, "0.5,1/2", "twice"),
        (CUT, ",".join(f"0.{n}" for n in range(100, 190)), "too_many"),
        (CUT, ",".join(f"{n}/1001" for n in range(1, 1001)), "too_long"),
        (CUT, "NaN", "unexpected"),
        (CUT, "1e-3", "unexpected"),
        (LINE, "9", "outside"),
        (LINE, "-1/4", "outside"),
        (LINE, "4/3", "between_marks"),
        (LINE, "1 or 2", "two_numbers"),
        (LINE, "there", "words"),
        (FRAME, "1/5", "no_such_piece"),
        (FRAME, "1/2,1/2,1/6", "outside"),
        (SHARE, "A=7", "incomplete"),
        (SHARE, "A=7 B=-", "incomplete"),
        (SHARE, "A=7 C=7", "no_such_choice"),
        (SHARE, "A=8 B=8", "too_many"),
        (SHARE, "A=0 B=0", "empty"),
        (SHARE, "A=x B=y", "unexpected"),
        (SUM, "3/6-2/6=1/6", "other_sign"),
        (SUM, "3/6+2/6=99/6", "too_many"),
        (SUM, "1/99", "too_many"),
        (SUM, "1/0", "division_by_zero"),
        (SUM, "1+1", "unexpected"),
    ],
)
def test_answer_that_the_board_cannot_show_is_a_free_retry(board, answer, reason):
    assert judged(board, "1", answer) == ("unparsable", reason)
    assert construction_text(board, answer) == answer


def test_pieces_of_one_size_are_asked_for_only_where_the_key_says_so():
    assert judged(FRAME, "2/3", "1/2,1/6") == ("correct", "")
    assert judged(FRAME, "2/3", "1/2,1/6", exact_pieces=True) == ("equivalent_not_in_form", "mixed")
    assert judged(FRAME, "2/3", "1/3,1/3", exact_pieces=True) == ("correct", "")


def test_just_the_pieces_asked_for_are_right_in_any_order():
    """Another sum of the same length is not what the question asks for."""
    asked = {"pieces": ("1/2", "1/3", "1/6")}
    assert judged(FRAME, "1", "1/6,1/2,1/3", **asked) == ("correct", "")
    assert judged(FRAME, "1", "1/2,1/2", **asked) == ("equivalent_not_in_form", "other_pieces")
    assert judged(FRAME, "1", "1/2,1/3", **asked) == ("wrong", "short")
    key = key_to_json(ConstructionKey(board=FRAME, value="1", **asked))
    assert key_from_json(key).pieces == asked["pieces"]
    look = construction_look(key, "1/2,1/2", reason="other_pieces")
    assert look == "The sum is right, but you need to use these pieces: 1/2, 1/3 and 1/6."


@pytest.mark.parametrize(
    "board",
    [
        lambda: ShadeBoard(shape="bar", parts=1),
        lambda: ShadeBoard(shape="circle", parts=25),
        lambda: ShadeBoard(shape="grid", rows=13, columns=2),
        lambda: ShadeBoard(shape="bar", parts=4, shaded=(1, 1)),
        lambda: PlaceBoard(start=Fraction(2), end=Fraction(2), ticks=4),
        lambda: PlaceBoard(start=Fraction(0), end=Fraction(1), ticks=61),
        lambda: BuildBoard(pieces=()),
        lambda: BuildBoard(pieces=(HALF, HALF)),
        lambda: BuildBoard(pieces=(Fraction(1),)),
        lambda: ShareBoard(things=50, people=2, cut=2),
        lambda: ShareBoard(things=5, people=1),
        lambda: CombineBoard(first=THIRD, sign="-", second=HALF),
        lambda: CombineBoard(first=Fraction(1, 11), sign="+", second=Fraction(1, 12)),
    ],
)
def test_board_that_cannot_be_drawn_is_refused(board):
    with pytest.raises(BoardError):
        board()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.kind)
def test_board_and_key_come_back_from_json(board):
    key = ConstructionKey(board=board, value="5/6", exact_pieces=True)
    assert board_from_json(board_to_json(board)) == board
    assert key_from_json(key_to_json(key)) == key
    assert key_to_json(key)["type"] == board.kind


@given(st.sampled_from(BOARDS), st.text(max_size=80) | st.text("0123456789/,.+-=AB ", max_size=80))
def test_any_text_is_graded_without_an_error(board, answer):
    assert grade(ConstructionKey(board=board, value="1"), answer).verdict in (
        "correct", "wrong", "partial", "unparsable",
    )  # fmt: skip
    assert construction_text(board, answer) or not answer


@given(st.sampled_from(BOARDS), st.data())
def test_every_value_that_a_board_shows_is_right_for_its_own_key_only(board, data):
    value, answer = data.draw(st.sampled_from(list(other_answers(board))))
    assert constructed_value(board, answer) == value
    right = board.value if isinstance(board, CombineBoard) else value
    if right == value:
        assert judged(board, str(value), answer) == ("correct", "")
    other = data.draw(st.fractions(0, 4, max_denominator=12))
    assume(other != value)
    assert judged(board, str(other), answer)[0] in ("wrong", "partial")


@given(st.integers(2, 24), st.data())
def test_any_parts_of_the_right_share_are_right(parts, data):
    shaded = data.draw(st.sets(st.integers(1, parts), min_size=1))
    answer = ",".join(map(str, data.draw(st.permutations(sorted(shaded)))))
    board = ShadeBoard(shape="bar", parts=parts)
    assert judged(board, str(Fraction(len(shaded), parts)), answer) == ("correct", "")


@given(st.integers(2, 12), st.data())
def test_cuts_are_fair_within_the_tolerance_and_not_beyond(parts, data):
    fair = [Fraction(place, parts) for place in range(1, parts)]
    off = [data.draw(st.fractions(-CUT_TOLERANCE, CUT_TOLERANCE, max_denominator=1000)) for _ in fair]
    near = [place + by for place, by in zip(fair, off, strict=True)]
    assert judged(CUT, str(parts), ",".join(map(str, near))) == ("correct", "")
    index = data.draw(st.integers(0, parts - 2))
    near[index] = fair[index] + CUT_TOLERANCE * 2
    assert judged(CUT, str(parts), ",".join(map(str, near))) == ("wrong", "unequal")


@given(st.integers(2, 12))
def test_unequal_cuts_have_the_right_count(parts):
    assert judged(CUT, str(parts), unequal_cuts(Fraction(parts))) == ("wrong", "unequal")


@given(st.integers(1, 12), st.integers(2, 8), st.integers(1, 8))
def test_unequal_shares_can_be_dealt(things, people, cut):
    board = ShareBoard(things=things, people=people, cut=cut)
    assert judged(board, str(Fraction(things, people)), unequal_shares(board)) == ("wrong", "unequal")


@given(st.lists(st.fractions(Fraction(1, 12), 1, max_denominator=12), min_size=1, max_size=4, unique=True), st.data())
def test_built_lengths_are_found_if_pieces_make_them(pieces, data):
    board = BuildBoard(pieces=tuple(pieces), length=Fraction(2))
    laid = data.draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=4))
    assume(sum(laid) <= 2)
    answer = construct(board, sum(laid, Fraction(0)))
    assert answer is not None
    assert constructed_value(board, answer) == sum(laid)
