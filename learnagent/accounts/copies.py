"""Copies that take too long to wait for: asked for on the page, made by the worker, kept for three days."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.tasks import task
from django.utils import timezone

from learnagent.accounts.exporting import PIECE_BYTES, write_copy
from learnagent.accounts.models import DataCopy, Person

KEPT = timedelta(days=3)
LOST_AFTER = timedelta(minutes=10)
"""How long after it was asked for a copy that is not there is made anew: its worker may have died."""


def folder() -> Path:
    return Path(settings.DATA_DIR) / "copies"


def path_of(copy: DataCopy) -> Path:
    return folder() / f"{copy.pk}.zip"


@transaction.atomic
def ask_for_copy(person: Person) -> DataCopy:
    """Order a copy, in the place of an older one; whoever waits for one already gets that."""
    waiting = DataCopy.objects.filter(person=person, ready_at=None).first()
    if waiting is not None:
        return waiting
    DataCopy.objects.filter(person=person).delete()
    copy = DataCopy.objects.create(person=person)
    transaction.on_commit(partial(make_copy.enqueue, str(copy.pk)), robust=True)
    return copy


@task
def make_copy(copy_id: str) -> None:
    """Write an ordered copy. Done twice, or for one that nobody wants any more, it does no harm."""
    copy = DataCopy.objects.select_related("person").filter(pk=copy_id, ready_at=None).first()
    if copy is None:
        return
    folder().mkdir(mode=0o700, exist_ok=True)
    size = write_copy(copy.person, path_of(copy))
    if not DataCopy.objects.filter(pk=copy_id).update(ready_at=timezone.now(), size=size):
        path_of(copy).unlink(missing_ok=True)


def bytes_of(copy: DataCopy) -> Iterator[bytes]:
    """Return the bytes of a copy that is ready, in pieces. Raises FileNotFoundError."""
    file = path_of(copy).open("rb")

    def pieces() -> Iterator[bytes]:
        with file:
            while piece := file.read(PIECE_BYTES):
                yield piece

    return pieces()


def look_after_copies() -> None:
    """Order anew what was lost, and delete what is old."""
    now = timezone.now()
    DataCopy.objects.filter(asked_at__lt=now - KEPT).delete()
    for copy in DataCopy.objects.filter(ready_at=None, asked_at__lt=now - LOST_AFTER):
        DataCopy.objects.filter(pk=copy.pk).update(asked_at=now)
        make_copy.enqueue(str(copy.pk))
    remove_strays()


def remove_strays() -> None:
    """Delete the files of copies that are none any more; one that is being written is left alone."""
    for path in folder().glob("*.zip"):
        if not DataCopy.objects.filter(pk=UUID(path.stem)).exists():
            path.unlink(missing_ok=True)
