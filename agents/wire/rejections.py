"""Rejections of requests and frames: one exception, with a message for the person and a code for the client."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.event_log import get_logger

logger = get_logger(__name__)

PROTECTIVE_STATUSES = frozenset({403, 408, 413, 429, 503})
"""Of refusals by which the server protects itself or its people; others tell a client of a mistake."""


class ErrorDetails(BaseModel):
    """Why a request was rejected."""

    model_config = ConfigDict(title="ErrorDetails", use_attribute_docstrings=True)

    code: str
    """A code for programs: `invalid_input`, `unauthenticated`, `forbidden`, `not_found`, `method_not_allowed`,
    `turn_in_progress`, `conflict`, `too_large`, `unsupported_type`, `rate_limited`, `budget`, `not_enabled` or
    `unavailable`."""
    message: str
    """A message to show to the person."""
    recoverable: bool
    """Whether the same request, or a corrected one, may succeed later."""
    fallback_available: bool
    """Whether something else answered in its place."""
    ref: str
    """Identifies the request in the server's log."""
    fields: dict[str, str] = {}
    """Each invalid field, with its error."""
    retry_after_s: int | None = None
    """Seconds to wait before trying again; over HTTP also in `Retry-After`."""


class ErrorBody(BaseModel):
    """The body of every rejection; over a socket with `type: "error"` added."""

    error: ErrorDetails


class Rejection(Exception):
    """The request was rejected and nothing was stored. `status` and `code` are listed in docs/reference/api.md."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int,
        recoverable: bool = True,
        retry_after_s: int | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.recoverable = recoverable
        self.retry_after_s = retry_after_s
        self.fields = dict(fields or {})

    def as_wire(self, *, ref: str) -> dict[str, object]:
        """Return the error's body, as in `ErrorBody`; `ref` identifies the request in the log."""
        body: dict[str, object] = {
            "code": self.code,
            "message": self.message,
            "recoverable": self.recoverable,
            "fallback_available": False,
            "ref": ref,
        }
        if self.fields:
            body["fields"] = self.fields
        if self.retry_after_s is not None:
            # A socket has no header for it.
            body["retry_after_s"] = self.retry_after_s
        return {"error": body}


def log_refusal(event: str, *, status: int, code: str, **fields: object) -> None:
    """Log that a request, a frame or a socket was refused."""
    level = logging.WARNING if status in PROTECTIVE_STATUSES else logging.INFO
    logger.log(level, event, status=status, code=code, **fields)


def invalid(field: str, message: str) -> Rejection:
    """Return the rejection of one field's value."""
    return Rejection("invalid_input", message, status=422, fields={field: message})


def unreadable(message: str) -> Rejection:
    """Return the rejection of a malformed body or frame."""
    return Rejection("invalid_input", message, status=400)


def too_large(message: str) -> Rejection:
    return Rejection("too_large", message, status=413)


def not_found() -> Rejection:
    """Return the same rejection for what is missing and for what belongs to somebody else."""
    return Rejection("not_found", _("This does not exist, or it is not yours."), status=404, recoverable=False)


def method_not_allowed() -> Rejection:
    return Rejection(
        "method_not_allowed", _("This address does not accept that kind of request."), status=405, recoverable=False
    )


def unauthenticated() -> Rejection:
    return Rejection("unauthenticated", _("Please sign in first."), status=401)


def turn_in_progress() -> Rejection:
    return Rejection(
        "turn_in_progress",
        _("Your last message is still being answered. Wait until the answer is finished, then send this one."),
        status=409,
        retry_after_s=2,
    )


def conflict() -> Rejection:
    return Rejection(
        "conflict", _("Another message already has this client_id. Send this one as a new message."), status=409
    )


def rate_limited(message: str, *, retry_after_s: int) -> Rejection:
    return Rejection("rate_limited", message, status=429, retry_after_s=retry_after_s)


_FAULTS: Mapping[str, str] = {
    "missing": gettext_noop("This field is required."),
    "extra_forbidden": gettext_noop("Unknown field."),
    "string_type": gettext_noop("Send this as text."),
    "list_type": gettext_noop("Send this as a list."),
    "int_type": gettext_noop("Send this as a whole number."),
    "int_parsing": gettext_noop("Send this as a whole number."),
    "int_from_float": gettext_noop("Send this as a whole number."),
    "int_parsing_size": gettext_noop("This number is too large."),
    "uuid_type": gettext_noop("Send this as a UUID."),
    "uuid_parsing": gettext_noop("Send this as a UUID."),
    "greater_than_equal": gettext_noop("This must be at least %(ge)s."),
    "less_than_equal": gettext_noop("This must be at most %(le)s."),
    "less_than": gettext_noop("This must be less than %(lt)s."),
    "literal_error": gettext_noop("This must be one of %(expected)s."),
    "enum": gettext_noop("This must be one of %(expected)s."),
    "union_tag_invalid": gettext_noop("This must be one of %(expected_tags)s."),
    "union_tag_not_found": gettext_noop("This field is required."),
}
"""Pydantic error type → message for clients; Pydantic's own messages describe our models, not their input."""


def describe_fault(fault: Mapping[str, Any]) -> str:
    """Return the message for one of Pydantic's errors."""
    words = _FAULTS.get(fault["type"])
    return _(words) % fault.get("ctx", {}) if words else _("This value is invalid.")


def invalid_fields(error: ValidationError, *, tag: str = "body") -> Rejection:
    """Return the rejection of a body or frame with invalid fields, each with its error.

    `tag` is the field that selects the schema.
    """
    fields = {".".join(str(part) for part in each["loc"]) or tag: describe_fault(each) for each in error.errors()}
    return Rejection("invalid_input", _("Some fields are invalid."), status=422, fields=fields)


def unknown_fields(names: Iterable[str]) -> Rejection:
    """Return the rejection of unknown field names; they are never silently ignored."""
    fields = {name: _("Unknown field.") for name in names}
    return Rejection("invalid_input", _("Some fields are invalid."), status=422, fields=fields)


def unavailable(message: str = "", *, retry_after_s: int = 5) -> Rejection:
    """Return the rejection of what is unavailable right now; by default, of what could not be stored."""
    words = message or _("This could not be saved. Try again in a moment.")
    return Rejection("unavailable", words, status=503, retry_after_s=retry_after_s)


def not_enabled(message: str) -> Rejection:
    return Rejection("not_enabled", message, status=501, recoverable=False)
