"""Drawings of a draft, for previews by the person who writes it."""

from tutoring.course_writing.draft_files import Files
from tutoring.courses.files.reader import ASSETS
from tutoring.courses.pictures import PictureError
from tutoring.courses.pictures.drawings import Drawing, read_drawing


def draft_drawings(files: Files) -> dict[str, Drawing]:
    """Return the clean drawings of a draft by file name; one that cannot be read is left out."""
    found: dict[str, Drawing] = {}
    for path, text in files.items():
        if path.startswith(ASSETS):
            name = path.removeprefix(ASSETS)
            try:
                found[name] = read_drawing(text, name=name.removesuffix(".svg"))
            except PictureError:
                continue
    return found
