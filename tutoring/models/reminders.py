"""Reminders of the planner that came due."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.planner import CalendarEvent, Task, Workspace


class Reminder(models.Model):
    """A reminder of a task or of an occurrence of an event that came due: shown once, and mailed at most once."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    event = models.ForeignKey(CalendarEvent, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    """When the task was to be remembered, or the start of the event's occurrence."""
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)
    """When the person closed the notice."""
    mailed_at = models.DateTimeField(null=True, blank=True)
    """When a mail was ordered."""

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        constraints = [
            models.UniqueConstraint(fields=["task", "at"], name="one_reminder_a_task_and_time"),
            models.UniqueConstraint(fields=["event", "at"], name="one_reminder_an_occurrence"),
        ]
        indexes = [
            models.Index(fields=["owner", "-made_at"], condition=models.Q(seen_at=None), name="reminders_to_show"),
        ]

    def __str__(self) -> str:
        return str(self.task or self.event)
