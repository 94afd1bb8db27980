"""Context of a model call: who it is for, which budgets pay, what was asked before."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.llm.token_usage import Usage


class LedgerEntry(Protocol):
    """A call that was allowed and is not settled yet."""


class Ledger(Protocol):
    """Records every call and enforces budgets: opened before the call, settled after it."""

    async def open(self, call_context: "CallContext", call: "CallFigures") -> LedgerEntry:
        """Reserve the most that the call can cost. Raises LLMBudgetSpent if a budget is too small."""

    async def settle(self, entry: LedgerEntry, result: "CallResult") -> None:
        """Replace the reserved amount by what the call really cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFigures:
    """What is known of a call before it starts."""

    agent: str
    backend: str
    model: str
    prompt_version: str
    asked: Mapping[str, Any]
    """What was sent besides the prompt, as JSON: for the record, and to try other prompts on."""
    worst_usd: float | None
    """The most it can cost; None if the price is unknown."""
    worst_tokens: int
    sent_usd: float | None
    """Estimated cost of the input alone."""
    sent_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """How a call ended."""

    usage: Usage
    ms: float
    first_ms: float | None
    """Milliseconds to the first piece; None if none came."""
    reply: str
    """The model's text; for a tool call, its arguments."""
    spent_usd: float | None
    """What budgets count: the cost, or an estimate if tokens were not counted."""
    spent_tokens: int
    error: str = ""
    """Name of the error class."""
    cancelled: bool = False


def do_nothing() -> None:
    """Do nothing."""


@dataclass(slots=True, kw_only=True, eq=False)
class CallContext:
    """Context of the calls of one run, created for each run."""

    person_id: int | None = None
    accounts: tuple[str, ...] = ()
    """Accounts whose budgets the calls count against: `person:ada`, `class:4b`, `site`."""
    turn_id: uuid.UUID | None = None
    consents: bool = False
    """Whether a tool may send the person's words outside this site."""
    ledger: Ledger | None = None
    """None: no record is kept, for calls that belong to no person and no turn."""
    is_saving: bool = False
    """Whether one of these budgets is nearly used up, so that the smaller model answers."""
    exhausted_account: str = ""
    """The account whose budget rejected a call of this run; empty if none did."""
    tool_uses: dict[str, int] = field(default_factory=dict)
    """Role → number of tool uses in this run."""
    has_read_untrusted: bool = False
    """Whether this run has read untrusted text. After that no tool may change or send anything."""
    known_addresses: set[str] = field(default_factory=set)
    """Addresses of sources that tools of this run returned: may be opened even after untrusted text was read."""
    after_effect: Callable[[], None] = do_nothing
    """Called after a tool changed or sent something, before that is recorded; fault drills kill the process here."""
    answers: dict[Any, Any] = field(default_factory=dict)
    """Request of this run → the answer's pieces, or a future while it is being answered."""


NO_CONTEXT = CallContext()
"""For calls that nobody pays for: tests, and the offline backend."""
