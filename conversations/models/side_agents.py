"""Rows of what side agents look at and make of it: snapshots of the drawing board, and analyses."""

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Session, Turn

SELF_REPORT = "self_report"
"""The agent of rows that hold what learners say themselves of how it goes."""


class Snapshot(models.Model):
    """The drawing board as it stood at a moment. It goes with the next message, and can be deleted by who drew it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="snapshots")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="snapshots")
    """The message it went with; none for what was drawn and not spoken of."""
    board = models.JSONField(default=dict, blank=True)
    """What is on it, as `conversations.drawing.schema` has it; empty once it is deleted."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the board: the same drawing is not looked at twice."""
    reading = models.JSONField(default=dict, blank=True)
    """What geometry makes of it, as `conversations.drawing` gives it."""
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
    """What a side agent made of a message, an answer or a drawing, and what that took."""

    class Status(models.TextChoices):
        TAKEN = "taken", _("taken")
        REJECTED = "rejected", _("rejected")
        """A model's part was not taken; `output` is what code says without it."""
        FAILED = "failed", _("failed")
        """No answer came from a model; `output` is what code says without it."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="analyses")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="analyses")
    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, null=True, blank=True, related_name="analyses")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analyses")
    agent = models.CharField(max_length=30)
    key = models.CharField(max_length=64)
    """SHA-256 of what was looked at, its context and the model: what is equal is not analysed twice."""
    output = models.JSONField(default=dict)
    """The document's JSON."""
    status = models.CharField(max_length=8, choices=Status, default=Status.TAKEN)
    reason = models.CharField(max_length=200, blank=True)
    """Why a model's judgement was not taken."""
    rejected = models.JSONField(null=True, blank=True)
    """That judgement."""
    reused = models.BooleanField(default=False)
    """An equal one was made before; this took nothing."""
    backend = models.CharField(max_length=30, blank=True)
    """Empty where code judged alone."""
    model = models.CharField(max_length=100, blank=True)
    ms = models.FloatField(default=0.0)
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [models.Index(fields=["session", "agent", "key"]), models.Index(fields=["session", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.agent}: {self.status}"
