"""Consent of guardians: a guardian was asked by mail whether a child's or teenager's words may leave this site."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def in_two_weeks() -> datetime:
    """Return when a guardian can no longer answer."""
    return timezone.now() + timedelta(days=14)


class GuardianRequest(models.Model):
    """A guardian was asked, and what the guardian answered. To change it, use `learnagent.accounts.guardians`."""

    class Status(models.TextChoices):
        ASKED = "asked", _("no answer yet")
        AGREED = "agreed", _("agreed")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        REPLACED = "replaced", _("replaced by a newer request")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="guardian_requests", verbose_name=_("person")
    )
    email = models.EmailField(_("guardian’s email address"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("asked by")
    )
    """The person, a teacher or an admin; None for somebody since erased."""
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)
    expires_at = models.DateTimeField(_("can be answered until"), default=in_two_weeks)
    status = models.CharField(_("answer"), max_length=10, choices=Status, default=Status.ASKED)
    decided_at = models.DateTimeField(_("answered"), null=True)
    guardian_name = models.CharField(_("guardian’s name"), max_length=150, blank=True)
    address = models.CharField(_("network address"), max_length=64, blank=True)
    """Where the answer came from."""
    text_shown = models.TextField(_("text that was shown"), blank=True)
    """What the guardian agreed to or declined, word for word."""
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True)

    class Meta:
        verbose_name = _("request to a guardian")
        verbose_name_plural = _("requests to guardians")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.status}"

    @property
    def is_answerable(self) -> bool:
        return self.status == self.Status.ASKED and self.expires_at > timezone.now()
