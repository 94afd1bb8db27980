"""Traces: spans of requests, turns, agents, model calls, tools and jobs. Without a tracer, a span does nothing.

A span has a name, ids, numbers and how it ended; never what somebody wrote.
"""

import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Protocol, Self

Attributes = Mapping[str, str | int | float]


class Span:
    """A span that records nothing."""

    trace_id = ""
    """In hexadecimal; empty if nothing is recorded."""

    def set(self, attributes: Attributes) -> None:
        """Add attributes."""

    def rename(self, name: str) -> None:
        """Change the name, where it was not known at the beginning."""

    def fail(self, error_type: str) -> None:
        """Mark the span as failed."""

    def end(self) -> None:
        """End the span."""

    def __enter__(self) -> Self:
        """Make it the parent of spans begun in this context until `__exit__`, which ends it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass


class Tracer(Protocol):
    """Begins spans that are recorded."""

    def span(self, name: str, attributes: Attributes, *, parent: str, serves: bool) -> Span: ...

    def turn_span(self, turn_id: uuid.UUID, attributes: Attributes) -> Span: ...

    def current_span(self) -> Span: ...

    def current_parent(self) -> str: ...

    def close(self) -> None: ...


NO_SPAN = Span()
_tracer: Tracer | None = None


def set_tracer(tracer: Tracer | None) -> None:
    """Record spans from now on; None: no longer."""
    global _tracer
    _tracer = tracer


def tracer() -> Tracer | None:
    """Return what records spans; None if nothing does."""
    return _tracer


def span(name: str, attributes: Attributes, *, parent: str = "", serves: bool = False) -> Span:
    """Begin a span below the current one, or below `parent`, a `traceparent` of W3C's Trace Context.

    `serves`: it answers a request from outside. In an async generator, call `end` instead of using `with`: a generator
    has its caller's context.
    """
    return NO_SPAN if _tracer is None else _tracer.span(name, attributes, parent=parent, serves=serves)


def turn_span(turn_id: uuid.UUID, attributes: Attributes) -> Span:
    """Begin the span of an attempt at a turn, linked to the current one.

    Its trace has an id made from the turn's: another process that takes the turn over continues the same trace.
    """
    return NO_SPAN if _tracer is None else _tracer.turn_span(turn_id, attributes)


def current_span() -> Span:
    """Return the span of this context, to add to it."""
    return NO_SPAN if _tracer is None else _tracer.current_span()


def current_parent() -> str:
    """Return the current span as a `traceparent`; empty if there is none."""
    return "" if _tracer is None else _tracer.current_parent()
