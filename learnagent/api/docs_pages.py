"""The API's own description: `/v2/docs` to read, `/v2/openapi.json` and `/v2/asyncapi.json` for programs, and a client."""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import csrf_exempt
from markdown_it import MarkdownIt

from agents.wire import rejections
from conversations.web.error_responses import rejection_response
from learnagent.api.asyncapi import (
    CLIENT_FRAMES,
    CLOSE_CODES,
    SERVER_FRAMES,
    V1_CLIENT_FRAMES,
    V1_SERVER_FRAMES,
    build_asyncapi,
)
from learnagent.api.markdown_reference import call_lines, schema_lines, table
from learnagent.api.openapi import STATUS_MEANINGS, build_openapi

View = Callable[[HttpRequest], HttpResponse]

CLIENT = settings.BASE_DIR / "docs" / "client" / "learnagent_client.py"
GUIDE = settings.BASE_DIR / "docs" / "reference" / "api.md"


def _read_only(view: View) -> View:
    """Refuse, as all calls do, whatever is not GET or HEAD."""

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return view(request)
        refused = rejection_response(request, rejections.method_not_allowed())
        refused["Allow"] = "GET, HEAD"
        return refused

    return guarded


@_read_only
def openapi_json(request: HttpRequest) -> HttpResponse:
    return JsonResponse(build_openapi())


@_read_only
def asyncapi_json(request: HttpRequest) -> HttpResponse:
    return JsonResponse(build_asyncapi())


@_read_only
def python_client(request: HttpRequest) -> HttpResponse:
    """Send the client in one file, to be saved."""
    saved_as = {"Content-Disposition": f'attachment; filename="{CLIENT.name}"'}
    return HttpResponse(CLIENT.read_text(), content_type="text/x-python; charset=utf-8", headers=saved_as)


@_read_only
def docs(request: HttpRequest) -> HttpResponse:
    """Show how to write a client: the guide, then every call, frame, event and field."""
    return render(request, "api_docs.html", {"body": _docs_html()})


@cache
def _docs_html() -> SafeString:
    guide = GUIDE.read_text()
    for scheme in ("http", "ws"):
        guide = guide.replace(f"{scheme}://127.0.0.1:8000", settings.PUBLIC_URL.replace("http", scheme, 1))
    # Its author is this repository's.
    return mark_safe(render_markdown(f"{guide}\n\n{_reference_markdown()}"))


def render_markdown(markdown: str) -> str:
    """Return Markdown of our own as HTML, each heading with its text up to a colon as its id."""
    parser = MarkdownIt("js-default", {"html": False, "linkify": False})
    tokens = parser.parse(markdown)
    for heading, text in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", text.content.split(":")[0].strip("`").lower().replace(" ", "-"))
    return str(parser.renderer.render(tokens, parser.options, {}))


def _reference_markdown() -> str:
    """Return every call, frame, event and schema as Markdown."""
    http, sockets = build_openapi(), build_asyncapi()["components"]["schemas"]
    lines = ["## Calls", ""]
    for path, methods in http["paths"].items():
        for method, call in methods.items():
            lines += call_lines(f"{method.upper()} {path}", call)
    lines += ["## Errors", "", *_meanings("status", STATUS_MEANINGS)]
    lines += ["## Close codes", "", *_meanings("code", CLOSE_CODES)]
    own, beside = ([each.__name__ for each in frames] for frames in (CLIENT_FRAMES, SERVER_FRAMES))
    events = [name for name in sockets if name.endswith("Event") and name != "Event"]
    v1 = [each.__name__ for each in (*V1_CLIENT_FRAMES, *V1_SERVER_FRAMES) if each.__name__ not in (*own, *beside)]
    for title, names in (
        ("Frames you send", own),
        ("Events", events),
        ("Other frames you receive", beside),
        ("Frames of the v1 socket", v1),
    ):
        lines += _section(title, sockets, names)
    told = {*events, "Event", *beside, *own, *v1}
    others = http["components"]["schemas"] | sockets
    return "\n".join(lines + _section("Schemas", others, sorted(others.keys() - told - _QUERIES)))


def _meanings(code: str, meanings: Mapping[int, str]) -> list[str]:
    return table((code, "meaning"), [(str(key), words) for key, words in meanings.items()])


_QUERIES = frozenset({"EventsQuery", "HistoryQuery", "SessionsQuery", "TurnsQuery"})
"""Schemas that are listed with their calls."""


def _section(title: str, schemas: dict[str, Any], names: list[str]) -> list[str]:
    lines = [f"## {title}", ""]
    for name in names:
        lines += schema_lines(name, schemas[name])
    return lines
