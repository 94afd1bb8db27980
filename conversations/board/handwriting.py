"""Handwriting on the board, read from a picture of it in a worker, if OCR is installed."""

import tempfile
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from math import hypot
from pathlib import Path

from django.db import transaction
from django.tasks import task

from conversations.drawing.interpretation import read_board
from conversations.drawing.rendering import render_png
from conversations.drawing.schema import MAX_TEXT, Board, Pen
from conversations.models import Snapshot
from conversations.readers import read as read_file

LARGEST = 150.0
"""Largest stroke that may be part of a letter, in board units; larger ones belong to the drawing."""
SMALLEST = 8.0


def enqueue_handwriting(snapshot: Snapshot) -> None:
    """Queue reading the handwriting of a drawing, if there may be any. The caller opens the transaction."""
    if find_spec("rapidocr") and not letter_strokes(Board.model_validate(snapshot.board)).is_empty:
        transaction.on_commit(partial(read_handwriting.enqueue, str(snapshot.pk)), robust=True)


@task
def read_handwriting(snapshot: str) -> None:
    """Add the handwriting to the stored reading of a drawing; nothing if it was deleted in the meantime."""
    there = Snapshot.objects.filter(pk=snapshot, deleted_at=None)
    row = there.first()
    if row is None:
        return
    board = Board.model_validate(row.board)
    if text := text_on(board):
        there.update(reading=asdict(read_board(board, ocr_text=text)))


def text_on(board: Board) -> str:
    """Return the handwriting on one line; empty if nothing is readable. Takes seconds, in a child process."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        path = Path(file.name)
        path.write_bytes(render_png(letter_strokes(board)))
        found = read_file(path, media_type="image/png")
    words = " ".join(" ".join(page.text for page in found.pages).split())
    return words[:MAX_TEXT] if any(character.isalnum() for character in words) else ""


def letter_strokes(board: Board) -> Board:
    """Return the board with only the pen strokes that are small enough for letters."""
    strokes = (item for item in board.items if isinstance(item, Pen) and SMALLEST < _extent(item) <= LARGEST)
    return Board(items=tuple(stroke.model_copy(update={"colour": "ink", "width": 5.0}) for stroke in strokes))


def _extent(stroke: Pen) -> float:
    xs, ys = zip(*stroke.points, strict=True)
    return hypot(max(xs) - min(xs), max(ys) - min(ys))
