"""Model of conversation summaries."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Session, Turn


class ConversationSummary(models.Model):
    """A summary of what happened in a conversation up to one of its turns. Each update stores a new summary."""

    class Reason(models.TextChoices):
        LENGTH = "length", _("the conversation got long")
        GOODBYE = "goodbye", _("goodbye")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="summaries")
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="summary")
    """The last turn in it. If that turn or an earlier one is replaced, the summary is deleted."""
    reason = models.CharField(max_length=8, choices=Reason)
    """Why it was stored."""
    text = models.TextField(blank=True)
    """A few sentences in Markdown; empty if nothing happened that is worth telling."""
    facts = models.JSONField(default=dict, blank=True)
    """What the text is based on, as `conversations.summaries.facts.SummaryFacts`."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("conversation summary")
        verbose_name_plural = _("conversation summaries")

    def __str__(self) -> str:
        return self.text
