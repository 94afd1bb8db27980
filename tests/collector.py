"""An OpenTelemetry collector of the tests' own: it takes OTLP over HTTP and keeps the spans."""

import gzip
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PATIENCE_S = 30
"""When a span that should come is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedSpan:
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    """Empty for the first span of a trace."""
    attributes: dict[str, Any]
    links: tuple[str, ...]
    """The ids of the linked spans."""
    is_error: bool
    process: str


class Collector:
    """A server on a port of its own; everything that is sent to it while it runs."""

    def __init__(self) -> None:
        self.spans: list[CollectedSpan] = []
        self.bodies: list[bytes] = []
        self._news = Condition()

    def __enter__(self) -> Self:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.take(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def take(self, body: bytes) -> None:
        found = ExportTraceServiceRequest.FromString(body)
        spans = [
            _collected(span, process=_attributes(resource.resource)["service.instance.id"])
            for resource in found.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        with self._news:
            self.bodies.append(body)
            self.spans += spans
            self._news.notify_all()

    def named(self, name: str) -> list[CollectedSpan]:
        return [span for span in self.spans if span.name == name]

    def wait_for(self, name: str, *, count: int = 1) -> list[CollectedSpan]:
        """Return the spans of this name once there are so many."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.named(name)) >= count, timeout=PATIENCE_S), self.spans
            return self.named(name)


def _collected(span: Any, *, process: str) -> CollectedSpan:
    return CollectedSpan(
        name=span.name,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        attributes=_attributes(span),
        links=tuple(link.span_id.hex() for link in span.links),
        is_error=span.status.code == 2,
        process=process,
    )


def _attributes(holder: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in holder.attributes}
