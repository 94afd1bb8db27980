"""Copies that take too long to wait for: asked for on the page, made by the worker, kept for three days."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import PurePath
from uuid import UUID

from django.db import transaction
from django.tasks import task
from django.utils import timezone

from conversations.library import file_store
from learnagent.accounts.models import DataCopy, Person
from learnagent.accounts.personal_data.archive import write_copy

RETENTION = timedelta(days=3)
STALLED_AFTER = timedelta(minutes=10)
"""How long after the request a missing copy is started again, because its worker may have died."""


FOLDER = "copies"
"""In the file store."""


def file_name_of(copy: DataCopy) -> str:
    return f"{FOLDER}/{copy.pk}.zip"


@transaction.atomic
def request_copy(person: Person) -> DataCopy:
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
    with file_store.scratch_file() as path:
        size = write_copy(copy.person, path)
        file_store.keep(path, file_name_of(copy))
    if not DataCopy.objects.filter(pk=copy_id).update(ready_at=timezone.now(), size=size):
        file_store.remove(file_name_of(copy))


def copy_chunks(copy: DataCopy) -> Iterator[bytes]:
    """Return the bytes of a copy that is ready, in pieces. Raises FileNotFoundError, StoreAway."""
    if not file_store.exists(file_name_of(copy)):
        raise FileNotFoundError(file_name_of(copy))
    return file_store.file_chunks(file_name_of(copy))


def clean_up_copies() -> None:
    """Order anew what was lost, and delete what is old."""
    now = timezone.now()
    DataCopy.objects.filter(asked_at__lt=now - RETENTION).delete()
    for copy in DataCopy.objects.filter(ready_at=None).exclude(asked_at__range=(now - STALLED_AFTER, now)):
        DataCopy.objects.filter(pk=copy.pk).update(asked_at=now)
        make_copy.enqueue(str(copy.pk))
    remove_orphaned_copies()


def remove_orphaned_copies() -> None:
    """Delete the files of copies that are none any more; one that is being written is left alone."""
    for name in file_store.names_in(FOLDER):
        if not DataCopy.objects.filter(pk=UUID(PurePath(name).stem)).exists():
            file_store.remove(name)
