"""Every status, type and code of a provider has its meaning."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import (
    LLMError,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRejected,
    LLMSpendLimit,
    LLMTimeout,
    LLMUnavailable,
)
from agents.llm.error_mapping import (
    LONGEST_WAIT_S,
    error_from_event,
    error_from_exception,
    error_from_status,
    retry_after_s,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["error", "code", "type", "message", "details"]), inner)
    ),
)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (307, LLMUnavailable),
        (400, LLMRejected),
        (401, LLMKeyRejected),
        (402, LLMSpendLimit),
        (403, LLMKeyRejected),
        (404, LLMRejected),
        (408, LLMTimeout),
        (409, LLMUnavailable),
        (413, LLMRejected),
        (422, LLMRejected),
        (429, LLMRateLimited),
        (500, LLMUnavailable),
        (503, LLMUnavailable),
        (504, LLMTimeout),
        (529, LLMUnavailable),
    ],
)
def test_every_status_has_its_meaning(status: int, expected: type[LLMError]) -> None:
    error = error_from_status(status, None, headers={})
    assert (type(error), error.status) == (expected, status)


@pytest.mark.parametrize("status", [400, 403, 429])
@pytest.mark.parametrize(
    "told",
    [
        {"code": "insufficient_quota"},
        {"type": "insufficient_quota"},
        {"type": "billing_error"},
        {"code": "billing_hard_limit_reached"},
        {"details": {"error_code": "enforced_spend_limit_reached"}},
        {"message": "Your credit balance is too low to access the API."},
        {"message": "You have reached your specified API usage limits."},
        {"message": "The workspace spend limit is reached."},
    ],
)
def test_spend_limit_is_one_in_each_of_its_forms(status: int, told: dict[str, Any]) -> None:
    """V3: never asked again, whatever the status says."""
    assert type(error_from_status(status, {"error": told}, headers={})) is LLMSpendLimit


def test_quota_of_a_minute_is_no_spend_limit() -> None:
    told = {"error": {"code": "rate_limit_exceeded", "message": "Quota exceeded for requests per minute."}}
    assert type(error_from_status(429, told, headers={})) is LLMRateLimited


@given(st.integers(300, 599), ANYTHING)
def test_any_body_is_read(status: int, body: object) -> None:
    assert isinstance(error_from_status(status, body, headers={}), LLMError)
    assert isinstance(error_from_event(body), LLMError)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1"}, 1.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "inf"}, LONGEST_WAIT_S),
        ({"retry-after": "4294967296"}, LONGEST_WAIT_S),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_wait_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """V1, V2: a number, a date, or nonsense; a day at most."""
    assert retry_after_s(headers) == seconds


def test_date_to_wait_for_is_read() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1))
    seconds = retry_after_s({"retry-after": later})
    assert seconds is not None
    assert 3_000 < seconds <= 3_600


@given(st.text())
def test_any_header_is_read(text: str) -> None:
    seconds = retry_after_s({"retry-after": text})
    assert seconds is None or 0 <= seconds <= LONGEST_WAIT_S


def test_anything_unexpected_is_our_error_and_only_its_type_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Surprise(Exception):
        """Carries what must not be shown."""

    assert type(error_from_exception(Surprise("sk-secret"), streaming=True)) is LLMUnavailable
    assert "Surprise" in caplog.text
    assert "sk-secret" not in caplog.text
