"""The page with live figures; an open page asks for them again and again."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from agents.periodic_work import request_run
from conversations.charts.cards import render_chart
from conversations.speakers import agent_label
from learnagent.accounts.admin_gate import admins_only
from learnagent.operations.periodic_jobs import PERIODIC_JOBS
from learnagent.ops.costs import cost_charts, costs_csv, costs_of
from learnagent.ops.drawing import figure, seconds
from learnagent.ops.figures import LiveFigures, live_figures
from learnagent.ops.health import job_health, model_health
from learnagent.ops.periods import Period, period_names, period_of
from learnagent.ops.plots import plots_of
from learnagent.ops.state import site_state, source_rows, strong_model


@never_cache
@require_safe
@admins_only
def live(request: HttpRequest) -> HttpResponse:
    """Show the live figures; with HX-Request only what changes, to be put in its places."""
    period = period_of(request.GET.get("days"))
    figures = live_figures(period)
    context = {
        "period": period,
        "periods": period_names(),
        "state": site_state(figures),
        "strip": _strip(figures, period),
        "plots": plots_of(figures, period, strong=strong_model()),
        "sources": [(each, seconds(each.typical_ms)) for each in source_rows(figures)],
        "agents": [
            (each, agent_label(each.name), seconds(each.typical_ms), figure(each.usd, "$")) for each in figures.agents
        ],
    }
    if request.headers.get("HX-Request"):
        return render(request, "ops/live.html#news", {**context, "oob": True})
    return render(request, "ops/live.html", context)


@never_cache
@require_safe
@admins_only
def costs(request: HttpRequest) -> HttpResponse:
    """Show what models cost, as charts with tables."""
    period = period_of(request.GET.get("days"))
    found = costs_of(period)
    context = {
        "period": period,
        "periods": period_names(),
        "charts": [render_chart(chart) for chart in cost_charts(found)],
        "total": found.total,
        "usd": figure(found.total.usd, "$"),
        "calls": figure(found.total.calls),
        "tokens": figure(found.total.tokens),
    }
    return render(request, "ops/costs.html", context)


@never_cache
@require_safe
@admins_only
def costs_file(request: HttpRequest) -> HttpResponse:
    """Return the same figures as CSV."""
    period = period_of(request.GET.get("days"))
    name = f"costs-{period.since:%Y-%m-%d}-{period.now:%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(costs_csv(costs_of(period)), content_type="text/csv; charset=utf-8", headers=headers)


@never_cache
@require_safe
@admins_only
def health(request: HttpRequest) -> HttpResponse:
    """Show how the models and the background jobs are."""
    return render(request, "ops/health.html", {"models": model_health(), "jobs": job_health(PERIODIC_JOBS)})


@admins_only
@require_POST
def run_job(request: HttpRequest) -> HttpResponse:
    """Let the worker run a job at its next look."""
    name = request.POST.get("job", "")
    if all(job.name != name for job in PERIODIC_JOBS):
        raise Http404
    if request_run(name):
        messages.success(request, _("The worker will run the job in a few seconds. Reload the page to see the result."))
    else:
        messages.warning(request, _("The job is running, or the worker has not started yet."))
    return redirect("ops-health")


def _strip(figures: LiveFigures, period: Period) -> dict[str, Any]:
    """Return the six figures at the top."""
    turns, failed = sum(figures.turns.values()), sum(figures.failed.values())
    return {
        "people": figures.people,
        "per_minute": figure(round(figures.recent_turns / 5, 1)),
        "running": figures.running,
        "waiting": figures.waiting,
        "first_word": seconds(figures.typical_ms),
        "failed": figure(round(1000 * failed / turns, 1)) if turns else "",
        "usd": figure(sum(figures.costs.values()), "$"),
        "budget": figure(figures.budget_usd, "$") if figures.budget_usd and period.days == 1 else "",
    }
