"""Model of the announcement that the v1 API will be turned off."""

from datetime import date

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)
"""Dates outside these are mistakes; some of them cannot be written in a header."""
DATES = (
    MinValueValidator(EARLIEST, _("Enter a date from the year 2000 on.")),
    MaxValueValidator(LATEST, _("Enter a date before the year 2200.")),
)


class V1Deprecation(models.Model):
    """An announcement of the end of the v1 API. The latest row applies; earlier rows are kept as a record."""

    since = models.DateField(
        _("deprecated since"),
        null=True,
        blank=True,
        validators=DATES,
        help_text=_("Leave this empty if the v1 API is not deprecated."),
    )
    sunset = models.DateField(
        _("turned off on"),
        null=True,
        blank=True,
        validators=DATES,
        help_text=_("The day on which you plan to turn off the v1 API. If this is empty, it is six months later."),
    )
    at = models.DateTimeField(_("when"), default=timezone.now, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("who"),
        editable=False,
    )
    """None for a person since erased."""

    class Meta:
        verbose_name = _("deprecation of the v1 API")
        verbose_name_plural = _("deprecation of the v1 API")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.since or '–'}, {self.sunset or '–'}"

    def clean(self) -> None:
        super().clean()
        if self.sunset and not self.since:
            raise ValidationError({"since": _("Enter the day since which the v1 API is deprecated.")})
        if self.sunset and self.since and self.sunset < self.since:
            raise ValidationError({"sunset": _("The v1 API cannot be turned off before it is deprecated.")})
