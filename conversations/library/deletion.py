"""Deletes documents: overwrites their rows, passages and index entries, and removes their files."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import models, transaction
from django.db.models.functions import Now

from agents.storage.raw_sql import secure_deletion
from conversations.board import snapshots
from conversations.library import document_files
from conversations.models import Document
from conversations.search.index import delete_passages

type DerivedNames = Callable[[Document], Sequence[str]]
type DerivedDeletion = Callable[[Document], None]

_derived: dict[str, tuple[DerivedNames, DerivedDeletion]] = {}
UNSENT_FOR = timedelta(days=1)
"""How long an attachment that was never sent is kept."""


def register_derived(kind: str, names: DerivedNames, delete: DerivedDeletion) -> None:
    """Register, while apps start, what an app makes from documents: its names, and how to delete it with one."""
    _derived[kind] = (names, delete)


def derived_names(document: Document) -> list[str]:
    """Return the names of all that was made from the document and stays when the document is deleted."""
    return [name for names, _delete in _derived.values() for name in names(document)]


def delete_derived(document: Document) -> None:
    """Delete all that was made from the document; call it before the document is deleted."""
    for _names, delete in _derived.values():
        delete(document)


def delete_documents(documents: "models.QuerySet[Document]") -> int:
    """Delete documents with everything derived from them, each in its own transaction; return how many.

    A process that is reading one notices within seconds and stops.
    """
    keys = list(documents.values_list("pk", "owner_id"))
    for key, owner in keys:
        with secure_deletion():
            delete_passages(key)
            with transaction.atomic():
                snapshots.forget_photo_findings(owner, str(key))
                Document.objects.filter(pk=key).delete()
    return len(keys)


def delete_unsent() -> int:
    """Delete attachments that were never sent."""
    unsent = Document.objects.filter(in_library=False, session=None, created_at__lt=Now() - UNSENT_FOR)
    return delete_documents(unsent)


def remove_file(instance: Document, **kwargs: Any) -> None:
    """Remove the file of a deleted row, however it was deleted, once the deletion is committed."""
    transaction.on_commit(partial(document_files.remove, instance.stored_as), robust=True)
