"""Budgets: the daily spending limits for models, and the spending."""

from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Budget(models.Model):
    """The amount that one account may spend per day (UTC). To change it, use `agents.usage.budgets`, which records changes."""

    account = models.CharField(
        _("account"),
        max_length=170,
        unique=True,
        help_text=_("person:NAME, class:CODE, or site for the whole site"),
    )
    usd_per_day = models.DecimalField(
        _("US dollars per day"),
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0), _("A budget must be 0 or more."))],
        help_text=_("Leave this empty or enter 0 for no limit. Models without a known price are not counted."),
    )
    tokens_per_day = models.PositiveBigIntegerField(
        _("tokens per day"), null=True, blank=True, help_text=_("Leave this empty or enter 0 for no limit.")
    )

    class Meta:
        verbose_name = _("budget")
        verbose_name_plural = _("budgets")
        ordering = ["account"]

    def __str__(self) -> str:
        return self.account


class BudgetChange(models.Model):
    """One change to a budget: the values before and after, who changed it, and when."""

    account = models.CharField(_("account"), max_length=170, db_index=True)
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    """None for a change by command, or by somebody since erased."""
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))

    class Meta:
        verbose_name = _("budget change")
        verbose_name_plural = _("budget changes")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.account


class Spending(models.Model):
    """What an account with a budget has spent on one day (UTC), plus the maximum cost of its unfinished calls."""

    account = models.CharField(_("account"), max_length=170)
    day = models.DateField(_("day"))
    usd = models.DecimalField(_("US dollars"), max_digits=16, decimal_places=9, default=Decimal(0))
    reserved_usd = models.DecimalField(max_digits=16, decimal_places=9, default=Decimal(0))
    tokens = models.PositiveBigIntegerField(_("tokens"), default=0)
    reserved_tokens = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("spending record")
        verbose_name_plural = _("spending records")
        ordering = ["-day", "account"]
        constraints = [models.UniqueConstraint(fields=["account", "day"], name="one_spending_an_account_and_day")]

    def __str__(self) -> str:
        return f"{self.account} {self.day}"
