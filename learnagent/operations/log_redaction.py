"""Keeping secrets and people's addresses out of logs: every record is redacted as it is made, and every line again."""

import logging
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from pydantic import SecretStr

from learnagent.configuration.account_urls import split_account_url
from learnagent.configuration.environment import environment

HIDDEN = "[hidden]"
_SECRET_PATTERNS = re.compile(
    r"""
    \bsk-[\w-]{6,}                                              # keys of model providers
    | \bla_[\w-]{43}                                            # API tokens
    | (?<=bearer\ )[^\s"',;]+ | (?<=basic\ )[\w+/=]{8,}         # what signs a request in
    | (?<=sessionid=)[^\s"',;]+ | (?<=csrftoken=)[^\s"',;]+     # cookies
    | (?<=token=)[^\s"'&,;]+ | (?<=session_id=)[^\s"'&,;]+
    | (?<=://)[^\s/@"']+(?=@)                                   # who signs in at an address, and how
    | \b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+                       # mail
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEADER = re.compile(
    r"""(["']?(?:x-api-key|authorization|set-cookie|cookie)["']?\s*[:=,]\s*b?["']?)([^"'\r\n]+)""", re.IGNORECASE
)
_SESSION = re.compile(
    r"""((["'])session_id\2\s*[:=,]\s*b?)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)""", re.IGNORECASE | re.DOTALL
)
"""A session's key in JSON or in Python's notation."""
_ROW = re.compile(
    r"""(\([^\r\n]{1,200}?\)=(?=\()|\bFailing\ row\ contains\ )
    \((?: .{0,4000}? \)(?=\ (?:already\ exists|is\ not\ present|is\ still\ referenced|conflicts\ with)) | [^\r\n]*)""",
    re.VERBOSE | re.DOTALL,
)
"""Values of a row that PostgreSQL rejected, as it reports them."""
_SLASH = r"(?:/|%2F)"
_SECRET_PATH = rf"""
    ((?<![\w.-]) (?:\w+://[^\s/"'<>]+)?                                      # a path, or an address
    {_SLASH} (?:accounts{_SLASH}(?:link|reset|guardian|erased) | card | co-teach | guardian(?:{_SLASH}stop)?
              | (?:messages|reports){_SLASH}stop | reminders | planner{_SLASH}(?:stop|calendar) | learn{_SLASH}lesson
              | (?:v2{_SLASH})?(?:ws|sessions?) | live | c | api{_SLASH}session) {_SLASH})
"""
"""Paths whose next part signs somebody in, opens something to whoever has it, or is a session's key."""
_PATHS = re.compile(
    rf"""{_SECRET_PATH} (?: \[hidden\](?!\w) | [^\s"'<>?\#&] [^\r\n]*? (?=\ HTTP/\d | [\r\n] | \Z) )""",
    re.VERBOSE | re.IGNORECASE,
)
"""Up to the end of the line or of the request line: a key may contain spaces and quotes, so its end is unknown."""
_WHOLE_PATH = re.compile(rf"{_SECRET_PATH} .+", re.VERBOSE | re.IGNORECASE | re.DOTALL)


def redact(text: str) -> str:
    """Return the text without keys, tokens, cookies, secret paths, mail addresses and this installation's own secrets."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    if text.isalnum():
        # A single word, as most values in the log are: all patterns need more.
        return text
    text = _HEADER.sub(rf"\1{HIDDEN}", text)
    text = _PATHS.sub(rf"\1{HIDDEN}", text)
    text = _SESSION.sub(rf'\1"{HIDDEN}"', text)
    text = _ROW.sub(rf"\1({HIDDEN})", text)
    return _SECRET_PATTERNS.sub(HIDDEN, text)


def redact_values(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event's fields, redacted; numbers and truth values as they are, anything else as text."""
    return {name: value if _is_harmless(value) else redact(str(value)) for name, value in event.items()}


def _is_harmless(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float)


@cache
def _secrets() -> tuple[str, ...]:
    values = dict(environment)
    wrapped = [*values.values(), *(server.api_key for server in values.get("LLM_BACKENDS", {}).values())]
    given = {value.get_secret_value() for value in wrapped if isinstance(value, SecretStr)}
    known = {settings.SECRET_KEY, *given, *(password for each in given for password in _passwords(each))}
    # What is shorter is no secret, and stands in other words.
    return tuple(sorted((each for each in known if len(each) >= 8), key=len, reverse=True))


def _passwords(secret: str) -> set[str]:
    """Return the password of a URL, as it is written there and as it is sent; nothing for any other secret."""
    if "://" not in secret:
        return set()
    password = split_account_url(secret).password or ""
    return {password, unquote(password)}


def install_redaction() -> None:
    """Redact each log record as it is made, whichever logger, library or handler it is for."""
    if not isinstance(logging.getLogRecordFactory(), _RedactingFactory):
        logging.setLogRecordFactory(_RedactingFactory(logging.getLogRecordFactory()))


class _RedactingFactory:
    def __init__(self, make: Callable[..., logging.LogRecord]) -> None:
        self.make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self.make(*args, **kwargs)
        _redact(record)
        return record


def _redact(record: logging.LogRecord) -> None:
    if isinstance(record.msg, dict):
        # An event of structlog's.
        record.msg = redact_values(record.msg)
    else:
        _redact_message(record)
    if record.exc_info and record.exc_info[0]:
        record.exc_text = redact(logging.Formatter().formatException(record.exc_info))
    if record.stack_info:
        record.stack_info = redact(record.stack_info)


def _redact_message(record: logging.LogRecord) -> None:
    # One by one first: some handlers look at the arguments, such as uvicorn's, which writes down who asked for what.
    if isinstance(record.args, Mapping):
        record.args = {name: _argument(value) for name, value in record.args.items()}
    elif record.args:
        record.args = tuple(map(_argument, record.args))
    try:
        message = record.getMessage()
    except Exception:  # The arguments do not fit the message, which logging itself tells of.
        return
    if (hidden := redact(message)) != message:
        record.msg, record.args = hidden, ()


def _argument(value: object) -> object:
    if not isinstance(value, str):
        return value
    # All of it is the path: within a line a blank in a session's key would seem to be its end.
    return redact(_WHOLE_PATH.sub(rf"\1{HIDDEN}", value) if _WHOLE_PATH.match(value) else value)
