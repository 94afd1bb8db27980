"""What a learner wants of their week, and how they are reminded of reviews."""

import secrets
from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

DAYS_IN_WEEK, LAST_HOUR = 7, 23
EVENING, MORNING = 19, 7
"""The quiet hours of somebody who never chose any."""


class StudySettings(models.Model):
    """How many days a week a learner plans to study, and whether they get reminders. By default, neither is set."""

    learner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_settings")
    days_a_week = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(DAYS_IN_WEEK)]
    )
    """None for no plan."""
    mails = models.BooleanField(default=False)
    """Whether a mail says that reviews are due."""
    quiet_from = models.PositiveSmallIntegerField(default=EVENING, validators=[MaxValueValidator(LAST_HOUR)])
    quiet_until = models.PositiveSmallIntegerField(default=MORNING, validators=[MaxValueValidator(LAST_HOUR)])
    """Hours of the day in the learner's time zone; no quiet hours if both are the same."""
    calendar_key = models.CharField(max_length=32, blank=True)
    """Part of the calendar's address; empty while there is no calendar."""
    mailed_at = models.DateTimeField(null=True, blank=True)
    message_mails = models.BooleanField(default=False)
    """Whether a mail says that a teacher wrote."""
    message_mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("study settings")
        verbose_name_plural = _("study settings")
        indexes = [models.Index(fields=["learner"], condition=models.Q(mails=True), name="learners_to_remind")]

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.days_a_week or '–'}"

    def is_quiet(self, local: datetime) -> bool:
        """Tell whether the learner's own time is within the quiet hours, which may pass midnight."""
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= local.hour < self.quiet_until
        return local.hour >= self.quiet_from or local.hour < self.quiet_until

    def renew_calendar(self) -> None:
        """Give the calendar a new address; the old one stops working."""
        self.calendar_key = secrets.token_hex(16)
