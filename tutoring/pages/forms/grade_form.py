"""The form with which a teacher changes the grade of an answer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models.grade_changes import REASON_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable

ACTIONS = ("regrade", "right", "wrong", "leave_out", "undo")
WITH_REASON = ("right", "wrong")
"""Actions that overrule the grader: the pupil reads why."""


class GradeForm(forms.Form):
    """What to do with an answer's grade, and why."""

    action = forms.ChoiceField(choices=[(each, each) for each in ACTIONS])
    reason = forms.CharField(
        required=False,
        max_length=REASON_MAX_LENGTH,
        validators=[validate_storable],
        error_messages={"max_length": _("That is too long. Write at most %(limit_value)d characters.")},
    )

    def clean(self) -> dict[str, str]:
        cleaned: dict[str, str] = super().clean() or {}
        if cleaned.get("action") in WITH_REASON and not cleaned.get("reason"):
            self.add_error("reason", _("Write a reason. Your pupil can read it."))
        return cleaned
