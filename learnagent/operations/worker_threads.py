"""The threads of a worker process beside its jobs: heartbeats, the reading of documents, and the search index."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, InterfaceError, connections

from agents.local_models.imports import import_runtimes
from agents.storage.availability import LOCK_WAIT_S, FailureStreak, lock_wait_limit
from conversations.library import reading_jobs
from conversations.processes import heartbeats
from conversations.search.index import update_index_forever
from learnagent.operations.jobs import requeue_unstored_jobs
from learnagent.operations.tracing import start_tracing, stop_tracing

NICENESS = 10
"""Lower priority than the processes that answer learners: nobody waits for a job."""


@contextmanager
def worker_threads() -> Iterator[None]:
    """Run the threads; at the end, return the document that is being read, and remove the heartbeat."""
    os.nice(NICENESS)
    import_runtimes()
    start_tracing()
    reader = threading.Thread(target=reading_jobs.read_forever, daemon=True)
    reader.start()
    for forever in (_send_heartbeats, update_index_forever):
        threading.Thread(target=forever, daemon=True).start()
    try:
        yield
    finally:
        reading_jobs.stop_reader(reader)
        with suppress(DatabaseError, InterfaceError), lock_wait_limit(LOCK_WAIT_S):
            heartbeats.remove_heartbeat("worker")
        stop_tracing()


def _send_heartbeats() -> None:
    """As long as the worker lives: let everybody see that it does, and keep no job that it does not run."""
    beating = FailureStreak("this worker's heartbeat")
    while True:
        with beating.survive():
            heartbeats.record_heartbeat("worker")
            requeue_unstored_jobs()
        connections.close_all()
        time.sleep(heartbeats.HEARTBEAT_EVERY_S)
