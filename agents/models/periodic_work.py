"""The state of periodic jobs: when each was last done."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class PeriodicWork(models.Model):
    """The state of one periodic job. To change it, use `agents.periodic_work`."""

    name = models.CharField(max_length=40, unique=True)
    done_for = models.DateTimeField(null=True)
    """The latest due time for which it was done; null before the first."""
    held_until = models.DateTimeField(null=True)
    """Until when a process has claimed it, or, if it failed, when it may be retried."""

    ran_at = models.DateTimeField(null=True)
    """When its latest run began."""
    ms = models.FloatField(null=True)
    """How long its latest run took, in milliseconds; null before the first."""
    error = models.CharField(max_length=40, blank=True)
    """Name of the error class with which the latest run failed."""

    class Meta:
        verbose_name = _("periodic work")
        verbose_name_plural = _("periodic work")

    def __str__(self) -> str:
        return self.name
