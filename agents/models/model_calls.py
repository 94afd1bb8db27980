"""Model calls: what was asked, how each call ended, what it cost."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ModelCall(models.Model):
    """One attempt to call a model. `agents.usage.ledger` stores it before the call and completes it afterward."""

    class Status(models.TextChoices):
        OPEN = "open", _("in progress")
        ANSWERED = "answered", _("answered")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cut off")
        LOST = "lost", _("lost (the process ended)")

    # A person's words are deleted with the person.
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, verbose_name=_("person"))
    turn_id = models.UUIDField(_("turn"), null=True, db_index=True)
    agent = models.CharField(_("agent"), max_length=30)
    backend = models.CharField(_("provider"), max_length=30)
    model = models.CharField(_("model"), max_length=100)
    prompt_version = models.CharField(_("prompt version"), max_length=12, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    error = models.CharField(_("error"), max_length=40, blank=True)
    """Name of the error class: a provider's own message may contain keys."""
    holder = models.CharField(max_length=64, blank=True)
    """The process that makes the call."""
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    ms = models.FloatField(_("milliseconds"), null=True)
    first_ms = models.FloatField(_("milliseconds until the first text arrived"), null=True)
    characters = models.PositiveIntegerField(_("characters"), default=0)
    input_tokens = models.PositiveIntegerField(_("input tokens"), null=True)
    output_tokens = models.PositiveIntegerField(_("output tokens"), null=True)
    cost_usd = models.FloatField(_("cost in US dollars"), null=True)
    """None if the price or the tokens are unknown."""
    spent_usd = models.DecimalField(max_digits=16, decimal_places=9, null=True)
    """What budgets count: the cost, or an estimate if it is unknown; for an open call, the input so far."""
    spent_tokens = models.PositiveIntegerField(default=0)
    reserved_usd = models.DecimalField(max_digits=16, decimal_places=9, null=True)
    """The most it could cost; None if the price is unknown."""
    reserved_tokens = models.PositiveIntegerField(default=0)
    accounts = models.JSONField(_("charged to"), default=list)
    """The accounts whose budgets it counts against."""
    asked = models.JSONField(_("asked"), default=dict)
    """What was sent besides the prompt."""
    reply = models.TextField(_("reply"), blank=True)
    """What the model said, whether it was shown or not."""
    keeps_words = models.BooleanField(default=True, editable=False)
    """False once `asked` and `reply` were deleted because of their age."""

    class Meta:
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["started_at"]),
            models.Index(fields=["started_at"], condition=models.Q(status="open"), name="open_calls"),
            models.Index(fields=["started_at"], condition=models.Q(keeps_words=True), name="calls_with_words"),
        ]

    def __str__(self) -> str:
        return f"{self.agent} · {self.model} · {self.started_at:%Y-%m-%d %H:%M}"
