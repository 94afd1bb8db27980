"""Errors of the engine.

AgentsError
├── GraphError              a graph or role that cannot work; raised when it is registered
└── LLMError                a backend could not answer
    ├── LLMTimeout          no answer in time
    ├── LLMRateLimited      asked too often; `retry_after_s` where the provider says
    ├── LLMUnavailable      no connection, or the provider is down
    ├── LLMTruncated        the stream ended without a stop reason
    ├── LLMInvalidOutput    the answer does not have the result's shape
    ├── LLMRefused          the model declined
    └── OutsideCallForbidden  a call that costs money where none may happen, in tests
"""

from agents.events import ErrorType


class AgentsError(Exception):
    """Base of the engine's errors."""


class GraphError(AgentsError):
    """A graph names an unknown role, has a loop without a bound, or is registered twice."""


class LLMError(AgentsError):
    """A backend could not answer."""

    error_type: ErrorType = "api_error"
    recoverable = True


class LLMTimeout(LLMError):
    """No answer, or no further piece of it, in time."""

    error_type = "timeout"


class LLMRateLimited(LLMError):
    """The provider was asked too often."""

    error_type = "resource"

    def __init__(self, *, retry_after_s: float | None = None) -> None:
        super().__init__("asked too often")
        self.retry_after_s = retry_after_s


class LLMUnavailable(LLMError):
    """The provider cannot be reached, or is down."""


class LLMTruncated(LLMError):
    """The stream ended without saying why."""


class LLMInvalidOutput(LLMError):
    """The answer does not have the shape that the role asks for."""

    error_type = "validation"


class LLMRefused(LLMError):
    """The model declined to answer."""

    recoverable = False


class OutsideCallForbidden(LLMError):
    """A backend that reaches an outside model was used while such calls are forbidden."""

    error_type = "internal"
    recoverable = False
