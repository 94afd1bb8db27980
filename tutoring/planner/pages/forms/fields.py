"""Fields that several forms of the planner have."""

from datetime import date, datetime, time, tzinfo
from typing import Any, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2199, 12, 31)
"""Calendar files have the same last year; before and after, times cannot be changed to another zone safely."""
TIME_HINT: Final = _("For example 16:30.")


class DayField(forms.DateField):
    """A day, within the years that the planner knows."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        limits = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]
        super().__init__(widget=widget, validators=limits, input_formats=["%Y-%m-%d"], **kwargs)


class ClockField(forms.TimeField):
    """A time of day."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
        super().__init__(widget=widget, input_formats=["%H:%M", "%H:%M:%S"], **kwargs)


def moment(day: date, clock: time | None, zone: tzinfo) -> datetime:
    """Return the time of a day in a zone; its beginning without a time of day."""
    return datetime.combine(day, clock or time(), zone)


def words_in(text: str, *, most: int = 20, longest: int = 60) -> list[str]:
    """Return what a text lists between commas, each once."""
    parts = [" ".join(part.split())[:longest] for part in text.split(",")]
    return list(dict.fromkeys(part for part in parts if part))[:most]
