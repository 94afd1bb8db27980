"""What an account's words may hold."""

from functools import cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


@cache
def zone_names() -> frozenset[str]:
    """Return every time zone this machine knows, by its IANA name."""
    return frozenset(available_timezones())


def validate_storable(text: str) -> None:
    """Refuse what a database cannot keep as it is: NUL and halves of a surrogate pair."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValidationError(
            _("This contains a character that can’t be stored. If you pasted the text, type it instead."),
            code="storable",
        )


def validate_zone(name: str) -> None:
    if name not in zone_names():
        raise ValidationError(_("There is no time zone with this name. Choose one from the list."), code="zone")
