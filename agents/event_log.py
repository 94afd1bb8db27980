"""Loggers of events: structlog's, loaded with the first event, since it loads more than the engine itself."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger


def get_logger(name: str) -> "BoundLogger":
    """Return the logger of a module, whose events have a name and fields: `logger.warning("job_failed", job=name)`."""
    return cast("BoundLogger", _LazyLogger(name))


class _LazyLogger:
    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _loaded(self) -> "BoundLogger":
        import structlog

        return structlog.stdlib.get_logger(self._name)

    def __getattr__(self, method: str) -> Any:
        return getattr(self._loaded, method)
