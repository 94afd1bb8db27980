"""When the work that comes round again was done last."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class PeriodicWork(models.Model):
    """How far a piece of periodic work has come. Write it through `agents.periodic_work`."""

    name = models.CharField(max_length=40, unique=True)
    done_for = models.DateTimeField(null=True)
    """The latest time it was due at and was done; null before the first."""
    held_until = models.DateTimeField(null=True)
    """Until when it is one process's to do, or, if it failed, left alone."""

    class Meta:
        verbose_name = _("periodic work")
        verbose_name_plural = _("periodic work")

    def __str__(self) -> str:
        return self.name
