"""Models of phone calls: linked numbers, the codes that link them, calls."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class PhoneLink(models.Model):
    """A phone number that is linked to a person: calls from it continue this person's conversation."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="phone_links")
    number = models.CharField(max_length=32, unique=True)
    """In the form `+436641234567`."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("linked phone number")
        verbose_name_plural = _("linked phone numbers")
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.number


class PhoneCode(models.Model):
    """A code that links a number to its owner once, before it expires. Only a keyed hash of it is stored."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="phone_code")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("code for a phone number")
        verbose_name_plural = _("codes for phone numbers")

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.expires_at:%Y-%m-%d %H:%M}"


class PhoneCall(models.Model):
    """A phone call, kept for a day so that the calls and wrong codes from a number can be counted."""

    sid = models.CharField(primary_key=True, max_length=34)
    """Twilio's name for the call."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="phone_calls"
    )
    """Whose conversation it is; None until a caller without an account says something."""
    is_linked = models.BooleanField(default=False)
    """Whether the owner is a person with an account."""
    number_digest = models.CharField(max_length=64)
    """A keyed hash of the caller's number, the same for all withheld numbers."""
    wrong_codes = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("phone call")
        verbose_name_plural = _("phone calls")
        indexes = [models.Index(fields=["number_digest", "started_at"]), models.Index(fields=["started_at"])]

    def __str__(self) -> str:
        return f"{self.sid[:8]}…"
