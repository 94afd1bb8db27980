"""What a serving process does beside serving: takes up orphaned turns, keeps SQLite's log short, ends gracefully."""

import asyncio
import gc
from contextlib import suppress

from django.db import DatabaseError, InterfaceError, connections

from agents.conf import close_sdk_backends, sandbox, sdk_backends
from agents.event_log import get_logger
from agents.local_models.imports import import_runtimes
from agents.runtime import speech_access
from agents.storage.threads import in_orm_thread
from conversations.processes import heartbeats
from conversations.turns.recovery import recover_forever
from conversations.turns.supervisor import supervisor
from learnagent.operations.process_memory import share_heaps, use_huge_pages
from learnagent.operations.service_manager import report_ready
from learnagent.operations.tracing import start_tracing, stop_tracing
from learnagent.operations.wal_checkpoints import checkpoint_forever
from learnagent.operations.worker_process import keep_worker_running
from tutoring import model_preload

logger = get_logger(__name__)


class ServerLifespan:
    """The process's own tasks, from its start to its end."""

    def __init__(self, *, with_worker: bool = False) -> None:
        share_heaps()
        import_runtimes()
        start_tracing()
        supervisor.relay.open()
        self._tasks = [
            asyncio.create_task(recover_forever()),
            asyncio.create_task(checkpoint_forever()),
            asyncio.create_task(open_backends()),
            asyncio.create_task(heartbeats.beat_forever()),
            asyncio.create_task(load_models()),
        ]
        if with_worker:
            self._tasks.append(asyncio.create_task(keep_worker_running()))

    async def end(self) -> None:
        """Stop looking after things, and give the running turns back for another process to go on with."""
        for task in self._tasks:
            task.cancel()
        with suppress(DatabaseError, InterfaceError):
            await in_orm_thread(heartbeats.remove_heartbeat)("web")
        await supervisor.close()
        await asyncio.wait(self._tasks)
        await close_sdk_backends()
        await speech_access.close_speech()
        if programs := sandbox():
            await programs.close()
        await asyncio.to_thread(stop_tracing)


async def open_backends() -> None:
    """Load what speaks to the models before the first learner would wait for it."""
    for backend in sdk_backends():
        await backend.aopen()
    # What is loaded stays for good. To look through it for garbage would halt every turn for a tenth of a second.
    gc.freeze()


async def load_models() -> None:
    """Load the embedded models in a thread of its own: the port is open meanwhile, and who comes early waits for them.

    Only then does the process count as ready: one that is restarted after another waits for it.
    """
    try:
        await asyncio.to_thread(_load_models)
    except Exception:
        # They are loaded when they are needed then.
        logger.exception("embedded_models_not_loaded")
    gc.freeze()
    await asyncio.to_thread(use_huge_pages)
    report_ready()


def _load_models() -> None:
    try:
        model_preload.load_models()
    finally:
        connections.close_all()
