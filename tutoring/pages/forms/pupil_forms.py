"""Forms about the people in a class."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tutoring.models.classes import NAME_MAX_LENGTH
from tutoring.pages.forms.answer_form import validate_storable


class GroupForm(forms.Form):
    """The name of a group."""

    name = forms.CharField(
        label=_("Group name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class TeacherForm(forms.Form):
    """The username of a teacher who is invited."""

    username = forms.CharField(
        label=_("Username of the teacher"),
        max_length=150,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
