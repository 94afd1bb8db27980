"""The page of a flag: its steps, what they bring, who is in, planned changes, and the kill switch."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.admin_pages import flag_figures
from agents.models import Flag, FlagChange, PlannedChange
from agents.rollout.comparison import ComparedMetric
from agents.rollout.flags import FlagConflict, change_flag, rule_from
from agents.rollout.guards import find_refusal
from agents.rollout.known_flags import KNOWN_FLAGS, READ_MODES, STAGES, as_settings
from agents.rollout.people_counts import RoleCount, count_people, look_up
from agents.rollout.planned_changes import cancel_planned_change, plan_change

MAX_NUMBER: Final = 2**31 - 1
"""The highest number that every database can store."""
CHANGES_READ: Final = 100
CHANGES_SHOWN: Final = 8
PLANS_SHOWN: Final = 10
PEOPLE_CACHED_S: Final = 60
USERNAME_LENGTH: Final = 150


class VersionForm(forms.Form):
    """The version of the flag that the admin was looking at."""

    version = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)


class StepForm(VersionForm):
    percent = forms.DecimalField(min_value=0, max_value=100, max_digits=5, decimal_places=2)
    is_sure = forms.BooleanField(required=False)
    """Whether the warning against the step was shown, and the admin takes it all the same."""


class ModeForm(VersionForm):
    mode = forms.ChoiceField(choices=[(mode, mode) for mode in READ_MODES])


class PlanForm(VersionForm):
    due_at = forms.DateTimeField(
        label=gettext_lazy("When"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    percent = forms.TypedChoiceField(
        label=gettext_lazy("Percentage"), coerce=Decimal, choices=[(str(each), str(each)) for each in (0, *STAGES)]
    )


class StopForm(forms.Form):
    """It needs no version: the kill switch works, whatever others have changed."""

    is_sure = forms.BooleanField()


class PersonForm(forms.Form):
    person = forms.CharField(
        label=gettext_lazy("Username"), strip=True, validators=[MaxLengthValidator(USERNAME_LENGTH)], required=False
    )


def flag_or_404(pk: int) -> Flag:
    """Return the flag with this id. Raises Http404."""
    flag = Flag.objects.filter(pk=pk).first() if pk <= MAX_NUMBER else None
    if flag is None:
        raise Http404
    return flag


# --- Pages and what they are refreshed with ---


def page(request: HttpRequest, flag_id: int) -> HttpResponse:
    return shown(request, flag_or_404(flag_id))


def live(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Return what somebody has changed since the version that the page shows; 204 if nothing was."""
    flag = flag_or_404(flag_id)
    if request.GET.get("version") == str(flag.version):
        return HttpResponse(status=204)
    return render(request, "admin/agents/flag/page.html#news", flag_context(flag) | {"is_news": True})


