"""What teachers did about a pupil who needs help: dismissed or followed up."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import Classroom

REASON_MAX_LENGTH = 120
NOTE_MAX_LENGTH = 500


class HelpMark(models.Model):
    """A reason to help a pupil that a teacher dismissed or followed up. New evidence brings the reason back."""

    class Kind(models.TextChoices):
        DISMISSED = "dismissed", _("dismissed")
        FOLLOWED_UP = "followed_up", _("followed up")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="help_marks")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="help_marks")
    reason = models.CharField(max_length=REASON_MAX_LENGTH)
    """The kind of reason and what it is about: `misses:one_half`."""
    evidence = models.CharField(max_length=REASON_MAX_LENGTH)
    """What the reason rested on then; the mark holds as long as it does."""
    kind = models.CharField(max_length=12, choices=Kind)
    note = models.CharField(max_length=NOTE_MAX_LENGTH, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("help mark")
        verbose_name_plural = _("help marks")
        constraints = [
            models.UniqueConstraint(fields=["classroom", "learner", "reason"], name="one_mark_for_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.learner} · {self.reason} ({self.get_kind_display()})"
