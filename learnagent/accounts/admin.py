"""People as admins see them: added, changed, signed out. They go by `erase_person`. Nobody's password is here."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from agents.admin_pages.change_words import change_message
from learnagent.accounts.admin_forms import AddPersonForm, PersonForm
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sessions import end_sessions, sessions_of
from learnagent.accounts.authentication.sign_in_links import sign_in_address, withdraw_links
from learnagent.accounts.forms import GuardianForm
from learnagent.accounts.guardians import ask_guardian
from learnagent.accounts.models import ApiToken, GuardianRequest, Person
from learnagent.site import admin as site_pages  # noqa: F401  # Registers its pages.
from tutoring.models import Membership

# Who may do what follows from a person's role alone.
admin.site.unregister(Group)


class TokenInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Which tokens there are; an admin can revoke them and no more."""

    model = ApiToken
    fields = readonly_fields = ("prefix", "label", "scopes", "created_at", "expires_at", "last_used_at")
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return False


class ClassInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    """The classes that the person learns in or teaches."""

    model = Membership
    fields = ("classroom", "role")
    autocomplete_fields = ("classroom",)
    extra = 0


class GuardianInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    """What guardians were asked and answered, with the evidence."""

    model = GuardianRequest
    fk_name = "person"
    fields = readonly_fields = (
        "email", "asked_by", "asked_at", "status", "decided_at", "guardian_name", "address", "withdrawn_at",
    )  # fmt: skip
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return False


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    list_display = ["username", "display_name", "role", "level", "age_band", "consents", "is_active", "last_login"]
    list_filter = ["role", "age_band", "is_active", "is_guest"]
    search_fields = ["username", "display_name", "email", "=memberships__classroom__code"]
    search_help_text = gettext_lazy("Search by name, email address, or class code")
    form = PersonForm
    fields = [
        "username", "display_name", "email", "role", "is_active", "age_band", "level", "language", "zone", "consents",
        "consented_at", "consent_decided_at", "guardian_agreed_at", "created_at", "last_login",
    ]  # fmt: skip
    readonly_fields = [
        "username", "consents", "consented_at", "consent_decided_at", "guardian_agreed_at", "created_at", "last_login",
    ]  # fmt: skip
    inlines = [ClassInline, GuardianInline, TokenInline]
    change_form_template = "admin/accounts/person/change_form.html"

    @admin.display(description=gettext_lazy("external models"), boolean=True)
    def consents(self, person: Person) -> bool:
        return person.consent

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        return super().get_queryset(request).defer("password")

    def has_delete_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, obj: Person | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            return super().get_form(request, obj, change, form=AddPersonForm, fields=AddPersonForm.Meta.fields)
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.editor = request.user if isinstance(request.user, Person) else None
        return form

    def get_fields(self, request: HttpRequest, obj: Person | None = None) -> Any:
        return AddPersonForm.Meta.fields if obj is None else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Person | None = None) -> Any:
        return [] if obj is None else self.readonly_fields

    def get_inlines(self, request: HttpRequest, obj: Person | None) -> Any:
        return [ClassInline] if obj is None else self.inlines

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        return change_message(form, formsets, is_new=add)

    def save_model(self, request: HttpRequest, obj: Person, form: forms.Form, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and not obj.is_active:
            end_sessions(obj)

    def response_add(self, request: HttpRequest, obj: Person, post_url_continue: str | None = None) -> HttpResponse:
        return self._link_page(request, obj)

    def get_urls(self) -> list[URLPattern]:
        """Return the pages of a person, with the actions on it."""
        actions = {"sign-in-link": self.make_link, "sign-out": self.sign_out, "guardian": self.ask}
        own = [
            path(
                f"<int:pk>/{name}/",
                self.admin_site.admin_view(require_POST(view)),
                name=f"accounts_person_{name.replace('-', '_')}",
            )
            for name, view in actions.items()
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        person = self.get_object(request, object_id)
        more: dict[str, Any] = {}
        if person is not None:
            more = {
                "sessions": sessions_of(person, current=None),
                "may_get_link": _may_get_link(person),
                "guardian_form": None if person.is_adult or person.is_guest else GuardianForm(person=person),
            }
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})

    def make_link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a new sign-in link, once. Only for somebody who has not signed in yet: it must not let an admin in as them."""
        person = get_object_or_404(Person, pk=pk)
        if not _may_get_link(person):
            raise Http404
        self.log_change(request, person, _("Made a sign-in link."))
        return self._link_page(request, person)

    def sign_out(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End every browser session of the person."""
        person = get_object_or_404(Person, pk=pk)
        end_sessions(person, but=request.session.session_key)
        withdraw_links(person)
        self.log_change(request, person, _("Signed out everywhere."))
        messages.success(request, _("%(name)s has been signed out everywhere.") % {"name": person})
        return redirect("admin:accounts_person_change", pk)

    def ask(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask the person's guardian for consent, by mail."""
        person = get_object_or_404(Person.objects.exclude(age_band="adult"), pk=pk, is_guest=False)
        form = GuardianForm(request.POST, person=person)
        asker = request.user
        assert isinstance(asker, Person)
        try:
            if form.is_valid():
                ask_guardian(person, form.cleaned_data["email"], by=asker)
                messages.success(request, _("The guardian has been asked."))
            else:
                messages.error(request, " ".join(str(error) for error in form.errors.get("email", [])))
        except TooManyTries as error:
            messages.error(request, str(error.words))
        return redirect("admin:accounts_person_change", pk)

    def _link_page(self, request: HttpRequest, person: Person) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Sign-in link"),
            "person": person,
            "link": sign_in_address(person),
        }
        return TemplateResponse(request, "admin/accounts/person/link.html", context)


def _may_get_link(person: Person) -> bool:
    return person.last_login is None and person.is_active and not person.is_guest
