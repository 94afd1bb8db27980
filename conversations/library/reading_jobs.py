"""Reading of uploaded documents: each document is a job in its own row, leased by whichever worker is free.

A worker's thread (`read_forever`) checks when woken, and regularly for lost jobs: if a reader dies, its lease runs out.
Reading twice is harmless. After three attempts the document counts as failed.
"""

import threading
from datetime import timedelta
from time import monotonic

from django.db import connections, transaction
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Now
from django.tasks import task

from agents.event_log import get_logger
from agents.storage.availability import FailureStreak
from conversations.library import document_files
from conversations.models import Document, Passage
from conversations.readers import Problem, ReadDocument, read
from conversations.search.index import embed_passages, store_passages

logger = get_logger(__name__)

LEASE = timedelta(seconds=30)
HOLD_EVERY_S = 0.5
"""Interval between checks whether a document is still wanted; each check also stores the progress."""
SWEEP_EVERY_S = 15.0
SENT_WITHIN = timedelta(hours=1)
MAX_ATTEMPTS = 3
GAVE_UP = "gave_up"
"""The problem of a document whose readers all died or crashed."""
WITHOUT_TEXT = (Problem.NO_TEXT, Problem.NO_EYES)
"""The file was read to the end, but no text was found; it can still be viewed."""

END_WITHIN_S = 5.0

_woken = threading.Event()
_ending = threading.Event()


class ReadingLease:
    """A document leased by this reader: stores progress, and notices if the lease or the document is gone."""

    def __init__(self, document: Document) -> None:
        self.row = Document.objects.filter(
            pk=document.pk, status=Document.Status.READING, attempt=document.attempt
        )  # fmt: skip
        self.page = self.of = 0
        self.looked_at = 0.0
        self.is_lost = False

    def progress(self, page: int, of: int) -> None:
        self.page, self.of = page, of
        self.renew()

    def renew(self) -> bool:
        """Extend the lease; return whether the document is lost. Queries the database at most twice a second."""
        now = monotonic()
        if not self.is_lost and now - self.looked_at >= HOLD_EVERY_S:
            self.looked_at = now
            held = self.row.update(lease_until=Now() + LEASE, pages_read=self.page, pages=self.of or None)
            self.is_lost = not held
        return self.is_lost

    def is_over(self) -> bool:
        """Return whether to stop reading: the document is lost, or this worker ends."""
        return self.renew() or _ending.is_set()


def claim() -> Document | None:
    """Lease the next unread document; None if there is none or others were faster.

    The next is the oldest of the owner who uploaded the fewest before it within the hour, so that nobody waits for one
    person's mass upload.
    """
    waiting = Document.objects.all().unread()
    waiting.filter(attempt__gte=MAX_ATTEMPTS).order_by().update(status=Document.Status.FAILED, problem=GAVE_UP)
    sent = Document.objects.filter(
        owner=OuterRef("owner"), created_at__lt=OuterRef("created_at"), created_at__gt=Now() - SENT_WITHIN
    )
    before = Subquery(sent.order_by().values("owner").annotate(number=Count("pk")).values("number"))
    in_turn = waiting.annotate(before=Coalesce(before, 0)).order_by("before", "created_at")
    for pk in in_turn.values_list("pk", flat=True)[:10]:
        taken = waiting.filter(pk=pk).order_by()
        if taken.update(
            status=Document.Status.READING, attempt=F("attempt") + 1, lease_until=Now() + LEASE, pages_read=0
        ):
            return Document.objects.filter(pk=pk).first()
    return None


def read_next() -> Document | None:
    """Read one document to the end; return it, None if none waits. An error is logged and costs one attempt."""
    document = claim()
    if document is None:
        return None
    hold = ReadingLease(document)
    try:
        with document_files.local_copy(document) as path:
            found = read(path, media_type=document.media_type, on_progress=hold.progress, stop=hold.is_over)
        _finish(document, hold, found)
    except Exception:
        logger.exception("document_reading_crashed", document=document.pk, attempt=document.attempt)
        hold.row.update(status=Document.Status.WAITING, lease_until=None)
    return document


def _finish(document: Document, hold: ReadingLease, found: ReadDocument) -> None:
    """Store what was read; nothing if the document was deleted in the meantime."""
    match found.problem:
        case Problem.STOPPED:
            # If this changes nothing, the lease was lost, or a stopping worker gave it back, which costs no attempt.
            hold.row.update(status=Document.Status.WAITING, attempt=F("attempt") - 1, lease_until=None)
            return
        case None:
            store_passages(document, found.pages)
            pages = max(page.number for page in found.pages)
            ended = {"status": Document.Status.READY, "problem": "", "pages": pages, "title": found.title[:255]}
        case problem if problem in WITHOUT_TEXT:
            ended = {"status": Document.Status.READY, "problem": problem, "pages": hold.of or None}
        case problem:
            ended = {"status": Document.Status.FAILED, "problem": problem}
    hold.row.update(pages_read=ended.get("pages") or hold.page, lease_until=None, **ended)


def _should_yield() -> bool:
    return _ending.is_set() or Document.objects.all().unread().exists()


def read_again(document: Document) -> None:
    """Queue a document that could not be read again. The caller opens the transaction."""
    document.status = Document.Status.WAITING
    Document.objects.filter(pk=document.pk, status=Document.Status.FAILED).update(
        status=document.status, problem="", attempt=0, lease_until=None
    )
    wake_after_commit()


def wake_after_commit() -> None:
    """Wake a worker after the commit, so that it sees the new document."""
    transaction.on_commit(wake.enqueue, robust=True)


@task
def wake() -> None:
    """Wake the reading thread, in the process that runs this job."""
    _woken.set()


def read_all() -> int:
    """Read all waiting documents; return how many."""
    count = 0
    while not _ending.is_set() and read_next() is not None:
        count += 1
    return count


def read_forever() -> None:
    """Read waiting documents until the worker ends; check when woken, and at least every `SWEEP_EVERY_S`."""
    looking = FailureStreak("looking for documents to read")
    while not _ending.is_set():
        _woken.clear()
        with looking.survive():
            if read_all():
                # After all reading, because embedding takes longer and nobody waits for it.
                embed_passages(Passage.objects.all(), stop=_should_yield)
        connections.close_all()
        if not _ending.is_set():
            _woken.wait(SWEEP_EVERY_S)
    _ending.clear()


def stop_reader(reader: threading.Thread) -> None:
    """Let the reading thread give back its document, and wait briefly for it."""
    _ending.set()
    _woken.set()
    reader.join(END_WITHIN_S)
