"""`GET /metrics`: the site's metrics in the Prometheus text format, for admins."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.core import Metric

from agents.usage.metrics import collect_engine_metrics
from agents.wire import rejections
from conversations.metrics import collect_conversation_metrics
from conversations.web.error_responses import rejection_response
from learnagent.operations.operations_metrics import collect_operations_metrics


class SiteMetrics:
    """The metrics of all apps, as Prometheus' client collects them at each request."""

    def collect(self) -> Iterator[Metric]:
        yield from collect_conversation_metrics()
        yield from collect_engine_metrics()
        yield from collect_operations_metrics()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics; 401 if nobody is signed in, 404 for anybody but an admin."""
    if not request.user.is_authenticated:
        return rejection_response(request, rejections.unauthenticated())
    if not request.user.is_staff:
        return rejection_response(request, rejections.not_found())
    return HttpResponse(generate_latest(SiteMetrics()), content_type=CONTENT_TYPE_PLAIN_0_0_4)
