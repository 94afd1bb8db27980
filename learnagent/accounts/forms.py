"""What people fill in about themselves."""

from typing import Any, cast

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.authentication.api_tokens import scopes_available_to
from learnagent.accounts.models import AgeBand, Person, Scope
from learnagent.accounts.validators import validate_storable, zone_names

MAX_PASSWORD = 4_096
"""In characters. Hashing more than that only costs time."""


class PasswordField(forms.CharField):
    """A password as it is typed: blanks count, and what is absurdly long is never hashed."""

    def __init__(self, *, label: Any, autocomplete: str, help_text: Any = "") -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
        super().__init__(label=label, help_text=help_text, strip=False, max_length=MAX_PASSWORD, widget=widget)
        self.error_messages["max_length"] = _("A password can be up to 4096 characters long.")
        # No maxlength in the page: a browser would cut a pasted password short without a word.
        self.widget.attrs.pop("maxlength", None)


def form_status(form: forms.BaseForm) -> int:
    """Return the status an invalid form is answered with: 400 for a password too long to look at, else 422."""
    passwords = (name for name, field in form.fields.items() if isinstance(field, PasswordField))
    return 400 if any(form.has_error(name, "max_length") for name in passwords) else 422


class SignInForm(forms.Form):
    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = PasswordField(label=_("Password"), autocomplete="current-password")


class SignUpForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """A learner's own account. Consent to outside models is asked for afterwards, of adults only."""

    age_band = forms.ChoiceField(
        label=_("How old are you?"),
        choices=AgeBand,
        widget=forms.RadioSelect,
        help_text=_("We use this only to decide whether to ask you about language models outside this site."),
    )
    password = PasswordField(
        label=_("Password"),
        autocomplete="new-password",
        help_text=_("Use at least 8 characters, and don’t use a common password."),
    )
    again = PasswordField(label=_("Repeat the password"), autocomplete="new-password")
    field_order = ["username", "display_name", "email", "age_band", "password", "again"]

    class Meta:
        model = Person
        fields = ["username", "display_name", "email", "age_band"]
        widgets = {
            "username": forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname"}),
            "email": forms.EmailInput(attrs={"autocomplete": "email"}),
        }

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        password, again = self.cleaned_data.get("password"), self.cleaned_data.get("again")
        if password and again and password != again:
            self.add_error("again", _("The passwords don’t match. Type both again."))
        return cleaned

    def _post_clean(self) -> None:
        # Only now does the instance hold the name that the password must not resemble.
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, missing in the stubs.
        try:
            validate_password(self.cleaned_data.get("password") or "", self.instance)
        except ValidationError as error:
            if "password" in self.cleaned_data:
                self.add_error("password", error)


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    """How the pages look and what the tutor reckons with. Age and role are not one's own to change."""

    zone = forms.ChoiceField(label=_("Time zone"), choices=lambda: [(name, name) for name in sorted(zone_names())])
    consent = forms.BooleanField(
        label=_(
            "What I write or say may be sent to a language or speech model outside this site, and may be used in web searches"
        ),
        help_text=_(
            "If you don’t agree, lessons and quizzes use only the text that is built into this site. You can change your "
            "mind at any time."
        ),
        required=False,
    )

    class Meta:
        model = Person
        fields = ["display_name", "level", "language", "zone", "theme", "text_size"]
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname"}),
            "theme": forms.RadioSelect,
            "text_size": forms.RadioSelect,
        }
        help_texts = {
            "level": _(
                "This sets the level of the first questions for a new goal. After that, the level depends on "
                "your answers."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_adult:
            self.fields["consent"].initial = self.instance.consent
        else:
            del self.fields["consent"]

    def save(self, commit: bool = True) -> Person:
        # Whoever only changes the look has decided nothing: they are still to be asked.
        if self.cleaned_data.get("consent", self.instance.consent) != self.instance.consent:
            self.instance.set_consent(self.cleaned_data["consent"])
        person: Person = super().save(commit)
        return person


class PasswordConfirmationForm(forms.Form):
    """What needs the password again, where there is one: whoever finds a page left open does not know it."""

    old = PasswordField(label=_("Current password"), autocomplete="current-password")

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        if not person.has_usable_password():
            del self.fields["old"]

    def clean_old(self) -> str:
        old: str = self.cleaned_data["old"]
        if not self.person.check_password(old):
            raise ValidationError(_("That is not your current password. Nothing was changed."), code="wrong")
        return old


class NewPasswordForm(PasswordConfirmationForm):
    """Another password; the old one is asked for where there is one."""

    password = PasswordField(
        label=_("New password"),
        autocomplete="new-password",
        help_text=_("Use at least 8 characters, and don’t use a common password."),
    )
    again = PasswordField(label=_("Repeat the new password"), autocomplete="new-password")

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, self.person)
        return password

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if again != self.cleaned_data.get("password", again):
            raise ValidationError(_("The passwords don’t match. Type both again."), code="differs")
        return again


class ResetPasswordForm(NewPasswordForm):
    """A new password for somebody who came by the link in a mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("old", None)


class CardCodeForm(forms.Form):
    """The code on a sign-in card."""

    code = forms.CharField(
        label=_("Code on your card"),
        max_length=40,
        help_text=_("For example, abcd-efgh-jkmn. You can leave out the hyphens."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class EmailForm(PasswordConfirmationForm):
    """Where a link for a new password is sent: changing it could take an account over."""

    email = forms.EmailField(
        label=_("Email address"),
        required=False,
        max_length=254,
        help_text=_(
            "Optional. It is used to reset your password. Teachers also get an email when a pupil may need help."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ["email", "old"]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.lower()


class ResetRequestForm(forms.Form):
    who = forms.CharField(
        label=_("Your username or email address"),
        max_length=254,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )


class CodeForm(forms.Form):
    """A code of an authenticator app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        validators=[validate_storable],
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false", "autofocus": True}
        ),
    )


