"""Who gets reports of a class: teachers by mail every week, and a pupil's guardian every month."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom


def new_key() -> str:
    return secrets.token_hex(8)


class ReportSubscription(models.Model):
    """A teacher's wish to get a class's weekly summary by mail."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="report_subscriptions")
    teacher = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="report_subscriptions")
    mailed_week = models.DateField(null=True, blank=True)
    """The Monday of the latest week whose summary was ordered."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("weekly summary by email")
        verbose_name_plural = _("weekly summaries by email")
        constraints = [models.UniqueConstraint(fields=["classroom", "teacher"], name="one_weekly_summary_a_class")]

    def __str__(self) -> str:
        return f"{self.teacher_id}: {self.classroom_id}"


class GuardianAccess(models.Model):
    """A pupil's monthly page for a guardian. To revoke its links is to delete this row."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="guardians")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="guardian_pages")
    email = models.EmailField(blank=True)
    """Where the monthly mail goes; empty where the link is only printed, or after the guardian stopped the mails."""
    key = models.CharField(max_length=16, default=new_key, editable=False)
    """Part of every link, so that a link made before access was revoked does not work again."""
    mailed_month = models.DateField(null=True, blank=True)
    """The first day of the latest month whose page was mailed."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("guardian’s monthly page")
        verbose_name_plural = _("guardians’ monthly pages")
        constraints = [models.UniqueConstraint(fields=["classroom", "learner"], name="one_guardian_page_a_pupil")]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.classroom_id}"
