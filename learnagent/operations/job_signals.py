"""What jobs leave in the log and in traces: a line for each that ends, and a span below whatever ordered it."""

from typing import Any

from django.tasks.base import TaskResultStatus
from django.tasks.signals import log_task_finished, log_task_started, task_enqueued, task_finished, task_started

from agents import tracing
from agents.event_log import get_logger
from agents.tracing import Span

logger = get_logger(__name__)

PARENT = "traceparent"
"""Where a job's row has the span that it was ordered in, beside its arguments."""

_running: dict[str, Span] = {}
"""The spans of the jobs that run here, by the job's id."""


def connect_receivers() -> None:
    """Hear of all jobs, in place of Django's own lines."""
    task_started.disconnect(log_task_started)
    task_finished.disconnect(log_task_finished)
    task_enqueued.connect(_store_parent)
    task_started.connect(_begin)
    task_finished.connect(_end)


def end_unstored(job_id: str, error: Exception) -> None:
    """End the span of a job whose end could not be stored, so that no signal was sent."""
    _running.pop(job_id, tracing.NO_SPAN).__exit__(type(error), error, None)


def _store_parent(task_result: Any, **kwargs: Any) -> None:
    if (parent := tracing.current_parent()) and (row := getattr(task_result, "db_result", None)) is not None:
        row.args_kwargs[PARENT] = parent
        row.save(update_fields=["args_kwargs"])


def _begin(task_result: Any, **kwargs: Any) -> None:
    row = getattr(task_result, "db_result", None)
    parent = row.args_kwargs.get(PARENT, "") if row is not None else ""
    span = tracing.span(f"job {task_result.task.module_path}", {"learnagent.job.id": task_result.id}, parent=parent)
    _running[task_result.id] = span.__enter__()


def _end(task_result: Any, **kwargs: Any) -> None:
    span = _running.pop(task_result.id, tracing.NO_SPAN)
    job = {"job": task_result.task.module_path, "id": task_result.id}
    if task_result.status == TaskResultStatus.FAILED:
        # The signal is sent while the exception is handled.
        logger.exception("job_failed", **job)
        span.fail(task_result.errors[-1].exception_class_path)
    else:
        logger.info("job_succeeded", **job)
    span.__exit__(None, None, None)
