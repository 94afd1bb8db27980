"""On whose behalf a model is asked: who pays, what it belongs to, what was asked already."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.llm.token_usage import Usage


class LedgerEntry(Protocol):
    """A call that was let through and is not settled yet."""


class Ledger(Protocol):
    """Holds every call to a budget and on record: opened before it is made, settled after."""

    async def open(self, behalf: "CallContext", call: "CallFigures") -> LedgerEntry:
        """Reserve the worst that the call can cost. Raise LLMBudgetSpent where a budget does not hold it."""

    async def settle(self, entry: LedgerEntry, result: "CallResult") -> None:
        """Put what the call really cost in the place of what was reserved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFigures:
    """What is known of a call before it is made."""

    agent: str
    backend: str
    model: str
    prompt_version: str
    asked: Mapping[str, Any]
    """What was sent beside the prompt, as JSON: for the record, and to try another prompt on."""
    worst_usd: float | None
    """The most it can cost; None where the price is unknown."""
    worst_tokens: int
    sent_usd: float | None
    """What the model's reading alone is thought to cost."""
    sent_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """How a call ended."""

    usage: Usage
    ms: float
    first_ms: float | None
    """Milliseconds to the first piece; None where none came."""
    reply: str
    """What the model said; for a tool, the arguments it wrote."""
    spent_usd: float | None
    """What budgets count: the cost, or an estimate where nobody counted the tokens."""
    spent_tokens: int
    error: str = ""
    """The name of the error's class."""
    cancelled: bool = False


def do_nothing() -> None:
    """Do nothing."""


@dataclass(slots=True, kw_only=True, eq=False)
class CallContext:
    """Made anew for each run."""

    person_id: int | None = None
    accounts: tuple[str, ...] = ()
    """Whose budgets the calls count against: `person:ada`, `class:4b`, `site`."""
    turn_id: uuid.UUID | None = None
    consents: bool = False
    """Whether the person's words may leave this installation by a tool."""
    ledger: Ledger | None = None
    """None keeps no record: for what no person and no turn asked."""
    exhausted_account: str = ""
    """The account whose budget did not hold a call of this run; empty while all were held."""
    tool_uses: dict[str, int] = field(default_factory=dict)
    """Agent → how often it used a tool in this run."""
    has_read_untrusted: bool = False
    """Whether this run has read what others than the operator wrote: no tool changes or sends anything after that."""
    known_addresses: set[str] = field(default_factory=set)
    """Of the sources that the tools of this run gave: pages that may be opened after others' words were read."""
    after_effect: Callable[[], None] = do_nothing
    """Called after a tool has changed or sent something, before that is on record: fault drills end the process here."""
    answers: dict[Any, Any] = field(default_factory=dict)
    """What was asked in this run already → the answer's pieces, or a future while it is being answered."""


NO_CONTEXT = CallContext()
"""For calls that nobody pays for: tests, and the backend without a model."""
