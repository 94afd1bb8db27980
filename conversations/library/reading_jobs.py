"""Reading what was put in: each document is a job by its own row, taken by lease, done by whichever worker is free.

A worker's thread (`read_for_ever`) looks when it is woken, and now and then for what was lost: a reader that died holds
its document until the lease runs out. Reading one twice does no harm. Three readers may begin; then it failed.
"""

import logging
import threading
from datetime import timedelta
from time import monotonic

from django.db import connections, transaction
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Now
from django.tasks import task

from agents.storage.availability import FailureStreak
from conversations.library import document_files
from conversations.models import Document, Passage
from conversations.readers import Problem, ReadDocument, read
from conversations.search.index import embed_passages, store_passages

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
HOLD_EVERY_S = 0.5
"""Between two looks at whether a document is still wanted; progress is stored with them."""
SWEEP_EVERY_S = 15.0
SENT_WITHIN = timedelta(hours=1)
MAX_ATTEMPTS = 3
GAVE_UP = "gave_up"
"""The problem of a document whose readers all died, or broke down."""
WITHOUT_TEXT = (Problem.NO_TEXT, Problem.NO_EYES)
"""Read to its end, and nothing in it: it can still be looked at."""

END_WITHIN_S = 5.0

_woken = threading.Event()
_ending = threading.Event()


class ReadingLease:
    """A document held by this reader: tells how far it is, and notices when somebody else has it, or nobody wants it."""

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
        """Hold on for a while longer; whether the document is lost. Asks the database twice a second at most."""
        now = monotonic()
        if not self.is_lost and now - self.looked_at >= HOLD_EVERY_S:
            self.looked_at = now
            held = self.row.update(lease_until=Now() + LEASE, pages_read=self.page, pages=self.of or None)
            self.is_lost = not held
        return self.is_lost

    def is_over(self) -> bool:
        """Whether to read no further: the document is lost, or this worker ends."""
        return self.renew() or _ending.is_set()


def claim() -> Document | None:
    """Take the next unread document for this reader; None where there is none, or others were quicker.

    Next is the oldest of those whose owner put in the fewest before it within the hour: nobody has to wait for all that
    somebody else sends.
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
    """Read one document to its end; return it, None where none waits. A fault is logged, and costs one attempt."""
    document = claim()
    if document is None:
        return None
    hold = ReadingLease(document)
    try:
        with document_files.local_copy(document) as path:
            found = read(path, media_type=document.media_type, on_progress=hold.progress, stop=hold.is_over)
        _finish(document, hold, found)
    except Exception:
        logger.exception("document=%s: attempt %s broke down", document.pk, document.attempt)
        hold.row.update(status=Document.Status.WAITING, lease_until=None)
    return document


def _finish(document: Document, hold: ReadingLease, found: ReadDocument) -> None:
    """Store what was read; nothing of a document that was deleted meanwhile."""
    match found.problem:
        case Problem.STOPPED:
            # Lost, where this changes nothing; or given back by a worker that ends, which costs no attempt.
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
    """Put a document that could not be read in line once more. The caller has the transaction."""
    document.status = Document.Status.WAITING
    Document.objects.filter(pk=document.pk, status=Document.Status.FAILED).update(
        status=document.status, problem="", attempt=0, lease_until=None
    )
    wake_after_commit()


def wake_after_commit() -> None:
    """Tell a worker, once what was written is there for it, that there is something to read."""
    transaction.on_commit(wake.enqueue, robust=True)


@task
def wake() -> None:
    """Wake the thread that reads, in the process that does this job."""
    _woken.set()


def read_all() -> int:
    """Read what waits until nothing does; return how many documents that was."""
    count = 0
    while not _ending.is_set() and read_next() is not None:
        count += 1
    return count


def read_forever() -> None:
    """Read what waits until the worker ends; look again when woken, and at the latest after `SWEEP_EVERY_S`."""
    looking = FailureStreak("looking for documents to read")
    while not _ending.is_set():
        _woken.clear()
        with looking.survive():
            if read_all():
                # After all that somebody waits for: what they mean takes longer to work out than to read.
                embed_passages(Passage.objects.all(), stop=_should_yield)
        connections.close_all()
        if not _ending.is_set():
            _woken.wait(SWEEP_EVERY_S)
    _ending.clear()


def stop_reader(reader: threading.Thread) -> None:
    """Let the thread that reads give back what it is at, and wait for it a while."""
    _ending.set()
    _woken.set()
    reader.join(END_WITHIN_S)
