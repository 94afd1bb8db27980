"""The forms with which a teacher withdraws a question, or reports a problem with it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models.withdrawn_questions import REASON_MAX_LENGTH, REPORT_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable

TOO_LONG = {"max_length": _("That is too long. Write at most %(limit_value)d characters.")}


class WithdrawForm(forms.Form):
    """Where a question is not asked any more, and whether the answers to it count."""

    where = forms.ChoiceField(choices=[("class", "class"), ("site", "site")])
    with_answers = forms.BooleanField(required=False)
    reason = forms.CharField(
        required=False, max_length=REASON_MAX_LENGTH, validators=[validate_storable], error_messages=TOO_LONG
    )


class ReportForm(forms.Form):
    """What is wrong with a question."""

    words = forms.CharField(
        max_length=REPORT_MAX_LENGTH,
        validators=[validate_storable],
        error_messages=TOO_LONG | {"required": _("Write what is wrong with the question.")},
    )
