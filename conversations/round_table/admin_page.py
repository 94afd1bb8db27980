"""Admin pages of the round table: the roster, and the limits of all tables."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from agents.admin_pages.lines_field import LinesField
from conversations.models import Collaborator, RoundTableLimits
from conversations.round_table.figures.admin_page import show_figures
from conversations.round_table.roster import SHIPPED, make_shipped_collaborators


class CollaboratorForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    tools = LinesField(
        label=_("Tools"), required=False,
        help_text=_("One per line. A language model may use these tools as well as those of the round table."),
    )  # fmt: skip
    capabilities = LinesField(
        label=_("Capabilities"), required=False,
        help_text=_("One per line. If no agent is named, these words in a question select this agent."),
    )  # fmt: skip
    allowed = LinesField(
        label=_("People and classes"), required=False,
        help_text=_("Usernames and class codes, one per line. They matter only if “Open to” is set to “the people and classes listed below”."),
    )  # fmt: skip

    class Meta:
        model = Collaborator
        fields = [
            "name", "title", "purpose", "instructions", "looks_for", "tools", "capabilities", "tier", "timeout_s",
            "most_words", "open_to", "allowed", "enabled", "place",
        ]  # fmt: skip


@admin.register(Collaborator)
class CollaboratorAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Who may sit at the round table. Shipped collaborators can be changed and switched off, but not deleted."""

    form = CollaboratorForm
    list_display = ["title", "name", "purpose", "looks_for", "tier", "open_to", "enabled"]
    list_filter = ["enabled", "open_to", "looks_for"]
    ordering = ["place", "name"]
    change_list_template = "admin/conversations/round_table/change_list.html"
    actions = None  # Deleting several at once would delete shipped ones too.

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collaborator]:
        make_shipped_collaborators()
        return super().get_queryset(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Collaborator | None = None) -> list[str]:
        # Finished discussions name their agents.
        return ["name"] if obj is not None else []

    def has_delete_permission(self, request: HttpRequest, obj: Collaborator | None = None) -> bool:
        # Without a row, a shipped one would be there again as it was shipped.
        return super().has_delete_permission(request, obj) and (obj is None or obj.name not in SHIPPED)


@admin.register(RoundTableLimits)
class RoundTableLimitsAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """The one row of limits. Who may use the round table at all is decided by the flag `round_table`."""

    list_display = ["__str__", "most_agents", "most_rounds"]
    change_list_template = "admin/conversations/round_table/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the pages with that of the figures, which comes before any id."""
        figures = self.admin_site.admin_view(require_safe(self.figures))
        return [path("figures/", figures, name="conversations_roundtablelimits_figures"), *super().get_urls()]

    def figures(self, request: HttpRequest) -> HttpResponse:
        return show_figures(request, self)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        RoundTableLimits.objects.get_or_create(pk=1)
        return super().changelist_view(request, extra_context)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: RoundTableLimits | None = None) -> bool:
        return False
