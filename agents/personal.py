"""Personal data in the engine: run and call figures, budgets, changes made by admins."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.models import (
    AgentCall,
    Budget,
    BudgetChange,
    Flag,
    FlagChange,
    ModelCall,
    PlannedChange,
    PromptVersion,
    RoutedMessage,
    RoutingWords,
    Run,
    Spending,
)
from agents.privacy import DataSubject, PersonalTable, rows_owned_by
from agents.rollout.flags import forget_flags
from agents.usage.ledger import settle_as_lost


def account_of(person: DataSubject) -> str:
    """Return the name of the account that a person's budget belongs to."""
    return f"person:{person.username}"


def _rows_of_account[M: models.Model](model: type[M]) -> Any:
    return lambda person: model._base_manager.filter(account=account_of(person)).order_by("pk")


def _flags_naming(person: DataSubject) -> models.QuerySet[Flag]:
    names = {person.username, account_of(person)}
    # There are few flags, and SQLite cannot query inside a list.
    return Flag.objects.filter(pk__in=[flag.pk for flag in Flag.objects.all() if names & {*flag.allowed, *flag.never}])


TITLE = _("Running the site")
PARTS = (
    PersonalTable(
        name="runs",
        title=_("Agent runs"),
        why=_("To see how long answers take and how often an agent fails."),
        of=rows_owned_by(Run, "person_id", order=("created_at", "pk")),
        fields=("id", "created_at", "turn_id", "graph", "aborted", "waits"),
    ),
    PersonalTable(
        name="agent_calls",
        title=_("Agent calls made to answer your messages"),
        why=_("To see how long each agent took and what it cost."),
        of=rows_owned_by(AgentCall, "run__person_id"),
        fields=(
            "run_id", "number", "agent", "ending", "error_type", "ms", "tries", "characters", "backend", "model",
            "input_tokens", "output_tokens", "cost_usd", "degraded",
        ),
    ),
    PersonalTable(
        name="model_calls",
        title=_("Language model calls"),
        why=_(
            "To track what models cost and find out what went wrong. The text of a call is deleted after 30 days;"
            " your messages stay in your conversations."
        ),
        of=rows_owned_by(ModelCall, "person_id"),
        fields=(
            "started_at", "turn_id", "agent", "backend", "model", "status", "ms", "characters", "input_tokens",
            "output_tokens", "cost_usd",
        ),
    ),
    PersonalTable(
        name="budgets",
        title=_("Your budget"),
        why=_("To keep the cost of models within the limit set for you."),
        of=_rows_of_account(Budget),
        fields=("account", "usd_per_day", "tokens_per_day"),
    ),
    PersonalTable(
        name="spending",
        title=_("How much of your budget you have used"),
        why=_("To keep you within your daily budget."),
        of=_rows_of_account(Spending),
        fields=("day", "usd", "tokens"),
    ),
    PersonalTable(
        name="flags",
        title=_("Features turned on or off for you personally"),
        why=_("To give you early access, or to turn a feature off for you for a while, for example before a test."),
        of=_flags_naming,
        fields=("name",),
    ),
    PersonalTable(
        name="flag_changes",
        title=_("Feature settings you changed"),
        why=_("To record who changed what on this site."),
        of=rows_owned_by(FlagChange, "by_id"),
        fields=("at", "flag__name", "version"),
        of_staff=True,
    ),
    PersonalTable(
        name="planned_flag_changes",
        title=_("Feature settings you planned or canceled"),
        why=_("To record who changed what on this site."),
        of=lambda person: PlannedChange.objects.filter(Q(by_id=person.pk) | Q(cancelled_by_id=person.pk)).order_by("pk"),
        fields=("planned_at", "due_at", "flag__name", "percent", "status"),
        of_staff=True,
    ),
    PersonalTable(
        name="budget_changes",
        title=_("Budgets you set, and budgets someone set for you"),
        why=_("To record who changed what on this site."),
        of=lambda person: BudgetChange.objects.filter(Q(by_id=person.pk) | Q(account=account_of(person))).order_by("pk"),
        fields=("at", "account", "before", "after"),
        of_staff=True,
    ),
    PersonalTable(
        name="prompts",
        title=_("Prompts you wrote"),
        why=_("To give the agents their instructions."),
        of=rows_owned_by(PromptVersion, "by_id"),
        fields=("at", "name", "number", "text", "note"),
        of_staff=True,
    ),
    PersonalTable(
        name="routed_messages",
        title=_("Which agent of the companion got your messages"),
        why=_("To find out where words and classifier disagree, so that messages reach the right agent. Deleted after 90 days."),
        of=rows_owned_by(RoutedMessage, "owner_id"),
        fields=(
            "created_at", "turn_id", "surface", "space", "agent", "strategy", "confidence", "reason", "by_keyword",
            "by_classifier", "by_model", "words",
        ),
    ),
    PersonalTable(
        name="routing_words",
        title=_("Routing words you wrote"),
        why=_("To send messages to the right agent."),
        of=rows_owned_by(RoutingWords, "by_id"),
        fields=("changed_at", "surface", "agent", "space", "words"),
        of_staff=True,
    ),
)  # fmt: skip
LEFT_OUT: dict[type[models.Model], Any] = {}
STAYS = {
    Run: _("how long each agent run took, but not whose run it was"),
    AgentCall: _("how long each agent took, but not whose run it was"),
    ModelCall: _("what each language model call cost, but not its text or whose call it was"),
    FlagChange: _("which settings were changed and when, but not who changed them"),
    PlannedChange: _("which settings were planned and when, but not who planned them"),
    BudgetChange: _("which budgets were set for others and when, but not who set them"),
    PromptVersion: _("the text of the prompts, but not who wrote them"),
    RoutingWords: _("the routing words, but not who wrote them"),
}


