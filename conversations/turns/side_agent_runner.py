"""Runs side agents beside a turn and stores their findings for the next one."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.db import connections

from agents.conf import agent_settings
from agents.engine.events import Event
from agents.engine.runner import RunResult, run
from agents.event_log import get_logger
from agents.llm.call_context import Ledger
from agents.prompts.versions import prompts_in_force
from agents.runtime.model_chain import models_for_tier
from agents.runtime.speaker_selection import Payer, payer_for, speakers_for
from agents.storage.threads import in_thread_of
from conversations.models import Snapshot, Turn
from conversations.turns import notices
from conversations.turns.findings import store_board_look, store_late_result
from conversations.turns.handler import PreparedRun
from conversations.turns.side_agents import SideAgentListener, SideAgentResult, SideAgentTask, registered_listener

logger = get_logger(__name__)
LOOK_EVERY_S = 5.0
"""Seconds between a model's looks at a changing drawing."""
HEAD_START_S = 0.05
"""Seconds after the reply at which side agents start."""
MOST_AT_ONCE = 16
"""Turns and drawings per process about which models are asked at the same time; beyond that, only code judges.

There is no queue: findings that are minutes old are useless.
"""


class SideAgentRunner:
    """The side agents' tasks of one process."""

    def __init__(self, *, write: Callable[[Callable[[], Any]], Awaitable[Any]], ledger: Ledger) -> None:
        self._write = write
        self._ledger = ledger
        self._tasks: dict[uuid.UUID, asyncio.Task[SideAgentResult | None]] = {}
        self._told: dict[uuid.UUID, Sequence[int]] = {}
        self._keeping: set[asyncio.Task[None]] = set()
        self._looked: dict[int, float] = {}
        """Conversation → when its drawing was last looked at, in the loop's clock."""
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        # Its own threads: in the database thread, the preparation of the next reply would have to wait.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="listening")

    def begin(self, turn: Turn, prepared: PreparedRun, payer: Payer) -> None:
        """Start the side agents for a turn, beside its answer."""
        if (listener := registered_listener()) is None:
            return
        self._told[turn.pk] = listener.told(prepared)
        if listener.hears(turn, prepared):
            self._tasks[turn.pk] = asyncio.create_task(self._heard(listener, turn, prepared, payer))

    def in_time(self, turn: Turn) -> SideAgentResult | None:
        """Return the results so far, to store with the turn's end; later ones are stored when they come.

        The findings in the turn's instructions are stored with its end in any case, so that they are not repeated.
        """
        task, told = self._tasks.pop(turn.pk, None), self._told.pop(turn.pk, ())
        if task is None:
            return SideAgentResult(told=told) if told else None
        if task.done():
            return task.result() or SideAgentResult(told=told)
        keeping = asyncio.create_task(self._keep_later(turn, task))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        return SideAgentResult(told=told)

    def look(self, drawing: Snapshot) -> None:
        """Let a model look at a drawing between messages: one per conversation at a time, and not too often."""
        now = asyncio.get_running_loop().time()
        last = self._looked.get(drawing.session_id, -LOOK_EVERY_S)
        if (listener := registered_listener()) is None or not models_for_tier("vision") or now - last < LOOK_EVERY_S:
            return
        self._looked = {session: at for session, at in self._looked.items() if now - at < LOOK_EVERY_S}
        self._looked[drawing.session_id] = now
        looking = asyncio.create_task(self._seen(listener, drawing))
        self._keeping.add(looking)
        looking.add_done_callback(self._keeping.discard)

    def forget(self, turn_id: uuid.UUID) -> None:
        """Drop a turn that did not end here: the process that takes it over runs the side agents again."""
        self._told.pop(turn_id, None)
        if task := self._tasks.pop(turn_id, None):
            task.cancel()

    async def close(self) -> None:
        """Stop. Results not stored yet are lost, as if they had come too late."""
        tasks = [*self._tasks.values(), *self._keeping]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._thread.submit(connections.close_all)
        self._thread.shutdown(wait=False)

    async def _aside[T](self, work: Callable[[], T]) -> T:
        # With the task's context, so that texts are in the learner's language.
        return await in_thread_of(self._thread, work)

    async def _heard(
        self, listener: SideAgentListener, turn: Turn, prepared: PreparedRun, payer: Payer
    ) -> SideAgentResult | None:
        """Return the result; a failing listener costs its findings, never the turn."""
        # The reply's own request goes first: findings are for the next turn anyway.
        await asyncio.sleep(HEAD_START_S)
        try:
            overheard = await self._aside(partial(listener.prepare_task, turn, prepared))
            if overheard is None:
                return None
            result = await self._walked(overheard, payer)
            return await self._aside(partial(listener.noticed, overheard, result))
        except Exception:
            logger.exception("turn_not_analyzed")
            return None

    async def _seen(self, listener: SideAgentListener, drawing: Snapshot) -> None:
        """Look at a drawing and store what a model sees in it; a failure has no effect."""
        person = drawing.session.owner
        try:
            overheard = await self._aside(partial(listener.look, drawing))
            if overheard is None:
                return
            payer = await self._aside(partial(payer_for, person, turn_id=None, ledger=self._ledger))
            result = await self._walked(overheard, payer)
            noticed = await self._aside(partial(listener.noticed, overheard, result))
            await self._write(partial(store_board_look, drawing, noticed, person_id=person.pk))
        except Exception:
            logger.warning("drawing_not_analyzed", drawing=drawing.pk, exc_info=True)

    async def _walked(self, overheard: SideAgentTask, payer: Payer) -> RunResult | None:
        """Ask the models; None if none is needed, too many calls are running, or a budget is nearly used up."""
        if overheard.graph is None or payer.is_saving or self._slots.locked():
            return None
        async with self._slots:
            prompts = await self._aside(prompts_in_force)
            return await run(
                overheard.graph,
                overheard.request,
                emit=_drop_event,
                speakers=speakers_for(payer, aside="listening"),
                limits=agent_settings().limits,
                prompts=prompts,
            )

    async def _keep_later(self, turn: Turn, task: "asyncio.Task[SideAgentResult | None]") -> None:
        noticed = await task
        if noticed is None:
            return
        try:
            is_news = await self._write(partial(store_late_result, turn, noticed))
        except Exception:
            # Nobody waits for it.
            logger.warning("findings_not_stored", exc_info=True)
            return
        if is_news:
            notices.notify_findings(turn.session)


def _drop_event(event: Event) -> None:
    """Ignore the events: side agents do not speak to the learner, their findings are reported separately."""
