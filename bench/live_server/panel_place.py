"""What the panel needs in a data folder: people who let models answer, the courses, the index, a picture of each person."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple

from bench.live_server.panel_models import LABELS
from bench.live_server.server import Place, prepared_place, run_in_place

FILL = "from bench.live_server.panel_place import fill; fill()"
FILL_WITH_PICTURES = "from bench.live_server.panel_place import fill_with_pictures; fill_with_pictures()"
CALLS = "SELECT agent, turn_id, ms FROM agents_modelcall WHERE status = 'answered'"
SIDE = 400
"""Pixels of a side of the picture."""


class ModelCallTime(NamedTuple):
    """An answered call to a model."""

    agent: str
    turn_id: str
    """In hex."""
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPlace:
    place: Place
    pictures: Sequence[str]
    """The id of each person's picture, in the order of the tokens."""

    def model_calls(self) -> list[ModelCallTime]:
        """Return the calls to models that were answered so far."""
        with closing(sqlite3.connect(f"file:{self.place.folder}/learnagent.sqlite3?mode=ro", uri=True)) as database:
            return [*map(ModelCallTime._make, database.execute(CALLS))]


@contextmanager
def prepared_panel_place(*, people: int) -> Iterator[PanelPlace]:
    """Make a data folder with this many people who can ask the panel; it goes with the block."""
    with prepared_place(people=people, settings="learnagent.settings") as place:
        yield PanelPlace(place=place, pictures=run_in_place(place, FILL_WITH_PICTURES).split()[-people:])


def fill() -> None:
    """Fill the data folder of this process: all people let models answer; courses and articles can be searched."""
    from django.core.management import call_command

    from conversations.search.index import update_index
    from learnagent.accounts.models import Person

    call_command("load_courses", trials=1, verbosity=0)
    for person in Person.objects.order_by("pk"):
        person.set_consent(True)
        person.save()
    update_index()


def fill_with_pictures() -> None:
    """Fill the data folder, with a picture of each person; print the ids of the pictures last, a line each."""
    from conversations.search.index import update_index
    from learnagent.accounts.models import Person

    fill()
    image = _image()
    pictures = [_picture_of(person, image) for person in Person.objects.order_by("pk")]
    update_index()
    print(*pictures, sep="\n")


def _picture_of(person: Any, image: bytes) -> str:
    """Store a picture that has been read; return its id."""
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
    """Return a picture of noise, about as large as a photographed page."""
    from PIL import Image

    written = BytesIO()
    Image.effect_noise((SIDE, SIDE), 20).save(written, "WEBP")
    return written.getvalue()
