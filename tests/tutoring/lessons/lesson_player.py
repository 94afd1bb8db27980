"""A lesson played turn by turn: what a server does for each message, without the server."""

import asyncio
import random
import uuid
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection
from django.test import RequestFactory, override_settings

from agents.engine.events import ReplyText, StateChanged
from agents.engine.runner import RunResult, run
from agents.engine.speaker import PlanSpeaker
from agents.llm.call_context import CallContext
from agents.llm.offline import OfflineBackend
from agents.runtime.speaker_selection import payer_for
from conversations.models import Session, Turn, TurnStatus
from conversations.turns import apply, begin, findings, finish, leases
from conversations.turns.begin import AcceptedTurn
from conversations.turns.feed import RECORDED_TYPES, Wire, number_event
from conversations.turns.finish import TurnEnding
from conversations.turns.handler import MessageReading, turn_handler
from conversations.turns.side_agents import SideAgentResult
from conversations.turns.summary import apology, final_status
from tests import people
from tutoring.course_storage import store_course
from tutoring.courses.catalogue import LessonPiece
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.loader import read_course
from tutoring.dialogue.lesson_start import start_lesson
from tutoring.lesson.state import LessonState, lesson_state
from tutoring.models import Attempt, Concept, Course, Question
from tutoring.pages.views.answers import answer_core
from tutoring.side_agents.listener import TutoringListener

FRACTIONS = Path(__file__).parents[3] / "courses" / "fractions"
TIERS = ("fast", "strong", "vision")
SPEAKERS = dict.fromkeys(TIERS, PlanSpeaker(OfflineBackend()))
"""Without a model, and on nobody's behalf: nothing is looked up."""


@cache
def fractions() -> BuiltCourse:
    return read_course(FRACTIONS)


def load_fractions() -> Course:
    """Store the shipped course."""
    return store_course(fractions(), position=0)


@cache
def spoken_fractions() -> BuiltCourse:
    """Return the shipped course as one without steps: each piece asks its question in words."""
    built = fractions()
    concepts = tuple(
        replace(
            concept,
            pieces={level: tuple(map(_spoken, pieces)) for level, pieces in concept.pieces.items()},
            examples=tuple(map(_spoken, concept.examples)),
        )
        for concept in built.course.concepts
    )
    # A course is kept in a process by its hash.
    return replace(built, course=replace(built.course, concepts=concepts), hash=built.hash[::-1])


def _spoken(piece: LessonPiece) -> LessonPiece:
    return replace(piece, blocks=(*piece.blocks, piece.question), step=None)


def load_spoken_fractions() -> Course:
    """Store the course without steps, for what a tutor and a learner say to each other in words."""
    return store_course(spoken_fractions(), position=0)


def unhurried() -> override_settings:
    """Let messages and cards follow as fast as scripted learners send them."""
    return override_settings(
        AGENTS={**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0, "panels_per_minute": 0}
    )


@contextmanager
def counted_turns(seed: int | str, *, after: int = 0) -> Iterator[None]:
    """Number turns by a seed instead of by chance: a turn's id chooses wordings and exercises.

    `after` is how many turns it has numbered before.
    """
    field, chance = Turn._meta.get_field("id"), random.Random(seed)
    for _ in range(after):
        chance.getrandbits(128)
    before = field._get_default
    field._get_default = lambda: uuid.UUID(int=chance.getrandbits(128), version=4)
    try:
        yield
    finally:
        field._get_default = before


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One turn as it was served."""

    turn: Turn
    said: str
    """What the learner typed; an answer where it came by a card."""
    reply: str
    wires: tuple[Wire, ...]
    before: Mapping[str, Any]
    """The session's state before the turn."""
    waiting: Question | None
    """The question that was open when the learner spoke."""
    answered: Attempt | None
    queries: int

    def events(self, *types: str) -> list[Wire]:
        return [wire for wire in self.wires if wire["type"] in types]

    def cards(self, kind: str) -> list[Wire]:
        return [wire for wire in self.events("card") if wire["kind"] == kind]

    @property
    def routing(self) -> list[str]:
        """Where the routing machine stood, as it was told."""
        return [wire["value"] for wire in self.events("state_changed") if wire["key"] == "routing_state"]

    @property
    def moves(self) -> list[str]:
        return [wire["result"].get("move", "") for wire in self.events("agent_finished")]


