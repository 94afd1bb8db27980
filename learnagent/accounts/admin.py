"""People as admins see them. They come by signing up or by command, and go by `erase_person`."""

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.models import ApiToken, Person

# Who may do what follows from a person's role alone.
admin.site.unregister(Group)


class TokenInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Which tokens there are; an admin can revoke them and no more."""

    model = ApiToken
    fields = readonly_fields = ("prefix", "label", "scopes", "created_at", "expires_at", "last_used_at")
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return False


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    list_display = ["username", "display_name", "role", "level", "age_band", "consents", "is_active", "last_login"]
    list_filter = ["role", "age_band", "is_active", "is_guest"]
    search_fields = ["username", "display_name"]
    fields = [
        "username", "display_name", "email", "role", "is_active", "age_band", "level", "language", "zone",
        "consented_at", "consent_decided_at", "created_at", "last_login",
    ]  # fmt: skip
    readonly_fields = ["username", "consented_at", "consent_decided_at", "created_at", "last_login"]
    inlines = [TokenInline]

    @admin.display(description=_("external models"), boolean=True)
    def consents(self, person: Person) -> bool:
        return person.consent

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        return super().get_queryset(request).defer("password")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return False
