"""Routing of messages: the words of each agent, and what was decided for which message."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

SPACE_MAX_LENGTH, AGENT_MAX_LENGTH, REASON_MAX_LENGTH = 60, 30, 200


class RoutingWords(models.Model):
    """The words by which messages go to one agent, on the whole site or in one space."""

    surface = models.CharField(_("surface"), max_length=AGENT_MAX_LENGTH)
    agent = models.CharField(_("agent"), max_length=AGENT_MAX_LENGTH)
    """`none` for words that keep a message away from every agent."""
    space = models.CharField(
        _("space"), max_length=SPACE_MAX_LENGTH, blank=True,
        help_text=_("The key of a workspace, such as class-4b, in which these words are added. Empty for the whole site."),
    )  # fmt: skip
    words = models.JSONField(_("words"), default=dict)
    """Word or phrase in lower case → its weight; 0 takes a word of the whole site away from a space."""
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )

    class Meta:
        verbose_name = _("routing words")
        verbose_name_plural = _("routing words")
        ordering = ["surface", "agent", "space"]
        constraints = [
            models.UniqueConstraint(
                fields=["surface", "agent", "space"],
                name="one_list_an_agent_and_space",
                violation_error_message=_("There already is a list for this agent and space. Change that one."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.agent} ({self.space})" if self.space else self.agent


class RoutedMessage(models.Model):
    """What each step of routing said about a message. The message itself is not stored here."""

    surface = models.CharField(_("surface"), max_length=AGENT_MAX_LENGTH)
    space = models.CharField(_("space"), max_length=SPACE_MAX_LENGTH, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    turn_id = models.UUIDField(null=True, blank=True, unique=True)
    """The turn whose message it is; a turn that runs again is stored once."""
    by_keyword = models.CharField(_("by words"), max_length=AGENT_MAX_LENGTH, blank=True)
    """In these three, `none` means out of scope, and empty that the step decided nothing or was not asked."""
    by_classifier = models.CharField(_("by classifier"), max_length=AGENT_MAX_LENGTH, blank=True)
    by_model = models.CharField(_("by model"), max_length=AGENT_MAX_LENGTH, blank=True)
    agent = models.CharField(_("agent"), max_length=AGENT_MAX_LENGTH)
    """Where it went; `none` for out of scope."""
    strategy = models.CharField(_("strategy"), max_length=12)
    confidence = models.FloatField(_("confidence"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=REASON_MAX_LENGTH, blank=True)
    words = models.JSONField(default=list, blank=True)
    """The listed words in the message that stand for `by_keyword`, and no others."""
    words_version = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(_("when"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("routed message")
        verbose_name_plural = _("routed messages")
        indexes = [models.Index(fields=["surface", "-created_at"]), models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"{self.agent} ({self.strategy})"
