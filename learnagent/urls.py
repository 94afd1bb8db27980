"""Every address: one include per room."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from learnagent.accounts.views import cards, guardians
from learnagent.api.docs_pages import asyncapi_json, docs, openapi_json, python_client
from learnagent.api.ninja_api import api_urls, unknown_call
from learnagent.http.web_app import favicon, manifest, offline, service_worker
from learnagent.operations.health import health
from learnagent.operations.metrics import metrics
from learnagent.ops import views as ops
from learnagent.site.views import close

urlpatterns: list[URLPattern | URLResolver] = [
    path("teach/<slug:code>/guardians/", guardians.of_class, name="class-guardians"),
    path("", include("tutoring.urls")),
    path("planner/", include("tutoring.planner.pages.urls")),
    path("", include("conversations.urls")),
    path("accounts/", include("learnagent.accounts.urls")),
    path("card/", cards.type_code, name="card-code"),
    path("card/<str:code>/", cards.card, name="card"),
    path("teach/<slug:code>/pupils/", include("learnagent.rosters.urls")),
    path("lti/", include("learnagent.lti.urls")),
    path("v2/", unknown_call),
    path("v2/docs", docs, name="api-docs"),
    path("v2/client.py", python_client, name="python-client"),
    path("v2/openapi.json", openapi_json, name="openapi"),
    path("v2/asyncapi.json", asyncapi_json, name="asyncapi"),
    path("", include((api_urls(), "ninja"), namespace="api")),
    path("v2/<path:rest>", unknown_call),
    path("api/", unknown_call),
    path("api/<path:rest>", unknown_call),
    path("chat/<path:rest>", unknown_call),
    path("session/", unknown_call),
    path("health", health, name="health"),
    path("metrics", metrics, name="metrics"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("offline/", offline, name="offline"),
    path("favicon.ico", favicon, name="favicon"),
    path("announcements/<int:pk>/close/", close, name="close-announcement"),
    path("ops/", ops.live, name="ops"),
    path("ops/health/", ops.health, name="ops-health"),
    path("ops/jobs/run/", ops.run_job, name="ops-run-job"),
    path("ops/costs/", ops.costs, name="ops-costs"),
    path("ops/costs.csv", ops.costs_file, name="ops-costs-csv"),
    path("admin/", admin.site.urls),
]

handler400 = "learnagent.http.error_pages.bad_request"
handler404 = "learnagent.http.error_pages.not_found"
handler500 = "learnagent.http.error_pages.server_error"
