"""Alerts: problems with a model provider that only an admin can fix."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Alert(models.Model):
    """A problem with a model. An alert lasts from the first failure until the model answers again."""

    class Kind(models.TextChoices):
        UNREACHABLE = "unreachable", _("does not answer")
        REJECTED = "rejected", _("rejects our requests")
        SPEND_LIMIT = "spend_limit", _("spending limit reached")

    MESSAGES = {
        Kind.UNREACHABLE: _(
            "%(model)s at %(provider)s failed several times in a row. Lessons continue with another model or with"
            " built-in text, and the model is retried automatically. Check the provider’s status page and the network."
        ),
        Kind.REJECTED: _(
            "%(provider)s does not accept requests for %(model)s. Lessons continue with another model or with built-in"
            " text. Check the API key and the model name in the settings."
        ),
        Kind.SPEND_LIMIT: _(
            "The account at %(provider)s has reached its spending limit. Lessons continue with another model or with"
            " built-in text. Raise the limit there, or wait until the next billing period."
        ),
    }

    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    provider = models.CharField(_("provider"), max_length=30)
    model = models.CharField(_("model"), max_length=100)
    first_at = models.DateTimeField(_("first seen"), default=timezone.now)
    last_at = models.DateTimeField(_("last seen"), default=timezone.now)
    count = models.PositiveIntegerField(_("times"), default=1)
    settled_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    """When the model answered again; None until then."""

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        ordering = ["-last_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "provider", "model"], condition=models.Q(settled_at=None), name="one_open_alert"
            )
        ]

    def __str__(self) -> str:
        return gettext("%(model)s: %(kind)s") % {"model": self.model, "kind": self.get_kind_display()}

    @property
    def message(self) -> str:
        """What happened and what to do, in our own words: a provider's message may contain a key."""
        return self.MESSAGES[self.Kind(self.kind)] % {"model": self.model, "provider": self.provider}
