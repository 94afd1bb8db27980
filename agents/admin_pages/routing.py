"""Admin pages of routing: the words of each agent, and where they and the classifier or the model disagree."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from agents.admin_pages.ledger import ReadOnlyAdmin
from agents.models import RoutedMessage, RoutingWords
from agents.routing.keywords import KeywordIndex, WordUse
from agents.routing.surfaces import surface_named, surfaces
from agents.routing.word_lists import (
    HIGHEST_WEIGHT,
    LONGEST,
    MOST_WORDS,
    SHORTEST_STEM,
    WordListError,
    format_words,
    parse_words,
)
from agents.runtime.routing_records import agents_used, disputed_words
from agents.runtime.routing_words import forget_words, index_words, listed_words, merge_words, site_rows

SHOWN: Final = timedelta(days=30)
"""How far back disagreements and usage are shown."""
MOST_NAMED: Final = 8
"""Words named in a warning."""
PROBLEMS: Final = {
    "form": gettext_lazy("“%(line)s” can’t be read. Write a word or a phrase, and if you like “= 2” after it."),
    "short": gettext_lazy("“%(line)s” is a single letter. It would be found in messages of all kinds."),
    "long": gettext_lazy("“%(line)s” is too long. A word or phrase can have up to %(longest)d characters."),
    "stem": gettext_lazy("“%(line)s” stands for too many words. Write at least %(stem)d letters before the asterisk."),
    "weight": gettext_lazy("The weight in “%(line)s” is too high. The highest is %(weight)g."),
    "twice": gettext_lazy("“%(line)s” is in the list twice. Delete one of the two."),
    "many": gettext_lazy("The list has %(line)s words. It can have up to %(most)d."),
}


class RoutingWordsForm(forms.ModelForm):  # type: ignore[type-arg]  # Generic in the stubs only.
    listed = forms.ChoiceField(label=gettext_lazy("Agent"))
    lines = forms.CharField(
        label=gettext_lazy("Words"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 16, "cols": 40, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One word or phrase per line. A message goes to the agent if at least two of its words occur in it, and"
            " clearly more than those of any other agent. “remind*” also finds “reminder” and “reminding”. “deadline = 2”"
            " counts twice, and in the list of a space, “deadline = 0” takes away a word of the whole site."
        ),
    )

    class Meta:
        model = RoutingWords
        fields = ["space"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["listed"].choices = agent_choices()  # type: ignore[attr-defined]  # It is a choice.
        if self.instance.pk is not None:
            self.initial["listed"] = f"{self.instance.surface}:{self.instance.agent}"
            self.initial["lines"] = format_words(self.instance.words)
            self.fields["listed"].disabled = True

    def clean_space(self) -> str:
        return str(self.cleaned_data["space"]).strip().casefold()

    def clean_lines(self) -> dict[str, float]:
        try:
            words = parse_words(self.cleaned_data["lines"].splitlines())
        except WordListError as error:
            limits = {"longest": LONGEST, "stem": SHORTEST_STEM, "weight": HIGHEST_WEIGHT, "most": MOST_WORDS}
            raise ValidationError(
                PROBLEMS[error.code], code=error.code, params={"line": error.line, **limits}
            ) from None
        return words

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if "listed" in self.cleaned_data:
            self.instance.surface, self.instance.agent = self.cleaned_data["listed"].split(":")
        if "lines" in self.cleaned_data:
            self.instance.words = self.cleaned_data["lines"]
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        # Both are set in `clean`, so the constraint on them is checked as well.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # Not in the stubs.
        return excluded - {"surface", "agent"} if "listed" in self.cleaned_data else excluded


@admin.register(RoutingWords)
class RoutingWordsAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Generic in the stubs only.
    form = RoutingWordsForm
    fields = ("listed", "space", "lines")
    list_display = ["agent_name", "space_name", "count", "changed_at", "by"]
    list_select_related = ["by"]
    list_filter = ["surface", "agent"]
    search_fields = ["space", "agent"]
    change_list_template = "admin/agents/routingwords/change_list.html"
    change_form_template = "admin/agents/routingwords/change_form.html"

    @admin.display(description=gettext_lazy("agent"), ordering="agent")
    def agent_name(self, row: RoutingWords) -> str:
        return agent_label(row.surface, row.agent)

    @admin.display(description=gettext_lazy("space"), ordering="space")
    def space_name(self, row: RoutingWords) -> str:
        return row.space or _("the whole site")

    @admin.display(description=gettext_lazy("words"))
    def count(self, row: RoutingWords) -> int:
        return len(row.words)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the words in force for the agent named in the address, so that nobody begins with an empty list."""
        listed = request.GET.get("listed", "")
        if listed not in dict(agent_choices()):
            return {}
        surface, agent = listed.split(":")
        return {"listed": listed, "lines": format_words(listed_words(surface).get(agent, {}))}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        own = {(surface, agent) for surface, agent, space, _words in site_rows() if not space}
        shipped = [
            {
                "label": label,
                "count": len(surface_named(name.split(":")[0]).words.get(name.split(":")[1], {})),
                "listed": name,
            }
            for name, label in agent_choices()
            if tuple(name.split(":")) not in own
        ]
        return super().changelist_view(request, {"shipped": shipped, **(extra_context or {})})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id) if object_id else None
        report = _report(row) if row is not None else {}
        return super().changeform_view(request, object_id, form_url, {**report, **(extra_context or {})})

    def save_model(self, request: HttpRequest, obj: RoutingWords, form: Any, change: bool) -> None:
        obj.by = cast("Any", request.user)
        super().save_model(request, obj, form, change)
        forget_words()
        for problem in word_problems(obj):
            messages.warning(request, problem)

    def delete_model(self, request: HttpRequest, obj: RoutingWords) -> None:
        super().delete_model(request, obj)
        forget_words()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        super().delete_queryset(request, queryset)
        forget_words()


