"""Admin pages for budgets (editable, every change recorded) and model calls (read-only figures)."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.admin_pages.change_words import difference
from agents.models import Budget, BudgetChange, ModelCall
from agents.usage.budgets import set_budget, spent_today

ACCOUNT = re.compile(r"person:\S+|class:\S+|site")
LIMITS = ("usd_per_day", "tokens_per_day")
CALL_COLUMNS = (
    "agent",
    "backend",
    "model",
    "status",
    "error",
    "started_at",
    "first_ms",
    "ms",
    "characters",
    "input_tokens",
    "output_tokens",
    "cost_usd",
)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Rows that only the program writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class BudgetForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    class Meta:
        model = Budget
        fields = ["account", *LIMITS]

    def clean_account(self) -> str:
        account: str = self.cleaned_data["account"]
        if not ACCOUNT.fullmatch(account):
            raise ValidationError(_("Enter an account as person:NAME, class:CODE, or site."))
        return account

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.instance.pk is None and not any(self.cleaned_data.get(name) for name in LIMITS):
            raise ValidationError(_("Set a limit in US dollars or in tokens."))
        return cleaned


@admin.register(Budget)
class BudgetAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    form = BudgetForm
    list_display = ["account", *LIMITS, "spent"]
    search_fields = ["account"]

    @admin.display(description=gettext_lazy("spent today"))
    def spent(self, budget: Budget) -> str:
        today = spent_today(budget.account)
        return _("$%(usd)s and %(tokens)s tokens") % {"usd": f"{today.usd:.4f}", "tokens": f"{today.tokens:,}"}

    def get_readonly_fields(self, request: HttpRequest, obj: Budget | None = None) -> list[str]:
        return ["account"] if obj else []

    def save_model(self, request: HttpRequest, obj: Budget, form: "forms.ModelForm[Budget]", change: bool) -> None:
        limits = {name: form.cleaned_data[name] for name in LIMITS}
        obj.pk = set_budget(obj.account, by=request.user, **limits).pk

    def delete_model(self, request: HttpRequest, obj: Budget) -> None:
        set_budget(obj.account, by=request.user, usd_per_day=0, tokens_per_day=0)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Budget]) -> None:
        for budget in queryset:
            self.delete_model(request, budget)


@admin.register(BudgetChange)
class BudgetChangeAdmin(ReadOnlyAdmin):
    list_display = fields = ("account", "at", "by", "what")
    search_fields = ["account"]

    @admin.display(description=gettext_lazy("what"))
    def what(self, change: BudgetChange) -> str:
        return difference(change.before, change.after, {name: _label(name) for name in LIMITS})


def _label(limit: str) -> str:
    return str(getattr(Budget._meta.get_field(limit), "verbose_name", limit))


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    """Only figures: what learners wrote is not for browsing."""

    list_display = CALL_COLUMNS
    fields = (*CALL_COLUMNS, "prompt_version", "turn_id", "accounts")
    list_filter = ["status", "agent", "model"]
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModelCall]:
        """Defer the texts: a page of calls would contain megabytes of them."""
        return super().get_queryset(request).defer("asked", "reply")
