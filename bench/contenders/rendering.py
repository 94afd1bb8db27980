"""A 10 KB answer on its way to the page: text while it streams, Markdown once at its end."""

from time import process_time

from bench.contenders import temporary_django

PARAGRAPH = (
    "A fraction such as $\\frac{3}{4}$ says **how many** equal parts are meant, and out of *how many*.\n\n"
    "- three of four parts\n- each as large as the others\n\n"
)
ANSWER = PARAGRAPH * (10_000 // len(PARAGRAPH))
PIECE = 20
"""Characters a model gives at a time."""
PER_FRAME = 3
"""Pieces gathered into one frame at a usual pace."""


def sample_once() -> dict[str, float]:
    """The floor: one rendering of the finished answer."""
    temporary_django.prepare_django()
    from conversations.web.markup import to_html

    started = process_time()
    to_html(ANSWER)
    return {"cpu_ms": (process_time() - started) * 1000}


def sample_streamed() -> dict[str, float]:
    """Ours: escaped text appended while it comes, one rendering at the end."""
    temporary_django.prepare_django()
    from conversations.web.fragments import append_text
    from conversations.web.markup import to_html

    started = process_time()
    step = PIECE * PER_FRAME
    for start in range(0, len(ANSWER), step):
        append_text("0b0e6d9c-0000-4000-8000-000000000000", ANSWER[start : start + step])
    to_html(ANSWER)
    return {"cpu_ms": (process_time() - started) * 1000}