class GuardianForm(forms.Form):
    """The address of a parent or guardian, who is asked for consent."""

    email = forms.EmailField(
        label=_("Email address of a parent or guardian"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A teacher's page has one such form for each pupil.
        self.auto_id = f"guardian-{person.pk}-%s"
        self.person = person

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if email == self.person.email:
            raise ValidationError(_("This is the pupil’s own address. Enter the address of an adult."), code="own")
        return email


class GuardianAnswerForm(forms.Form):
    """A guardian's answer, with the name of who gives it."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=150,
        validators=[validate_storable],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    is_guardian = forms.BooleanField(label=_("I am this person’s parent or guardian, and I am 18 or older"))
    answer = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)


class EraseAccountForm(forms.Form):
    """The username typed by hand: nobody does that by mistake."""

    username = forms.CharField(
        label=_("Type your username to continue"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_username(self) -> str:
        username: str = Person.normalize_username(self.cleaned_data["username"])
        if username != self.person.username:
            raise ValidationError(_("That is not your username. Nothing was erased."), code="differs")
        return username


class TokenForm(forms.Form):
    """What a new token is for, what it may do and how long."""

    LIVES = (30, _("30 days")), (90, _("90 days")), (365, _("1 year"))
    label = forms.CharField(
        label=_("What is the token for?"),
        max_length=80,
        required=False,
        help_text=_("For example, “homework script”. A name helps you remember later which token to revoke."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What can the token do?"),
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ, Scope.CONVERSE],
        error_messages={"required": _("Choose at least one permission.")},
    )
    days = forms.TypedChoiceField(label=_("Valid for"), choices=LIVES, coerce=int, initial=365)

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(scope, Scope(scope).label) for scope in scopes_available_to(person)]
        if person.is_staff:
            self.fields["scopes"].help_text = _(
                "Programs that monitor this site need the “view site settings and statistics” permission to read its "
                "metrics."
            )
        cast("forms.MultipleChoiceField", self.fields["scopes"]).choices = choices
