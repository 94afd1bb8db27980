"""Lists for the library's pages: documents, folders, and each document's state."""

from mimetypes import guess_type
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.library.reading_jobs import GAVE_UP, MAX_ATTEMPTS
from conversations.models import Document, Folder
from conversations.owners import Owner
from conversations.readers import Problem

AT_ONCE = 30
"""Number of documents on a page."""


def documents_of(person: Owner, *, folder: Folder | None = None, page: int = 1) -> dict[str, Any]:
    """Return a page of the person's documents, or of a folder's, newest first. Raises EmptyPage."""
    rows = folder.documents.filter(in_library=True, session__deleted_at=None) if folder else listed_documents(person.pk)
    rows = rows.select_related("folder", "session").order_by("-created_at", "pk")
    shown = Paginator(rows, AT_ONCE).page(page)
    return {"page": shown, "documents": list(shown)}


def listed_documents(person_id: int) -> QuerySet[Document]:
    """Return what the person put in the library, and what they sent with messages, which goes with its conversation.

    A file that was chosen for a message but not sent is not listed.
    """
    kept = Q(in_library=True) | Q(session__isnull=False)
    return Document.objects.filter(kept, owner_id=person_id, session__deleted_at=None)


def folders_of(person: Owner) -> dict[str, Any]:
    """Return the person's folders and those shared with them, each with its number of documents."""
    counted = Folder.objects.annotate(count=Count("documents", filter=Q(documents__in_library=True))).order_by("name")
    shared = counted.filter(audience__in=[each for each in person.audiences if each], count__gt=0)
    return {
        "folders": list(counted.filter(owner=person)),
        "shared": list(shared.exclude(owner=person).select_related("owner")),
    }


def state_words(document: Document) -> str:
    """Return a document's state in a few words."""
    match document.status:
        case Document.Status.WAITING:
            return _("Waiting to be read")
        case Document.Status.READING if document.pages_read and document.pages:
            done = {"page": document.pages_read, "pages": document.pages}
            return _("Reading: page %(page)s of %(pages)s") % done
        case Document.Status.READING:
            return _("Reading")
        case Document.Status.FAILED:
            return _("Could not be read")
    if document.problem:
        return _("No readable text")
    count = document.pages or 1
    if document.is_picture:
        return _("Ready")
    if document.has_pages:
        return ngettext("%(count)s page", "%(count)s pages", count) % {"count": count}
    return ngettext("%(count)s section", "%(count)s sections", count) % {"count": count}


def problem_words(document: Document) -> str:
    """Return a document's problem and what to do, in a sentence or two; empty if there is none."""
    if document.problem == GAVE_UP:
        words = _(
            "This file could not be read, even after %(count)s tries. Try adding only part of it, or use another format."
        )
        return words % {"count": MAX_ATTEMPTS}
    try:
        said = _(Problem(document.problem).sentence)
    except ValueError:
        return ""
    return f"{said} {_wrong_ending(document)}".strip()


def _wrong_ending(document: Document) -> str:
    """Return a sentence about a picture whose name says that it is none, or the other way round."""
    named, _encoding = guess_type(document.name)
    is_picture = document.media_type.startswith("image/")
    if named is None or named.startswith("image/") == is_picture:
        return ""
    content = _("a picture") if is_picture else _("a document")
    words = _("By its content, it is %(content)s, although its name is “%(name)s”. Check that it is the right file.")
    return words % {"content": content, "name": document.name}
