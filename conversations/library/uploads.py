"""The one way in for files: whoever sends one, by whichever address, it is taken here or nowhere."""

import logging
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

from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.library import document_files, document_text, file_store, reading_jobs
from conversations.models import Document
from conversations.models.library import NAME_MAX_LENGTH
from conversations.owners import Owner, lock_owner
from conversations.readers import Problem, Unreadable, media_type_of, reencode
from conversations.readers.media_types import IMAGES

logger = logging.getLogger(__name__)

PICTURE = "image/webp"
"""What every picture is kept as: written anew by us, with nothing else in it."""
UNREAD = (Document.Status.WAITING, Document.Status.READING)
LATER_S = 30
PICTURES_AT_ONCE = 2
"""Pictures that one process writes anew at once, one of a person's: each takes a core and half a gigabyte at most."""
PATIENCE_S = 15.0
_turn = threading.Condition()
_writing: set[int] = set()
"""Whose pictures are being written."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Unicode's categories of what controls a line instead of standing in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedFile:
    """A file that was sent, as it will be kept."""

    name: str
    digest: str
    media_type: str
    stored_as: str
    size: int


def accept(person: Owner, file: "File[Any]", *, in_library: bool) -> Document:
    """Keep a file that the person sent, on their shelves or to be attached; return its document, which is read later.

    The same file again is the same document, unless it belongs to a conversation and does not come to the library.
    Raise Rejection: 400 for an empty or damaged file, 413 for too large a one or more than the person may keep, 415 for
    a kind that is not taken, 429 while too many of theirs wait to be read, 503 where there is no room or too much to do.
    """
    _check_size(file.size or 0)
    try:
        return _accept(person, file, in_library=in_library)
    except OSError as error:
        logger.exception("a file could not be kept")
        raise rejections.unavailable(_("This file could not be kept just now. Try again in a while.")) from error


def _accept(person: Owner, file: "File[Any]", *, in_library: bool) -> Document:
    with document_files.received_file(file.chunks()) as (path, digest):
        with transaction.atomic():
            known = _find_same_file(person, digest, in_library=in_library)
        if known is not None:
            return known
        _check_quota(person, file.size or 0)
        arrived = _receive(person, path, name=clean_name(file.name or ""), digest=digest)
    try:
        document = _store_row(person, arrived, in_library=in_library)
    except BaseException:
        document_files.remove(arrived.stored_as)
        raise
    if document.stored_as != arrived.stored_as:
        document_files.remove(arrived.stored_as)
    return document


def clean_name(given: str) -> str:
    """Return a file's name as it was given, without its folders and without what no line can show."""
    name = unicodedata.normalize("NFC", re.split(r"[/\\]", given)[-1])
    name = " ".join("".join(each for each in name if unicodedata.category(each) not in _INVISIBLE).split())
    stem, dot, ending = name.rpartition(".")
    if len(name) > NAME_MAX_LENGTH and len(ending) < 20:
        name = f"{(stem or name)[: NAME_MAX_LENGTH - len(ending) - 1]}{dot}{ending}"
    return name[:NAME_MAX_LENGTH].strip(". ") or _("file")


def rename(document: Document, name: str) -> None:
    """Give a document another name. Raise Rejection 422 for one that is none."""
    cleaned = clean_name(name)
    if not name.strip() or len(name) > NAME_MAX_LENGTH:
        raise rejections.invalid("name", _("A name has 1 to %(limit)s characters.") % {"limit": NAME_MAX_LENGTH})
    Document.objects.filter(pk=document.pk).update(name=cleaned)


def file_bytes() -> int:
    """Return the size of the largest file that is taken."""
    return int(settings.UPLOADS["file_bytes"])


def limits() -> dict[str, int]:
    """Return what a page says of the largest file that is taken."""
    return {"file_bytes": file_bytes(), "file_mb": file_bytes() >> 20}


