"""The day by which a learner wants to reach a goal."""

from datetime import date, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

FURTHEST = timedelta(days=5 * 365)


class GoalDateForm(forms.Form):
    concept = forms.SlugField()
    due_on = forms.DateField(
        label=_("By what date?"),
        required=False,
        error_messages={"invalid": _("This is not a date. Write it like this: 2026-12-24.")},
    )

    def clean_due_on(self) -> date | None:
        day: date | None = self.cleaned_data["due_on"]
        today = timezone.localdate()
        if day is not None and not today <= day <= today + FURTHEST:
            raise ValidationError(_("Choose a day between today and five years from now."), code="range")
        return day
