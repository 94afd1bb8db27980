"""What the panel needs in a data folder: the search index, and a picture of each person that has been read."""

from io import BytesIO
from typing import Any, Final

from drills.panel.models import LABELS

FILL: Final = "from drills.panel.folder import fill; fill()"
"""Run by `manage.py shell` in the folder's environment."""
SIDE: Final = 200
"""Pixels of a side of the picture."""


def fill() -> None:
    """Fill the data folder of this process; print the id of each person's picture, a line each."""
    # Models are there only once Django is set up.
    from conversations.search.index import update_index
    from learnagent.accounts.models import Person

    update_index()
    image = _image()
    for person in Person.objects.order_by("pk"):
        print(_picture_of(person, image))


def _picture_of(person: Any, image: bytes) -> str:
    from conversations.library import document_files
    from conversations.models import Document
    from conversations.readers import Page
    from conversations.search.index import store_passages

    stored_as = document_files.new_name()
    with document_files.received_file([image]) as (path, digest):
        document_files.keep(path, stored_as)
    document = Document.objects.create(
        owner=person, in_library=True, name="leaf.webp", media_type="image/webp", size=len(image), digest=digest,
        stored_as=stored_as, status=Document.Status.READY,
    )  # fmt: skip
    store_passages(document, [Page(number=1, heading="", text=LABELS)])
    return str(document.pk)


def _image() -> bytes:
    from PIL import Image

    written = BytesIO()
    Image.effect_noise((SIDE, SIDE), 20).save(written, "WEBP")
    return written.getvalue()
