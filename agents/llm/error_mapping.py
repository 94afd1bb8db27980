"""Maps providers' errors to our own. No provider text is copied: it may contain the API key."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from agents.errors import (
    LLMError,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRejected,
    LLMSpendLimit,
    LLMTimeout,
    LLMTruncated,
    LLMUnavailable,
)
from agents.event_log import get_logger

logger = get_logger(__name__)

LONGEST_WAIT_S = 86_400.0
SPEND_LIMIT_CODES = {
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "organization_on_hold",
    "billing_error",
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
}
SPEND_LIMIT_WORDS = re.compile(
    r"credit balance is too low|specified api usage limits|billing hard limit|spend(ing)? limit", re.I
)
"""Some providers report it only in the message, with an unrelated status."""
STATUS_OF_TYPE = {
    "rate_limit_error": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "invalid_request_error": 400,
    "not_found_error": 404,
    "timeout_error": 504,
}
"""For errors inside a stream, after status 200."""


def error_from_exception(error: Exception, *, streaming: bool) -> LLMError:
    """Return our error for an exception raised by an SDK, its transport or the stream.

    `streaming`: the answer had started. Do not chain the exception: its text may contain the key.
    """
    if isinstance(error, LLMError):
        return error
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status != 200:
        return error_from_status(status, getattr(error, "body", None), headers=getattr(response, "headers", {}))
    # By name: both SDKs and their transport have their own classes, and none is imported before it is needed.
    names = {each.__name__ for each in type(error).__mro__}
    if any("Timeout" in name for name in names) and not _has_lost_connection(error):
        return LLMTimeout()
    if streaming and names & {"ValueError", "TransportError", "StreamError", "APIConnectionError"}:
        return LLMTruncated()
    if not names & {"TransportError", "APIError"}:
        logger.error("model_error_unknown", error=type(error).__name__)
    return LLMUnavailable()


def _has_lost_connection(error: BaseException | None) -> bool:
    """Tell whether an error comes from a connection that was reset, which one of the SDKs calls a timeout."""
    while error is not None and not isinstance(error, ConnectionError):
        error = error.__cause__
    return error is not None


def error_from_status(status: int, body: object, *, headers: Mapping[str, str]) -> LLMError:
    """Return our error for an HTTP error status and its body."""
    told = error_details(body)
    if status == 402 or _is_spend_limit(told):
        return LLMSpendLimit(status=status)
    if status == 429:
        return LLMRateLimited(retry_after_s=retry_after_s(headers))
    if status in (401, 403):
        return LLMKeyRejected(status=status)
    if status in (408, 504):
        return LLMTimeout(status=status)
    if 400 <= status < 500 and status not in (409, 425, 499):
        return LLMRejected(status=status)
    return LLMUnavailable(status=status)


def error_from_event(body: object) -> LLMError:
    """Return our error for an error event in a stream."""
    told = error_details(body)
    code = told.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return error_from_status(code, body, headers={})
    return error_from_status(STATUS_OF_TYPE.get(str(told.get("type")), 500), body, headers={})


def error_details(body: object) -> Mapping[str, Any]:
    """Return the part of an error body that describes the error; empty if there is none."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {"message": inner} if isinstance(inner, str) else {}


def _is_spend_limit(told: Mapping[str, Any]) -> bool:
    details = told.get("details")
    code = details.get("error_code") if isinstance(details, Mapping) else None
    words = str(told.get("message") or "")[:1_000]
    return bool(
        {str(code), str(told.get("code")), str(told.get("type"))} & SPEND_LIMIT_CODES or SPEND_LIMIT_WORDS.search(words)
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds the provider asks us to wait, at most a day; None if it does not say."""
    seconds = _number(headers.get("retry-after-ms")) / 1000
    if math.isnan(seconds):
        seconds = _number(headers.get("retry-after"))
    if math.isnan(seconds):
        seconds = _seconds_until(headers.get("retry-after", ""))
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_WAIT_S)


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan


def _seconds_until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return math.nan
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
