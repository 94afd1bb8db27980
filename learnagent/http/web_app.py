"""What makes the site an app on somebody's device: its manifest, its icon, and a page for when it cannot be reached."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from learnagent.site.look import site_look

OFFLINE_FILES = (
    "css/base.css",
    "js/look.js",
    "js/offline_retry.js",
    "img/favicon.svg",
    "vendor/atkinson-hyperlegible-next-5.3.0/atkinson-hyperlegible-next-latin-wght-normal.woff2",
)
"""The files of the offline page; nothing else is stored on a device."""
ICONS = (
    {"name": "img/favicon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
    {"name": "img/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any"},
    {"name": "img/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
    {"name": "img/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
)


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Tell a device how to install the site."""
    home = reverse("home")
    body = {
        "id": home,
        "name": site_look().name,
        "short_name": site_look().name,
        "description": _("A team of tutors that teaches one idea at a time."),
        "start_url": home,
        "scope": "/",
        "display": "standalone",
        "background_color": "#fbf8f2",
        "theme_color": "#fbf8f2",
        "icons": [{"src": static(icon["name"])} | {key: icon[key] for key in icon if key != "name"} for icon in ICONS],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that stands between the pages and a server that may be away."""
    context = {
        "version": _version(),
        "offline": reverse("offline"),
        "files": [static(name) for name in OFFLINE_FILES],
    }
    return render(request, "service_worker.js", context, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page a device shows while the server cannot be reached; it names nobody."""
    return render(request, "offline.html")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead whoever asks for the icon by its old address to the icon."""
    return redirect(static("img/icon-192.png"))


@cache
def _version() -> str:
    """Return a name that changes with anything a device keeps."""
    paths = [finders.find(name) for name in OFFLINE_FILES]
    kept = b"".join(Path(path).read_bytes() for path in paths if path)
    return sha256(kept + render_to_string("offline.html").encode()).hexdigest()[:12]
