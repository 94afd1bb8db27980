"""The drawings of a draft, for previews and checks of single parts."""

from tutoring.course_writing.draft_files import COURSE, Files, UnreadableFile, read_mapping
from tutoring.courses.files.reader import ASSETS
from tutoring.courses.pictures.drawings import Drawing, image_of, read_drawing
from tutoring.courses.pictures.shapes import PictureError


def draft_drawings(files: Files) -> dict[str, Drawing]:
    """Return the drawings that can be read, as images at the address that they have in the published course."""
    try:
        course = str(read_mapping(files, COURSE).get("id") or "draft")
    except UnreadableFile:
        course = "draft"
    found: dict[str, Drawing] = {}
    for path, text in files.items():
        if path.startswith(ASSETS):
            name = path.removeprefix(ASSETS)
            try:
                found[name] = image_of(read_drawing(text, name=name.removesuffix(".svg")), course, name)
            except PictureError:
                continue
    return found
