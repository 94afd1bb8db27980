"""Supervisor: owns the tasks of running turns in this process. A turn outlives the socket that started it."""

import asyncio
import contextvars
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _
from structlog.contextvars import bind_contextvars

from agents import tracing
from agents.conf import agent_settings
from agents.engine.events import Queued, ReplyText, StateChanged, TurnResumed
from agents.engine.outcomes import Answered
from agents.engine.roles import Tier
from agents.engine.runner import RunResult, run
from agents.engine.speaker import Speaker
from agents.event_log import get_logger
from agents.llm.call_context import Ledger
from agents.llm.prompt import Prompt
from agents.prompts.versions import prompts_in_force
from agents.runtime.model_connection import current_connection
from agents.runtime.speaker_selection import Payer, payer_for, speakers_for
from agents.storage.availability import UNAVAILABLE_ERRORS, FailureStreak, database
from agents.storage.threads import in_model_thread, in_orm_thread
from agents.usage.costs import TurnCost, cost_of
from agents.usage.ledger import DatabaseLedger, in_own_transaction
from conversations.models import Turn, TurnStatus
from conversations.panel.fallback import fallback_events
from conversations.processes.identity import PROCESS
from conversations.turns import apply, fault_injection, finish, leases, notices, queue, walks
from conversations.turns.begin import AcceptedTurn
from conversations.turns.feed import Feed, Wire
from conversations.turns.finish import TurnEnding
from conversations.turns.handler import MessageReading, PreparedRun, StoppedRun, turn_handler
from conversations.turns.relay import Relay
from conversations.turns.side_agent_runner import SideAgentRunner
from conversations.turns.summary import answer_fields, apology, cited_sources, final_status
from conversations.turns.writer import Writer

logger = get_logger(__name__)

HEARTBEAT_S = 5.0
"""Seconds between two renewals of this process's leases."""


class _Preparation(NamedTuple):
    """A run, its speakers and its prompts: decided once, so that nothing changes during the run."""

    prepared: PreparedRun
    speakers: Mapping[Tier, Speaker]
    prompts: Mapping[str, Prompt]


