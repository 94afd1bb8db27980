"""Accepts uploaded files: the only entry point, for all URLs."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.library import document_files, document_text, file_store, reading_jobs
from conversations.models import Document
from conversations.models.library import NAME_MAX_LENGTH
from conversations.owners import Owner, lock_owner
from conversations.readers import Problem, Unreadable, media_type_of, reencode
from conversations.readers.media_types import IMAGES

logger = get_logger(__name__)

PICTURE = "image/webp"
"""The format that every picture is re-encoded in, without metadata."""
UNREAD = (Document.Status.WAITING, Document.Status.READING)
LATER_S = 30
PICTURES_AT_ONCE = 2
"""Pictures re-encoded at once per process, one per person, because each takes a core and up to half a gigabyte."""
PATIENCE_S = 15.0
_turn = threading.Condition()
_writing: set[int] = set()
"""People whose pictures are being re-encoded."""
_READ_ENDINGS = frozenset(
    {".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".pdf", ".docx", ".md", ".markdown", ".txt", ".cnxml"}
)
"""Endings of names of files that can be read; archives are read only with CNXML in them."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Unicode categories of characters that are not visible in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedFile:
    """A received file, as it will be stored."""

    name: str
    digest: str
    media_type: str
    stored_as: str
    size: int


def accept(person: Owner, file: "File[Any]", *, in_library: bool) -> Document:
    """Store a person's file, in the library or as an attachment; return its document, which is read later.

    The same file gives the same document again, unless that belongs to a conversation and the new one does not go to
    the library. If the store has lost its file, it is stored again. Raises Rejection: 400 for an empty or damaged file,
    413 if it is too large or the person has too many, 415 for an unsupported type, 429 while too many of theirs wait to
    be read, 503 if the server is full or busy.
    """
    _check_size(file.size or 0)
    try:
        return _accept(person, file, in_library=in_library)
    except OSError as error:
        logger.exception("upload_not_stored")
        raise rejections.unavailable(_("This file could not be saved. Try again later.")) from error


def _accept(person: Owner, file: "File[Any]", *, in_library: bool) -> Document:
    with document_files.received_file(file.chunks()) as (path, digest):
        with transaction.atomic():
            known = _find_same_file(person, digest, in_library=in_library)
        name = clean_name(file.name or "")
        if known is not None:
            if not document_files.has_file(known):
                # For instance, STORAGE_URL was set, but the files were not moved.
                known.stored_as = _receive(person, path, name=name, digest=digest).stored_as
                known.save(update_fields=["stored_as"])
            return known
        _check_quota(person, file.size or 0)
        arrived = _receive(person, path, name=name, digest=digest)
    try:
        document = _store_row(person, arrived, in_library=in_library)
    except BaseException:
        document_files.remove(arrived.stored_as)
        raise
    if document.stored_as != arrived.stored_as:
        document_files.remove(arrived.stored_as)
    return document


def clean_name(given: str) -> str:
    """Return a file's given name without folders and invisible characters."""
    name = unicodedata.normalize("NFC", re.split(r"[/\\]", given)[-1])
    name = " ".join("".join(each for each in name if unicodedata.category(each) not in _INVISIBLE).split())
    stem, dot, ending = name.rpartition(".")
    if len(name) > NAME_MAX_LENGTH and len(ending) < 20:
        name = f"{(stem or name)[: NAME_MAX_LENGTH - len(ending) - 1]}{dot}{ending}"
    return name[:NAME_MAX_LENGTH].strip(". ") or _("file")


def rename(document: Document, name: str) -> None:
    """Rename a document. Raises Rejection 422 for an invalid name."""
    cleaned = clean_name(name)
    if not name.strip() or len(name) > NAME_MAX_LENGTH:
        raise rejections.invalid(
            "name", _("A name must be 1 to %(limit)s characters long.") % {"limit": NAME_MAX_LENGTH}
        )
    Document.objects.filter(pk=document.pk).update(name=cleaned)


def file_bytes() -> int:
    """Return the largest allowed file size in bytes."""
    return int(settings.UPLOADS["file_bytes"])


def limits() -> dict[str, int]:
    """Return the upload limit for page templates."""
    return {"file_bytes": file_bytes(), "file_mb": file_bytes() >> 20}


def _check_size(size: int) -> None:
    most = file_bytes()
    if size > most:
        raise rejections.too_large(
            _("This file is too large. A file can be up to %(limit)s MB.") % {"limit": most >> 20}
        )
    if not size:
        raise rejections.unreadable(_("This file is empty."))