@admin.register(RoutedMessage)
class RoutedMessageAdmin(ReadOnlyAdmin):
    """Only what routing decided: what learners wrote is not for browsing."""

    list_display = ["created_at", "agent", "strategy", "confidence", "by_keyword", "by_classifier", "by_model", "space"]
    fields = (
        "created_at",
        "agent",
        "strategy",
        "confidence",
        "by_keyword",
        "by_classifier",
        "by_model",
        "space",
        "reason",
        "words",
        "words_version",
    )
    list_filter = ["surface", "agent", "strategy"]
    date_hierarchy = "created_at"
    show_full_result_count = False
    change_list_template = "admin/agents/routedmessage/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the pages with that of the disagreements, which comes before any id."""
        page = self.admin_site.admin_view(require_safe(self.disagreements))
        return [path("disagreements/", page, name="agents_routedmessage_disagreements"), *super().get_urls()]

    def disagreements(self, request: HttpRequest) -> HttpResponse:
        """Show the words that led elsewhere than the classifier or the model, most often first, and who got what."""
        if not self.has_view_permission(request):
            return HttpResponse(status=404)
        shown = [
            {
                "name": name,
                "label": surface.label,
                "used": [(agent_label(name, agent), count) for agent, count in agents_used(name, since=SHOWN).items()],
                "words": [
                    {
                        "word": each.word,
                        "agent": agent_label(name, each.agent),
                        "hits": each.hits,
                        "disputed": each.disputed,
                        "others": [(agent_label(name, other), count) for other, count in each.others.items()],
                        "edit": edit_address(name, each.agent),
                    }
                    for each in disputed_words(name, since=SHOWN)
                ],
            }
            for name, surface in surfaces().items()
        ]
        context = {
            **self.admin_site.each_context(request), "opts": self.opts, "title": _("Where words and classifier disagree"),
            "surfaces": shown, "days": SHOWN.days,
        }  # fmt: skip
        return TemplateResponse(request, "admin/agents/routedmessage/disagreements.html", context)


def agent_choices() -> list[tuple[str, str]]:
    """Return `surface:agent` and its label, for each agent of each surface."""
    return [
        (f"{name}:{agent}", f"{surface.label}: {label}")
        for name, surface in surfaces().items()
        for agent, label in surface.agents.items()
    ]


def agent_label(surface: str, agent: str) -> str:
    """Return an agent's name for readers."""
    found = surfaces().get(surface)
    return str(found.agents.get(agent, agent)) if found else agent


def edit_address(surface: str, agent: str) -> str:
    """Return the page on which an agent's words for the whole site are edited."""
    row = RoutingWords.objects.filter(surface=surface, agent=agent, space="").values_list("pk", flat=True).first()
    if row is None:
        return f"{reverse('admin:agents_routingwords_add')}?listed={surface}:{agent}"
    return reverse("admin:agents_routingwords_change", args=[row])


def word_report(row: RoutingWords) -> Sequence[WordUse]:
    """Return what each word of a list is worth, those that say least first."""
    uses = [use for use in _index_with(row).uses if use.agent == row.agent and use.word in row.words]
    return sorted(uses, key=lambda use: (use.weight / use.listed if use.listed else 1.0, use.word))


def _report(row: RoutingWords) -> dict[str, Any]:
    """Return what the page of a list shows below it."""
    uses = [{"use": use, "other": agent_label(row.surface, use.other)} for use in word_report(row)]
    return {"report": uses, "problems": word_problems(row)}


def word_problems(row: RoutingWords) -> list[str]:
    """Return what is wrong with a list, as sentences: a list that claims too much, and words of others' messages."""
    index, problems = _index_with(row), []
    if row.agent in index.unused:
        problems.append(
            _(
                "This list is not used: it would bring too many example messages of other agents here. Remove common words."
            )
        )
    claiming = [use.word for use in word_report(row) if use.others > use.own]
    if claiming:
        named = ", ".join(f"“{word}”" for word in claiming[:MOST_NAMED])
        words = ngettext(
            "%(count)d word occurs mostly in messages of other agents, and counts for nothing: %(named)s.",
            "%(count)d words occur mostly in messages of other agents, and count for nothing: %(named)s.",
            len(claiming),
        ) % {
            "count": len(claiming),
            "named": named if len(claiming) <= MOST_NAMED else _("%(named)s and others") % {"named": named},
        }
        problems.append(words)
    return problems


def _index_with(row: RoutingWords) -> KeywordIndex:
    """Return the words as they count with this list, stored or not."""
    rows = [each for each in site_rows() if each[:3] != (row.surface, row.agent, row.space)]
    found = [each for each in rows if each[0] == row.surface] + [(row.surface, row.agent, row.space, row.words)]
    return index_words(row.surface, merge_words(surface_named(row.surface).words, found, row.space)).index