class Supervisor:
    """The running turns of one process: their tasks, feeds and leases."""

    def __init__(self) -> None:
        self.writer = Writer()
        # Without batching: a batch would lock a budget's row until all of it is stored, and block other processes.
        write = self.writer.write if connection.vendor == "sqlite" else in_own_transaction
        self.ledger = DatabaseLedger(holder=PROCESS, write=write)
        self.listening = SideAgentRunner(write=self.writer.write, ledger=self.ledger)
        self.feeds: dict[uuid.UUID, Feed] = {}
        self.relay = Relay(self.feeds, stop=self.stop)
        self._tasks: dict[uuid.UUID, asyncio.Task[None]] = {}
        self._runs: dict[uuid.UUID, asyncio.Task[RunResult]] = {}
        self._stopped: set[uuid.UUID] = set()
        self._finishing: set[uuid.UUID] = set()
        self._heart: asyncio.Task[None] | None = None
        self._beating = FailureStreak("renewal of the turns' leases")
        self.accepted = 0
        """Turns begun in this process."""
        self.fell_back = 0
        """Turns of this process that one agent answered because the panel failed."""
        self.taken_over = 0
        """Turns that this process took over from another one that died or gave them back."""
        self._queued = 0
        """Turns that have waited for capacity since some began to."""
        self.closing = False

    # --- Used by consumers and views ---

    def start(self, accepted: AcceptedTurn) -> None:
        """Serve a turn that was accepted here. Harmless if it is already served or finished."""
        tracing.current_span().set({"learnagent.turn.id": str(accepted.turn.pk)})
        if accepted.started is None:
            self.claim(accepted.turn.pk)
        elif not self.closing:
            self.accepted += 1
            feed = self._feed(accepted.turn, first_seq=accepted.started["seq"], stored=[accepted.started])
            self._leave(accepted.turn.pk, feed)
            self._begin(accepted.turn.pk, partial(self._serve_begun, accepted.turn, feed))

    def claim(self, turn_id: uuid.UUID) -> None:
        """Serve a turn unknown to this process, if no other process does. Harmless otherwise."""
        if not self.closing and turn_id not in self._tasks:
            self._begin(turn_id, partial(self._serve_found, turn_id))

    def has_room(self) -> bool:
        """Whether a turn started now is served at once."""
        return self.running < agent_settings().turns_in_process

    @property
    def running(self) -> int:
        """How many turns run here."""
        return len(self._tasks) - len(queue.waiting)

    @property
    def waiting(self) -> int:
        """How many turns wait here for capacity."""
        return len(queue.waiting)

    def _begin(self, turn_id: uuid.UUID, serve: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.relay.open()
        if not self.has_room():
            if not queue.waiting:
                logger.warning("turn_queue_began", running=self.running)
            self._queued += 1
            queue.waiting[turn_id] = asyncio.Event()
        task = asyncio.create_task(self._serve(turn_id, serve), name=f"turn {turn_id}", context=_outliving_context())
        self._tasks[turn_id] = task
        task.add_done_callback(partial(self._forget, turn_id))
        if self._heart is None or self._heart.done():
            self._heart = asyncio.create_task(self._beat(), context=_outliving_context())

    def stop(self, turn_id: uuid.UUID) -> bool:
        """Stop a turn of this process at once, keeping what was said. False if it does not run here."""
        if turn_id not in self._tasks:
            return False
        self._stopped.add(turn_id)
        # A turn has to start before it can be stopped; it uses capacity only briefly.
        self._admit(turn_id)
        if running := self._runs.get(turn_id):
            running.cancel()
        return True

    async def stop_anywhere(self, turn_id: uuid.UUID) -> None:
        """Stop a turn, also if another process runs it; that one hears of it at once, or with its next heartbeat."""
        if not self.stop(turn_id):
            await self.writer.write(partial(_request_stop, turn_id))
            self.relay.pass_on_stop(turn_id)

    def serves(self, turn_id: uuid.UUID) -> bool:
        """Whether this process has a task for the turn, waiting or running."""
        return turn_id in self._tasks

    def position(self, turn_id: uuid.UUID) -> int:
        """Return the turn's place in this process's queue, from 1; 0 if it does not wait."""
        return list(queue.waiting).index(turn_id) + 1 if turn_id in queue.waiting else 0

    async def finished(self, turn_id: uuid.UUID) -> None:
        """Wait until a turn of this process has ended; return at once for any other."""
        if task := self._tasks.get(turn_id):
            await asyncio.wait({task})

    async def close(self) -> None:
        """Shut down: nothing new starts, shown events are stored, leases are released for others."""
        self.closing = True
        if self._heart is not None:
            self._heart.cancel()
        # A turn in its last transaction ends by itself; the others are stopped, so that everything is flushed.
        tasks, finishing = dict(self._tasks), set(self._finishing)
        feeds = [feed for turn_id, feed in self.feeds.items() if turn_id not in finishing]
        for turn_id in tasks.keys() - finishing:
            tasks[turn_id].cancel()
        if tasks:
            await asyncio.wait(tasks.values())
        for feed in feeds:
            await feed.flush()
        self.relay.close()
        await self.listening.close()
        try:
            await self.writer.write(leases.release_leases)
        except AnyDatabaseError:
            # They run out by themselves.
            logger.exception("leases_not_released")
        await self.writer.close()

    # --- One turn ---

    async def _serve(self, turn_id: uuid.UUID, serve: Callable[[], Coroutine[Any, Any, None]]) -> None:
        bind_contextvars(turn_id=str(turn_id), process=PROCESS)
        try:
            # What the team says is in the language of the courses, whoever's request began the turn.
            with translation.override(settings.LANGUAGE_CODE):
                await serve()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            # The lease runs out and another process takes the turn, at most `max_attempts` times.
            is_away = isinstance(error, UNAVAILABLE_ERRORS)
            logger.error("turn_interrupted", error=type(error).__name__, exc_info=not is_away)
            if is_away:
                database.failed(error)
        finally:
            self._leave(turn_id)

    async def _serve_begun(self, turn: Turn, feed: Feed) -> None:
        if waiting := queue.waiting.get(turn.pk):
            feed.emit(Queued(position=self.position(turn.pk)))
            await waiting.wait()
        if turn.status == TurnStatus.RUNNING or await self.writer.write(partial(leases.claim_new, turn)):
            await self._answer(turn, feed)

    async def _serve_found(self, turn_id: uuid.UUID) -> None:
        if waiting := queue.waiting.get(turn_id):
            await waiting.wait()
        taken = await self.writer.write(partial(leases.claim, turn_id))
        if taken is not None:
            if taken.turn.attempt > 1:
                self.taken_over += 1
                logger.warning("lease_taken_over", attempt=taken.turn.attempt)
            feed = self._feed(taken.turn, first_seq=taken.next_seq)
            self._leave(turn_id, feed)
            await self._answer(taken.turn, feed)

    def _feed(self, turn: Turn, *, first_seq: int, stored: Sequence[Wire] = ()) -> Feed:
        return Feed(
            turn.pk,
            first_seq=first_seq,
            stored=stored,
            store=partial(self._store, turn),
            flush_s=agent_settings().flush_s,
            flush_bytes=agent_settings().flush_bytes,
        )

    async def _answer(self, turn: Turn, feed: Feed) -> None:
        fault_injection.kill_point("after_lease")
        bind_contextvars(session=turn.session_id, person=turn.owner_id)
        attributes: tracing.Attributes = {
            "learnagent.turn.id": str(turn.pk),
            "learnagent.turn.attempt": turn.attempt,
            "learnagent.session": turn.session_id,
            "learnagent.person": turn.owner_id,
        }
        with tracing.turn_span(turn.pk, attributes) as span:
            if span.trace_id:
                bind_contextvars(trace_id=span.trace_id)
            await self._attempt(turn, feed)

    async def _attempt(self, turn: Turn, feed: Feed) -> None:
        if turn.attempt > 1:
            # Nobody is told: followers keep following the turn, or reconnect with their position.
            feed.emit(TurnResumed(attempt=turn.attempt))
        else:
            notices.notify_turn_begun(turn)
        if turn.attempt > agent_settings().max_attempts:
            feed.emit(ReplyText(text=_("Your message could not be answered, but it is saved. Please send it again.")))
            logger.error("turn_failed", reason="too many attempts")
            await self._finish(turn, feed, TurnEnding(status="failed", reply=feed.reply()))
        else:
            await self._run(turn, feed)

    def _leave(self, turn_id: uuid.UUID, successor: Feed | None = None) -> None:
        """Release the watchers of a turn's feed, moving them to its successor if there is one."""
        feed = self.feeds.pop(turn_id, None)
        if successor is not None:
            self.feeds[turn_id] = successor
            self.relay.wake(turn_id)
        if feed is not None:
            feed.close()

    async def _run(self, turn: Turn, feed: Feed) -> None:
        started = monotonic()
        walk = await self._walk(turn, feed)
        if walk is not None and walks.may_fall_back(walk, turn, feed) and await in_orm_thread(walks.is_fallback_on)():
            logger.warning("panel_fell_back")
            self.fell_back += 1
            self.listening.forget(turn.pk)
            walks.restrict_to_single_agent(turn)
            alone_since_ms = (monotonic() - started) * 1000
            alone = await self._walk(turn, feed, explain=True)
            walk = walks.joined(walk, alone, began_ms=alone_since_ms) if alone is not None else None
        if walk is None:
            return
        prepared, result = walk.prepared, walk.result
        if walk.status == "failed":
            logger.error("turn_failed", reason=_failure(result))
        if words := apology(walk.status, reply=feed.reply(), cards=feed.cards):
            feed.emit(ReplyText(text=words))
        noticed = self.listening.in_time(turn)
        for finding in noticed.findings if noticed and result is not None else ():
            feed.emit(finding)
        cards = feed.shown_cards(all_of_them=result is not None)
        outcomes = result.outcomes if result else ()
        ending = TurnEnding(
            status=walk.status,
            reply=feed.reply(),
            cards=cards,
            result=result,
            graph=prepared.graph.name if prepared else "",
            before=turn.session.state,
            said=prepared.request.text if prepared else "",
            told=feed.told,
            noticed=noticed,
            summary_is_due=prepared is not None and prepared.summary_is_due,
            answer=answer_fields(
                outcomes,
                cost=await _cost(turn),
                total_ms=(monotonic() - started) * 1000,
                fell_back=walk.fell_back,
                first_word_ms=_first_word_ms(turn, feed),
            )
            | {"sources": cited_sources(cards), "tool_calls": feed.tools}
            | walks.panel_answer(walk),
        )
        await self._finish(turn, feed, ending)

    async def _walk(self, turn: Turn, feed: Feed, *, explain: bool = False) -> walks.Walk | None:
        """Understand the turn's message and walk its graph to the end; None if this process no longer has the turn."""
        prepared: PreparedRun | None = None
        result: RunResult | None = None
        try:
            found, payer = await in_model_thread(_read)(turn, self.ledger)
            if not isinstance(found, _Preparation):
                reading = await turn_handler().improve(turn, found, payer)
                if not await self._apply(turn, reading):
                    return None
                found = await in_orm_thread(_prepare)(turn, reading, payer)
            prepared, speakers, prompts = found
            if explain:
                prepared = walks.explained(prepared)
            for event in finish.opening_events(turn, prepared):
                feed.emit(event)
            self.listening.begin(turn, prepared, payer)
            walking = asyncio.create_task(_walk(turn, prepared, speakers, prompts, feed))
            self._runs[turn.pk] = walking
            if turn.stop_requested or turn.pk in self._stopped:
                self.stop(turn.pk)
            result = await walking
            status = final_status(result.outcomes)
        except asyncio.CancelledError:
            if turn.pk not in self._stopped:
                raise
            status = "stopped"
        except UNAVAILABLE_ERRORS:
            raise  # The turn is served again once the database is back.
        except Exception:
            logger.exception("turn_crashed")
            status = "failed"
        finally:
            self._runs.pop(turn.pk, None)
        stopped = await self._stopped_run(prepared, feed) if status == "stopped" and prepared is not None else None
        classified = prepared.classified if prepared is not None else None
        if classified is not None and result is not None and not feed.reply():
            off = bool(result.switched_off)
            for event in fallback_events(result.outcomes, turn_id=str(turn.pk), is_switched_off=off):
                feed.emit(event)
        classification = classified.classification if classified is not None else None
        return walks.Walk(
            status=status, prepared=prepared, result=result, stopped=stopped, classification=classification
        )

    async def _stopped_run(self, prepared: PreparedRun, feed: Feed) -> StoppedRun | None:
        """Say what a stopped run has come to, unless its reply had begun; None if it cannot tell."""
        if prepared.when_stopped is None or feed.reply():
            return None
        await feed.flush()
        try:
            stopped = await in_orm_thread(prepared.when_stopped)()
        except UNAVAILABLE_ERRORS:
            raise
        except Exception:
            # What was said is stored: the turn ends as stopped all the same.
            logger.exception("stopped_run_not_summed_up")
            return None
        for event in stopped.events if stopped is not None else ():
            feed.emit(event)
        return stopped

    async def _apply(self, turn: Turn, reading: MessageReading) -> bool:
        """Store the effects of the turn's message; False if this process no longer has the turn."""
        fault_injection.kill_point("after_reading")
        # A unit that needs a model rolls back only its own savepoint, and starts again.
        is_held: bool = await self.writer.write(partial(apply.apply_reading, turn, reading))
        return is_held

    async def _finish(self, turn: Turn, feed: Feed, ending: TurnEnding) -> None:
        self._finishing.add(turn.pk)
        ended = turn_handler().ended(ending.result.state if ending.result else turn.session.state)
        for key, value in ended.items():
            feed.emit(StateChanged(key=key, value=value))
        events = feed.settle()
        unit = partial(finish.finish_turn, turn, replace(ending, ended=ended), events=events, next_seq=feed.next_seq)
        tracing.current_span().set({"learnagent.turn.status": ending.status})
        if last := await self.writer.write(unit):
            fault_injection.kill_point("after_finish")
            feed.finish(last)

    async def _store(self, turn: Turn, events: list[Wire]) -> None:
        await self.writer.write_together(leases.store_if_leased, (turn, events))

    def _forget(self, turn_id: uuid.UUID, task: asyncio.Task[None]) -> None:
        self._tasks.pop(turn_id, None)
        self.listening.forget(turn_id)
        queue.waiting.pop(turn_id, None)
        self._stopped.discard(turn_id)
        self._finishing.discard(turn_id)
        if queue.waiting and self.has_room():
            self._admit(next(iter(queue.waiting)))

    def _admit(self, turn_id: uuid.UUID) -> None:
        if waiting := queue.waiting.pop(turn_id, None):
            waiting.set()
            if not queue.waiting:
                logger.warning("turn_queue_ended", waited=self._queued)
                self._queued = 0

    # --- Signs of life ---

    async def _beat(self) -> None:
        while self._tasks:
            await asyncio.sleep(HEARTBEAT_S)
            with self._beating.survive():
                for turn_id in await self.writer.write(partial(_renew_and_find_stopped, list(self._tasks))):
                    self.stop(turn_id)


def _outliving_context() -> contextvars.Context:
    """Return this task's context without the request's thread, which ends before the turn does."""
    context = contextvars.copy_context()
    context.run(SyncToAsync.thread_sensitive_context.set, None)  # type: ignore[arg-type]  # As where none was set.
    return context


def _request_stop(turn_id: uuid.UUID) -> None:
    Turn.objects.unfinished().filter(pk=turn_id).update(stop_requested=True)


def _renew_and_find_stopped(turn_ids: list[uuid.UUID]) -> list[uuid.UUID]:
    """Renew the leases; return the turns that somebody has asked to stop, in any process."""
    leases.renew_leases(turn_ids)
    return list(Turn.objects.filter(pk__in=turn_ids, stop_requested=True).values_list("pk", flat=True))


def _read(turn: Turn, ledger: Ledger) -> tuple[MessageReading | _Preparation, Payer]:
    """Interpret the turn's message, and look up who pays for its model calls.

    If it was interpreted before or needs no interpretation, prepare the run at once: another change of threads would
    cost a millisecond.
    """
    reading = turn_handler().read(turn) if turn.decision is None else None
    payer = payer_for(turn.owner, turn_id=turn.pk, ledger=ledger)
    return _prepare(turn, None, payer) if reading is None else reading, payer


def _prepare(turn: Turn, reading: MessageReading | None, payer: Payer) -> _Preparation:
    prepared = turn_handler().prepare(turn, reading)
    speakers = speakers_for(payer, after_effect=partial(fault_injection.kill_point, "tool_effect"))
    return _Preparation(prepared, speakers, prompts_in_force())


async def _walk(
    turn: Turn, prepared: PreparedRun, speakers: Mapping[Tier, Speaker], prompts: Mapping[str, Prompt], feed: Feed
) -> RunResult:
    return await run(
        prepared.graph,
        prepared.request,
        emit=feed.emit,
        speakers=speakers,
        limits=agent_settings().limits,
        position=tuple(turn.session.positions.get(prepared.graph.name, ())),
        prompts=prompts,
        roles=prepared.roles,
        correlation_id=str(turn.pk),
        off=prepared.off,
    )


def _failure(result: RunResult | None) -> str:
    """Return how the agents failed, such as `tutor: timeout`."""
    failed = [each for each in result.outcomes if not isinstance(each, Answered)] if result else []
    return ", ".join(f"{each.agent}: {each.error_type}" for each in failed) or "crash"


def _first_word_ms(turn: Turn, feed: Feed) -> float | None:
    """Return how long the learner waited for the first word or card, in milliseconds; None if there was none."""
    if feed.first_shown_at is None:
        return None
    # The turn began by the database's clock, which may differ from this machine's.
    return max(0.0, (feed.first_shown_at - turn.created_at) / timedelta(milliseconds=1))


async def _cost(turn: Turn) -> TurnCost:
    """Return the cost of the turn's model calls, over all attempts."""
    if current_connection().state == "none":
        return TurnCost()
    return await in_orm_thread(cost_of)(turn.pk)


supervisor = Supervisor()
"""This process's supervisor."""
