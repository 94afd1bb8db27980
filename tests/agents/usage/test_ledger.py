"""Calls are on record and within their budgets, whoever asks at once and whatever dies."""

import asyncio
import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from agents.errors import LLMBudgetSpent, LLMUnavailable
from agents.llm.call_context import CallContext, CallFigures, CallResult
from agents.llm.token_usage import Usage
from agents.models import Budget, BudgetChange, ModelCall, Spending
from agents.usage import ledger, retention
from agents.usage.budgets import budget_of, set_budget, spent_today
from agents.usage.costs import TurnCost, cost_of
from agents.usage.ledger import DatabaseLedger, settle_lost_calls
from conversations.turns.writer import Writer
from tests.event_log import EventLog
from tests.people import make_ada

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.db]

make = sync_to_async(make_ada)
give = sync_to_async(set_budget)
spent = sync_to_async(spent_today)
let_go = sync_to_async(settle_lost_calls)
ACCOUNTS = ("person:ada", "class:4b", "site")


def figures(*, worst_usd: float | None = 0.01, worst_tokens: int = 100, **changes: Any) -> CallFigures:
    known = {"agent": "tutor", "backend": "played", "model": "m", "prompt_version": "abc", "asked": {"system": "x"}}
    half = {"sent_usd": worst_usd and worst_usd / 2, "sent_tokens": worst_tokens // 2}
    return CallFigures(**{**known, **half, "worst_usd": worst_usd, "worst_tokens": worst_tokens, **changes})


def result(*, usd: float | None = 0.004, tokens: int = 40, counted: bool = True, **changes: Any) -> CallResult:
    usage = Usage(backend="played", model="m")
    if counted:
        usage = Usage(backend="played", model="m", input_tokens=tokens - 1, output_tokens=1, cost_usd=usd)
    known = {"usage": usage, "ms": 12.0, "first_ms": 3.0, "reply": "One.", "spent_usd": usd, "spent_tokens": tokens}
    return CallResult(**{**known, **changes})


def call_context(person: Any = None, **options: Any) -> CallContext:
    return CallContext(**{"person_id": person and person.pk, "accounts": ACCOUNTS, "turn_id": uuid.uuid4(), **options})


async def of_account(account: str = "site") -> tuple[Any, ...]:
    today = await spent(account)
    return (today.usd, today.reserved_usd, today.tokens, today.reserved_tokens)


class TestRecord:
    async def test_call_is_on_record_from_before_it_is_made(self) -> None:
        ada = await make()
        books, asking = DatabaseLedger(holder="here"), call_context(ada)
        entry = await books.open(asking, figures())
        row = await ModelCall.objects.aget()
        assert (row.status, row.holder, row.person_id, row.turn_id) == ("open", "here", ada.pk, asking.turn_id)
        assert (row.asked, row.accounts, row.prompt_version) == ({"system": "x"}, list(ACCOUNTS), "abc")
        await books.settle(entry, result())
        row = await ModelCall.objects.aget()
        assert (row.status, row.input_tokens, row.output_tokens, row.cost_usd) == ("answered", 39, 1, 0.004)
        assert (row.reply, row.characters, row.ms, row.first_ms) == ("One.", 4, 12.0, 3.0)

    @pytest.mark.parametrize(
        ("ending", "status"), [({"error": "LLMTimeout"}, "failed"), ({"cancelled": True}, "cancelled")]
    )
    async def test_what_nobody_counted_stays_unknown(self, ending: Any, status: str) -> None:
        books = DatabaseLedger()
        await books.settle(await books.open(call_context(), figures()), result(counted=False, **ending))
        row = await ModelCall.objects.aget()
        assert (row.status, row.input_tokens, row.output_tokens, row.cost_usd) == (status, None, None, None)
        assert row.spent_usd == Decimal("0.004")

    async def test_record_goes_with_the_person(self) -> None:
        ada = await make()
        await DatabaseLedger().open(call_context(ada), figures())
        await ada.adelete()
        assert not await ModelCall.objects.aexists()

    @pytest.mark.parametrize("loss", [OperationalError, InterfaceError])
    async def test_database_that_is_lost_costs_the_call_or_its_record_never_more(self, loss: type[Exception]) -> None:
        """G10: both are how a lost connection is told."""

        async def lost(unit: Any) -> Any:
            raise loss("the connection is closed")

        books, without = DatabaseLedger(), DatabaseLedger(write=lost)
        with pytest.raises(LLMUnavailable):
            await without.open(call_context(), figures())
        await without.settle(await books.open(call_context(), figures()), result())
        assert await ModelCall.objects.filter(status=ModelCall.Status.OPEN).acount() == 1

    async def test_opening_that_is_given_up_leaves_nothing(self) -> None:
        await give("site", usd_per_day=1)
        reached, go_on = asyncio.Event(), asyncio.Event()

        async def slow(unit: Any) -> Any:
            reached.set()
            await go_on.wait()
            return await ledger.in_own_transaction(unit)

        opening = asyncio.create_task(DatabaseLedger(write=slow).open(call_context(), figures()))
        await reached.wait()
        opening.cancel()
        go_on.set()
        await asyncio.wait({opening})
        assert opening.cancelled()
        assert not await ModelCall.objects.aexists()
        assert await of_account() == (0, 0, 0, 0)


class TestBudget:
    async def test_worst_is_reserved_and_the_real_cost_put_in_its_place(self) -> None:
        await give("site", usd_per_day=1)
        books = DatabaseLedger()
        entry = await books.open(call_context(), figures())
        assert await of_account() == (0, Decimal("0.01"), 0, 100)
        await books.settle(entry, result())
        assert await of_account() == (Decimal("0.004"), 0, 40, 0)

    @pytest.mark.parametrize("account", ACCOUNTS)
    async def test_any_account_can_refuse(self, account: str) -> None:
        await give(account, usd_per_day=Decimal("0.009"))
        asking = call_context()
        with pytest.raises(LLMBudgetSpent):
            await DatabaseLedger().open(asking, figures())
        assert asking.exhausted_account == account
        assert not await ModelCall.objects.aexists()
        assert await of_account(account) == (0, 0, 0, 0)

    async def test_refusal_is_told_once_a_run_without_whose_account_it_is(self, log: EventLog) -> None:
        await give("person:ada", usd_per_day=Decimal("0.009"))
        asking = call_context()
        for _call in range(2):
            with pytest.raises(LLMBudgetSpent):
                await DatabaseLedger().open(asking, figures())
        [event] = log.named("budget_spent")
        assert (event["budget"], event["agent"]) == ("person", figures().agent)
        assert "ada" not in log.text

    async def test_unknown_price_is_held_to_tokens_only(self) -> None:
        await give("site", usd_per_day=Decimal("0.000_1"), tokens_per_day=150)
        books = DatabaseLedger()
        await books.open(call_context(), figures(worst_usd=None))
        with pytest.raises(LLMBudgetSpent):
            await books.open(call_context(), figures(worst_usd=None))

    async def test_other_accounts_are_not_held(self) -> None:
        await give("person:ben", usd_per_day=Decimal("0.000_1"))
        await DatabaseLedger().open(call_context(), figures())
        assert await Spending.objects.acount() == 1

    async def test_yesterday_is_not_counted(self) -> None:
        await give("site", usd_per_day=Decimal("0.01"))
        await Spending.objects.aupdate(day=timezone.now().date() - timedelta(days=1), usd=1)
        await DatabaseLedger().open(call_context(), figures())

    async def test_twenty_at_once_do_not_overspend(self) -> None:
        """L2: 20 turns at once, one cent below the cap: nothing is spent beyond it, and one call is let through."""
        await give("site", usd_per_day=1)
        await Spending.objects.aupdate(usd=Decimal("0.99"))
        writers = [Writer(), Writer()]

        async def turn(number: int) -> int:
            books = DatabaseLedger(write=writers[number % 2].write if number % 3 else ledger.in_own_transaction)
            try:
                entry = await books.open(call_context(), figures(worst_usd=0.009))
            except LLMBudgetSpent:
                return 0
            await books.settle(entry, result(usd=0.009))
            return 1

        let_through = sum(await asyncio.gather(*map(turn, range(20))))
        for writer in writers:
            await writer.close()
        usd, reserved, *_ = await of_account()
        assert let_through == 1
        assert (usd, reserved) == (Decimal("0.999"), 0)

    async def test_calls_at_once_wait_for_each_other_in_every_account(self) -> None:
        """None is lost and none refused, although each locks the same three rows twice."""
        for account in ACCOUNTS:
            await give(account, usd_per_day=1, tokens_per_day=10_000)

        async def call() -> None:
            books = DatabaseLedger()
            await books.settle(await books.open(call_context(), figures()), result())

        await asyncio.gather(*(call() for _number in range(20)))
        for account in ACCOUNTS:
            assert await of_account(account) == (Decimal("0.08"), 0, 800, 0)

    async def test_crash_releases_what_was_reserved(self) -> None:
        """L2, F14: what a dead process left open is lost, its reservation given back, what was read counted once."""
        await give("site", usd_per_day=1)
        entry = await DatabaseLedger(holder="dead").open(call_context(), figures())
        await DatabaseLedger(holder="alive").open(call_context(), figures())
        assert await let_go("dead".__eq__) == 1
        assert await let_go("dead".__eq__) == 0
        assert await of_account() == (Decimal("0.005"), Decimal("0.01"), 50, 100)
        assert [row.status async for row in ModelCall.objects.order_by("pk")] == ["lost", "open"]
        await DatabaseLedger(holder="dead").settle(entry, result())
        assert await of_account() == (Decimal("0.005"), Decimal("0.01"), 50, 100)

    async def test_call_open_for_too_long_is_lost_wherever_it_was_made(self) -> None:
        await DatabaseLedger(holder="elsewhere").open(call_context(), figures())
        await ModelCall.objects.aupdate(started_at=timezone.now() - timedelta(hours=1))
        assert await let_go(lambda holder: False) == 1


class TestSetting:
    async def test_budget_counts_what_was_spent_before_it(self) -> None:
        books = DatabaseLedger()
        await books.settle(await books.open(call_context(), figures()), result())
        still_open = await books.open(call_context(), figures())
        before = await of_account()
        await give("site", usd_per_day=1)
        assert before == await of_account() == (Decimal("0.004"), Decimal("0.01"), 40, 100)
        await books.settle(still_open, result())
        assert await of_account() == (Decimal("0.008"), 0, 80, 0)

    async def test_zero_takes_the_limit_away(self) -> None:
        await give("site", usd_per_day=1)
        await give("site", usd_per_day=0)
        assert not await Budget.objects.aexists()
        assert (await sync_to_async(budget_of)("site")).usd_per_day is None

    async def test_every_change_is_kept(self) -> None:
        for usd in (1, 1, 2, 0):
            await give("site", usd_per_day=usd)
        changes = [
            (row.before["usd_per_day"], row.after["usd_per_day"]) async for row in BudgetChange.objects.order_by("pk")
        ]
        assert changes == [(None, "1.0000"), ("1.0000", "2.0000"), ("2.0000", None)]


class TestCost:
    async def cost(self, *results: CallResult | None, worst_usd: float | None = 0.01) -> TurnCost:
        asking, books = call_context(), DatabaseLedger()
        for each in results:
            entry = await books.open(asking, figures(worst_usd=worst_usd))
            if each is not None:
                await books.settle(entry, each)
        return await sync_to_async(cost_of)(asking.turn_id)

    async def test_nobody_was_asked(self) -> None:
        assert await self.cost() == TurnCost()

    async def test_every_call_counts_once(self) -> None:
        """F14: a call that failed and one that was tried again are calls too."""
        failed = result(usd=0.0, tokens=0, counted=False, error="LLMUnavailable", reply="")
        assert await self.cost(result(), failed, result()) == TurnCost(
            calls=3, provider="played", tokens=80, usd=0.008, input_tokens=78, output_tokens=2
        )

    async def test_what_was_cut_off_makes_the_cost_a_lower_bound(self) -> None:
        """Its tokens are an estimate, as the budgets count them; its cost is none that is known."""
        cut = result(counted=False, cancelled=True)
        cost = await self.cost(result(), cut)
        assert (cost.calls, cost.tokens, cost.usd, cost.is_lower_bound) == (2, 80, 0.004, True)
        assert (cost.input_tokens, cost.output_tokens) == (39, 1)

    async def test_call_under_way_makes_the_cost_a_lower_bound(self) -> None:
        cost = await self.cost(result(), None)
        assert (cost.usd, cost.is_lower_bound) == (0.004, True)

    async def test_what_is_free_of_charge_stays_so_when_it_is_cut_off(self) -> None:
        cost = await self.cost(result(usd=0.0), result(usd=0.0, counted=False, cancelled=True))
        assert (cost.usd, cost.is_lower_bound) == (0.0, False)

    async def test_call_without_a_price_makes_the_cost_a_lower_bound(self) -> None:
        cost = await self.cost(result(), result(usd=None))
        assert (cost.usd, cost.is_lower_bound, cost.tokens) == (0.004, True, 80)

    async def test_cost_is_unknown_where_no_call_has_a_price(self) -> None:
        cost = await self.cost(result(usd=None), result(usd=None))
        assert (cost.usd, cost.is_lower_bound, cost.tokens) == (None, True, 80)


def test_words_are_forgotten_after_a_month_and_figures_are_not() -> None:
    now = timezone.now()
    for days in (29, 31):
        ModelCall.objects.create(
            agent="tutor", backend="played", model="m", asked={"system": "x"}, reply="One.", cost_usd=0.1,
            started_at=now - timedelta(days=days),
        )  # fmt: skip
    assert retention.erase_old_call_texts() == 1
    assert retention.erase_old_call_texts() == 0
    told = ModelCall.objects.order_by("started_at").values_list("asked", "reply", "cost_usd")
    assert list(told) == [({}, "", 0.1), ({"system": "x"}, "One.", 0.1)]
