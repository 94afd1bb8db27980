"""Cells that no spreadsheet program runs."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.wire.csv_export import csv_lines, escape_formula


@pytest.mark.parametrize(
    "cell",
    [
        "=cmd|' /C calc'!A0", "+1", "-5", "@SUM(A1)", "\tx", "\rx", " =1+1", "\ufeff=1+1", "\u00a0=1", "\u200b=1", "\n=1",
        " \ufeff \t=1", "＝1+1", "＋1", "－1", "＠x", "\u202e=1",
    ],
)  # fmt: skip
def test_text_that_looks_like_a_formula_is_defused(cell):
    """CSV1: blanks and marks before it do not hide it, nor do wide letters."""
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "Ada", "a=b", "1/2", "x - y", " plain", -5, 3.5, None, True])
def test_numbers_and_plain_words_stay_as_they_are(cell):
    """CSV1"""
    assert escape_formula(cell) == cell


@settings(max_examples=30)
@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), min_size=1)))
def test_whatever_is_written_is_read_again(rows):
    """CSV1: quotes, commas and line ends within a cell neither end it nor begin another."""
    read = list(csv.reader(io.StringIO(csv_lines(rows), newline="")))
    assert read == [[escape_formula(cell) for cell in row] for row in rows]
