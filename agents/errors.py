"""Errors of the engine.

AgentsError
├── GraphError              a graph or role is invalid; raised at registration
├── OutsideCallForbidden    a paid call where calls are forbidden, in tests
├── EmbeddingModelMissing   the embedded sentence model is not installed, or does not load
└── LLMError                a backend could not answer
    ├── LLMTimeout          no answer in time
    ├── LLMBusy             every backend answers as many calls as it may
    ├── LLMRateLimited      too many requests; `retry_after_s` if the provider gives it
    ├── LLMUnavailable      no connection, or the provider is down
    │   └── CircuitOpen     it failed so often that calls are paused
    ├── LLMTruncated        the stream ended without a stop reason
    ├── LLMInvalidOutput    the answer does not match the result's schema
    ├── LLMRejected         the provider rejects the request: a wrong key, model or parameter
    │   ├── LLMKeyRejected  the key is wrong or lacks permission
    │   └── LLMSpendLimit   the provider's spending limit has been reached
    ├── LLMBudgetSpent      the call would exceed a budget of this site
    └── LLMRefused          the model declined
"""

from typing import Literal

ErrorType = Literal["timeout", "api_error", "validation", "resource", "internal"]


class AgentsError(Exception):
    """Base of the engine's errors."""


class GraphError(AgentsError):
    """A graph names an unknown role, has a loop without a limit, or is registered twice."""


class LLMError(AgentsError):
    """A backend could not answer."""

    error_type: ErrorType = "api_error"
    recoverable = True

    def __init__(self, message: str = "", *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The provider's HTTP status; None if it sent none."""


class LLMTimeout(LLMError):
    """No answer, or no next piece of it, in time."""

    error_type = "timeout"

    def __init__(self, *, silent: bool = False, answering: bool = False, status: int | None = None) -> None:
        super().__init__("took too long", status=status)
        self.silent = silent
        """True: the model sent nothing for the longest allowed time. False: the caller's own time ran out."""
        self.answering = answering
        """Whether the model was sending its answer when the caller's own time ran out."""


class LLMRateLimited(LLMError):
    """The provider got too many requests."""

    error_type = "resource"

    def __init__(self, *, retry_after_s: float | None = None) -> None:
        super().__init__("too many requests", status=429)
        self.retry_after_s = retry_after_s


class LLMBusy(LLMError):
    """Every backend of the alias answers as many calls as it may, and none ended in time."""

    error_type = "resource"


class LLMUnavailable(LLMError):
    """The provider cannot be reached, or is down."""


class CircuitOpen(LLMUnavailable):
    """The provider failed so often that calls to it are paused."""


class LLMTruncated(LLMError):
    """The stream ended without a stop reason."""


class LLMInvalidOutput(LLMError):
    """The answer does not match the schema that the role asks for."""

    error_type = "validation"


class LLMRejected(LLMError):
    """The provider rejects the request. Retrying does not help; an admin has to act."""

    recoverable = False


class LLMKeyRejected(LLMRejected):
    """The provider does not know the key, or the key lacks permission. Every request fails until an admin acts."""


class LLMSpendLimit(LLMRejected):
    """The provider's spending limit has been reached."""

    error_type = "resource"


class LLMBudgetSpent(LLMError):
    """The most that the call can cost exceeds what is left of a budget of this site."""

    error_type = "resource"
    recoverable = False

    def __init__(self, account: str = "") -> None:
        super().__init__(f"the budget of {account or 'an account'} is spent")
        self.account = account


class LLMRefused(LLMError):
    """The model declined to answer."""

    recoverable = False


class OutsideCallForbidden(AgentsError):
    """A backend would call an outside model while such calls are forbidden. No fallback hides it."""


class EmbeddingModelMissing(AgentsError):
    """The embedded sentence model or its runtime is not installed, or does not load."""
