"""Admin pages for the site's name and look, and for announcements."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.admin_pages.change_words import change_message
from learnagent.accounts.models import Announcement, SiteLook
from learnagent.site.look import forget_look_now_and_on_commit
from tutoring.models import Classroom


class CachedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    """Rows that every process caches for seconds."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        return change_message(form, formsets, is_new=add)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        forget_look_now_and_on_commit()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        forget_look_now_and_on_commit()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        super().delete_queryset(request, queryset)
        forget_look_now_and_on_commit()


@admin.register(SiteLook)
class SiteLookAdmin(CachedAdmin):
    """The one row: the list leads to its form."""

    fields = ["name", "accent", "contact"]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        row = SiteLook.objects.first() or SiteLook.objects.create()
        return redirect("admin:accounts_sitelook_change", row.pk)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: SiteLook | None = None) -> bool:
        return False


class AnnouncementForm(forms.ModelForm):  # type: ignore[type-arg]  # As above.
    class_code = forms.ModelChoiceField(
        Classroom.objects.order_by("name"), to_field_name="code", required=False, label=_("class")
    )

    class Meta:
        model = Announcement
        fields = ["text", "audience", "class_code", "starts_at", "ends_at"]

    def clean_class_code(self) -> str:
        classroom: Classroom | None = self.cleaned_data["class_code"]
        return classroom.code if classroom is not None else ""


@admin.register(Announcement)
class AnnouncementAdmin(CachedAdmin):
    list_display = ["text", "audience", "class_code", "starts_at", "ends_at", "is_shown", "by"]
    list_filter = ["audience"]
    list_select_related = ["by"]
    form = AnnouncementForm

    @admin.display(description=_("shown now"), boolean=True)
    def is_shown(self, row: Announcement) -> bool:
        now = timezone.now()
        return row.starts_at <= now and (row.ends_at is None or row.ends_at > now)

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        if not change:
            obj.by = request.user  # type: ignore[assignment]  # An admin is a person.
        super().save_model(request, obj, form, change)
