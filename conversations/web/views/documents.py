"""Views of a document: its text, its file, and its owner's actions."""

from pathlib import PurePath
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.wire.rejections import Rejection
from conversations import access
from conversations.library import deletion, document_files, document_text, uploads
from conversations.models import Document, Folder
from conversations.web.request_lookup import LARGEST_NUMBER, folder_named, missing_is_404, number_in

SANDBOX = "sandbox; default-src 'none'"
"""If a browser displays the file after all, nothing in it runs or loads anything."""


@login_required
@require_safe
@missing_is_404
def document(request: HttpRequest, document: UUID) -> HttpResponse:
    """Show a part of the text: `?part=`, or the part with the passage `?at=`."""
    found = access.document_for(request.user, document)
    at, part = number_in(request, "at"), number_in(request, "part")
    screen = document_text.screen_of(found, number=part or 1, at=min(at, LARGEST_NUMBER) if at else None)
    if screen is None:
        raise Http404
    is_own = found.owner_id == request.user.pk
    context = {
        "document": found,
        "screen": screen,
        "is_own": is_own,
        "folders": Folder.objects.filter(owner_id=request.user.pk).order_by("name") if is_own else (),
    }
    return render(request, "conversations/document.html", context)


@login_required
@require_safe
@missing_is_404
def file(request: HttpRequest, document: UUID) -> HttpResponse:
    """Send the file as a download; pictures, which we re-encoded ourselves, may be shown in our pages."""
    found = access.document_for(request.user, document)
    try:
        content = document_files.content_of(found)
    except FileNotFoundError:
        raise Http404 from None
    name = found.name
    if found.is_picture:
        name = str(PurePath(name).with_suffix(".webp"))
    return HttpResponse(
        content,
        content_type=uploads.PICTURE if found.is_picture else "application/octet-stream",
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or "attachment",
            "Content-Security-Policy": SANDBOX,
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        },
    )


@login_required
@require_POST
@missing_is_404
def rename(request: HttpRequest, document: UUID) -> HttpResponse:
    own = access.own_document(request.user, document)
    try:
        uploads.rename(own, request.POST.get("name", ""))
    except Rejection as rejection:
        messages.error(request, rejection.message)
    return redirect(own)


@login_required
@require_POST
@missing_is_404
def move(request: HttpRequest, document: UUID) -> HttpResponse:
    """Move a document of the library to one of its owner's folders, or to none."""
    own = access.own_document(request.user, document)
    if not own.in_library:
        raise Http404
    folder = folder_named(request, request.POST.get("folder", ""), door=access.folder_for)
    Document.objects.filter(pk=own.pk).update(folder=folder)
    return redirect(own)


@login_required
@require_POST
@missing_is_404
def keep(request: HttpRequest, document: UUID) -> HttpResponse:
    """Add an attachment to the library, where it outlives its conversation."""
    kept = uploads.keep_in_library(access.own_document(request.user, document))
    messages.success(request, _("%(name)s is in your library.") % {"name": kept.name})
    return redirect(kept)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@missing_is_404
def delete(request: HttpRequest, document: UUID) -> HttpResponse:
    """Ask for confirmation, then delete the document."""
    own = access.own_document(request.user, document)
    if request.method != "POST":
        context = {"document": own, "derived": deletion.derived_names(own)}
        return render(request, "conversations/delete_document.html", context)
    if "derived" in request.POST:
        deletion.delete_derived(own)
    deletion.delete_documents(Document.objects.filter(pk=own.pk))
    messages.success(request, _("%(name)s was deleted, along with its text.") % {"name": own.name})
    return redirect("library")
