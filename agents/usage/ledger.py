"""Ledger in the database: records every model call and enforces budgets, also for calls at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any, cast

from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.utils import timezone

from agents.conf import agent_settings
from agents.errors import LLMBudgetSpent, LLMUnavailable
from agents.event_log import get_logger
from agents.llm.call_context import CallContext, CallFigures, CallResult, LedgerEntry
from agents.models import Budget, ModelCall, Spending
from agents.storage.availability import log_database_error
from agents.storage.raw_sql import insert_row, update_row
from agents.storage.threads import in_orm_thread
from agents.usage import raw_sql

logger = get_logger(__name__)

UnitOfWork = Callable[[], Any]
TransactionRunner = Callable[[UnitOfWork], Awaitable[Any]]
"""Runs a unit of work in one transaction, off the event loop; returns or raises what it did, after the commit."""

SETTLED = (
    "status", "error", "ms", "first_ms", "reply", "characters", "input_tokens", "output_tokens", "cost_usd",
    "spent_usd", "spent_tokens",
)  # fmt: skip
"""Columns that the end of a call fills in."""
LOST_AFTER_S = 60.0
"""How much longer than a whole turn a call can stay open, in seconds, before it counts as lost."""


async def in_own_transaction(unit: UnitOfWork) -> Any:
    """Run the unit of work in its own transaction."""
    return await in_orm_thread(transaction.atomic(unit))()


@dataclass(slots=True, kw_only=True, eq=False)
class DatabaseLedger:
    """Keeps the records of one process, named by `holder`; other processes settle what it leaves open when it dies."""

    holder: str = ""
    write: TransactionRunner = in_own_transaction

    async def open(self, call_context: CallContext, call: CallFigures) -> LedgerEntry:
        """Reserve the most that the call can cost, and record the call. Raises LLMBudgetSpent."""
        opening = asyncio.ensure_future(self.write(partial(open_call, call_context, call, holder=self.holder)))
        try:
            return cast("LedgerEntry", await asyncio.shield(opening))
        except asyncio.CancelledError:
            # The call will not be made, but its record may already be written.
            await asyncio.shield(self._withdraw(opening))
            raise
        except LLMBudgetSpent as refusal:
            if not call_context.exhausted_account:
                # Not whose account it is: its name has the person's.
                logger.warning("budget_spent", budget=refusal.account.partition(":")[0], agent=call.agent)
            call_context.exhausted_account = refusal.account
            raise
        except AnyDatabaseError as error:
            # A call that cannot be recorded is not made.
            log_database_error("model_call_not_recorded", error, agent=call.agent)
            raise LLMUnavailable from None

    async def _withdraw(self, opening: "asyncio.Future[ModelCall]") -> None:
        with suppress(LLMBudgetSpent, AnyDatabaseError):
            await self.write(partial(withdraw_call, await opening))

    async def settle(self, entry: LedgerEntry, result: CallResult) -> None:
        """Replace the reserved amount by the real cost, even if the caller has gone."""
        assert isinstance(entry, ModelCall)
        try:
            await asyncio.shield(self.write(partial(settle_call, entry, result)))
        except AnyDatabaseError as error:
            # It stays open and later counts as lost: the learner's answer does not depend on its record.
            log_database_error("model_call_not_settled", error, call=entry.pk)


def open_call(call_context: CallContext, call: CallFigures, *, holder: str) -> ModelCall:
    """Store a call as open and reserve its highest cost in every budget; the caller opens the transaction."""
    row = ModelCall(
        person_id=call_context.person_id,
        turn_id=call_context.turn_id,
        agent=call.agent,
        backend=call.backend,
        model=call.model,
        prompt_version=call.prompt_version,
        holder=holder,
        spent_usd=_decimal(call.sent_usd),
        spent_tokens=call.sent_tokens,
        reserved_usd=_decimal(call.worst_usd),
        reserved_tokens=call.worst_tokens,
        accounts=list(call_context.accounts),
        asked=dict(call.asked),
    )
    _reserve(row)
    insert_row(row)
    return row


def withdraw_call(row: ModelCall) -> None:
    """Undo the opening of a call that was not made; the caller opens the transaction."""
    _release(row, usd=None, tokens=0)
    row.delete()


def settle_call(row: ModelCall, result: CallResult) -> None:
    """Store how a call ended, and count it; the caller opens the transaction. A call counted as lost stays lost."""
    usage = result.usage
    if result.cancelled:
        status = ModelCall.Status.CANCELLED
    else:
        status = ModelCall.Status.FAILED if result.error else ModelCall.Status.ANSWERED
    row.status, row.error = status, result.error[:40]
    row.ms, row.first_ms = result.ms, result.first_ms
    row.reply, row.characters = result.reply, len(result.reply)
    row.input_tokens, row.output_tokens, row.cost_usd = usage.input_tokens, usage.output_tokens, usage.cost_usd
    row.spent_usd, row.spent_tokens = _decimal(result.spent_usd), result.spent_tokens
    if update_row(row, *SETTLED, still={"status": ModelCall.Status.OPEN}):
        _release(row, usd=row.spent_usd, tokens=row.spent_tokens)


def settle_lost_calls(is_known_dead: Callable[[str], bool]) -> int:
    """Mark calls as lost that a dead process left open or that are open too long; return how many.

    The reserved amount is released, except for what the provider has probably read.
    """
    now, longest = timezone.now(), timedelta(seconds=agent_settings().turn_timeout_s + LOST_AFTER_S)
    opened = ModelCall.objects.filter(status=ModelCall.Status.OPEN).values_list("pk", "holder", "started_at")
    lost = [pk for pk, holder, started_at in opened if abs(now - started_at) > longest or is_known_dead(holder)]
    return settle_as_lost(lost) if lost else 0


@transaction.atomic
def settle_as_lost(keys: Sequence[int]) -> int:
    """Settle open calls whose ending is unknown; return how many were still open."""
    still_open = ModelCall.objects.filter(pk__in=keys, status=ModelCall.Status.OPEN)
    rows = list(still_open.order_by("pk").select_for_update(skip_locked=True).defer("asked"))
    for row in rows:
        _release(row, usd=row.spent_usd, tokens=row.spent_tokens)
    return ModelCall.objects.filter(pk__in=[row.pk for row in rows]).update(status=ModelCall.Status.LOST)


def _reserve(row: ModelCall) -> None:
    """Add the call's highest cost to today's reserved amounts. Raises LLMBudgetSpent if a budget is too small."""
    budgets = raw_sql.find_budgets(row.accounts)
    if not budgets:
        return
    day = row.started_at.date()
    accounts = [each.account for each in budgets]
    usd, tokens = row.reserved_usd or Decimal(0), row.reserved_tokens
    reserve = partial(raw_sql.add_to_spendings, day=day, reserved_usd=usd, reserved_tokens=tokens)
    spendings = {each.account: each for each in reserve(accounts)}
    if missing := [account for account in accounts if account not in spendings]:
        new = [Spending(account=account, day=day) for account in missing]
        Spending.objects.bulk_create(new, ignore_conflicts=True)
        spendings |= {each.account: each for each in reserve(missing)}
    for budget in budgets:
        # What a refused call has reserved is taken back with its transaction.
        if not _covers(budget, spendings[budget.account], row):
            raise LLMBudgetSpent(budget.account)


def _covers(budget: Budget, spending: Spending, row: ModelCall) -> bool:
    """Return whether the budget covers everything spent and reserved, with the call."""
    if (
        budget.usd_per_day
        and row.reserved_usd is not None
        and spending.usd + spending.reserved_usd > budget.usd_per_day
    ):
        return False
    return not budget.tokens_per_day or spending.tokens + spending.reserved_tokens <= budget.tokens_per_day


def _release(row: ModelCall, *, usd: Decimal | None, tokens: int) -> None:
    """Replace the reserved amount by what was spent, in every account that counts that day."""
    raw_sql.add_to_spendings(
        row.accounts,
        row.started_at.date(),
        usd=usd or Decimal(0),
        tokens=tokens,
        reserved_usd=-(row.reserved_usd or Decimal(0)),
        reserved_tokens=-row.reserved_tokens,
    )


def _decimal(usd: float | None) -> Decimal | None:
    return None if usd is None else Decimal(f"{usd:.9f}")
