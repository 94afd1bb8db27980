"""Figures of every run and of every agent in it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from agents.storage.time_ordered_ids import new_time_ordered_id


class Run(models.Model):
    """One execution of a graph."""

    id = models.UUIDField(primary_key=True, default=new_time_ordered_id, editable=False)
    turn_id = models.UUIDField(null=True, blank=True, db_index=True)
    """The turn it belongs to, as named by the app that started it."""
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    graph = models.CharField(max_length=30)
    aborted = models.BooleanField(default=False)
    waits = models.BooleanField(default=False)
    """Whether the walk waits for the learner."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        indexes = [models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"{self.graph} {self.created_at:%Y-%m-%d %H:%M}"


class AgentCall(models.Model):
    """The outcome and cost of one agent's part in a run."""

    class Ending(models.TextChoices):
        ANSWERED = "answered", _("answered")
        TIMED_OUT = "timed_out", _("timed out")
        FAILED = "failed", _("failed")
        REFUSED = "refused", _("refused")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="calls")
    number = models.PositiveSmallIntegerField()
    """Place in the order of endings, from 1."""
    agent = models.CharField(max_length=30)
    ending = models.CharField(max_length=10, choices=Ending)
    error_type = models.CharField(max_length=12, blank=True)
    ms = models.FloatField()
    tries = models.PositiveSmallIntegerField(default=1)
    characters = models.PositiveIntegerField(default=0)
    backend = models.CharField(max_length=30, blank=True)
    model = models.CharField(max_length=100, blank=True)
    prompt_version = models.CharField(max_length=12, blank=True)
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)
    """US dollars; None if the price or the tokens are unknown."""
    degraded = models.BooleanField(default=False)
    """Whether authored words replaced a model's."""
    remarks = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("agent call")
        verbose_name_plural = _("agent calls")
        ordering = ["run", "number"]

    def __str__(self) -> str:
        return f"{self.agent}: {self.ending}, {self.ms:.0f} ms"
