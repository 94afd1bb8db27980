"""My data: what is kept and why, a copy of it, and the end of it."""

from uuid import UUID

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from agents.privacy import PersonalDataApp, PersonalTable, apps_to_read, personal_tables
from learnagent.accounts.access import copy_for
from learnagent.accounts.forms import EraseAccountForm
from learnagent.accounts.models import DataCopy, Erasure, Person, Role
from learnagent.accounts.personal_data.archive import archive_chunks, count_rows, stream_chunks
from learnagent.accounts.personal_data.copies import RETENTION, copy_chunks, request_copy
from learnagent.accounts.personal_data.erasure import schedule_erasure
from learnagent.accounts.requests import PersonRequest
from tutoring.classes.readings import readings_of
from tutoring.mastery.records.contests import contests_of

MAX_ROWS_AT_ONCE = 5_000
"""The worker makes a larger copy, since it takes too long for one page load."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def data(request: PersonRequest) -> HttpResponse:
    context = {
        "rooms": [(room.TITLE, _tables_for(request.user, room)) for room in apps_to_read()],
        "left_out": [why for room in apps_to_read() for why in room.LEFT_OUT.values()],
        "copy": DataCopy.objects.filter(person=request.user).first(),
        "copies": DataCopy.objects.filter(person=request.user),
        "contests": contests_of(request.user),
        "readings": readings_of(request.user),
        "kept_days": RETENTION.days,
    }
    return render(request, "accounts/data.html", context)


def _tables_for(person: Person, room: PersonalDataApp) -> list[PersonalTable]:
    return [part for part in room.PARTS if person.role != Role.LEARNER or not part.of_staff]


@never_cache
@login_required
@require_POST
def copy(request: PersonRequest) -> HttpResponseBase:
    """Hand out a copy, or order one that is too large to be waited for."""
    if sum(count_rows(request.user).values()) > MAX_ROWS_AT_ONCE:
        request_copy(request.user)
        return redirect("accounts:data")
    return _download(request, StreamingHttpResponse(stream_chunks(archive_chunks(request.user))))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def ready_copy(request: PersonRequest, pk: UUID) -> HttpResponseBase:
    try:
        pieces = copy_chunks(copy_for(request.user, pk))
    except FileNotFoundError:
        raise Http404 from None
    return _download(request, StreamingHttpResponse(stream_chunks(pieces)))


def _download(request: PersonRequest, response: StreamingHttpResponse) -> StreamingHttpResponse:
    # A username has letters, digits and @ . + - _ of any script: quoted, it is safe in a header.
    name = request.user.username.encode("ascii", "replace").decode().replace("?", "_")
    response["Content-Type"] = "application/zip"
    response["Content-Disposition"] = f'attachment; filename="learnagent-{name}.zip"'
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: PersonRequest) -> HttpResponse:
    form = EraseAccountForm(request.POST if request.method == "POST" else None, person=request.user)
    if not form.is_valid():
        context = {"form": form, "stays": [why for room in apps_to_read() for why in room.STAYS.values()]}
        return render(request, "accounts/erase.html", context, status=422 if form.is_bound else 200)
    erasure = schedule_erasure(request.user)
    logout(request)
    return redirect("accounts:erased", pk=erasure.pk)


@never_cache
@require_http_methods(["GET", "HEAD"])
def erased(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the receipt to whoever has its address: it says nothing of whose it is."""
    erasure = Erasure.objects.filter(pk=pk).first()
    if erasure is None:
        raise Http404
    titles = {part.name: part.title for part in personal_tables()}
    counts = [(titles.get(name, name), number) for name, number in erasure.counts.items()]
    return render(request, "accounts/erased.html", {"erasure": erasure, "counts": counts})