def _check_quota(person: Owner, size: int) -> None:
    """Raise Rejection if one more file exceeds the person's quota or too many wait to be read."""
    most, own = settings.UPLOADS, Document.objects.filter(owner=person)
    if own.count() >= most["files_per_person"]:
        words = _("You have %(count)s files, which is the maximum. Delete some, then add this one.")
        raise rejections.too_large(words % {"count": most["files_per_person"]})
    if (own.aggregate(bytes=Sum("size"))["bytes"] or 0) + size > most["bytes_per_person"]:
        words = _("Your files can take up at most %(limit)s MB in total. Delete some, then add this one.")
        raise rejections.too_large(words % {"limit": most["bytes_per_person"] // 1_000_000})
    if own.filter(status__in=UNREAD).count() >= most["unread_per_person"]:
        words = _("Many of your files are still waiting to be read. Add this one after some of them have been read.")
        raise rejections.rate_limited(words, retry_after_s=LATER_S)


def _receive(person: Owner, path: Path, *, name: str, digest: str) -> ReceivedFile:
    """Store the upload, a picture re-encoded. Raises Rejection if it is not accepted."""
    stored_as = document_files.new_name()
    try:
        media_type = media_type_of(path)
        if media_type in IMAGES:
            with file_store.scratch_file() as picture:
                with _picture_slot(person.pk):
                    reencode(path, picture)
                size = _store_file(picture, stored_as)
            media_type = PICTURE
        else:
            size = _store_file(path, stored_as)
    except Unreadable as error:
        raise _refusal(error.problem, name=name) from error
    return ReceivedFile(name=name, digest=digest, media_type=media_type, stored_as=stored_as, size=size)


def _store_file(path: Path, stored_as: str) -> int:
    """Put a file in the store; return its size in bytes."""
    size = path.stat().st_size
    document_files.keep(path, stored_as)
    return size


@contextmanager
def _picture_slot(person_id: int) -> Iterator[None]:
    """Wait for a slot to re-encode a picture. Raises Rejection 503 if too many are waiting."""
    with _turn:
        if not _turn.wait_for(lambda: person_id not in _writing and len(_writing) < PICTURES_AT_ONCE, PATIENCE_S):
            raise rejections.unavailable(
                _("Too many pictures are being added right now. Try adding this one again in a moment.")
            )
        _writing.add(person_id)
    try:
        yield
    finally:
        with _turn:
            _writing.remove(person_id)
            _turn.notify_all()


def _refusal(problem: Problem, *, name: str) -> Rejection:
    words = _(problem.sentence)
    ending = Path(name).suffix.lower()
    if problem in (Problem.UNSUPPORTED, Problem.NO_MODULES) and ending in _READ_ENDINGS:
        said = _(
            "The content of this file is not what its name says (“%(ending)s”). Save it again as such a file, then add it."
        )
        words = said % {"ending": ending}
    match problem:
        case Problem.UNSUPPORTED | Problem.NO_MODULES | Problem.ENTITIES | Problem.UNSAFE_NAMES:
            return Rejection("unsupported_type", words, status=415)
        case Problem.TOO_LARGE | Problem.TOO_LONG | Problem.TOO_MANY_PAGES:
            return rejections.too_large(words)
        case _:
            return rejections.unreadable(words)


@transaction.atomic
def _store_row(person: Owner, arrived: ReceivedFile, *, in_library: bool) -> Document:
    """Store the row, unless the same file arrived at the same time."""
    known = _find_same_file(person, arrived.digest, in_library=in_library)
    if known is not None:
        return known
    _check_quota(person, arrived.size)
    document = Document.objects.create(
        owner=person,
        in_library=in_library,
        name=arrived.name,
        media_type=arrived.media_type,
        size=arrived.size,
        digest=arrived.digest,
        stored_as=arrived.stored_as,
    )
    reading_jobs.wake_after_commit()
    return document


def _find_same_file(person: Owner, digest: str, *, in_library: bool) -> Document | None:
    """Return the existing document of the same file, moved to where it is wanted now.

    The caller opens the transaction; the owner is locked until it ends.
    """
    lock_owner(person)
    own = Document.objects.filter(owner=person, digest=digest)
    document = own.filter(in_library=True).first() or own.filter(session=None).first()
    if document is None and in_library:
        document = own.filter(session__deleted_at=None).first()
    if document is None:
        return None
    if in_library and not document.in_library:
        move_to_library(document)
    if document.status == Document.Status.FAILED:
        reading_jobs.read_again(document)
    return document


def move_to_library(document: Document) -> None:
    """Move a document to its owner's library, where it outlives its conversation."""
    document.in_library, document.session = True, None
    document.save(update_fields=["in_library", "session"])


def keep_in_library(document: Document) -> Document:
    """Move an attachment to the library; return the document there, which may be an earlier copy of the same file."""
    with transaction.atomic():
        lock_owner(document.owner)
        there = Document.objects.filter(owner=document.owner_id, digest=document.digest, in_library=True).first()
        if there is None:
            move_to_library(document)
        return there or document


def as_wire(document: Document) -> dict[str, Any]:
    """Return a document as the v2 API shows it; unknown fields are left out."""
    told: dict[str, Any] = {
        "id": str(document.pk),
        "name": document.name,
        "media_type": document.media_type,
        "size": document.size,
    }
    if document.status == Document.Status.READY:
        told |= {"text": document_text.text_beginning(document), "pages": document.pages}
    return told
