"""Admin pages for feature flags: the list, the form with the lists of people and classes, all changes."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from agents.admin_pages import flag_page
from agents.admin_pages.lines_field import LinesField
from agents.models import Flag, FlagChange
from agents.models.flags import validate_allowed, validate_class_percents, validate_never
from agents.rollout.flags import (
    GUARDED,
    change_flag,
    find_past_end,
    make_flag,
    make_known_flags,
    reset_rollout,
    rule_from,
)
from agents.rollout.guards import find_refusal
from agents.rollout.known_flags import KNOWN_FLAGS, as_settings

SETTINGS = ("percent", "killed", "allowed", "never", "class_percents", "mode")


class PercentsField(forms.CharField):
    """Form field for class codes with percentages, one pair per line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 40})
    default_validators = [validate_class_percents]
    empty_values = [None]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{code} {percent}" for code, percent in value.items()) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> Any:
        pairs = [line.split() for line in (value or "").splitlines() if line.strip()]
        if any(len(pair) != 2 for pair in pairs):
            raise ValidationError(_("Enter a class code, a space, and a percentage on each line, for example: 4b 25"))
        return dict(pairs)


class EndsField(forms.CharField):
    """Form field for usernames and class codes, one per line, each with a date after a space or with none."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 40})
    default_validators = [validate_never]
    empty_values = [None]

    def prepare_value(self, value: Any) -> Any:
        return (
            "\n".join(f"{name} {end}".strip() for name, end in sorted(value.items()))
            if isinstance(value, dict)
            else value
        )

    def to_python(self, value: Any) -> Any:
        lines = [line.split() for line in (value or "").splitlines() if line.strip()]
        if any(len(line) > 2 for line in lines):
            raise ValidationError(
                _(
                    "Enter a username or a class code on each line. You can add a space and a date, for example: 9c 2026-09-21"
                )
            )
        return {name: "".join(end) for name, *end in lines}


class FlagForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    allowed = LinesField(
        validators=[validate_allowed],
        label=gettext_lazy("Always on for"),
        required=False,
        help_text=gettext_lazy(
            "Enter usernames and class codes, one per line. The feature is always on for these people and classes."
        ),
    )
    never = EndsField(
        label=gettext_lazy("Never on for"),
        required=False,
        help_text=gettext_lazy(
            "Enter usernames and class codes, one per line. The feature is never on for these people and classes, whatever the percentage. To let an entry end by itself, add the day from which it no longer counts, for example: 9c 2026-09-21"
        ),
    )
    class_percents = PercentsField(
        label=gettext_lazy("Percentage by class"),
        required=False,
        help_text=gettext_lazy(
            "Enter one class per line, for example: 4b 25. If the general percentage is higher, it applies instead."
        ),
    )
    version_read = forms.IntegerField(required=False, widget=forms.HiddenInput)
    is_sure = forms.BooleanField(
        required=False, widget=forms.HiddenInput, label=gettext_lazy("Yes, turn it off for everyone")
    )
    """Shown when saving would turn the feature off for everyone."""

    class Meta:
        model = Flag
        fields = ["name", *SETTINGS]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["version_read"].initial = self.instance.version

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        current = Flag.objects.select_for_update().filter(pk=self.instance.pk).first()
        if current is not None and current.version != self.cleaned_data.get("version_read"):
            words = _("Someone else changed this flag in the meantime. Your changes were not saved.")
            what_now = _("Reload the page to see the current values, then make your change again.")
            raise ValidationError(f"{words} {what_now}", code="conflict")
        if current is not None and not self.cleaned_data.get("is_sure") and self._turns_off(current):
            self.fields["is_sure"].widget = forms.CheckboxInput()
            self.add_error(
                "is_sure", _("This turns the feature off for everyone. To go ahead, tick this box and save.")
            )
        never = self.cleaned_data.get("never")
        if never is not None and (past := find_past_end(current.never if current else {}, never)):
            self.add_error("never", past)
        is_stop = set(self.changed_data) - {"is_sure"} == {"killed"} and self.cleaned_data.get("killed")
        if current is not None and self.changed_data and not is_stop:
            wanted = {name: self.cleaned_data.get(name, getattr(current, name)) for name in SETTINGS}
            after = rule_from(Flag(name=current.name, salt=current.salt, **wanted))
            if refusal := find_refusal(current.name, rule_from(current), after):
                raise ValidationError(refusal, code=GUARDED)
        return cleaned

    def _turns_off(self, current: Flag) -> bool:
        """Tell whether the kill switch is new, or nobody is left of a percentage."""
        wanted = self.cleaned_data
        is_killed = bool(wanted.get("killed")) and not current.killed
        return is_killed or (wanted.get("percent") == 0 and current.percent > 0)


class FlagChangeInline(admin.TabularInline):  # type: ignore[type-arg]  # Generic in the stubs only.
    """The record of changes, read-only."""

    model = FlagChange
    fields = readonly_fields = ("at", "by", "version", "what")
    extra = 0

    @admin.display(description=gettext_lazy("what"))
    def what(self, change: FlagChange) -> str:
        return flag_page.describe_change(change)

    def has_add_permission(self, request: HttpRequest, obj: Flag | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Flag | None = None) -> bool:
        return False


@admin.register(Flag)
class FlagAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    form = FlagForm
    list_display = ["page_link", "percent", "switched_off", "named", "as_settings", "version"]
    list_display_links = None
    inlines = [FlagChangeInline]

    @admin.display(description=gettext_lazy("flag"), ordering="name")
    def page_link(self, flag: Flag) -> str:
        known = KNOWN_FLAGS.get(flag.name)
        url = reverse("admin:agents_flag_page", args=[flag.pk])
        return format_html('<a href="{}">{}</a><br>{}', url, known.title if known else flag.name, flag.name)

    @admin.display(description=gettext_lazy("as settings"))
    def as_settings(self, flag: Flag) -> str:
        return format_html_join(mark_safe("<br>"), "<code>{} = {}</code>", as_settings(flag)) or "–"

    def get_fields(self, request: HttpRequest, obj: Flag | None = None) -> tuple[str, ...]:
        known = KNOWN_FLAGS.get(obj.name) if obj else None
        shown = SETTINGS if known and known.modes else [name for name in SETTINGS if name != "mode"]
        return ("name", *shown, "version_read", "is_sure")

    @admin.display(description=gettext_lazy("kill switch"))
    def switched_off(self, flag: Flag) -> str:
        return _("off for everyone") if flag.killed else "–"

    @admin.display(description=gettext_lazy("always on for"))
    def named(self, flag: Flag) -> int:
        return len(flag.allowed)

    def get_readonly_fields(self, request: HttpRequest, obj: Flag | None = None) -> list[str]:
        return ["name"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Flag | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        def guarded(route: str, view: Callable[..., HttpResponseBase], name: str) -> URLPattern:
            return path(route, self.admin_site.admin_view(view), name=f"agents_flag_{name}")

        return [
            guarded("safe-rollout/", require_POST(self.safe_rollout), "safe_rollout"),
            guarded("<int:flag_id>/", require_safe(flag_page.page), "page"),
            guarded("<int:flag_id>/live/", require_safe(flag_page.live), "live"),
            guarded("<int:flag_id>/comparison/", require_safe(flag_page.comparison), "comparison"),
            guarded("<int:flag_id>/table/", require_safe(flag_page.table), "table"),
            guarded("<int:flag_id>/step/", require_POST(flag_page.step), "step"),
            guarded("<int:flag_id>/stop/", require_POST(flag_page.stop), "stop"),
            guarded("<int:flag_id>/release/", require_POST(flag_page.release), "release"),
            guarded("<int:flag_id>/mode/", require_POST(flag_page.mode), "mode"),
            guarded("<int:flag_id>/plan/", require_POST(flag_page.plan), "plan"),
            guarded("<int:flag_id>/plans/<int:plan_id>/cancel/", require_POST(flag_page.cancel), "cancel"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        make_known_flags()
        return super().changelist_view(request, extra_context)

    def safe_rollout(self, request: HttpRequest) -> HttpResponse:
        for name, refusal in reset_rollout(by=request.user).items():
            messages.warning(request, f"{name}: {refusal}")
        messages.success(
            request, _("All features are now off, the fallback to v1 is on, and all “Always on for” lists are empty.")
        )
        return redirect("admin:agents_flag_changelist")

    def save_model(self, request: HttpRequest, obj: Flag, form: "forms.ModelForm[Flag]", change: bool) -> None:
        if not change:
            obj.pk = make_flag(obj.name, by=request.user).pk
        changes = {name: form.cleaned_data[name] for name in SETTINGS if name in form.cleaned_data}
        obj.version = change_flag(obj.name, by=request.user, **changes).version

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Return a rejected form with the matching status: 409 for a newer version, 422 for an invalid value."""
        response = super().render_change_form(request, context, *args, **kwargs)
        form = context["adminform"].form
        if form.is_bound and form.errors:
            response.status_code = 409 if form.has_error(NON_FIELD_ERRORS, "conflict") else 422
        return response
