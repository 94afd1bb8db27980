"""Errors of the engine.

AgentsError
├── GraphError              a graph or role that cannot work; raised when it is registered
├── OutsideCallForbidden    a call that costs money where none may happen, in tests
├── EmbeddingModelMissing   the embedded sentence model is not installed, or does not load
└── LLMError                a backend could not answer
    ├── LLMTimeout          no answer in time
    ├── LLMRateLimited      asked too often; `retry_after_s` where the provider says
    ├── LLMUnavailable      no connection, or the provider is down
    │   └── CircuitOpen     it failed so often that it is not asked for a while
    ├── LLMTruncated        the stream ended without a stop reason
    ├── LLMInvalidOutput    the answer does not have the result's shape
    ├── LLMRejected         the provider does not take the request: a wrong key, model or parameter
    │   ├── LLMKeyRejected  the key is wrong, or may not do this
    │   └── LLMSpendLimit   the provider's own limit on spending is reached
    ├── LLMBudgetSpent      a budget of this installation does not hold the call
    └── LLMRefused          the model declined
"""

from typing import Literal

ErrorType = Literal["timeout", "api_error", "validation", "resource", "internal"]


class AgentsError(Exception):
    """Base of the engine's errors."""


class GraphError(AgentsError):
    """A graph names an unknown role, has a loop without a bound, or is registered twice."""


class LLMError(AgentsError):
    """A backend could not answer."""

    error_type: ErrorType = "api_error"
    recoverable = True

    def __init__(self, message: str = "", *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The provider's HTTP status; None where it sent none."""


class LLMTimeout(LLMError):
    """No answer, or no further piece of it, in time."""

    error_type = "timeout"

    def __init__(self, *, silent: bool = False, status: int | None = None) -> None:
        super().__init__("took too long", status=status)
        self.silent = silent
        """The model sent nothing for as long as it may; else the asker's own time was over."""


class LLMRateLimited(LLMError):
    """The provider was asked too often."""

    error_type = "resource"

    def __init__(self, *, retry_after_s: float | None = None) -> None:
        super().__init__("asked too often", status=429)
        self.retry_after_s = retry_after_s


class LLMUnavailable(LLMError):
    """The provider cannot be reached, or is down."""


class CircuitOpen(LLMUnavailable):
    """The provider failed so often that it is not asked for a while."""


class LLMTruncated(LLMError):
    """The stream ended without saying why."""


class LLMInvalidOutput(LLMError):
    """The answer does not have the shape that the role asks for."""

    error_type = "validation"


class LLMRejected(LLMError):
    """The provider does not take the request; asking again changes nothing, an admin has to."""

    recoverable = False


class LLMKeyRejected(LLMRejected):
    """The provider does not know the key, or the key may not do this: no question is answered until an admin acts."""


class LLMSpendLimit(LLMRejected):
    """The provider's own limit on spending is reached."""

    error_type = "resource"


class LLMBudgetSpent(LLMError):
    """A budget of this installation does not hold the worst that the call can cost."""

    error_type = "resource"
    recoverable = False

    def __init__(self, account: str = "") -> None:
        super().__init__(f"the budget of {account or 'an account'} is spent")
        self.account = account


class LLMRefused(LLMError):
    """The model declined to answer."""

    recoverable = False


class OutsideCallForbidden(AgentsError):
    """A backend that reaches an outside model was used while such calls are forbidden. No fallback hides it."""


class EmbeddingModelMissing(AgentsError):
    """The embedded sentence model, or what runs it, is not installed or does not load."""
