"""The form with which a teacher says what was done about a pupil who needs help."""

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import gettext_lazy as _

from conversations.validators import is_storable
from tutoring.models.help_marks import NOTE_MAX_LENGTH, REASON_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable

REASONS_AT_MOST = 50


class HelpForm(forms.Form):
    """Dismissed or followed up, with a note; `reasons` are `NAME EVIDENCE` each, as the page had them."""

    action = forms.ChoiceField(choices=[(each, each) for each in ("dismissed", "followed_up", "undo")])
    note = forms.CharField(
        required=False,
        max_length=NOTE_MAX_LENGTH,
        validators=[validate_storable],
        error_messages={"max_length": _("That is too long. Write at most %(limit_value)d characters.")},
    )

    def __init__(self, data: Mapping[str, str], *, reasons: Sequence[str]) -> None:
        super().__init__(data)
        parts = [each.partition(" ") for each in reasons[:REASONS_AT_MOST] if is_storable(each)]
        self.reasons = [
            (name, evidence)
            for name, _blank, evidence in parts
            if name and max(len(name), len(evidence)) <= REASON_MAX_LENGTH
        ]

    def clean(self) -> dict[str, str]:
        cleaned: dict[str, str] = super().clean() or {}
        if cleaned.get("action") != "undo" and not self.reasons:
            raise forms.ValidationError(_("This pupil is not on the list any more. Reload the page."))
        return cleaned
