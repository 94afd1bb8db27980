"""Set what a person, a class or the whole site may spend on models per day, and show what is spent."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents.models import Budget
from agents.usage.budgets import DailySpending, budget_of, set_budget, spent_today
from tutoring.models import Classroom


class Command(BaseCommand):
    help = "Sets the given limits of a budget, then shows the budget and what has been spent today (UTC)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="person:NAME|class:CODE|site")
        parser.add_argument("--per-day", metavar="AMOUNT", help="US dollars per day; 0 for no limit")
        parser.add_argument("--tokens-per-day", metavar="N", help="tokens per day, whatever they cost; 0 for no limit")

    def handle(self, *args: Any, account: str, per_day: str | None, tokens_per_day: str | None, **options: Any) -> None:
        account = _known(account)
        limits: dict[str, Any] = {}
        if per_day is not None:
            limits["usd_per_day"] = _amount(per_day)
        if tokens_per_day is not None:
            limits["tokens_per_day"] = _count(tokens_per_day)
        try:
            budget = set_budget(account, **limits) if limits else budget_of(account)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(_shown(budget, spent_today(account)))


def _known(account: str) -> str:
    """Return the account under which calls are counted. Raise CommandError for an unknown one."""
    kind, _, name = account.partition(":")
    match kind:
        case "site" if account == "site":
            return account
        case "person":
            if not get_user_model().objects.filter(username=name).exists():
                raise CommandError(f"There is no account {name}.")
            return account
        case "class":
            classroom = Classroom.objects.filter(code__iexact=name).first()
            if classroom is None:
                raise CommandError(f"There is no class {name}.")
            return classroom.audience
    raise CommandError(f"{account} is not an account. Use person:NAME, class:CODE or site.")


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite():
        raise CommandError(f"{text} is not an amount of money. Write it like this: 0.50, in US dollars.")
    return amount


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise CommandError(f"{text} is not a number of tokens. Write it like this: 200000.")
    return int(text)


def _shown(budget: Budget, spent: DailySpending) -> str:
    usd = f"${_money(budget.usd_per_day)} per day" if budget.usd_per_day else "no spending limit"
    tokens = f"{budget.tokens_per_day:,} tokens per day" if budget.tokens_per_day else "no token limit"
    reserved = f", ${spent.reserved_usd:.4f} reserved" if spent.reserved_usd else ""
    return f"{budget.account}: {usd}, {tokens}; spent today ${spent.usd:.4f} and {spent.tokens:,} tokens{reserved}"


def _money(usd: Decimal) -> str:
    """Return an amount rounded to the cent, or exactly as it was set."""
    return f"{usd:.2f}" if usd == round(usd, 2) else f"{usd:.4f}"
