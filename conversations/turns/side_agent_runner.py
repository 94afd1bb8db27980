"""Run side agents beside a turn and store their findings for the next one."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.db import connections

from agents.conf import agent_settings
from agents.engine.events import Event
from agents.engine.roles import Tier
from agents.engine.runner import RunResult, run
from agents.engine.speaker import Speaker
from agents.llm.call_context import Ledger
from agents.llm.prompt import Prompt
from agents.prompts.versions import prompts_in_force
from agents.runtime.model_chain import models_for_tier
from agents.runtime.speaker_selection import speakers_for
from agents.storage.threads import in_thread_of
from conversations.models import Snapshot, Turn
from conversations.turns import notices
from conversations.turns.findings import store_board_look, store_late_result
from conversations.turns.handler import PreparedRun
from conversations.turns.side_agents import SideAgentListener, SideAgentResult, SideAgentTask, registered_listener

logger = logging.getLogger(__name__)
LOOK_EVERY_S = 5.0
"""Between two looks of a model at a drawing that changes, in seconds."""
HEAD_START_S = 0.05
"""How long side agents let the reply go ahead, in seconds."""
MOST_AT_ONCE = 16
"""Turns and drawings of a process about which models are asked at once; of further ones code judges alone.

Nothing waits in line for a model that hangs: what was noticed minutes ago is of no use.
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
        """Conversation → when its drawing was looked at last, by the loop's clock."""
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        # A thread of their own: in that of the database whoever prepares the next reply would wait for them.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="listening")

    def begin(self, turn: Turn, prepared: PreparedRun) -> None:
        """Listen to a turn beside its answer."""
        if (listener := registered_listener()) is None:
            return
        self._told[turn.pk] = listener.told(prepared)
        if listener.hears(turn, prepared):
            self._tasks[turn.pk] = asyncio.create_task(self._heard(listener, turn, prepared))

    def in_time(self, turn: Turn) -> SideAgentResult | None:
        """Return what was noticed by now, to go with the turn's end; what is not there yet is kept when it comes.

        What the turn was told goes with its end in any case: the next turn must not be told the same.
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
        """Let a model look at a drawing while nobody speaks: one of a conversation at a time, and not too often."""
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
        """Let go of a turn that came to no end here: whoever takes it up listens again."""
        self._told.pop(turn_id, None)
        if task := self._tasks.pop(turn_id, None):
            task.cancel()

    async def close(self) -> None:
        """Listen no more. What was not kept yet is not there, as if it had come too late."""
        tasks = [*self._tasks.values(), *self._keeping]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._thread.submit(connections.close_all)
        self._thread.shutdown(wait=False)

    async def _aside[T](self, work: Callable[[], T]) -> T:
        # With the task's context, so that words come in the learner's language.
        return await in_thread_of(self._thread, work)

    async def _heard(self, listener: SideAgentListener, turn: Turn, prepared: PreparedRun) -> SideAgentResult | None:
        """Return what was noticed; a listener that fails costs its findings, never the turn."""
        # The reply's own question goes out first: what is noticed is for the next turn anyway.
        await asyncio.sleep(HEAD_START_S)
        try:
            overheard = await self._aside(partial(listener.prepare_task, turn, prepared))
            if overheard is None:
                return None
            result = await self._walked(turn.owner, overheard, turn_id=turn.pk)
            return await self._aside(partial(listener.noticed, overheard, result))
        except Exception:
            logger.exception("turn=%s was not listened to", turn.pk)
            return None

    async def _seen(self, listener: SideAgentListener, drawing: Snapshot) -> None:
        """Look at a drawing and keep what a model sees in it; where that fails, nobody was told anything yet."""
        person = drawing.session.owner
        try:
            overheard = await self._aside(partial(listener.look, drawing))
            if overheard is None:
                return
            result = await self._walked(person, overheard, turn_id=None)
            noticed = await self._aside(partial(listener.noticed, overheard, result))
            await self._write(partial(store_board_look, drawing, noticed, person_id=person.pk))
        except Exception:
            logger.warning("drawing=%s was not looked at", drawing.pk, exc_info=True)

    async def _walked(self, person: Any, overheard: SideAgentTask, *, turn_id: uuid.UUID | None) -> RunResult | None:
        """Ask the models; None where none is to be asked, or too many are asked already."""
        if overheard.graph is None or self._slots.locked():
            return None
        async with self._slots:
            speakers, prompts = await self._aside(partial(_speakers_and_prompts, person, turn_id, self._ledger))
            return await run(
                overheard.graph,
                overheard.request,
                emit=_drop_event,
                speakers=speakers,
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
            logger.warning("turn=%s: what was noticed could not be kept", turn.pk, exc_info=True)
            return
        if is_news:
            notices.notify_findings(turn.session)


def _speakers_and_prompts(
    person: Any, turn_id: uuid.UUID | None, ledger: Ledger
) -> tuple[Mapping[Tier, Speaker], Mapping[str, Prompt]]:
    """Return who speaks for the side agents, and what they are told."""
    speakers = speakers_for(person, turn_id=turn_id, ledger=ledger, after_effect=_no_effect, aside="listening")
    return speakers, prompts_in_force()


def _drop_event(event: Event) -> None:
    """Side agents do not speak to the learner: what they found is told as findings."""


def _no_effect() -> None:
    pass
