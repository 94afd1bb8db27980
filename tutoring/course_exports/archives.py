"""Writes a course as a ZIP of its own files."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tutoring.courses.files.sources import read_sources


def write_course_archive(folder: Path) -> bytes:
    """Return the files of a course folder in a ZIP, in a folder of the same name; the same files give the same ZIP."""
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(read_sources(folder).texts.items()):
            entry = ZipInfo(f"{folder.name}/{name}")
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, text.encode())
    return target.getvalue()
