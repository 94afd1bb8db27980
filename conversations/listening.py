"""Listening: side agents look at what was said while it is answered, and never hold the answer up.

What they notice in time goes with the turn; what comes later is kept when it comes. Either way it is for the next turn.
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from django.db import connections
from django.db.models import Q

from agents.chain import models
from agents.conf import agent_settings
from agents.events import Event, FindingMade
from agents.graph import Graph
from agents.llm.behalf import Ledger
from agents.prompting import prompts_in_force
from agents.prompts import Prompt
from agents.roles import Request, Tier
from agents.rows import insert_rows
from agents.runner import RunResult, run
from agents.speakers import speakers_for
from agents.speaking import Speaker
from agents.threads import in_thread_of
from conversations import notices
from conversations.hosts import Prepared
from conversations.models import Analysis, Finding, Snapshot, Turn

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
"""Between two looks of a model at a drawing that changes, in seconds."""
AFTER_S = 0.05
"""How long side agents let the reply go ahead, in seconds."""
AT_ONCE = 16
"""Turns and drawings of a process about which models are asked at once; of further ones code judges alone.

Nothing waits in line for a model that hangs: what was noticed minutes ago is of no use.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheard:
    """What is to be looked at, and by whom."""

    facts: Any
    """What the listener gathered, with what code alone makes of it; nobody here looks inside."""
    graph: Graph | None = None
    """The side agents that a model is asked for; None where code judges alone."""
    request: Request = field(default_factory=Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What came of it."""

    findings: Sequence[FindingMade] = ()
    analyses: Sequence[Mapping[str, Any]] = ()
    """Fields of `Analysis` rows, but for whose they are."""
    told: Sequence[int] = ()
    """Keys of the findings that stand in this turn's instructions."""


class Listener(Protocol):
    """The room that knows what to listen for. Its work is done in a thread with the database at hand."""

    def hears(self, turn: Turn, prepared: Prepared) -> bool:
        """Tell whether there may be something to look at. Asks nobody: called in the event loop."""

    def overhear(self, turn: Turn, prepared: Prepared) -> Overheard | None:
        """Gather what the side agents look at, and judge what code can. Writes nothing; None for nothing to look at."""

    def look(self, drawing: Snapshot) -> Overheard | None:
        """Gather what the side agents look at in a drawing that nobody has spoken of yet; as `overhear`."""

    def told(self, prepared: Prepared) -> Sequence[int]:
        """Return the keys of the findings that stand in the turn's instructions. Asks nobody."""

    def noticed(self, overheard: Overheard, result: RunResult | None) -> Noticed:
        """Return what code and models noticed together. `result` is None where no model was asked."""

    def keep(self, turn: Turn, noticed: Noticed) -> None:
        """Store what else the findings come to, inside the transaction that stores them."""

    def contested(self, finding: Finding, *, is_so: bool) -> None:
        """Take back, or give again, what the finding came to: its learner says that it is not so, or so after all.

        Inside the transaction that keeps what they say; `content` is saved after it.
        """


_listeners: list[Listener] = []


def register_listener(listener: Listener) -> None:
    """Let this listener hear all turns; there is one, or none."""
    _listeners[:] = [listener]


def the_listener() -> Listener | None:
    """Return who hears all turns."""
    return _listeners[0] if _listeners else None


class Listening:
    """The side agents' tasks of one process."""

    def __init__(self, *, write: Callable[[Callable[[], Any]], Awaitable[Any]], ledger: Ledger) -> None:
        self._write = write
        self._ledger = ledger
        self._tasks: dict[uuid.UUID, asyncio.Task[Noticed | None]] = {}
        self._told: dict[uuid.UUID, Sequence[int]] = {}
        self._keeping: set[asyncio.Task[None]] = set()
        self._looked: dict[int, float] = {}
        """Conversation → when its drawing was looked at last, by the loop's clock."""
        self._slots = asyncio.Semaphore(AT_ONCE)
        # A thread of their own: in that of the database whoever prepares the next reply would wait for them.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="listening")

    def begin(self, turn: Turn, prepared: Prepared) -> None:
        """Listen to a turn beside its answer."""
        if _listeners:
            self._told[turn.pk] = _listeners[0].told(prepared)
        if _listeners and _listeners[0].hears(turn, prepared):
            self._tasks[turn.pk] = asyncio.create_task(self._heard(_listeners[0], turn, prepared))

    def in_time(self, turn: Turn) -> Noticed | None:
        """Return what was noticed by now, to go with the turn's end; what is not there yet is kept when it comes.

        What the turn was told goes with its end in any case: the next turn must not be told the same.
        """
        task, told = self._tasks.pop(turn.pk, None), self._told.pop(turn.pk, ())
        if task is None:
            return Noticed(told=told) if told else None
        if task.done():
            return task.result() or Noticed(told=told)
        keeping = asyncio.create_task(self._keep_later(turn, task))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        return Noticed(told=told)

    def look(self, drawing: Snapshot) -> None:
        """Let a model look at a drawing while nobody speaks: one of a conversation at a time, and not too often."""
        now = asyncio.get_running_loop().time()
        last = self._looked.get(drawing.session_id, -LOOK_EVERY_S)
        if not _listeners or not models("vision") or now - last < LOOK_EVERY_S:
            return
        self._looked = {session: at for session, at in self._looked.items() if now - at < LOOK_EVERY_S}
        self._looked[drawing.session_id] = now
        looking = asyncio.create_task(self._seen(_listeners[0], drawing))
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

    async def _heard(self, listener: Listener, turn: Turn, prepared: Prepared) -> Noticed | None:
        """Return what was noticed; a listener that fails costs its findings, never the turn."""
        # The reply's own question goes out first: what is noticed is for the next turn anyway.
        await asyncio.sleep(AFTER_S)
        try:
            overheard = await self._aside(partial(listener.overhear, turn, prepared))
            if overheard is None:
                return None
            result = await self._walked(turn.owner, overheard, turn_id=turn.pk)
            return await self._aside(partial(listener.noticed, overheard, result))
        except Exception:
            logger.exception("turn=%s was not listened to", turn.pk)
            return None

    async def _seen(self, listener: Listener, drawing: Snapshot) -> None:
        """Look at a drawing and keep what a model sees in it; where that fails, nobody was told anything yet."""
        person = drawing.session.owner
        try:
            overheard = await self._aside(partial(listener.look, drawing))
            if overheard is None:
                return
            result = await self._walked(person, overheard, turn_id=None)
            noticed = await self._aside(partial(listener.noticed, overheard, result))
            await self._write(partial(keep_look, drawing, noticed, person_id=person.pk))
        except Exception:
            logger.warning("drawing=%s was not looked at", drawing.pk, exc_info=True)

    async def _walked(self, person: Any, overheard: Overheard, *, turn_id: uuid.UUID | None) -> RunResult | None:
        """Ask the models; None where none is to be asked, or too many are asked already."""
        if overheard.graph is None or self._slots.locked():
            return None
        async with self._slots:
            speakers, prompts = await self._aside(partial(_speaking, person, turn_id, self._ledger))
            return await run(
                overheard.graph,
                overheard.request,
                emit=_unheard,
                speakers=speakers,
                limits=agent_settings().limits,
                prompts=prompts,
            )

    async def _keep_later(self, turn: Turn, task: "asyncio.Task[Noticed | None]") -> None:
        noticed = await task
        if noticed is None:
            return
        try:
            is_news = await self._write(partial(keep_late, turn, noticed))
        except Exception:
            # Nobody waits for it.
            logger.warning("turn=%s: what was noticed could not be kept", turn.pk, exc_info=True)
            return
        if is_news:
            notices.something_noticed(turn.session)


def keep_look(drawing: Snapshot, noticed: Noticed, *, person_id: int) -> None:
    """Store what was seen of a drawing that nobody has spoken of yet; nothing of one that is gone by now."""
    whose = {"session_id": drawing.session_id, "person_id": person_id}
    insert_rows(Analysis, [whose | dict(each) for each in _of_what_is_there(noticed).analyses])


def _of_what_is_there(noticed: Noticed) -> Noticed:
    """Return what was noticed but for what is of a drawing that was deleted meanwhile; no query where none was looked at.

    A row of one that is gone would cost the whole batch of the writer: keys are checked when all of it is committed.
    """
    looked_at = {str(each["snapshot_id"]) for each in noticed.analyses if each.get("snapshot_id")}
    if not looked_at:
        return noticed
    there = Snapshot.objects.filter(pk__in=looked_at, deleted_at=None).values_list("pk", flat=True)
    gone = looked_at - {str(pk) for pk in there}
    return replace(
        noticed,
        analyses=[each for each in noticed.analyses if str(each.get("snapshot_id")) not in gone],
        findings=[each for each in noticed.findings if each.content.get("snapshot") not in gone],
    )


def keep(turn: Turn, noticed: Noticed, *, findings: bool) -> None:
    """Store what was noticed; the caller has the transaction. `findings`: those too, which else go with the turn."""
    noticed = _of_what_is_there(noticed)
    if noticed.told:
        Finding.objects.filter(pk__in=noticed.told).update(told_turn=turn.number)
    whose = {"session_id": turn.session_id, "turn_id": turn.pk, "person_id": turn.owner_id}
    insert_rows(Analysis, [whose | dict(each) for each in noticed.analyses])
    if findings:
        store_findings(turn, [finding.as_wire() for finding in noticed.findings])
    if noticed.findings:
        _listeners[0].keep(turn, noticed)


def keep_late(turn: Turn, noticed: Noticed) -> bool:
    """Store what was noticed of a turn after its end; tell whether any of it is news. The caller has the transaction.

    By then the message may have been said anew, or have gone with its conversation; another process may have taken the
    turn up and listened too; and later turns may have shown the same, or that it is settled.
    """
    in_force = list(Turn.objects.filter(pk=turn.pk).values_list("replaced_by", flat=True))
    heard = Analysis.objects.filter(turn=turn.pk, agent__in=[each["agent"] for each in noticed.analyses])
    if not in_force or heard.exists():
        return False
    fresh = _fresh(turn, noticed.findings) if in_force == [None] else []
    keep(turn, replace(noticed, findings=fresh, told=()), findings=True)
    return bool(fresh)


def _fresh(turn: Turn, findings: Sequence[FindingMade]) -> list[FindingMade]:
    """Return the findings that no later turn has shown by now, or settled; one query."""
    since = Q(turn__number__gt=turn.number) | Q(resolved_turn__number__gt=turn.number)
    rows = Finding.objects.filter(since, session=turn.session_id, turn__replaced_by=None)
    known = set(rows.values_list("kind", "name"))
    return [each for each in findings if (each.kind, each.name) not in known]


def store_findings(turn: Turn, told: Sequence[Mapping[str, Any]]) -> None:
    """Store findings of a turn, as events; a resolved one closes those of its name. The caller has the transaction."""
    for body in told:
        if body["resolved"]:
            earlier = Finding.objects.filter(
                session=turn.session_id, name=body["name"], resolved_turn=None, turn__replaced_by=None
            )
            earlier.update(resolved_turn=turn)
        else:
            Finding.objects.create(
                session_id=turn.session_id,
                turn=turn,
                agent=body["agent"],
                kind=body["kind"],
                name=body["name"],
                words=body["words"],
                evidence=body["evidence"],
                confidence=body["confidence"],
                content=dict(body["content"]),
            )


def _speaking(
    person: Any, turn_id: uuid.UUID | None, ledger: Ledger
) -> tuple[Mapping[Tier, Speaker], Mapping[str, Prompt]]:
    """Return who speaks for the side agents, and what they are told."""
    speakers = speakers_for(person, turn_id=turn_id, ledger=ledger, after_effect=_nothing, aside="listening")
    return speakers, prompts_in_force()


def _unheard(event: Event) -> None:
    """Side agents do not speak to the learner: what they found is told as findings."""


def _nothing() -> None:
    pass
