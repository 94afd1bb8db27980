"""The planner's settings, workspaces, stop links, and the way to turn first messages off."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.access import not_found_text
from tutoring.models import PlannerSettings, Workspace
from tutoring.models.planner import KEY_MAX_LENGTH, PERSONAL_WORKSPACE
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner import webhooks
from tutoring.planner.pages.forms.settings import PlannerSettingsForm, WorkspaceForm
from tutoring.planner.pages.place import Place, back, frame_context, own_workspace, place_of
from tutoring.planner.records.workspaces import CLASS_PREFIX
from tutoring.planner.signed_links import feed_address, settings_to_stop

MOST_WORKSPACES = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: LearnerRequest) -> HttpResponse:
    place = place_of(request)
    posted = request.POST if request.method == "POST" else None
    form = PlannerSettingsForm(posted, instance=place.chosen, person=request.user)
    if not form.is_valid():
        return _page(request, place, form, status=422 if form.is_bound else 200)
    form.save()
    messages.success(request, _("Saved."))
    return redirect("planner-settings")


def _page(request: LearnerRequest, place: Place, form: PlannerSettingsForm, *, status: int = 200) -> HttpResponse:
    kept = PlannerSettings.objects.filter(owner_id=request.user.pk).first() or place.chosen
    shown = {
        "form": form,
        "workspace_form": WorkspaceForm(),
        "feed_address": feed_address(kept),
        "sends_outside": webhooks.is_set_up() and request.user.consent,
    }
    return render(
        request, "planner/settings.html", frame_context(request, place, page="settings") | shown, status=status
    )


@login_required
@require_POST
def switch(request: LearnerRequest) -> HttpResponse:
    """Show another workspace from now on. 404 for one that is not the person's own."""
    workspace = own_workspace(request.user, request.POST.get("to", ""))
    PlannerSettings.objects.update_or_create(owner_id=request.user.pk, defaults={"workspace": workspace})
    return back(request)


@login_required
@require_POST
def make_workspace(request: LearnerRequest) -> HttpResponse:
    """Make a workspace and show it."""
    form = WorkspaceForm(request.POST)
    own = Workspace.objects.filter(owner_id=request.user.pk)
    if not form.is_valid() or own.count() >= MOST_WORKSPACES:
        messages.error(request, _("Give the workspace a name. You can have at most 50 workspaces."))
        return redirect("planner-settings")
    title = form.cleaned_data["title"]
    made = Workspace.objects.create(owner_id=request.user.pk, key=_free_key(own, title), title=title)
    PlannerSettings.objects.update_or_create(owner_id=request.user.pk, defaults={"workspace": made})
    messages.success(request, _("“%(title)s” is now your workspace.") % {"title": title})
    return redirect("planner")


def _free_key(own: object, title: str) -> str:
    """Return a key made from the title that no other workspace of the person has; keys of classes are kept for classes."""
    wanted = slugify(title)[: KEY_MAX_LENGTH - 4] or "workspace"
    taken = {each.casefold() for each in own.values_list("key", flat=True)} | {PERSONAL_WORKSPACE}  # type: ignore[attr-defined]
    if wanted.startswith(CLASS_PREFIX):
        wanted = f"my-{wanted}"[:KEY_MAX_LENGTH]
    numbered = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, MOST_WORKSPACES + 2))
    return next(key for key in numbered if key not in taken)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: LearnerRequest, token: str) -> HttpResponse:
    """Stop the mails or first messages of whoever got the link; it works without signing in, by one button."""
    found = settings_to_stop(token)
    if found is None:
        raise Http404(not_found_text())
    wanted, what = found
    if request.method == "POST":
        PlannerSettings.objects.filter(pk=wanted.pk).update(**{what: False})
        setattr(wanted, what, False)
    return render(request, "planner/stop.html", {"is_on": getattr(wanted, what), "what": what})


@login_required
@require_POST
def stop_first_messages(request: LearnerRequest) -> HttpResponse:
    """Turn first messages off, from a page that shows one."""
    PlannerSettings.objects.filter(owner_id=request.user.pk).update(first_messages=False)
    messages.success(request, _("Your tutor no longer writes first. You can turn this on again in the settings."))
    return back(request)
