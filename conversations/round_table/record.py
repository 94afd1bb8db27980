"""What a round table has done so far, read from its events: for clients, for a restart, and for the stored answer."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import ValidationError

from agents.engine.events import FailureStrategy
from agents.errors import ErrorType
from agents.storage.threads import in_orm_thread
from conversations.models import Event, Turn
from conversations.owners import Owner
from conversations.round_table.names import CONTINUES_KEY, INITIATOR, PAYLOAD_KEY, SUMMARIZER
from conversations.round_table.results import Contribution, QuotedSentence, SubQuestions, TableGoal
from conversations.round_table.shared_store import STORED_EVENT, StoreEntry
from conversations.search.permissions import find_readable_passages

RECORDED: Final = (
    "round_started", "round_finished", "agent_started", "agent_text", "agent_finished", "agent_failed", "tool_returned",
    "message_sent",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What a collaborator said in a round."""

    agent: str
    round: int
    contribution: Contribution
    text: str = ""
    """A model's words; empty if it speaks in quotes."""
    steps: int = 1
    """Its own answer, and each use of a tool."""
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A collaborator that failed in a round."""

    agent: str
    round: int
    error_type: ErrorType
    message: str
    strategy: FailureStrategy


@dataclass(slots=True, kw_only=True)
class TableRecord:
    """The events of a table, taken one by one."""

    goal: TableGoal | None = None
    round: int = 0
    """The latest round that began; 0 before the first."""
    rounds_ended: set[int] = field(default_factory=set)
    spoken: list[Spoken] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    handed: dict[int, SubQuestions] = field(default_factory=dict)
    """Round → what its lead has handed out."""
    entries: list[StoreEntry] = field(default_factory=list)
    _texts: dict[str, list[str]] = field(default_factory=dict)
    _steps: dict[str, int] = field(default_factory=dict)

    @property
    def is_aborted(self) -> bool:
        return any(each.strategy == "abort" for each in self.silences)

    def take(self, wire: dict[str, Any]) -> None:
        """Take the next event; those of no interest are ignored."""
        match wire["type"]:
            case "round_started":
                self.round = wire["round"]
            case "round_finished":
                self.rounds_ended.add(wire["round"])
            case "agent_started":
                # An agent that died half-way says everything again.
                self._texts[wire["agent"]], self._steps[wire["agent"]] = [], 1
            case "agent_text":
                self._texts.setdefault(wire["agent"], []).append(wire["text"])
            case "tool_returned":
                self._steps[wire["agent"]] = self._steps.get(wire["agent"], 1) + 1
            case "agent_finished":
                self._finish(wire)
            case "agent_failed" if self.round and wire["agent"] not in (INITIATOR, SUMMARIZER):
                fields = {name: wire[name] for name in ("agent", "error_type", "message", "strategy")}
                self.silences.append(Silence(round=self.round, **fields))
            case "message_sent" if not wire["dropped"] and wire["payload"].get("event") == STORED_EVENT:
                self.entries.append(StoreEntry.model_validate(wire["payload"]["data"]))

    def _finish(self, wire: dict[str, Any]) -> None:
        agent, result = wire["agent"], wire["result"]
        try:
            if agent == INITIATOR:
                self.goal = TableGoal.model_validate(result)
            elif "leads_round" in result:
                handed = SubQuestions.model_validate(result)
                self.handed[handed.leads_round] = handed
            elif "round" in result and "quotes" in result:
                said = Contribution.model_validate(result)
                self.spoken.append(
                    Spoken(
                        agent=agent,
                        round=said.round,
                        contribution=said,
                        text="".join(self._texts.get(agent, ())).strip(),
                        steps=self._steps.get(agent, 1),
                        ms=wire["ms"],
                    )
                )
        except ValidationError:
            return  # An event of an older version: the agent speaks again.


def stored_record(turn_id: uuid.UUID, person: Owner, *, before: TableRecord | None = None) -> TableRecord:
    """Return the record of a turn's stored events, with the words of documents that the person may read.

    They are added to what was said `before`, at the tables that it continues.
    """
    rows = Event.objects.filter(turn_id=turn_id, type__in=RECORDED).order_by("seq")
    record = before or TableRecord()
    for wire in rows.values_list("body", flat=True):
        record.take(wire)
    record.spoken = with_documents(record.spoken, person)
    return record


def tables_before(turn: Turn) -> list[Turn]:
    """Return the tables that this one continues, oldest first; all of them belong to the same conversation."""
    found: list[Turn] = []
    earlier = turn.payload[PAYLOAD_KEY].get(CONTINUES_KEY)
    # Each table is newer than the one it continues, so this comes to an end.
    while earlier and (row := Turn.objects.filter(pk=earlier, session=turn.session_id).first()):
        found.append(row)
        earlier = row.payload[PAYLOAD_KEY].get(CONTINUES_KEY)
    return found[::-1]


def earlier_record(turn: Turn) -> TableRecord:
    """Return what was said at the tables that this one continues; empty if there are none.

    Rounds that did not end are left out, because they are held again. Words of documents are those the person may read.
    """
    record = TableRecord()
    for each in tables_before(turn):
        rows = Event.objects.filter(turn=each, type__in=RECORDED).order_by("seq")
        for wire in rows.values_list("body", flat=True):
            record.take(wire)
        record.spoken = [said for said in record.spoken if said.round in record.rounds_ended]
        # What ended the earlier table does not end this one.
        record.silences = [
            replace(silence, strategy="skip") for silence in record.silences if silence.round in record.rounds_ended
        ]
    record.round = max(record.rounds_ended, default=0)
    record.spoken = with_documents(record.spoken, turn.owner)
    return record


def with_documents(spoken: Sequence[Spoken], person: Owner) -> list[Spoken]:
    """Return what was said with the words quoted from documents, read now; those out of reach stay empty."""
    missing = {_passage_id(quote) for each in spoken for quote in each.contribution.quotes if not quote.statement}
    if not missing:
        return list(spoken)
    texts = {pk: passage.text for pk, passage in find_readable_passages(person, missing).items()}
    return [_with_texts(each, texts) for each in spoken]


@in_orm_thread
def with_documents_now(spoken: Spoken, person: Owner) -> Spoken:
    """Return the same as `with_documents` for one contribution, from the event loop."""
    return with_documents([spoken], person)[0]


def _with_texts(spoken: Spoken, texts: dict[int, str]) -> Spoken:
    quotes = tuple(
        quote
        if quote.statement
        else quote.model_copy(
            update={"statement": " ".join(texts.get(_passage_id(quote), "")[quote.start : quote.end].split())}
        )
        for quote in spoken.contribution.quotes
    )
    contribution = spoken.contribution.model_copy(update={"quotes": quotes})
    return Spoken(
        agent=spoken.agent,
        round=spoken.round,
        contribution=contribution,
        text=spoken.text,
        steps=spoken.steps,
        ms=spoken.ms,
    )


def _passage_id(quote: QuotedSentence) -> int:
    return int(quote.source.id.rpartition("-")[2])
