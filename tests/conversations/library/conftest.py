"""A data folder of the test's own, and files to put in it."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from conversations.library import uploads
from conversations.models import Document
from conversations.readers import Page
from conversations.search.index import store_passages
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.

NOTES = b"# Halves\n\nA half is one of two equal parts.\n\n## Why\n\nUnequal pieces are not halves."
PAGES = (
    Page(number=1, heading="Halves", text="A half is one of two equal parts."),
    Page(number=2, heading="Halves › Why", text="Unequal pieces are not halves."),
)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


def path_of(document: Document) -> Path:
    """Return where the document's file lies in the data folder."""
    return Path(settings.DATA_DIR) / "uploads" / document.stored_as[:2] / document.stored_as


@pytest.fixture
def put(folder: Path) -> Callable[..., Document]:
    """Return a function that puts a file in somebody's library."""

    def put_in(person: Any, content: bytes = NOTES, *, name: str = "notes.md", in_library: bool = True) -> Document:
        return uploads.accept(person, SimpleUploadedFile(name, content), in_library=in_library)

    return put_in


def ready(document: Document) -> None:
    """Let the document have been read, as a reader does it that starts no process."""
    store_passages(document, PAGES)
    Document.objects.filter(pk=document.pk).update(status="ready", title="Halves", pages=2, pages_read=2)


def picture(kind: str = "PNG", *, behind: bytes = b"") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(file, kind)
    return file.getvalue() + behind


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
