"""Models of side agents' input and results: snapshots of the drawing board, and analyses."""

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Session, Turn

SELF_REPORT = "self_report"
"""The agent name of rows that hold what learners say about themselves."""


class Snapshot(models.Model):
    """The drawing board at one moment. The snapshot is sent with the next message, and the learner can delete it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="snapshots")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="snapshots")
    """The message it was sent with; empty if it was not sent."""
    board = models.JSONField(default=dict, blank=True)
    """The board, in the format of `conversations.drawing.schema`; empty once deleted."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the board. The same drawing is not analyzed twice."""
    reading = models.JSONField(default=dict, blank=True)
    """What `conversations.drawing` found in the geometry."""
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("drawing")
        verbose_name_plural = _("drawings")
        indexes = [models.Index(fields=["session", "-created_at"])]

    def __str__(self) -> str:
        return str(self.reading.get("description", self.pk))

    def get_absolute_url(self) -> str:
        return reverse("drawing", args=[self.session.key, self.pk])


class Analysis(models.Model):
    """A side agent's result for a message, answer or drawing, and the cost of the analysis."""

    class Status(models.TextChoices):
        TAKEN = "taken", _("used")
        REJECTED = "rejected", _("rejected")
        """A model's result was rejected; `output` is the result of code alone."""
        FAILED = "failed", _("failed")
        """No model answered; `output` is the result of code alone."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="analyses")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="analyses")
    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, null=True, blank=True, related_name="analyses")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analyses")
    agent = models.CharField(max_length=30)
    key = models.CharField(max_length=64)
    """SHA-256 of the input, its context and the model. Identical input is not analyzed twice."""
    output = models.JSONField(default=dict)
    """The result as JSON."""
    status = models.CharField(max_length=8, choices=Status, default=Status.TAKEN)
    reason = models.CharField(max_length=200, blank=True)
    """Why a model's result was rejected."""
    rejected = models.JSONField(null=True, blank=True)
    """The rejected result."""
    reused = models.BooleanField(default=False)
    """Copied from an identical analysis, so this one cost nothing."""
    backend = models.CharField(max_length=30, blank=True)
    """Empty if the result comes from code alone."""
    model = models.CharField(max_length=100, blank=True)
    ms = models.FloatField(default=0.0)
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [
            models.Index(fields=["session", "agent", "key"]),
            models.Index(fields=["session", "-created_at"]),
            models.Index(fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.agent}: {self.status}"