def comparison(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Return the comparison, and what it says of the next step; 204 if the figures are those that the page shows."""
    flag = flag_or_404(flag_id)
    context = flag_context(flag) | flag_figures.comparison_context(flag)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "admin/agents/flag/page.html#figures", context | {"is_news": True})


def table(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Show the figures of the plots as tables."""
    flag = flag_or_404(flag_id)
    context = flag_context(flag) | flag_figures.comparison_context(flag)
    return render(request, "admin/agents/flag/table.html", context)


def shown(request: HttpRequest, flag: Flag, *, status: int = 200, **more: Any) -> HttpResponse:
    """Return the page; `more` replaces a form by one with errors, or asks back about a step."""
    plans = flag.planned_changes.select_related("by")
    context = {
        **flag_context(flag),
        **flag_figures.comparison_context(flag),
        "counts": _counts(flag),
        "lookup": PersonForm(request.GET),
        "plan_form": PlanForm(initial={"percent": flag_figures.next_stage(flag) or 0}),
        "waiting": plans.filter(status=PlannedChange.Status.WAITING),
        "ended_plans": plans.exclude(status=PlannedChange.Status.WAITING).order_by("-ended_at")[:PLANS_SHOWN],
        "asks_stop": request.GET.get("ask") == "stop",
        **_looked_up(request, flag),
        **more,
    }
    if context["asks_stop"]:
        rule = rule_from(flag)
        context["stop_warning"] = find_refusal(flag.name, rule, replace(rule, killed=True))
    return render(request, "admin/agents/flag/page.html", context, status=status)


def flag_context(flag: Flag) -> dict[str, Any]:
    """Return what the page and its refreshed parts show of a flag and its changes. Two queries and the comparison."""
    changes = list(flag.changes.select_related("by").order_by("-pk")[:CHANGES_READ])
    known = KNOWN_FLAGS.get(flag.name)
    began = flag_figures.step_began(flag, changes)
    _window, compared = flag_figures.compare_cached(flag)
    gates = flag_figures.gates_of(flag, compared, began=began, now=timezone.now())
    return {
        "flag": flag,
        "never": list(flag.never_now().items()),
        "known": known,
        "title": str(known.title) if known else flag.name,
        "settings": as_settings(flag),
        "stages": flag_figures.stages_of(flag, changes),
        "next_stage": flag_figures.next_stage(flag),
        "began": began,
        "days": (timezone.now() - began).days + 1 if began else None,
        "gates": gates,
        "latest": changes[0] if changes else None,
        "history": [(change, describe_change(change)) for change in changes[:CHANGES_SHOWN]],
        "modes": known.modes if known else (),
        "seen": _fingerprint(flag, compared),
    }


def _fingerprint(flag: Flag, compared: Sequence[ComparedMetric]) -> str:
    """Return a text that changes with the flag and the figures."""
    sums = [
        (each.sums[side].people, each.sums[side].of, each.sums[side].value)
        for each in compared
        for side in ("in", "out")
    ]
    return f"{flag.version}-{hash(tuple(sums)) & MAX_NUMBER}"


def _counts(flag: Flag) -> list[RoleCount]:
    key = f"flag-people-{flag.pk}-{flag.version}"
    counts: list[RoleCount] | None = cache.get(key)
    if counts is None:
        counts = count_people(rule_from(flag))
        cache.set(key, counts, PEOPLE_CACHED_S)
    return counts


def _looked_up(request: HttpRequest, flag: Flag) -> dict[str, Any]:
    form = PersonForm(request.GET)
    username = form.cleaned_data["person"] if form.is_valid() else ""
    if not username:
        return {}
    found = look_up(rule_from(flag), username)
    return {"looked_up": username, "person": found[0] if found else None, "inclusion": found[1] if found else None}


def describe_change(change: FlagChange) -> str:
    """Return a change in words."""
    before, after = change.before or {}, change.after
    if change.before is None:
        return _("created")
    parts = []
    if before.get("percent") != after["percent"]:
        parts.append(
            _("%(before)s%% → %(after)s%%")
            % {key: _trimmed(each["percent"]) for key, each in (("before", before), ("after", after))}
        )
    if before.get("killed") != after["killed"]:
        parts.append(_("switched off for everyone") if after["killed"] else _("kill switch released"))
    if before.get("mode", "") != after.get("mode", ""):
        parts.append(_("reads from %(mode)s") % {"mode": after["mode"]})
    if before.get("allowed") != after["allowed"]:
        parts.append(_("“Always on for” changed"))
    if before.get("never", {}) != after.get("never", {}):
        parts.append(_("“Never on for” changed"))
    if before.get("class_percents") != after["class_percents"]:
        parts.append(_("class percentages changed"))
    return ", ".join(parts)


def _trimmed(percent: str) -> str:
    return f"{Decimal(percent).normalize():f}"


# --- Changes ---


def step(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Set the percentage. A step up against which something speaks is asked back about first."""
    flag, form = flag_or_404(flag_id), StepForm(request.POST)
    if not form.is_valid():
        return _refused(request, flag, _("Enter a percentage from 0 to 100."))
    percent = form.cleaned_data["percent"]
    if percent > flag.percent and not form.cleaned_data["is_sure"]:
        reasons = [gate for gate in flag_context(flag)["gates"] if not gate.is_met]
        if reasons and form.cleaned_data["version"] == flag.version:
            return shown(request, flag, asks_step=f"{percent.normalize():f}", reasons=reasons)
    return _changed(request, flag, version=form.cleaned_data["version"], percent=percent)


def stop(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Switch the feature off for everybody; without the answer to "really?", ask."""
    flag = flag_or_404(flag_id)
    if not StopForm(request.POST).is_valid():
        return shown(request, flag, asks_stop=True)
    return _changed(request, flag, version=None, killed=True)


def release(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Undo the kill switch."""
    flag, form = flag_or_404(flag_id), VersionForm(request.POST)
    if not form.is_valid():
        return _refused(request, flag, _("Reload the page, then try again."))
    return _changed(request, flag, version=form.cleaned_data["version"], killed=False)


def mode(request: HttpRequest, flag_id: int) -> HttpResponse:
    flag, form = flag_or_404(flag_id), ModeForm(request.POST)
    if not form.is_valid():
        return _refused(request, flag, _("Choose one of the read modes."))
    return _changed(request, flag, version=form.cleaned_data["version"], mode=form.cleaned_data["mode"])


def plan(request: HttpRequest, flag_id: int) -> HttpResponse:
    """Plan a step for later."""
    flag, form = flag_or_404(flag_id), PlanForm(request.POST)
    if form.is_valid():
        try:
            plan_change(flag.name, by=request.user, **form.cleaned_data)
        except FlagConflict:
            return _conflict(request, flag, plan_form=form)
        except ValidationError as error:
            # A field that the form does not have is the flag's own: the message says what is meant.
            for field, errors in getattr(error, "error_dict", {NON_FIELD_ERRORS: [error]}).items():
                form.add_error(field if field in form.fields else None, errors)
        else:
            messages.success(request, _("Scheduled. The change will be made within a minute of that time."))
            return redirect("admin:agents_flag_page", flag_id)
    return shown(request, flag, status=422, plan_form=form)


def cancel(request: HttpRequest, flag_id: int, plan_id: int) -> HttpResponse:
    """Cancel a planned change."""
    flag = flag_or_404(flag_id)
    if plan_id > MAX_NUMBER or not cancel_planned_change(plan_id, flag=flag, by=request.user):
        if not flag.planned_changes.filter(pk=min(plan_id, MAX_NUMBER)).exists():
            raise Http404
        return _refused(request, flag, _("This change was already made or canceled."), status=409)
    messages.success(request, _("Cancelled. The change will not be made."))
    return redirect("admin:agents_flag_page", flag_id)


def _changed(request: HttpRequest, flag: Flag, *, version: int | None, **changes: Any) -> HttpResponse:
    try:
        change_flag(flag.name, by=request.user, version=version, **changes)
    except FlagConflict:
        return _conflict(request, flag)
    except ValidationError as error:
        return _refused(request, flag, " ".join(error.messages))
    messages.success(request, _("Saved. It takes effect everywhere within 5 seconds."))
    return redirect("admin:agents_flag_page", flag.pk)


def _refused(request: HttpRequest, flag: Flag, words: str, *, status: int = 422, **more: Any) -> HttpResponse:
    messages.error(request, words)
    return shown(request, Flag.objects.get(pk=flag.pk), status=status, **more)


def _conflict(request: HttpRequest, flag: Flag, **more: Any) -> HttpResponse:
    words = _("Someone else changed this flag in the meantime. Your change was not made.")
    what_now = _("The page now shows the current settings. If you still want the change, make it again.")
    return _refused(request, flag, f"{words} {what_now}", status=409, **more)
