"""Records of learning that wait for the configured record store, or have been sent there."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LearningRecord(models.Model):
    """An xAPI statement about something a learner did: sent until it is accepted, or given up on."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given_up", _("given up")

    id = models.UUIDField(primary_key=True, editable=False)
    """The statement's id: the same for the same event, so that it is stored once, here and there."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    verb = models.CharField(_("verb"), max_length=20)
    statement = models.JSONField()
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"))
    answer = models.CharField(_("store’s answer"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("learning record")
        verbose_name_plural = _("learning records")
        indexes = [models.Index(fields=["next_at"], condition=models.Q(status="waiting"), name="records_to_send")]

    def __str__(self) -> str:
        return f"{self.verb} ({self.status})"
