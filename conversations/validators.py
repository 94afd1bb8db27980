"""Validators for what a client sends with a message, run before anything is stored."""

import re
from typing import Any

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import KEY_MAX_LENGTH, TEXT_MAX_LENGTH

CLIENT_ID_MAX_LENGTH = 64
INVISIBLE = (
    r"\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb"
)
"""Characters not allowed in a session id: control and format characters, and all spaces but the plain one."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
# The limits shown to clients. The schema does not enforce them: the functions below do, with clear messages.
STORABLE = r"^[^\u0000]*$"
TEXT_SCHEMA: dict[str, Any] = {
    "minLength": 1,
    "maxLength": TEXT_MAX_LENGTH,
    "pattern": r"^[^\u0000]*[^\s\u0000\u001c-\u001f\u0085][^\u0000]*$",
}
KEY_SCHEMA: dict[str, Any] = {
    "minLength": 1,
    "maxLength": KEY_MAX_LENGTH,
    "pattern": rf"^ *[^ {INVISIBLE}][^{INVISIBLE}]*$",
    "not": {"pattern": r"(^|/)\.\.?(/|$)"},
}
CLIENT_ID_SCHEMA: dict[str, Any] = {"minLength": 1, "maxLength": CLIENT_ID_MAX_LENGTH, "pattern": "^[ -~]+$"}


def validate_text(text: object, *, empty_allowed: bool = False, field: str = "text") -> str:
    """Return the learner's text unchanged. Raises Rejection: 422 for no text, 413 if it is too long.

    `field` is what the client calls it.
    """
    if not isinstance(text, str):
        raise rejections.invalid(field, _("Send the message as text."))
    if len(text) > TEXT_MAX_LENGTH:
        raise rejections.too_large(
            _("A message can have at most %(limit)s characters. This one has %(count)s.")
            % {"limit": TEXT_MAX_LENGTH, "count": len(text)}
        )
    if not is_storable(text):
        raise rejections.invalid(
            field, _("Your message contains characters that can’t be saved. Type it again without them.")
        )
    if not text.strip() and not empty_allowed:
        raise rejections.invalid(field, _("Write a message first."))
    return text


def is_storable(text: str) -> bool:
    """Return whether every database can store the text: no NUL, no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def validate_session_key(key: object) -> str:
    """Return a session id chosen by a client. Raises Rejection if it is invalid."""
    # It becomes part of a URL, where line breaks are not allowed.
    if (
        not isinstance(key, str)
        or not 1 <= len(key.strip(" ")) <= len(key) <= KEY_MAX_LENGTH
        or not is_storable(key)
        or _INVISIBLE.search(key)
    ):
        raise rejections.invalid(
            "session_id",
            _("A session ID must be 1 to %(limit)s printable characters long.") % {"limit": KEY_MAX_LENGTH},
        )
    # Browsers and proxies resolve these segments before they send a URL, so that the session could not be reached.
    if {".", ".."} & {*key.split("/")}:
        raise rejections.invalid("session_id", _("A session id cannot contain “.” or “..” between slashes."))
    return key


def validate_client_id(client_id: object) -> str:
    """Return a client's own id for what it sends. Raises Rejection if it is invalid."""
    if (
        not isinstance(client_id, str)
        or not 1 <= len(client_id) <= CLIENT_ID_MAX_LENGTH
        or not client_id.isprintable()
        or not client_id.isascii()
    ):
        raise rejections.invalid(
            "client_id",
            _("A client ID must be 1 to %(limit)s printable characters long.") % {"limit": CLIENT_ID_MAX_LENGTH},
        )
    return client_id
