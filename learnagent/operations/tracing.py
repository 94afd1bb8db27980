"""Traces on and off."""

from django.conf import settings

from agents import tracing


def start_tracing() -> None:
    """Send traces from now on, if a collector is set up."""
    if settings.TRACES_ENDPOINT:
        # Its libraries take a quarter of a second to load.
        from learnagent.operations.collector_tracer import CollectorTracer

        tracing.set_tracer(CollectorTracer(settings.TRACES_ENDPOINT))


def stop_tracing() -> None:
    """Send what is left of the traces, and no more."""
    if (tracer := tracing.tracer()) is not None:
        tracing.set_tracer(None)
        tracer.close()
