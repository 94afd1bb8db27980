"""Why something sent in is refused: one exception, worded for the person and coded for the client."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from pydantic import BaseModel, ConfigDict, ValidationError


class ErrorDetails(BaseModel):
    """Why something was refused."""

    model_config = ConfigDict(title="ErrorDetails", use_attribute_docstrings=True)

    code: str
    """What a program goes by: `invalid_input`, `unauthenticated`, `forbidden`, `not_found`, `method_not_allowed`,
    `turn_in_progress`, `conflict`, `too_large`, `unsupported_type`, `rate_limited`, `budget`, `not_enabled` or
    `unavailable`."""
    message: str
    """What a person is told."""
    recoverable: bool
    """Whether the same request, or a corrected one, may succeed later."""
    fallback_available: bool
    """Whether something else answered in its place."""
    ref: str
    """Finds the request in the server's log."""
    fields: dict[str, str] = {}
    """Each field that is wrong, with its fault."""
    retry_after_s: int | None = None
    """After how many seconds to try again; over HTTP `Retry-After` says the same."""


class ErrorBody(BaseModel):
    """The body of every refusal; over a socket with `type: "error"` beside it."""

    error: ErrorDetails


class Rejection(Exception):
    """What was sent is refused; nothing of it was kept. `status` and `code` are listed in docs/reference/api.md."""

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
        """Return the error's body; `ref` finds the log lines of the request. What it may hold is `ErrorBody`."""
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
            # A socket has no header to say it in.
            body["retry_after_s"] = self.retry_after_s
        return {"error": body}


def invalid(field: str, message: str) -> Rejection:
    """Return the refusal of one field's value."""
    return Rejection("invalid_input", message, status=422, fields={field: message})


def unreadable(message: str) -> Rejection:
    """Return the refusal of a body or frame that has not the shape of one."""
    return Rejection("invalid_input", message, status=400)


def too_large(message: str) -> Rejection:
    return Rejection("too_large", message, status=413)


def not_found() -> Rejection:
    """Return the one answer for what is missing and for what is somebody else's."""
    return Rejection("not_found", _("There is nothing here, or it is not yours."), status=404, recoverable=False)


def method_not_allowed() -> Rejection:
    return Rejection(
        "method_not_allowed", _("This address does not accept that kind of request."), status=405, recoverable=False
    )


def unauthenticated() -> Rejection:
    return Rejection("unauthenticated", _("Please sign in first."), status=401)


def turn_in_progress() -> Rejection:
    return Rejection(
        "turn_in_progress",
        _("Your last message is still being answered. Send this one when it is done."),
        status=409,
        retry_after_s=2,
    )


def conflict() -> Rejection:
    return Rejection(
        "conflict", _("Another message was sent under this name before. Send this one as a new message."), status=409
    )


def rate_limited(message: str, *, retry_after_s: int) -> Rejection:
    return Rejection("rate_limited", message, status=429, retry_after_s=retry_after_s)


_FAULTS: Mapping[str, str] = {
    "missing": gettext_noop("This is needed."),
    "extra_forbidden": gettext_noop("There is no such field."),
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
    "less_than": gettext_noop("This must be below %(lt)s."),
    "literal_error": gettext_noop("This must be one of %(expected)s."),
    "enum": gettext_noop("This must be one of %(expected)s."),
    "union_tag_invalid": gettext_noop("This must be one of %(expected_tags)s."),
    "union_tag_not_found": gettext_noop("This is needed."),
}
"""Pydantic's name of a fault → what clients are told: its own words are about its parts, not about theirs."""


def describe_fault(fault: Mapping[str, Any]) -> str:
    """Return what is wrong with a value, of one of Pydantic's errors."""
    words = _FAULTS.get(fault["type"])
    return _(words) % fault.get("ctx", {}) if words else _("This will not do here.")


def invalid_fields(error: ValidationError, *, tag: str = "body") -> Rejection:
    """Return the refusal of a body or frame whose fields are wrong, each named with its fault.

    `tag` is the field that says which shape it should have.
    """
    fields = {".".join(str(part) for part in each["loc"]) or tag: describe_fault(each) for each in error.errors()}
    return Rejection("invalid_input", _("Some of this is not as it should be."), status=422, fields=fields)


def unknown_fields(names: Iterable[str]) -> Rejection:
    """Return the refusal of names that mean nothing here: they are never silently passed over."""
    fields = {name: _("There is no such field.") for name in names}
    return Rejection("invalid_input", _("Some of this is not as it should be."), status=422, fields=fields)


def unavailable(message: str = "", *, retry_after_s: int = 5) -> Rejection:
    """Return the refusal of what cannot be done now; without a message, of what could not be stored."""
    words = message or _("This could not be saved just now. Try again in a moment.")
    return Rejection("unavailable", words, status=503, retry_after_s=retry_after_s)


def not_enabled(message: str) -> Rejection:
    return Rejection("not_enabled", message, status=501, recoverable=False)
