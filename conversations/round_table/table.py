"""One round table while it is held: who sits there, what was asked, what was said, and what its agents share."""

import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from agents.engine.events import FailureStrategy
from agents.engine.roles import Request, accept_all
from conversations.round_table.lookups import TableLookups
from conversations.round_table.names import GRAPH_NAME, INITIATOR, PAYLOAD_KEY, SUMMARIZER, opening_role, role_name
from conversations.round_table.record import Spoken
from conversations.round_table.results import Contribution, SubQuestion, SubQuestions, TableGoal, TableSummary
from conversations.round_table.roster import Seat
from conversations.round_table.shared_store import Question, SharedStore
from conversations.search.sentences import sentence_spans
from conversations.turns.handler import PreparedRun

SHORTEST_SENTENCE: Final = 4
"""Words of a sentence that nobody may say twice; shorter ones, such as "I agree.", say nothing by themselves."""


class SaidSentences:
    """The sentences of one table, each with the agent that said it first: no other one says it again, in any round."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, int]] = {}

    def claim(self, sentence: str, *, agent: str, round_number: int) -> bool:
        """Take a sentence for an agent; false if it was said before, by the same agent in an earlier round too."""
        key = " ".join(re.findall(r"\w+", sentence.casefold()))
        if len(key.split()) < SHORTEST_SENTENCE:
            return True
        return self._first.setdefault(key, (agent, round_number)) == (agent, round_number)

    def claim_all(self, text: str, *, agent: str, round_number: int) -> None:
        """Take every sentence of a text that was said already."""
        for start, end in sentence_spans(text):
            self.claim(text[start:end], agent=agent, round_number=round_number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What the learner said while the table ran."""

    text: str
    round: int
    """The round that takes it up; TAKEN_BY_SUMMARY for the summary."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A round table: what its roles decide by. Its lists, its store and its lookups change, the rest does not."""

    turn_id: uuid.UUID
    question: str
    """The learner's words."""
    seats: tuple[Seat, ...]
    rounds: int
    """The last round that may be held."""
    first_round: int = 1
    """A later one if the table goes on from an earlier one."""
    turns: tuple[uuid.UUID, ...] = ()
    """Its turn, after those of the tables that it continues."""
    lead: str = ""
    """The collaborator that hands sub-questions to the others and closes each round; empty if nobody leads."""
    is_stopped: bool = False
    """Whether the learner has stopped it."""
    strategy: FailureStrategy = "skip"
    has_model: bool = False
    """Whether a model may be asked for the person: its words, or else quotes."""
    guard: Callable[[str], str] = accept_all
    """Takes a model's words; returns why they must not be shown, in one word, or empty."""
    reasons: tuple[str, ...] = ()
    """Why each was chosen; empty if the learner named them."""
    store: SharedStore = field(default_factory=SharedStore)
    said: SaidSentences = field(default_factory=SaidSentences)
    questions: list[Question] = field(default_factory=list)
    """What the agents have asked one another."""
    remarks: list[Remark] = field(default_factory=list)
    """What the learner has said so far and the table has taken up."""
    lookups: TableLookups = field(default_factory=TableLookups)
    heard: list[Spoken] = field(default_factory=list)
    """What was said so far, for the tools; roles read the request."""
    rounds_of: dict[str, int] = field(default_factory=dict)
    """Agent → the round in which it speaks now or spoke last."""

    def title_of(self, agent: str) -> str:
        return next((seat.title for seat in self.seats if seat.name == agent), agent)

    def remarks_before(self, number: int) -> list[str]:
        """Return what the learner said for a round."""
        return [each.text for each in self.remarks if each.round == number]

    def questions_for(self, agent: str, *, before: int) -> list[Question]:
        """Return what an agent was asked in earlier rounds and has not had the chance to answer: in the last round."""
        return [each for each in self.questions if each.to == agent and each.round == before - 1]


open_tables: "WeakValueDictionary[uuid.UUID, Table]" = WeakValueDictionary()
"""The tables of this process, for their tools: as long as the run has them."""


def spoken_so_far(table: Table, request: Request) -> list[Spoken]:
    """Return what was said, in the order of rounds and seats."""
    return list(_spoken(table, request, range(1, table.rounds + 1)))


def _spoken(table: Table, request: Request, rounds: Iterable[int]) -> Iterator[Spoken]:
    for number in rounds:
        for place, seat in enumerate(table.seats):
            name = role_name(number, place)
            said = request.results.get(name)
            if isinstance(said, Contribution):
                yield Spoken(agent=seat.name, round=number, contribution=said, text=request.texts.get(name, "").strip())


def failed_in(table: Table, request: Request, number: int) -> list[str]:
    """Return the agents that failed in a round; a lead also if it could not hand out its sub-questions."""
    failed = [seat.name for place, seat in enumerate(table.seats) if role_name(number, place) in request.failed]
    is_without_lead = opening_role(number) in request.failed and table.lead not in failed
    return [table.lead, *failed] if is_without_lead else failed


def sub_questions(request: Request, number: int) -> tuple[SubQuestion, ...]:
    """Return what the lead has handed out in a round; empty if nobody leads, or the lead failed."""
    handed = request.results.get(opening_role(number))
    return handed.questions if isinstance(handed, SubQuestions) else ()


def table_fields(prepared: PreparedRun | None, request: Request | None) -> dict[str, Any]:
    """Return the field of the answer that a round table gives: goal, rounds, summary; none for other turns.

    Words quoted from documents are left out; they are read again with the reader's permissions.
    """
    if prepared is None or prepared.graph.name != GRAPH_NAME or request is None:
        return {}
    table: Table = prepared.request.facts
    goal, summary = request.results.get(INITIATOR), request.results.get(SUMMARIZER)
    return {
        PAYLOAD_KEY: {
            "goal": goal.model_dump(mode="json") if isinstance(goal, TableGoal) else None,
            "summary": summary.model_dump(mode="json") if isinstance(summary, TableSummary) else None,
            "agents": [seat.name for seat in table.seats],
            "lead": table.lead,
            "sub_questions": [
                {"round": number, "agent": each.to, "text": each.text}
                for number in range(1, table.rounds + 1)
                for each in sub_questions(request, number)
            ],
            "remarks": [{"round": each.round, "text": each.text} for each in table.remarks],
            "contributions": [
                {"agent": each.agent, "text": each.text} | each.contribution.model_dump(mode="json")
                for each in spoken_so_far(table, request)
            ],
            "store": [each.model_dump(mode="json") for each in table.store.entries()],
        }
    }
