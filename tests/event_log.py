"""The log as an operator's program reads it: each line as JSON, through the program's own formatter."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from learnagent.operations.logs import line_formatter


class EventLog(logging.Handler):
    """Keeps every line."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(line_formatter("json"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    def named(self, *names: str) -> list[dict[str, Any]]:
        """Return the events of these names, in order."""
        return [event for event in self.events if event["event"] in names]


@contextmanager
def listening() -> Iterator[EventLog]:
    """Give what is logged meanwhile."""
    log, root = EventLog(), logging.getLogger()
    root.addHandler(log)
    try:
        yield log
    finally:
        root.removeHandler(log)
