"""Reading what was put in: by whom, how far, and what becomes of it."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from conversations.library import deletion, reading_jobs
from conversations.library.listing import problem_words, state_words
from conversations.models import Document, Passage
from conversations.readers import Page, Problem, ReadDocument
from tests.conversations.library.conftest import files_in, path_of

pytestmark = pytest.mark.django_db
LONG_AGO = "2020-01-01T00:00:00Z"


@pytest.fixture
def reads(monkeypatch):
    """Return a function that puts another in the place of the reader, which the tests of reading try."""
    return lambda reader: monkeypatch.setattr(reading_jobs, "read", reader)


def of_pages(count):
    return ReadDocument(
        pages=tuple(Page(number=number, heading="", text=f"words {number}") for number in range(1, count + 1))
    )


def states(document):
    document.refresh_from_db()
    return document.status, document.problem, document.attempt


def test_a_file_becomes_its_text(ada, put):
    document = put(ada)
    assert reading_jobs.read_next() == document
    assert states(document) == ("ready", "", 1)
    assert (document.title, document.pages, state_words(document)) == ("Halves", 2, "2 sections")
    assert list(document.passages.values_list("number", "page", "heading", "text")) == [
        (1, 1, "Halves", "A half is one of two equal parts."),
        (2, 2, "Halves › Why", "Unequal pieces are not halves."),
    ]
    assert reading_jobs.read_next() is None


def test_the_oldest_comes_first(ada, put, reads):
    reads(lambda *args, **options: of_pages(1))
    second, first = put(ada, b"second"), put(ada, b"first")
    Document.objects.filter(pk=first.pk).update(created_at=LONG_AGO)
    assert [reading_jobs.read_next(), reading_jobs.read_next()] == [first, second]


def test_nobody_waits_for_all_that_somebody_else_sends(ada, eve, put, reads):
    reads(lambda *args, **options: of_pages(1))
    many = [put(eve, b"%d" % number) for number in range(3)]
    one = put(ada, b"one")
    for minutes, document in enumerate([one, *reversed(many)], 1):
        Document.objects.filter(pk=document.pk).update(created_at=timezone.now() - timedelta(minutes=minutes))
    assert [reading_jobs.read_next() for _ in range(4)] == [many[0], one, *many[1:]]


def test_progress_is_stored_while_it_is_read(ada, put, reads, monkeypatch):
    document = put(ada)
    seen = []

    def reader(*args, on_progress, **options):
        for page in (1, 2, 3):
            on_progress(page, 3)
            document.refresh_from_db()
            seen.append((document.pages_read, document.pages, state_words(document)))
        return of_pages(3)

    reads(reader)
    reading_jobs.read_next()
    # Twice a second at most: the second and third came at once.
    assert seen == [(1, 3, "Reading: page 1 of 3")] * 3
    assert states(document) == ("ready", "", 1)
    assert (document.pages_read, document.pages) == (3, 3)


@pytest.mark.parametrize(
    ("problem", "status", "words"),
    [
        (Problem.NO_TEXT, "ready", "There is no readable text in this document."),
        (Problem.ENCRYPTED, "failed", "protected by a password"),
        (Problem.TOO_SLOW, "failed", "took too long"),
    ],
)
def test_what_is_wrong_is_said_plainly(ada, put, reads, problem, status, words):
    """U6"""
    document = put(ada)
    reads(lambda *args, **options: ReadDocument(problem=problem))
    reading_jobs.read_next()
    assert states(document) == (status, problem, 1)
    assert words in problem_words(document)


@pytest.mark.parametrize(
    ("name", "media_type", "said"),
    [
        ("scan.pdf", "image/webp", "it is a picture, although its name is “scan.pdf”"),
        ("scan.png", "application/pdf", "it is a document, although its name is “scan.png”"),
        ("scan.png", "image/webp", ""),
    ],
)
def test_a_wrong_ending_is_told_where_no_text_was_found(ada, put, name, media_type, said):
    document = put(ada)
    document.name, document.media_type, document.problem = name, media_type, Problem.NO_TEXT
    words = problem_words(document)
    assert "Add a version in which the text can be selected" in words
    assert said in words
    assert bool(said) == ("although" in words)


def test_a_reader_that_died_holds_a_document_until_its_lease_runs_out(ada, put, reads):
    """F12."""
    reads(lambda *args, **options: of_pages(1))
    document = put(ada)
    assert reading_jobs.claim() == document
    assert reading_jobs.claim() is None
    Document.objects.update(lease_until=LONG_AGO)
    assert reading_jobs.read_next() == document
    assert states(document) == ("ready", "", 2)


def test_after_three_attempts_it_failed(ada, put, reads):
    def breaks(*args, **options):
        raise OSError("no disk")

    reads(breaks)
    document = put(ada)
    for attempt in (1, 2, 3):
        assert reading_jobs.read_next() == document
        assert states(document) == ("waiting", "", attempt)
    assert reading_jobs.read_next() is None
    assert states(document) == ("failed", reading_jobs.GAVE_UP, 3)
    assert "after 3 tries" in problem_words(document)


def test_who_lost_a_document_leaves_it_to_the_other(ada, put, reads):
    """Done twice, it is harmless: what the second made of it stands."""
    document = put(ada)

    def slow(*args, **options):
        Document.objects.update(lease_until=LONG_AGO)
        reads(lambda *args, **options: of_pages(2))
        reading_jobs.read_next()
        return of_pages(2)

    reads(slow)
    reading_jobs.read_next()
    assert states(document) == ("ready", "", 2)
    assert document.passages.count() == 2


def test_deleted_while_it_is_read_nothing_is_left(ada, put, reads, folder, django_capture_on_commit_callbacks):
    """A6"""
    document = put(ada)
    stopped = []

    def reader(*args, on_progress, stop, **options):
        on_progress(1, 9)
        with django_capture_on_commit_callbacks(execute=True):
            deletion.delete_documents(Document.objects.all())
        deadline = time.monotonic() + 5
        while not stop() and time.monotonic() < deadline:
            pass
        stopped.append(stop())
        return of_pages(9)

    reads(reader)
    assert reading_jobs.read_next() == document
    assert stopped == [True]
    assert (files_in(folder), Document.objects.count(), Passage.objects.count()) == ([], 0, 0)


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_ends_gives_back_what_it_was_at(ada, put, reads):
    document = put(ada)
    began = threading.Event()

    def reader(*args, stop, **options):
        began.set()
        while not stop():
            pass
        return ReadDocument(problem=Problem.STOPPED)

    def work():
        reading_jobs.read_forever()
        connections.close_all()

    reads(reader)
    thread = threading.Thread(target=work)
    thread.start()
    assert began.wait(20)
    reading_jobs.stop_reader(thread)
    assert not thread.is_alive()
    assert states(document) == ("waiting", "", 0)


@pytest.mark.django_db(transaction=True)
def test_two_readers_take_each_document_once(ada, put, reads):
    taken = []
    for number in range(6):
        put(ada, f"notes {number}".encode())
    reads(lambda path, **options: taken.append(path) or of_pages(1))
    together = threading.Barrier(2)

    def read_all():
        together.wait()
        reading_jobs.read_all()
        connections.close_all()

    threads = [threading.Thread(target=read_all) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len({*taken}) == 6
    assert {*Document.objects.values_list("status", "attempt")} == {("ready", 1)}


def test_a_worker_is_woken_once_the_row_is_there(ada, put, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        put(ada)
    [job] = DBTaskResult.objects.all()
    reading_jobs._woken.clear()
    job.task.func()
    assert reading_jobs._woken.is_set()


def test_a_file_that_is_gone_costs_the_attempts_alone(ada, put):
    document = put(ada)
    path_of(document).unlink()
    assert reading_jobs.read_all() == 3
    assert states(document)[:2] == ("failed", reading_jobs.GAVE_UP)
