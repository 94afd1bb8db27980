"""What a client gives along with a message, checked before anything is stored."""

import re
from typing import Any

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import KEY_MAX_LENGTH, TEXT_MAX_LENGTH

CLIENT_ID_MAX_LENGTH = 64
INVISIBLE = (
    r"\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb"
)
"""Control characters, those that only direct others, and spaces but for the plain one: no id of a session has any."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
# How clients are told what is taken here. A schema is no check: each text is checked below, with a word to the person.
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


def validate_text(text: object, *, empty_allowed: bool = False) -> str:
    """Return what a learner typed, byte for byte. Raise Rejection: 422 for no text at all, 413 for too much."""
    if not isinstance(text, str):
        raise rejections.invalid("text", _("Send the message as text."))
    if len(text) > TEXT_MAX_LENGTH:
        raise rejections.too_large(
            _("A message may have at most %(limit)s characters; this one has %(count)s.")
            % {"limit": TEXT_MAX_LENGTH, "count": len(text)}
        )
    if not is_storable(text):
        raise rejections.invalid("text", _("The message holds characters that cannot be stored. Type it anew."))
    if not text.strip() and not empty_allowed:
        raise rejections.invalid("text", _("Write something first."))
    return text


def is_storable(text: str) -> bool:
    """Whether every database takes the text: no NUL, no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def validate_session_key(key: object) -> str:
    """Return a session's id as a client chose it. Raise Rejection for one that no session may have."""
    # It is part of a page's address, where a line break has no place.
    if (
        not isinstance(key, str)
        or not 1 <= len(key.strip(" ")) <= len(key) <= KEY_MAX_LENGTH
        or not is_storable(key)
        or _INVISIBLE.search(key)
    ):
        raise rejections.invalid(
            "session_id", _("A session id is 1 to %(limit)s printable characters.") % {"limit": KEY_MAX_LENGTH}
        )
    # Browsers and proxies resolve these steps before they send an address, so that nobody would ever reach the session.
    if {".", ".."} & {*key.split("/")}:
        raise rejections.invalid("session_id", _("A session id has no step “.” or “..” between slashes."))
    return key


def validate_client_id(client_id: object) -> str:
    """Return a client's own name for what it sends. Raise Rejection where it is none."""
    if (
        not isinstance(client_id, str)
        or not 1 <= len(client_id) <= CLIENT_ID_MAX_LENGTH
        or not client_id.isprintable()
        or not client_id.isascii()
    ):
        raise rejections.invalid(
            "client_id", _("A client id is 1 to %(limit)s printable characters.") % {"limit": CLIENT_ID_MAX_LENGTH}
        )
    return client_id
