"""A board as a picture."""

from io import BytesIO

import pytest
from PIL import Image

from conversations.drawing.rendering import COLOURS, PAPER, render_png
from conversations.drawing.schema import Board
from tests.conversations.drawing.test_schema import ITEMS


def opened(board: Board) -> Image.Image:
    return Image.open(BytesIO(render_png(board)))


def test_it_is_a_png_of_the_papers_size_and_nothing_else():
    image = opened(Board.model_validate({"items": ITEMS, "grid": True}))
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", (1000, 700))
    assert image.info == {}


def test_paper_is_white_and_lines_have_their_colours():
    line = {"kind": "line", "start": [100, 100], "end": [900, 100], "colour": "red", "width": 10}
    filled = {"kind": "rectangle", "x": 100, "y": 300, "w": 200, "h": 200, "colour": "blue", "filled": True}
    image = opened(Board.model_validate({"items": [line, filled]}))
    assert image.getpixel((500, 600)) == PAPER
    assert image.getpixel((500, 100)) == COLOURS["red"]
    assert image.getpixel((200, 400)) not in (PAPER, COLOURS["blue"])


@pytest.mark.parametrize("item", ITEMS, ids=[item["kind"] for item in ITEMS])
def test_every_kind_of_item_is_drawn(item):
    assert len(opened(Board.model_validate({"items": [item]})).getcolors(1 << 20)) > 1
