"""The forms with which a learner says that a grade or a number is wrong, and a teacher decides about it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models.contests import NOTE_MAX_LENGTH, REASON_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable


class ContestForm(forms.Form):
    """Why it is wrong, in the learner's words; they may leave it empty."""

    reason = forms.CharField(
        required=False,
        max_length=REASON_MAX_LENGTH,
        validators=[validate_storable],
        error_messages={"max_length": _("That is too long. Write at most %(limit_value)d characters.")},
    )


class DecisionForm(forms.Form):
    """What a teacher decides, with a note to the learner if they like."""

    decision = forms.ChoiceField(required=False, choices=[("kept", "kept"), ("left_out", "left out")])
    note = forms.CharField(
        required=False,
        max_length=NOTE_MAX_LENGTH,
        validators=[validate_storable],
        error_messages={"max_length": _("That is too long. Write at most %(limit_value)d characters.")},
    )
