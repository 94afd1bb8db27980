"""Admin pages for prompts: the active text, its versions and their differences, and trying a draft."""

from typing import Any, cast

from asgiref.sync import async_to_sync
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import formats, timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from agents.engine.registry import roles
from agents.models import ModelCall, PromptVersion
from agents.models.prompts import validate_prompt
from agents.people import Person
from agents.prompts.text_diff import DiffPart, diff_texts
from agents.prompts.tryouts import (
    learner_message,
    recorded_reply,
    repeatable_calls,
    try_prompt,
    tryout_context,
    tryout_obstacle,
)
from agents.prompts.versions import (
    FILE_VERSION,
    PromptConflict,
    UnknownPrompt,
    newest_version,
    newest_versions,
    restore_version,
    roles_by_prompt,
    set_prompt,
    text_in_force,
    version_text,
)

MAX_NUMBER = 2**31 - 1
"""The highest number that every database can store."""


class PromptText(forms.CharField):
    """Uses the line endings of files: browsers send two characters for each."""

    widget = forms.Textarea(attrs={"rows": 20, "cols": 80, "spellcheck": "true"})
    default_validators = [validate_prompt]

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")


class DraftForm(forms.Form):
    text = PromptText(
        label=gettext_lazy("Text"), error_messages={"required": gettext_lazy("A prompt cannot be empty.")}
    )
    note = forms.CharField(
        label=gettext_lazy("What you changed, and why"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=gettext_lazy("Shown in the list of versions. Optional."),
    )
    version_read = forms.IntegerField(min_value=0, max_value=MAX_NUMBER, widget=forms.HiddenInput)


class TryForm(forms.Form):
    """The recorded call that a draft is tried on; sent with the draft, in the same form."""

    call = forms.TypedChoiceField(label=gettext_lazy("Recorded turn to test the prompt on"), coerce=int)

    def __init__(self, *args: Any, calls: list[ModelCall], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["call"].choices = [(call.pk, call_label(call)) for call in calls]  # type: ignore[attr-defined]  # It is a choice.


class NumberForm(forms.Form):
    """A version, and the version that was active when it was chosen."""

    number = forms.IntegerField(min_value=FILE_VERSION, max_value=MAX_NUMBER)
    version_read = forms.IntegerField(min_value=0, max_value=MAX_NUMBER)


class CompareForm(forms.Form):
    before = forms.TypedChoiceField(label=gettext_lazy("From"), coerce=int)
    after = forms.TypedChoiceField(label=gettext_lazy("To"), coerce=int)

    def __init__(self, *args: Any, versions: list[PromptVersion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            (FILE_VERSION, _("the original file")),
            *((each.number, version_label(each)) for each in versions if each.text),
        ]
        for field in self.fields.values():
            field.choices = choices  # type: ignore[attr-defined]  # Both are choices.


@admin.register(PromptVersion)
class PromptAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: PromptVersion | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return only our own pages: a version's row is never edited directly."""
        of_page, restoring = require_http_methods(["GET", "HEAD", "POST"])(self.page), require_POST(self.restored)
        guarded = self.admin_site.admin_view
        return [
            path("", guarded(self.list_page), name="agents_promptversion_changelist"),
            path("<slug:name>/", guarded(of_page), name="agents_prompt"),
            path("<slug:name>/restore/", guarded(restoring), name="agents_prompt_restore"),
            path("<slug:name>/try/", guarded(require_POST(self.tried)), name="agents_prompt_try"),
        ]

    def list_page(self, request: HttpRequest) -> HttpResponse:
        versions = {each.name: each for each in newest_versions().select_related("by").defer("text")}
        prompts = [
            {"name": name, "roles": [each.label or each.name for each in having], "newest": versions.get(name)}
            for name, having in roles_by_prompt().items()
        ]
        return self.shown(request, "list", title=_("Prompts"), prompts=prompts)

    def page(self, request: HttpRequest, name: str) -> HttpResponse:
        """Show a prompt, or save a new text for it."""
        check_name(name)
        if request.method != "POST":
            return self.shown_prompt(request, name, draft_form(name), compare=request.GET or None)
        form = DraftForm(request.POST)
        try:
            if form.is_valid():
                set_prompt(name, by=request.user, **form.cleaned_data)
                messages.success(
                    request, _("Saved. Every conversation will use this text starting with its next turn.")
                )
                return redirect("admin:agents_prompt", name)
        except PromptConflict:
            return self.conflict(request, name, form)
        return self.shown_prompt(request, name, form, status=422)

    def restored(self, request: HttpRequest, name: str) -> HttpResponse:
        """Make an earlier version, or the file, active again."""
        check_name(name)
        form = NumberForm(request.POST)
        if not form.is_valid():
            return self.shown_prompt(request, name, draft_form(name), status=422)
        try:
            restore_version(name, by=request.user, **form.cleaned_data)
        except UnknownPrompt:
            raise Http404 from None
        except PromptConflict:
            messages.error(request, _("Someone else changed this prompt in the meantime. Nothing was restored."))
            return self.shown_prompt(request, name, draft_form(name), status=409)
        messages.success(request, _("Restored. Every conversation will use this text starting with its next turn."))
        return redirect("admin:agents_prompt", name)

    def tried(self, request: HttpRequest, name: str) -> HttpResponse:
        """Ask a model what it was asked in a turn, but with a draft prompt. Blocks this thread, not the event loop."""
        check_name(name)
        person = cast("Person", request.user)
        calls = repeatable_calls(name, person)
        form, trying = DraftForm(request.POST), TryForm(request.POST, calls=calls)
        if not (form.is_valid() and trying.is_valid()):
            return self.shown_prompt(request, name, form, trying=trying, status=422)
        call = next(each for each in calls if each.pk == trying.cleaned_data["call"])
        outcome = async_to_sync(try_prompt)(name, form.cleaned_data["text"], call, call_context=tryout_context(person))
        return self.shown_prompt(
            request,
            name,
            form,
            trying=trying,
            tried=outcome,
            before=recorded_reply(call),
            learner=learner_message(call),
        )

    def conflict(self, request: HttpRequest, name: str, form: DraftForm) -> HttpResponse:
        """Show the unsaved text next to the version somebody else has made active; saving again overwrites it."""
        words = _(
            "Someone else changed this prompt in the meantime. Your text is still in the box, but it has not been saved."
        )
        what_now = _("The differences are marked below. Save again to replace the other person’s text with yours.")
        form.add_error(None, ValidationError(f"{words} {what_now}", code="conflict"))
        version = newest_version(name)
        form.data = {**dict(form.data.items()), "version_read": version.number if version else 0}
        parts = diff_texts(text_in_force(name), form.cleaned_data["text"])
        return self.shown_prompt(request, name, form, status=409, yours=parts)

    def shown_prompt(
        self, request: HttpRequest, name: str, form: DraftForm, *, compare: Any = None, status: int = 200, **more: Any
    ) -> HttpResponse:
        versions = list(PromptVersion.objects.filter(name=name).select_related("by"))
        latest, person = versions[0] if versions else None, cast("Person", request.user)
        comparing = CompareForm(compare, versions=versions, initial={"after": latest.number if latest else 0})
        context = {
            "title": ", ".join(str(each.label or each.name) for each in roles_by_prompt()[name]),
            "name": name,
            "form": form,
            "newest": latest,
            "versions": versions,
            "trying": TryForm(calls=repeatable_calls(name, person)),
            "not_tried": tryout_obstacle(name, person),
            "comparing": comparing,
            "compared": compare_versions(name, comparing) if compare else None,
            **more,
        }
        return self.shown(request, "prompt", status=status, **context)

    def shown(self, request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, f"admin/agents/promptversion/{template}.html", context, status=status)


def check_name(name: str) -> None:
    """Raise Http404 if no role has this prompt."""
    if name not in roles_by_prompt():
        raise Http404


def draft_form(name: str) -> DraftForm:
    version = newest_version(name)
    return DraftForm(initial={"text": text_in_force(name), "version_read": version.number if version else 0})


def compare_versions(name: str, form: CompareForm) -> list[DiffPart] | None:
    """Return the differences between the two chosen versions; None if the choice is invalid."""
    if not form.is_valid():
        return None
    return diff_texts(version_text(name, form.cleaned_data["before"]), version_text(name, form.cleaned_data["after"]))


def version_label(version: PromptVersion) -> str:
    name = _("version %(number)d") % {"number": version.number}
    return f"{name} ({version.note})" if version.note else name


def call_label(call: ModelCall) -> str:
    """Return a call's label in a list: its agent, the time, and the learner's message."""
    at = formats.date_format(timezone.localtime(call.started_at), "SHORT_DATETIME_FORMAT")
    return f"{roles[call.agent].label or call.agent}, {at}: “{Truncator(learner_message(call)).chars(60)}”"
