"""Forms about a class."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models import Policy
from tutoring.models.classes import AFFECT_CHOICES, NAME_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable


class CodeForm(forms.Form):
    """The code to join a class."""

    code = forms.CharField(
        label=_("Class code"),
        max_length=40,
        help_text=_("Ask your teacher for the code. You can type it in capital or small letters."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class NameForm(forms.Form):
    """The name of a class."""

    name = forms.CharField(
        label=_("Class name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A class's policy: what its teachers may see and what the tutor may use, in the sentences that its learners read."""

    affect = forms.TypedChoiceField(
        label=_("Pace"),
        required=False,
        choices=list(AFFECT_CHOICES.items()),
        coerce=lambda value: str(value) == "True",  # The previous value is coerced, too.
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Policy
        fields = ["mastery", "conversations", "affect", "concerns", "contact"]
        labels = {
            "mastery": _("Progress"),
            "conversations": _("Conversations"),
            "concerns": _("When a pupil may be in danger"),
            "contact": _("Who they can talk to"),
        }
        help_texts = {
            "contact": _("For example, a name and where to find that person. Optional. Your pupils can read it.")
        }
        widgets = {
            "mastery": forms.RadioSelect,
            "conversations": forms.RadioSelect,
            "concerns": forms.RadioSelect,
            "contact": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["contact"].validators.append(validate_storable)
        # There are no summaries to read yet.
        offered = (Policy.Conversations.NOTHING, Policy.Conversations.EVERYTHING)
        self.fields["conversations"].choices = [(each.value, each.label) for each in offered]  # type: ignore[attr-defined]
