"""The log: one line an event, as text or as JSON, for the program's own events and for those of libraries alike."""

import logging.config
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import structlog
from structlog.contextvars import get_contextvars
from structlog.dev import ConsoleRenderer
from structlog.processors import ExceptionRenderer, JSONRenderer, StackInfoRenderer
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict

from learnagent.operations.log_redaction import install_redaction, redact_values

LogFormat = Literal["text", "json"]
STANDARD_ERROR = 2
PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.NOTSET, 7))
"""The lowest level for each of syslog's priorities. Source: sd-daemon(3)."""


def configure_logs(config: Mapping[str, Any]) -> None:
    """Django's `LOGGING_CONFIG`: send events through the standard library's loggers, and redact every record."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            ExceptionRenderer(),
            StackInfoRenderer(),
            ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    install_redaction()
    logging.config.dictConfig(dict(config))


def line_formatter(layout: LogFormat, *, kind: type[ProcessorFormatter] = ProcessorFormatter) -> ProcessorFormatter:
    """Return the formatter of a log file."""
    text = ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False, sort_keys=False)
    return kind(
        foreign_pre_chain=[ExceptionRenderer(), _rename_stack],
        processors=[_complete, text if layout == "text" else JSONRenderer(ensure_ascii=False)],
    )


def console_formatter(layout: LogFormat) -> ProcessorFormatter:
    """Return the formatter of the standard error: for systemd's journal, lines begin with their priority."""
    return line_formatter(layout, kind=JournalFormatter if _writes_to_journal() else ProcessorFormatter)


class JournalFormatter(ProcessorFormatter):
    """Puts a priority before each line, which the journal takes off again."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next(number for level, number in PRIORITIES if record.levelno >= level)
        # The journal takes each line for a message.
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())


def _writes_to_journal() -> bool:
    """Return whether systemd has connected the standard error of this process to its journal. Source: systemd.exec(5)."""
    found = os.fstat(STANDARD_ERROR)
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _rename_stack(logger: Any, method: str, event: EventDict) -> EventDict:
    """Call a library's stack what structlog calls it."""
    if "stack_info" in event:
        event["stack"] = event.pop("stack_info")
    return event


def _complete(logger: Any, method: str, event: EventDict) -> EventDict:
    """Return an event with its time, level, logger and context (request, turn, person), redacted."""
    record: logging.LogRecord = event.pop("_record")
    del event["_from_structlog"]
    return {
        "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        **redact_values({"event": event.pop("event"), **get_contextvars(), **event}),
    }
