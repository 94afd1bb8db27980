"""Forms on a pupil's page, and the learner's answers to them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models.pupil_records import NOTE_MAX_LENGTH, REASON_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable

TOO_LONG = {"max_length": _("That is too long. Write at most %(limit_value)d characters.")}


class NoteForm(forms.Form):
    """A note of a teacher about a pupil."""

    text = forms.CharField(
        max_length=NOTE_MAX_LENGTH,
        validators=[validate_storable],
        error_messages=TOO_LONG | {"required": _("Write a note first.")},
    )


class ReasonForm(forms.Form):
    """Why a milestone is withdrawn, or why the learner disagrees."""

    reason = forms.CharField(
        max_length=REASON_MAX_LENGTH,
        validators=[validate_storable],
        error_messages=TOO_LONG | {"required": _("Write a reason first.")},
    )


class GuardianForm(forms.Form):
    """The address of a pupil's guardian; empty for a link that is only printed."""

    email = forms.EmailField(
        label=_("Email address of a parent or guardian"),
        required=False,
        validators=[validate_storable],
        help_text=_("Optional. On the first day of each month, we send the link to this address."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
