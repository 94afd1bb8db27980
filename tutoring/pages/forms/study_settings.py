"""What a learner wants of their week, and how they are reminded."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.models import StudySettings
from tutoring.models.study_settings import DAYS_IN_WEEK, LAST_HOUR


def _day_choices() -> list[tuple[Any, Any]]:
    days = [(n, ngettext("%(count)d day", "%(count)d days", n) % {"count": n}) for n in range(1, DAYS_IN_WEEK + 1)]
    return [("", _("no plan")), *days]


def _hour_choices() -> list[tuple[int, str]]:
    return [(hour, f"{hour:02d}:00") for hour in range(LAST_HOUR + 1)]


class StudySettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """The days a week, the mails with their quiet hours, and the calendar."""

    days_a_week = forms.TypedChoiceField(
        label=_("How many days a week do you want to practice?"),
        choices=_day_choices,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Your home page counts the days you practice. You don’t lose anything by taking a day off."),
    )
    quiet_from = forms.TypedChoiceField(label=_("Don’t send emails from"), choices=_hour_choices, coerce=int)
    quiet_until = forms.TypedChoiceField(label=_("until"), choices=_hour_choices, coerce=int)
    calendar = forms.BooleanField(
        label=_("Create a calendar of my reviews"),
        required=False,
        help_text=_(
            "You’ll get a web address to add to your calendar app. Anyone who has the address can read the calendar."
        ),
    )
    field_order = ["days_a_week", "mails", "message_mails", "quiet_from", "quiet_until", "calendar"]

    class Meta:
        model = StudySettings
        fields = ["days_a_week", "mails", "message_mails", "quiet_from", "quiet_until"]
        labels = {
            "mails": _("Send me an email when reviews are due"),
            "message_mails": _("Send me an email when a teacher writes to me"),
        }
        help_texts = {
            "mails": _("You get at most one email a day. Each email has a link to stop these reminders."),
            "message_mails": _("You get at most one email a day. What the teacher wrote is not in it."),
        }

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["calendar"].initial = bool(self.instance.calendar_key)

    def clean_mails(self) -> bool:
        return self._with_address("mails")

    def clean_message_mails(self) -> bool:
        return self._with_address("message_mails")

    def _with_address(self, name: str) -> bool:
        wanted: bool = self.cleaned_data[name]
        if wanted and not getattr(self.person, "email", ""):
            raise ValidationError(_("Add an email address to your profile first."), code="no_address")
        return wanted

    def save(self, commit: bool = True) -> StudySettings:
        if not self.cleaned_data["calendar"]:
            self.instance.calendar_key = ""
        elif not self.instance.calendar_key:
            self.instance.renew_calendar()
        saved: StudySettings = super().save(commit)
        return saved
