"""How many answers there are, and which of the latest were wrong: kept beside the answers, since a class has many."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tutoring.models.courses import Concept


class AnswerTally(models.Model):
    """A learner's answers on a concept in figures. It can be computed again from the answers at any time."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="answer_tallies")
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="answer_tallies")
    given = models.PositiveIntegerField(default=0)
    """All answers, with those that do not count toward the score."""
    last_at = models.DateTimeField()
    misses = models.JSONField(default=list, blank=True)
    """The wrong answers since the last right one, oldest first, the latest of them only: `[attempt, question, gave up, time]`."""

    class Meta:
        verbose_name = _("answer tally")
        verbose_name_plural = _("answer tallies")
        constraints = [models.UniqueConstraint(fields=["learner", "concept"], name="one_tally_a_concept")]

    def __str__(self) -> str:
        return f"{self.learner} · {self.concept}: {self.given}"
