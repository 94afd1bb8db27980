"""The planner's settings, and the name of a new workspace."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.models import PlannerSettings

LENGTHS = (10, 15, 20, 25, 30, 45, 60, 90, 120, 180)


def _length_choices() -> list[tuple[int, str]]:
    return [(n, ngettext("%(count)d minute", "%(count)d minutes", n) % {"count": n}) for n in LENGTHS]


class PlannerSettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """The hours of the day, the length of study sessions, and what the planner may send."""

    day_starts = forms.TypedChoiceField(
        label=_("Plan study sessions from"), choices=[(n, f"{n}:00") for n in range(24)], coerce=int
    )
    day_ends = forms.TypedChoiceField(label=_("until"), choices=[(n, f"{n}:00") for n in range(1, 25)], coerce=int)
    session_minutes = forms.TypedChoiceField(label=_("Length of a study session"), choices=_length_choices, coerce=int)

    class Meta:
        model = PlannerSettings
        fields = ["day_starts", "day_ends", "session_minutes", "mails", "first_messages"]
        labels = {"mails": _("Send me reminders by email"), "first_messages": _("My tutor may write to me first")}
        help_texts = {
            "mails": _("Not during your quiet hours. Each email has a link to stop these reminders."),
            "first_messages": _(
                "At most one message a day, not during your quiet hours: when a test is tomorrow, when study sessions "
                "went by, or when a review is due."
            ),
        }

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        minutes = self.instance.session_minutes
        if minutes not in LENGTHS:  # Set by an agent, as the person said it.
            field: Any = self.fields["session_minutes"]
            field.choices = sorted([*_length_choices(), (minutes, str(minutes))])

    def clean_mails(self) -> bool:
        wanted: bool = self.cleaned_data["mails"]
        if wanted and not getattr(self.person, "email", ""):
            raise ValidationError(_("Add an email address to your profile first."), code="no_address")
        return wanted

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if "day_starts" in data and "day_ends" in data and data["day_ends"] <= data["day_starts"]:
            self.add_error("day_ends", _("The day has to end after it begins."))
        return data


class WorkspaceForm(forms.Form):
    title = forms.CharField(
        label=_("New workspace"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
