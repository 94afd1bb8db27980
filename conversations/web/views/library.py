"""Views of the library: documents and folders, shared folders, uploads."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files import File
from django.core.paginator import EmptyPage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations import access
from conversations.library import folders, listing, uploads
from conversations.models import Document, Folder
from conversations.search.engine import search
from conversations.search.permissions import DOCUMENT
from conversations.web import error_responses
from conversations.web.request_lookup import folder_named, missing_is_404, number_in

FOUND = 20
"""Number of search results shown."""
POLLED = 60
"""Maximum number of documents whose state a page requests at once."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@missing_is_404
def library(request: HttpRequest) -> HttpResponse:
    """List documents, all or one folder's, or results for `?q=`; accept uploads."""
    if request.method == "POST":
        return _take(request)
    if query := request.GET.get("q", "").strip():
        return _found(request, query)
    return _listed(request)


def _listed(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    folder = folder_named(request, request.GET.get("folder", ""), door=access.readable_folder)
    try:
        context = listing.documents_of(request.user, folder=folder, page=number_in(request, "page") or 1)
    except EmptyPage:
        raise Http404 from None
    context |= listing.folders_of(request.user)
    is_own = folder is not None and folder.owner_id == request.user.pk
    audiences = folders.shareable_by(request.user) if is_own else {}
    context |= {
        "folder": folder,
        "unread": [document for document in context["documents"] if document.is_unread],
        "may_add": folder is None or is_own,
        "audiences": audiences,
        "shared_with": audiences.get(folder.audience) if folder else "",
        **uploads.limits(),
    }
    return render(request, "conversations/library.html", context, status=status)


def _found(request: HttpRequest, query: str) -> HttpResponse:
    person: Any = request.user
    # The person's classes are queried once, because the search needs them in each step.
    reader = SimpleNamespace(pk=person.pk, audiences=person.audiences)
    answer = search(reader, query, kinds={DOCUMENT}, limit=FOUND)
    context = {"query": query, "hits": answer.found, "notice": answer.notice}
    return render(request, "conversations/library.html", context)


def _take(request: HttpRequest) -> HttpResponse:
    """Accept a form's files, with a message for each. If none was accepted, return the page."""
    folder = folder_named(request, request.POST.get("folder", ""), door=access.folder_for)
    files = request.FILES.getlist("file")
    if "application/json" in request.headers.get("Accept", ""):
        return _take_one(request, files, folder)
    status, is_added = 422, False
    if not files:
        messages.error(request, _("Choose a file first."))
    for file in files:
        try:
            document = _taken(request, file, folder)
        except Rejection as rejection:
            status = rejection.status
            name = uploads.clean_name(file.name or "")
            messages.error(request, _("%(name)s was not added. %(why)s") % {"name": name, "why": rejection.message})
        else:
            is_added = True
            messages.success(request, _("%(name)s is in your library.") % {"name": document.name})
    return redirect(_address(folder)) if is_added else _listed(request, status=status)


def _take_one(request: HttpRequest, files: "Sequence[File[Any]]", folder: Folder | None) -> HttpResponse:
    """Answer a page's script, which sends one file at a time: for the library, or as an attachment."""
    try:
        if len(files) != 1:
            raise rejections.invalid("file", _("Choose a file first."))
        if request.POST.get("to") == "message":
            document = uploads.accept(request.user, files[0], in_library=False)
        else:
            document = _taken(request, files[0], folder)
    except Rejection as rejection:
        return error_responses.rejection_response(request, rejection)
    told = {"id": str(document.pk), "name": document.name, "url": document.get_absolute_url()}
    return JsonResponse(told, status=201)


def _taken(request: HttpRequest, file: "File[Any]", folder: Folder | None) -> Document:
    document = uploads.accept(request.user, file, in_library=True)
    if folder is not None:
        Document.objects.filter(pk=document.pk).update(folder=folder)
    return document


def _address(folder: Folder | None) -> str:
    return reverse("library") + (f"?folder={folder.pk}" if folder else "")


@login_required
@require_safe
def states(request: HttpRequest) -> HttpResponse:
    """Return the state of the documents a page asks about; finished ones are not requested again."""
    ids = [each for each in request.GET.getlist("id")[:POLLED] if access.CANONICAL_UUID.fullmatch(each)]
    documents = list(Document.objects.all().readable_by(request.user).filter(pk__in=ids))
    context = {
        "documents": documents,
        "unread": [document for document in documents if document.is_unread],
        "alone": "alone" in request.GET,
        "oob": True,
    }
    return render(request, "conversations/_document_states.html", context)


@login_required
@require_POST
@missing_is_404
def make_folder(request: HttpRequest) -> HttpResponse:
    try:
        return redirect(_address(folders.make_folder(request.user, request.POST.get("name", ""))))
    except Rejection as rejection:
        messages.error(request, rejection.message)
        return redirect("library")


@login_required
@require_POST
@missing_is_404
def rename_folder(request: HttpRequest, folder: int) -> HttpResponse:
    own = access.folder_for(request.user, folder)
    try:
        folders.rename_folder(own, request.POST.get("name", ""))
    except Rejection as rejection:
        messages.error(request, rejection.message)
    return redirect(_address(own))


@login_required
@require_POST
@missing_is_404
def share_folder(request: HttpRequest, folder: int) -> HttpResponse:
    """Share the folder with one of the person's classes, or with nobody."""
    own = access.folder_for(request.user, folder)
    folders.share(own, request.POST.get("audience", ""))
    return redirect(_address(own))


@login_required
@require_POST
@missing_is_404
def delete_folder(request: HttpRequest, folder: int) -> HttpResponse:
    """Delete the folder; its documents stay in the library."""
    own = access.folder_for(request.user, folder)
    own.delete()
    messages.success(request, _("The folder was deleted. Its documents are still in your library."))
    return redirect("library")
