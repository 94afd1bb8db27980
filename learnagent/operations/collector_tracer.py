"""Spans of OpenTelemetry, sent to a collector. Its packages are an extra: import this only where traces are on."""

import uuid
from collections.abc import Sequence
from contextvars import ContextVar, Token
from hashlib import sha256
from threading import Thread
from types import TracebackType
from typing import Any, Self

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from agents.storage.availability import Outage
from agents.tracing import Attributes, Span
from conversations.processes.identity import PROCESS

CLOSE_TIMEOUT_S = 2.0

_own_trace_id: ContextVar[int | None] = ContextVar("own_trace_id", default=None)
_propagator = TraceContextTextMapPropagator()


class _TraceIds(RandomIdGenerator):
    """Random ids, and for a turn the trace id that is made from its own."""

    def generate_trace_id(self) -> int:
        return _own_trace_id.get() or super().generate_trace_id()


class _Exporter(OTLPSpanExporter):
    """Logs when the collector is lost and when it is back, instead of every attempt."""

    outage = Outage("collector")

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.outage.worked()
        else:
            self.outage.failed(ConnectionError("spans were not accepted"))
        return result


class RecordedSpan(Span):
    """A span of OpenTelemetry's."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._token: Token[contexts.Context] | None = None
        self.trace_id = trace.format_trace_id(span.get_span_context().trace_id)

    def set(self, attributes: Attributes) -> None:
        self._span.set_attributes(attributes)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def fail(self, error_type: str) -> None:
        # Without the exception itself: its text may have content.
        self._span.set_attribute("error.type", error_type)
        self._span.set_status(trace.StatusCode.ERROR)

    def end(self) -> None:
        self._span.end()

    def __enter__(self) -> Self:
        self._token = contexts.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._token is not None:
            contexts.detach(self._token)
        if kind is not None:
            self.fail(kind.__name__)
        self.end()


class CollectorTracer:
    """Sends spans to the collector at this address, in the background; the SDK's own variables set the rest.

    It is not OpenTelemetry's global provider: libraries would record spans of their own, with content.
    """

    def __init__(self, endpoint: str) -> None:
        resource = Resource({"service.name": "learnagent", "service.instance.id": PROCESS})
        self.provider = TracerProvider(
            resource=resource.merge(OTELResourceDetector().detect()), id_generator=_TraceIds(), shutdown_on_exit=False
        )
        self.provider.add_span_processor(BatchSpanProcessor(_Exporter(f"{endpoint}/v1/traces")))
        self._tracer = self.provider.get_tracer("learnagent")

    def span(self, name: str, attributes: Attributes, *, parent: str, serves: bool) -> Span:
        within = _propagator.extract({"traceparent": parent}) if parent else None
        kind = trace.SpanKind.SERVER if serves else trace.SpanKind.INTERNAL
        return RecordedSpan(self._tracer.start_span(name, within, kind, attributes))

    def turn_span(self, turn_id: uuid.UUID, attributes: Attributes) -> Span:
        asked_in = trace.get_current_span().get_span_context()
        links = [trace.Link(asked_in)] if asked_in.is_valid else []
        # A hash: samplers need random bits where a UUID has fixed ones.
        token = _own_trace_id.set(int.from_bytes(sha256(turn_id.bytes).digest()[:16]))
        try:
            return RecordedSpan(self._tracer.start_span("turn", contexts.Context(), attributes=attributes, links=links))
        finally:
            _own_trace_id.reset(token)

    def current_span(self) -> Span:
        return RecordedSpan(trace.get_current_span())

    def current_parent(self) -> str:
        carrier: dict[str, Any] = {}
        _propagator.inject(carrier)
        return str(carrier.get("traceparent", ""))

    def close(self) -> None:
        """Send what is left; a collector that is away does not hold up the end of the process."""
        closing = Thread(target=self.provider.shutdown, daemon=True)
        closing.start()
        closing.join(CLOSE_TIMEOUT_S)