def _check_size(size: int) -> None:
    most = file_bytes()
    if size > most:
        raise rejections.too_large(
            _("This file is larger than %(limit)s MB, which is the most that is taken.") % {"limit": most >> 20}
        )
    if not size:
        raise rejections.unreadable(_("This file is empty."))


def _check_quota(person: Owner, size: int) -> None:
    """Raise Rejection where one file more is more than the person may keep, or more than will be read soon."""
    most, own = settings.UPLOADS, Document.objects.filter(owner=person)
    if own.count() >= most["files_per_person"]:
        words = _("You keep %(count)s files here, which is the most there is room for. Delete some, then add this one.")
        raise rejections.too_large(words % {"count": most["files_per_person"]})
    if (own.aggregate(bytes=Sum("size"))["bytes"] or 0) + size > most["bytes_per_person"]:
        words = _("Your files may take %(limit)s MB in all, and this one goes beyond it. Delete some, then add it.")
        raise rejections.too_large(words % {"limit": most["bytes_per_person"] // 1_000_000})
    if own.filter(status__in=UNREAD).count() >= most["unread_per_person"]:
        words = _("Many of your files still wait to be read. Add this one when some of them are done.")
        raise rejections.rate_limited(words, retry_after_s=LATER_S)


def _receive(person: Owner, path: Path, *, name: str, digest: str) -> ReceivedFile:
    """Put what arrived where it is kept, a picture written anew. Raise Rejection for what is not taken."""
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
        raise _refusal(error.problem) from error
    return ReceivedFile(name=name, digest=digest, media_type=media_type, stored_as=stored_as, size=size)


def _store_file(path: Path, stored_as: str) -> int:
    """Put a file in the store; return its bytes."""
    size = path.stat().st_size
    document_files.keep(path, stored_as)
    return size


@contextmanager
def _picture_slot(person_id: int) -> Iterator[None]:
    """Wait for a turn to write a picture. Raise Rejection 503 where too many wait for one."""
    with _turn:
        if not _turn.wait_for(lambda: person_id not in _writing and len(_writing) < PICTURES_AT_ONCE, PATIENCE_S):
            raise rejections.unavailable(_("Many pictures are being added just now. Add this one again in a moment."))
        _writing.add(person_id)
    try:
        yield
    finally:
        with _turn:
            _writing.remove(person_id)
            _turn.notify_all()


def _refusal(problem: Problem) -> Rejection:
    words = _(problem.sentence)
    match problem:
        case Problem.UNSUPPORTED:
            return Rejection("unsupported_type", words, status=415)
        case Problem.TOO_LARGE | Problem.TOO_LONG:
            return rejections.too_large(words)
        case _:
            return rejections.unreadable(words)


@transaction.atomic
def _store_row(person: Owner, arrived: ReceivedFile, *, in_library: bool) -> Document:
    """Store the row, unless the same file came in at the same time."""
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
    """Return the document that the same file became before, brought to where it is wanted now.

    The caller has the transaction; the owner is held until it ends.
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
    """Put a document on its owner's shelves, where it outlives its conversation."""
    document.in_library, document.session = True, None
    document.save(update_fields=["in_library", "session"])


def keep_in_library(document: Document) -> Document:
    """Keep an attachment in the library; return what stands there, which may be the same file from before."""
    with transaction.atomic():
        lock_owner(document.owner)
        there = Document.objects.filter(owner=document.owner_id, digest=document.digest, in_library=True).first()
        if there is None:
            move_to_library(document)
        return there or document


def as_wire(document: Document) -> dict[str, Any]:
    """Return a document as the v2 surface tells of it; what is not known yet is left out."""
    told: dict[str, Any] = {
        "id": str(document.pk),
        "name": document.name,
        "media_type": document.media_type,
        "size": document.size,
    }
    if document.status == Document.Status.READY:
        told |= {"text": document_text.text_beginning(document), "pages": document.pages}
    return told
