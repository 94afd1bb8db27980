"""Every address: one include per room."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from learnagent.api import api, nowhere
from learnagent.health import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tutoring.urls")),
    path("", include("conversations.urls")),
    path("accounts/", include("learnagent.accounts.urls")),
    path("v2/", nowhere),
    path("v2/", api.urls),
    path("v2/<path:rest>", nowhere),
    path("health", health, name="health"),
    path("admin/", admin.site.urls),
]

handler400 = "learnagent.refusals.bad_request"