def erase(person: DataSubject) -> None:
    """Detach the figures from the person, and delete the name where it is stored as text."""
    _anonymize_calls(person)
    Run.objects.filter(person_id=person.pk).update(person=None, turn_id=None)
    RoutedMessage.objects.filter(owner_id=person.pk).delete()
    for model in (Budget, Spending, BudgetChange):
        model._base_manager.filter(account=account_of(person)).delete()
    names = {person.username, account_of(person)}
    for flag in _flags_naming(person):
        flag.allowed = [name for name in flag.allowed if name not in names]
        flag.never = {name: end for name, end in flag.never.items() if name not in names}
        # What was planned is no conflict with this.
        waiting = flag.planned_changes.filter(status=PlannedChange.Status.WAITING, version=flag.version)
        waiting.update(version=flag.version + 1)
        flag.version += 1
        flag.save(update_fields=["allowed", "never", "version"])
    for change in FlagChange.objects.all():
        if _remove_names(change, names):
            change.save(update_fields=["before", "after"])
    forget_flags()


def _anonymize_calls(person: DataSubject) -> None:
    calls = ModelCall.objects.filter(person_id=person.pk).order_by()
    settle_as_lost(list(calls.filter(status=ModelCall.Status.OPEN).values_list("pk", flat=True)))
    for accounts in [list(each) for each in {tuple(each) for each in calls.values_list("accounts", flat=True)}]:
        others = [account for account in accounts if account != account_of(person)]
        calls.filter(accounts=accounts).update(
            person=None, turn_id=None, asked={}, reply="", keeps_words=False, accounts=others
        )


def _remove_names(change: FlagChange, names: set[str]) -> bool:
    """Remove the names from a flag change; return whether there were any."""
    found = False
    for settings in filter(None, (change.before, change.after)):
        allowed, never = settings.get("allowed", []), settings.get("never", {})
        if names & {*allowed, *never}:
            settings["allowed"] = [name for name in allowed if name not in names]
            settings["never"] = {name: end for name, end in never.items() if name not in names}
            found = True
    return found
