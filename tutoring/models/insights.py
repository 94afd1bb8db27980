"""Stored insights into a person's learning, and the periods for which they were computed."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class InsightPeriod(models.Model):
    """A conversation, week or month that the program has already checked for insights about a learner."""

    class Timeframe(models.TextChoices):
        SESSION = "session", _("conversation")
        WEEK = "week", _("week")
        MONTH = "month", _("month")

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="insight_periods")
    timeframe = models.CharField(max_length=7, choices=Timeframe)
    starts_on = models.DateField()
    """Its first day in the learner's time zone."""
    session = models.OneToOneField(
        "conversations.Session", on_delete=models.CASCADE, null=True, blank=True, related_name="insight_period"
    )
    """The conversation; empty for a week or a month."""
    answers = models.PositiveIntegerField()
    """How many answers without help there were in it."""
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("insight period")
        verbose_name_plural = _("insight periods")
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "timeframe", "starts_on"],
                condition=models.Q(session=None),
                name="insights_are_computed_once_a_period",
            )
        ]

    def __str__(self) -> str:
        return f"{self.timeframe} {self.starts_on}"


class LearningInsight(models.Model):
    """An observation about a person's learning, with the answers that support it."""

    class Type(models.TextChoices):
        PATTERN = "pattern", _("pattern")
        TREND = "trend", _("trend")
        CONNECTION = "connection", _("connection")

    period = models.ForeignKey(InsightPeriod, on_delete=models.CASCADE, related_name="insights")
    type = models.CharField(max_length=10, choices=Type)
    description = models.TextField()
    """A sentence or two in Markdown, in the learner's language."""
    evidence = models.JSONField()
    """Ids of the answers from which every number in the description can be counted again."""
    importance = models.FloatField()
    """0 to 1."""

    class Meta:
        verbose_name = _("learning insight")
        verbose_name_plural = _("learning insights")

    def __str__(self) -> str:
        return self.description