def in_this_thread[T](coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end; what it asks the database is asked here, within the test's transaction."""

    async def awaited() -> T:
        return await coroutine

    # Here it is the test's own connection, and its transaction, that would be closed.
    with patch("channels.db.close_old_connections"):
        return async_to_sync(awaited)()


class Stage:
    """One learner's lesson, or their conversation without a topic, played turn by turn."""

    def __init__(
        self, person: Any, concept: Concept | None = None, *, speakers: Any = SPEAKERS, walk: Any = asyncio.run
    ) -> None:
        """`walk` runs a turn's coroutine to its end: one that keeps its loop keeps a model's connections."""
        self.person = person
        self.speakers, self.walk = speakers, walk
        self.concept = concept
        self.key = "lobby"
        self.exchanges: list[Exchange] = []

    # --- What a learner does ---

    def open(self) -> Exchange:
        assert self.concept is not None
        with connection.execute_wrapper(queries := Counted()):
            accepted = start_lesson(self.person, self.concept, claimed=True)
        self.key = accepted.turn.session.key
        return self._serve(accepted, said="", queries=queries.statements)

    def say(
        self,
        text: str,
        *,
        replaces: Exchange | None = None,
        attachments: Sequence[uuid.UUID] = (),
        board: uuid.UUID | None = None,
        unseen: uuid.UUID | None = None,
    ) -> Exchange:
        """Say something; `unseen` is the open question if the page does not show it yet."""
        waiting = self.question
        with connection.execute_wrapper(queries := Counted()):
            again = replaces.turn.pk if replaces else None
            accepted = begin.begin_turn(
                owner=self.person,
                session_key=self.key,
                text=text,
                replaces=again,
                attachments=attachments,
                board=board,
                unseen=unseen,
                claimed=True,
            )
        return self._serve(accepted, said=text, queries=queries.statements, waiting=waiting)

    def check(self, answer: str) -> Exchange:
        """Answer the open question on its card."""
        return self._post({"action": "check", "answer": answer})

    def give_up(self) -> Exchange:
        return self._post({"action": "give_up"})

    def _post(self, fields: dict[str, str]) -> Exchange:
        waiting = self.question
        assert waiting is not None, "there is no open question"
        request = RequestFactory().post("/", {"idempotency_key": uuid.uuid4().hex, **fields})
        request.user = self.person
        with connection.execute_wrapper(queries := Counted()):
            _response, accepted = answer_core(request, str(waiting.pk))
        assert accepted is not None, "the answer was refused"
        return self._serve(
            accepted, said=fields.get("answer", "I don’t know"), queries=queries.statements, waiting=waiting
        )

    # --- Where the lesson stands ---

    @property
    def session(self) -> Session:
        return Session.objects.get(owner=self.person, key=self.key)

    @property
    def state(self) -> Mapping[str, Any]:
        return self.session.state

    @property
    def standing(self) -> LessonState:
        return lesson_state(self.state)

    @property
    def question(self) -> Question | None:
        open_ones = Question.objects.open().with_course().filter(session__owner=self.person, session__key=self.key)
        return open_ones.first()

    # --- Serving a turn ---

    def _serve(self, accepted: AcceptedTurn, *, said: str, queries: int, waiting: Question | None = None) -> Exchange:
        turn, started = accepted.turn, accepted.started
        assert started is not None
        with connection.execute_wrapper(more := Counted()):
            assert turn.status == TurnStatus.RUNNING or leases.claim_new(turn)
            before = dict(turn.session.state)
            reading = self._understand(turn)
            wires: list[Wire] = []

            def emit(event: Any) -> Wire:
                wires.append(number_event(event, turn_id=turn.pk, seq=started["seq"] + 1 + len(wires)))
                return wires[-1]

            self._finish(turn, self._run(turn, reading, emit), wires, emit)
        exchange = Exchange(
            turn=turn,
            said=said,
            reply=_reply(wires),
            wires=tuple(wires),
            before=before,
            waiting=waiting,
            answered=Attempt.objects.filter(pk=turn.payload.get("attempt")).first(),
            queries=queries + more.statements,
        )
        self.exchanges.append(exchange)
        return exchange

    def _understand(self, turn: Turn) -> MessageReading | None:
        """Read the message and store what that comes to, as the supervisor does."""
        if turn.decision is not None or (reading := turn_handler().read(turn)) is None:
            return None
        payer = payer_for(turn.owner, turn_id=turn.pk, ledger=None)  # type: ignore[arg-type]  # No call is recorded.
        reading = self.walk(turn_handler().improve(turn, reading, payer))
        assert apply.apply_reading(turn, reading)
        return reading

    def _run(
        self, turn: Turn, reading: MessageReading | None, emit: Callable[[Any], Wire]
    ) -> tuple[str, str, RunResult]:
        self.prepared = prepared = turn_handler().prepare(turn, reading)
        for event in finish.opening_events(turn, prepared):
            emit(event)
        position = tuple(turn.session.positions.get(prepared.graph.name, ()))
        walk = run(prepared.graph, prepared.request, emit=emit, speakers=self.speakers_of(turn), position=position)  # type: ignore[arg-type]  # All tiers are there.
        return prepared.graph.name, prepared.request.text, self.walk(walk)

    def speakers_of(self, turn: Turn) -> Any:
        return self.speakers

    def _finish(
        self, turn: Turn, ran: tuple[str, str, RunResult], wires: list[Wire], emit: Callable[[Any], Wire]
    ) -> None:
        graph, said, result = ran
        place, cards = 0, []
        for wire in wires:
            place += len(wire.get("text", "")) if wire["type"] == "reply_text" else 0
            if wire["type"] == "card":
                cards.append({key: wire[key] for key in wire.keys() - {"seq", "turn_id", "at", "type"}} | {"at": place})
        if words := apology(final_status(result.outcomes), reply=_reply(wires), cards=cards):
            emit(ReplyText(text=words))
        ended = turn_handler().ended(result.state)
        for key, value in ended.items():
            emit(StateChanged(key=key, value=value))
        ending = TurnEnding(
            status="done",
            reply=_reply(wires),
            cards=cards,
            result=result,
            graph=graph,
            before=turn.session.state,
            said=said,
            told=[wire for wire in wires if wire["type"] in RECORDED_TYPES],
            ended=ended,
            summary_is_due=self.prepared.summary_is_due,
        )
        last = finish.finish_turn(turn, ending, events=wires, next_seq=wires[-1]["seq"] + 1)
        assert last
        wires.extend(last)


def begun_lesson(*said: str, seed: int) -> Stage:
    """Open a beginner's lesson on one half, and say what is to be said first."""
    concept = Concept.objects.select_related("course").get(slug="one-half")
    with unhurried(), counted_turns(seed):
        stage = Stage(people.make_person("ada", level="beginner"), concept)
        stage.open()
        for text in said:
            stage.say(text)
    return stage


@contextmanager
def going_on[S: Stage](begun: S, *, seed: int) -> Iterator[S]:
    """Go on from where a kept stage stands, which itself stays there; the turns are numbered on."""
    stage = copy(begun)
    stage.person = type(begun.person).objects.get(pk=begun.person.pk)
    vars(stage).update({name: list(value) for name, value in vars(begun).items() if isinstance(value, list)})
    with counted_turns(seed, after=Turn.objects.count()):
        yield stage


class Counted:
    """Counts statements, those aside that begin a transaction, or a savepoint where a test stands in one."""

    def __init__(self) -> None:
        self.statements = 0

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        self.statements += not ("SAVEPOINT" in sql or sql.startswith("BEGIN"))
        return execute(sql, *rest)


def _reply(wires: list[Wire]) -> str:
    return "".join(wire["text"] for wire in wires if wire["type"] == "reply_text")


class StageWithTools(Stage):
    """One where what the learner asks is looked up for them. Takes a few milliseconds more for each turn."""

    def __init__(self, person: Any, concept: Concept | None = None) -> None:
        super().__init__(person, concept, walk=in_this_thread)

    def speakers_of(self, turn: Turn) -> Any:
        call_context = CallContext(person_id=self.person.pk, turn_id=turn.pk)
        return dict.fromkeys(TIERS, PlanSpeaker(OfflineBackend(), call_context=call_context))


class StageWithHub(Stage):
    """One where side agents listen, and what they notice comes after the turn, as late as it may."""

    def __init__(self, person: Any, concept: Concept | None = None, *, listener: Any = None, **options: Any) -> None:
        super().__init__(person, concept, **options)
        self.listener = listener or TutoringListener()
        self.noticed: list[SideAgentResult] = []
        self.waits_s = 15.0
        """How long the learner takes for each message, by the clock: nobody reads as fast as a test."""

    def _understand(self, turn: Turn) -> MessageReading | None:
        before = Turn.objects.filter(session=turn.session_id, number=turn.number - 1)
        before.update(finished_at=turn.created_at - timedelta(seconds=self.waits_s))
        return super()._understand(turn)

    def _finish(self, turn: Turn, *rest: Any) -> None:
        super()._finish(turn, *rest)
        overheard = self.listener.prepare_task(turn, self.prepared)
        if overheard is not None:
            graph = overheard.graph
            walked = graph and self.walk(run(graph, overheard.request, emit=_unheard, speakers=self.speakers))
            self.noticed.append(self.listener.noticed(overheard, walked))
            findings.store_result(turn, self.noticed[-1], findings=True)


def _unheard(event: Any) -> None:
    pass
