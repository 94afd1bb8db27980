"""Prompts written by admins. Every version is kept; the newest is active."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_CHARACTERS = 8_000


def validate_prompt(text: str) -> None:
    """Raise ValidationError for text that is only white space, is too long, or has characters that cannot be stored."""
    if not text.strip():
        raise ValidationError(
            _("A prompt cannot be empty. To remove your version, restore the original file."), code="empty"
        )
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValidationError(
            _("This text contains a character that can’t be saved. Type the text by hand instead of pasting it."),
            code="storable",
        )
    if len(text) > MAX_CHARACTERS:
        words = _("A prompt can have up to %(most)d characters; this one has %(length)d.")
        raise ValidationError(words, code="long", params={"most": MAX_CHARACTERS, "length": len(text)})


class PromptVersion(models.Model):
    """One version of a prompt. Create versions through `agents.prompts.versions`, which numbers the versions and detects conflicts."""

    name = models.CharField(_("prompt"), max_length=100)
    number = models.PositiveIntegerField(_("number"))
    """From 1 for each prompt. Versions are never deleted; the highest is active."""
    text = models.TextField(_("text"), blank=True)
    """Empty if the file is used again."""
    version = models.CharField(_("version"), max_length=12, blank=True)
    """As `Prompt.version`, which call records hold. Empty for the file."""
    note = models.CharField(_("note"), max_length=200, blank=True)
    restored = models.PositiveIntegerField(_("restored"), null=True, blank=True)
    """The number of the version that was restored; None for a new text."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField(_("when"), default=timezone.now)

    class Meta:
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        ordering = ["name", "-number"]
        constraints = [models.UniqueConstraint(fields=["name", "number"], name="prompt_version_number")]

    def __str__(self) -> str:
        return f"{self.name} {self.number}"
