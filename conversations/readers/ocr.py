"""OCR: reads text in a picture, upright or turned, with RapidOCR if installed (the `vision` extra)."""

import resource
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from statistics import fmean, median
from typing import Any

from PIL import Image

from conversations.readers.columns import blocks
from conversations.readers.document import Progress

SURE = 0.9
"""Mean score above which a page with horizontal lines counts as upright; upside down, no page came close to it."""
DETECTED_SIDE = 960
"""Pixels of the longer side for detecting lines; they are read at full size. Memory use grows with it."""
OPTIONS = {
    "Det.limit_type": "max",
    "Det.limit_side_len": DETECTED_SIDE,
    "Rec.rec_batch_num": 1,
    "Global.log_level": "error",
    # It would rotate single lines, and so hide that the page is upside down.
    "Global.use_cls": False,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


type Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    text: str
    score: float
    box: Box


def is_installed() -> bool:
    return find_spec("rapidocr") is not None


def text_of(image: Image.Image, *, at: Progress) -> Generator[Progress, None, str]:
    """Return the text of a picture, line by line, empty if there is none; yields `at` before each step."""
    lines = yield from best_lines(fit_for_ocr(image), at=at)
    return join_lines(lines)


def best_lines(image: Image.Image, *, at: Progress) -> Generator[Progress, None, Sequence[TextLine]]:
    """Return the lines of the picture, turned to the best reading direction.

    It is turned until the median line is wider than tall; of the two remaining directions, the one with the higher mean
    score is used.
    """
    yield at
    if is_upright(boxes(image)):
        image = image.transpose(Image.Transpose.ROTATE_90)
        yield at
    lines = recognize(image)
    if not lines or score(lines) >= SURE:
        return lines
    yield at
    return max(lines, recognize(image.transpose(Image.Transpose.ROTATE_180)), key=score)


def is_upright(found: Sequence[Box]) -> bool:
    return bool(found) and median((right - left) - (bottom - top) for left, top, right, bottom in found) < 0


def score(lines: Sequence[TextLine]) -> float:
    return fmean(line.score for line in lines) if lines else 0.0


def join_lines(lines: Sequence[TextLine]) -> str:
    """Return the lines' text, column by column: neighbors joined on one line, a blank line at a gap one line high."""
    return "\n".join(_join_column(block) for block in blocks(lines)) if lines else ""


def _join_column(lines: Sequence[TextLine]) -> str:
    text, before = "", None
    for line in lines:
        left, top, _, bottom = line.box
        if before:
            height = before[3] - before[1]
            beside = top - before[1] < height / 2 and left > before[0]
            text += " " if beside else "\n\n" if top - before[1] > 2 * height else "\n"
        text += line.text
        before = (left, top, 0, bottom)
    return text


def recognize(image: Image.Image) -> list[TextLine]:
    # Passed each time, because the engine keeps the last value.
    found = _engine()(_dots(image), use_rec=True)
    if found.txts is None:
        return []
    return [
        TextLine(text=text, score=float(sure), box=box)
        for text, sure, box in zip(found.txts, found.scores, _around(found.boxes), strict=True)
    ]


def boxes(image: Image.Image) -> list[Box]:
    """Return the boxes of lines of text, without reading them."""
    found = _engine()(_dots(image), use_rec=False)
    return [] if found.boxes is None else _around(found.boxes)


def _around(corners: Any) -> list[Box]:
    """Return the upright boxes around slanted ones."""
    found = []
    for box in corners:
        (left, top), (right, bottom) = box.min(axis=0).tolist(), box.max(axis=0).tolist()
        found.append((left, top, right, bottom))
    return found


def _dots(image: Image.Image) -> Any:
    import numpy as np

    # It expects OpenCV's color order.
    return np.asarray(image)[:, :, ::-1]


def fit_for_ocr(image: Image.Image) -> Image.Image:
    """Return the picture on white paper, enlarged if its letters are too small to be found."""
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    if max(paper.size) >= DETECTED_SIDE or min(paper.size) < 1:
        return paper
    scale = min(2, DETECTED_SIDE / max(paper.size))
    return paper.resize((round(paper.width * scale), round(paper.height * scale)), Image.Resampling.BICUBIC)


@cache
def _engine() -> Any:
    """Load the models, once. The libraries map far more memory than they use, so the soft limit is raised."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(1)
    return RapidOCR(params=OPTIONS)
