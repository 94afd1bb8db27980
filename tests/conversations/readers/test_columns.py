"""Pages with columns are read column by column, as they are drawn and as they come off a picture."""

import importlib.util
import re
from dataclasses import dataclass

import pytest
from PIL import Image, ImageDraw, ImageFont

from conversations.readers import ocr
from conversations.readers.columns import Box, blocks
from conversations.readers.document import Progress

LEFT = [
    "A fraction names equal parts", "of one whole. The bottom says", "how many parts there are, and", "the top how many are meant.",
    "Halves are larger than thirds", "because fewer parts share the", "whole between themselves.",
]  # fmt: skip
RIGHT = [
    "Decimals are another way to", "write such numbers. The first", "place after the point counts", "tenths, the second hundredths,",
    "so one half is five tenths or", "fifty hundredths, and neither", "is more than the other.",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    text: str
    box: Box


def column(words: list[str], *, left: float, top: float = 100, step: float = 30, letter: float = 10) -> list[Line]:
    return [
        Line(text=text, box=(left, top + step * row, left + letter * len(text), top + step * row + 20))
        for row, text in enumerate(words)
    ]


def as_found(*columns: list[Line]) -> list[Line]:
    """Return the lines as a reader of pictures finds them: from the top, and from the left."""
    return sorted((line for each in columns for line in each), key=lambda line: (round(line.box[1]), line.box[0]))


def texts(lines: list[Line]) -> list[str]:
    return [line.text for block in blocks(lines) for line in block]


def test_two_columns_are_read_one_after_the_other() -> None:
    assert texts(as_found(column(LEFT, left=50), column(RIGHT, left=450))) == LEFT + RIGHT


def test_three_columns_are_read_one_after_the_other() -> None:
    third = [text.upper() for text in LEFT]
    assert (
        texts(as_found(column(LEFT, left=50), column(RIGHT, left=450), column(third, left=850))) == LEFT + RIGHT + third
    )


def test_heading_across_the_page_is_read_before_the_columns_below_it() -> None:
    title = column(["Fractions and decimals, and what they have to do with each other"], left=50, top=40)
    foot = column(["This line runs across the whole page again, below both of its columns"], left=50, top=400)
    lines = as_found(title, column(LEFT, left=50), column(RIGHT, left=450), foot)
    assert texts(lines) == [title[0].text, *LEFT, *RIGHT, foot[0].text]


@pytest.mark.parametrize(
    "columns",
    [
        [column(LEFT, left=50)],
        [column(["1/2", "1/4", "3/4", "1/8"], left=50), column(["0.5", "0.25", "0.75", "0.125"], left=300)],
        [column(["one half", "one quarter", "three eighths of it"], left=50), column(["50 %", "25 %", "37.5 %"], left=400)],
        [column([f"{number}." for number in range(1, 8)], left=20), column(LEFT, left=60)],
        [column(LEFT[:1], left=50), column(RIGHT[:1], left=450)],
        [],
    ],
    ids=["one column", "table of numbers", "table of words", "numbered list", "two lines", "nothing"],
)  # fmt: skip
def test_what_has_no_columns_of_text_stays_in_order(columns: list[list[Line]]) -> None:
    lines = as_found(*columns)
    assert texts(lines) == [line.text for line in lines]


def page(*columns: list[str], width: int = 1240) -> Image.Image:
    paper = Image.new("RGB", (width, 520), "white")
    font = ImageFont.load_default(28)
    for index, words in enumerate(columns):
        place = (60 + index * (width - 40) // len(columns), 60)
        ImageDraw.Draw(paper).text(place, "\n".join(words), fill="black", font=font, spacing=18)
    return paper


def read(image: Image.Image) -> str:
    reading = ocr.text_of(image, at=Progress(page=1, of=1))
    while True:
        try:
            next(reading)
        except StopIteration as ended:
            return re.sub(r"\s", "", ended.value)


@pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="needs the extra `vision`")
def test_picture_of_a_page_with_two_columns_is_read_in_order() -> None:
    """It lies on its side, too."""
    assert read(page(LEFT, RIGHT).rotate(90, expand=True)) == re.sub(r"\s", "", "".join(LEFT + RIGHT))
