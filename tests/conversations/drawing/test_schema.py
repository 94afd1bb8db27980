"""A board as it is sent: strict, bounded, and the same whatever the order of keys."""

import json
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.drawing.schema import MAX_ITEMS, MAX_POINTS, Board, BoardRefused, Pen, digest, parse

BOX = {"x": 10, "y": 20, "w": 300, "h": 100}
ITEMS = [
    {"kind": "pen", "points": [[1, 2], [30.25, 40]], "colour": "blue", "width": 3},
    {"kind": "line", "start": [0, 0], "end": [1000, 700]},
    {"kind": "rectangle", **BOX, "filled": True},
    {"kind": "ellipse", **BOX},
    {"kind": "text", "x": 5, "y": 5, "text": "1/2"},
    {"kind": "fraction_bar", **BOX, "parts": 4, "shaded": [0, 2]},
    {"kind": "number_line", "x": 10, "y": 500, "w": 800, "start": 0, "end": 2, "step": 0.5, "marks": [0.5]},
]


def board(*items, **changes) -> bytes:
    return json.dumps({"items": list(items), **changes}).encode()


@pytest.mark.parametrize("item", ITEMS, ids=[item["kind"] for item in ITEMS])
def test_every_kind_of_item_survives_being_kept(item):
    there = parse(board(item, grid=True))
    assert there.items[0].kind == item["kind"]
    assert Board.model_validate(json.loads(json.dumps(there.model_dump(mode="json")))) == there


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 100_000, board({"kind": "spell"}), board("x"), board(unknown=1),
        board(width=2000), board({"kind": "pen", "points": []}), board({"kind": "pen", "points": [[1, 2, 3]]}),
        board({"kind": "pen", "points": [[1001, 2]]}), board({"kind": "pen", "points": [[-1, 2]]}),
        board({"kind": "pen", "points": [["1", 2]]}), board({"kind": "pen", "points": [[True, 2]]}),
        b'{"items":[{"kind":"pen","points":[[NaN,1]]}]}', b'{"items":[{"kind":"pen","points":[[1e999,1]]}]}',
        board({**ITEMS[2], "x": 900}), board({**ITEMS[2], "w": 0}), board({**ITEMS[2], "colour": "javascript:"}),
        board({**ITEMS[2], "width": 1e9}), board({**ITEMS[4], "text": "x" * 201}), board({**ITEMS[5], "parts": 0}),
        board({**ITEMS[5], "parts": 25}), board({**ITEMS[5], "shaded": [4]}), board({**ITEMS[5], "shaded": [1, 1]}),
        board({**ITEMS[6], "step": 0}), board({**ITEMS[6], "step": 0.001}), board({**ITEMS[6], "end": -1}),
        board({**ITEMS[6], "marks": [3]}), board({**ITEMS[6], "start": 1e9}),
    ],
)  # fmt: skip
def test_what_is_no_board_is_refused_in_words(content):
    with pytest.raises(BoardRefused, match=r"^The drawing was damaged when it was sent\."):
        parse(content)


@pytest.mark.parametrize(
    "content",
    [
        board(*[{"kind": "pen", "points": [[1, 2]]}] * 10_000),
        board(*[ITEMS[1]] * (MAX_ITEMS + 1)),
        board({"kind": "pen", "points": [[x % 1000, x % 700] for x in range(0, 900_000, 7)]}),
        board({"kind": "pen", "points": [[x % 990, x % 690] for x in range(0, 210_000, 7)]}),
        board(*[{**ITEMS[4], "text": "x" * 200}] * 21),
        board(*[ITEMS[6]] * 13),
        b" " * 2_000_000,
    ],
    ids=["10,000 strokes", "items", "points", "thinned", "texts", "number lines", "bytes"],
)
def test_too_much_is_refused_at_once_and_in_words(content):
    started = process_time()
    with pytest.raises(BoardRefused, match="on the board"):
        parse(content)
    assert process_time() - started < 1


def test_points_that_show_nothing_are_left_out():
    (stroke,) = parse(board({"kind": "pen", "points": [[100 + x / 100, 50] for x in range(30_000)]})).items
    assert isinstance(stroke, Pen)
    assert (stroke.points[0], stroke.points[-1]) == ((100.0, 50.0), (400.0, 50.0))
    assert len(stroke.points) < 160 < MAX_POINTS


def test_what_cannot_be_printed_is_no_text():
    there = parse(board({**ITEMS[4], "text": " a\u202eb\x00\n "}, {**ITEMS[4], "text": "\u200b"}))
    assert there.texts == ("ab",)


def test_equal_boards_have_equal_digests():
    turned = [dict(reversed(item.items())) for item in ITEMS]
    whole = [{**ITEMS[0], "width": 3.0}, *ITEMS[1:]]
    digests = {digest(parse(board(*items))) for items in (ITEMS, turned, whole)}
    assert len(digests) == 1
    assert digest(parse(board(*ITEMS, grid=True))) not in digests
    assert digest(parse(board({**ITEMS[2], "x": -0.0}))) == digest(parse(board({**ITEMS[2], "x": 0, "width": 4})))


@settings(max_examples=25)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4)
    )
)
def test_nothing_sent_as_items_breaks_it(items):
    with suppress(BoardRefused):
        assert isinstance(parse(json.dumps({"items": items})), Board)
