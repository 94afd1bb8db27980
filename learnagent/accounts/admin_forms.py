"""Forms with which admins add and change people."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.models import Person, Role


class AddPersonForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A new person, without a password: a sign-in link lets them in."""

    class Meta:
        model = Person
        fields = ["username", "display_name", "email", "role", "age_band", "language", "zone"]

    def save(self, commit: bool = True) -> Person:
        self.instance.set_password(None)
        person: Person = super().save(commit)
        return person


class PersonForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A person's account. Admins cannot lock themselves out."""

    editor: Person | None = None
    """Who changes it."""

    class Meta:
        model = Person
        fields = ["display_name", "email", "role", "is_active", "age_band", "level", "language", "zone"]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        is_self = self.editor is not None and self.editor.pk == self.instance.pk
        if is_self and (self.cleaned_data.get("role") != Role.ADMIN or not self.cleaned_data.get("is_active")):
            raise ValidationError(_("You cannot take away your own admin rights. Ask another admin."), code="own")
        return cleaned
