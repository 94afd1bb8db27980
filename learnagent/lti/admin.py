"""Admin pages: the registered platforms with what to enter there, and what became of the grades."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from conversations.admin import ReadOnlyAdmin
from learnagent.lti.addresses import own_addresses
from learnagent.lti.grades import send_again
from learnagent.lti.models import Grade, Platform, ToolKey


@admin.register(Platform)
class PlatformAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Platforms are turned off rather than deleted once somebody has come from them: their accounts stay."""

    list_display = ["name", "issuer", "client_id", "is_active", "created_at"]
    fields = [
        "name", "issuer", "client_id", "deployments", "auth_url", "token_url", "jwks_url", "pages", "is_active",
    ]  # fmt: skip
    change_list_template = "admin/lti/platform/change_list.html"
    change_form_template = "admin/lti/platform/change_form.html"

    def get_urls(self) -> list[URLPattern]:
        rotate = self.admin_site.admin_view(require_POST(self.rotate_key))
        return [path("rotate-key/", rotate, name="lti_platform_rotate_key"), *super().get_urls()]

    def save_model(self, request: HttpRequest, obj: Platform, form: Any, change: bool) -> None:
        # The library for keys takes long to load, and a start must not wait for it.
        from learnagent.lti.keys import make_first_key

        super().save_model(request, obj, form, change)
        make_first_key()

    def rotate_key(self, request: HttpRequest) -> HttpResponse:
        """Replace the signing key; platforms that have the old one can use it for a while."""
        from learnagent.lti.keys import make_key

        key = make_key()
        self.log_addition(request, key, _("New signing key"))
        messages.success(
            request, _("learnagent now signs with a new key. Platforms read it from the key URL by themselves.")
        )
        return redirect("admin:lti_platform_changelist")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = {"addresses": own_addresses(), "key": ToolKey.objects.first()}
        return super().changelist_view(request, context | (extra_context or {}))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        return super().changeform_view(
            request, object_id, form_url, {"addresses": own_addresses(), **(extra_context or {})}
        )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(obj, Platform) and not obj.accounts.exists()


@admin.register(Grade)
class GradeAdmin(ReadOnlyAdmin):
    """What is sent to platforms, and why something was not."""

    list_display = ["account", "link", "score", "status", "tries", "answer", "next_at", "sent_at"]
    list_filter = ["status", "account__platform"]
    list_select_related = ["account__person", "account__platform", "link__course", "link__concept"]
    search_fields = ["account__person__username", "account__person__display_name"]
    ordering = ["-pk"]
    fields = [
        "account", "link", "score", "is_mastered", "scored_at", "status", "tries", "answer", "next_at", "sent_at",
    ]  # fmt: skip
    actions = ["send_again"]

    @admin.action(description=gettext_lazy("Send grades that were given up again"))
    def send_again(self, request: HttpRequest, grades: QuerySet[Grade]) -> None:
        count = send_again(grades, at=timezone.now())
        words = ngettext("%(count)d grade will be sent again.", "%(count)d grades will be sent again.", count)
        messages.success(request, words % {"count": count})
