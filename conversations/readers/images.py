"""Reader for pictures: opened within limits, turned upright, reduced, re-encoded; and their text by OCR."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import sqrt
from typing import BinaryIO

from PIL import Image, ImageOps, UnidentifiedImageError

from conversations.readers import ocr
from conversations.readers.document import Page, Problem, Progress, ReaderOutput, Unreadable

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF")
MAX_PIXELS = 16_000_000
MAX_SIDE = 12_000
MAX_FRAMES = 50
KEPT_PIXELS = 4_000_000
"""An A4 page at 200 dpi: enough for people and models."""
QUALITY = 85


@contextmanager
def pixel_limits() -> Iterator[None]:
    """Make Pillow reject pictures that are too large before it allocates memory."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            yield
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise Unreadable(Problem.TOO_LARGE) from error


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    """Yield the text of a picture; for a multi-page TIFF, of each page."""
    if not ocr.is_installed():
        raise Unreadable(Problem.NO_EYES)
    with pixel_limits(), open_picture(file) as image:
        pages = frames(image) if image.format == "TIFF" else 1
        for index in range(pages):
            image.seek(index)
            text = yield from ocr.text_of(normalize_frame(image), at=Progress(page=index + 1, of=pages))
            yield Page(number=index + 1, heading="", text=text)


def reencode(file: BinaryIO, descriptor: int) -> None:
    """Write the first frame to an open descriptor, as WebP, with nothing but its pixels."""
    with os.fdopen(descriptor, "wb") as new, pixel_limits(), open_picture(file) as image:
        fresh = normalize_frame(image)
        fresh.info.clear()
        fresh.save(new, format="WEBP", quality=QUALITY, exif=b"", icc_profile=b"", xmp=b"")


@contextmanager
def open_picture(file: BinaryIO) -> Iterator[Image.Image]:
    """Open a picture of a supported type. Raises Unreadable if it is too large, truncated or something else."""
    try:
        with Image.open(file, formats=FORMATS) as image:
            frames(image)
            yield image
    except UnidentifiedImageError as error:
        raise Unreadable(Problem.UNSUPPORTED) from error
    except (OSError, SyntaxError, EOFError, ValueError) as error:
        raise Unreadable(Problem.DAMAGED) from error


def frames(image: Image.Image) -> int:
    found: int = getattr(image, "n_frames", 1)
    if found > MAX_FRAMES:
        raise Unreadable(Problem.TOO_LARGE)
    return found


def normalize_frame(image: Image.Image) -> Image.Image:
    """Return a frame turned upright, reduced to the size limit, as RGB or RGBA."""
    if image.width * image.height > MAX_PIXELS or max(image.size) > MAX_SIDE:
        raise Unreadable(Problem.TOO_LARGE)
    # JPEG can be opened at a smaller size from the start.
    image.draft(None, kept_size(image))
    return ImageOps.exif_transpose(shrink(image))


def shrink(image: Image.Image) -> Image.Image:
    """Return a picture of at most KEPT_PIXELS, reduced before it is converted, because converting is slow."""
    if image.mode.startswith("I"):
        image = image.point(lambda value: value * (1 / 256)).convert("L") if ";16" in image.mode else image.convert("L")
    elif image.mode in {"1", "P", "PA"}:
        # These modes can be reduced only by dropping pixels.
        image = image.convert("RGBA" if has_alpha(image) else "RGB")
    smaller = image.resize(kept_size(image), Image.Resampling.BOX) if kept_size(image) != image.size else image.copy()
    return smaller.convert("RGBA" if has_alpha(smaller) else "RGB")


def has_alpha(image: Image.Image) -> bool:
    return image.has_transparency_data


def kept_size(image: Image.Image) -> tuple[int, int]:
    scale = min(1.0, sqrt(KEPT_PIXELS / (image.width * image.height)))
    return max(1, int(image.width * scale)), max(1, int(image.height * scale))
