"""Keeping secrets and people's addresses out of logs: whatever is written passes through here last."""

import logging
import re
from functools import cache

from django.conf import settings
from pydantic import SecretStr

from learnagent.env import environment

HIDDEN = "[hidden]"
_SHAPES = re.compile(
    r"""
    \bsk-[\w-]{6,}                                              # keys of model providers
    | (?<=bearer\ )[^\s"',;]+ | (?<=basic\ )[\w+/=]{8,}         # what signs a request in
    | (?<=sessionid=)[^\s"',;]+ | (?<=csrftoken=)[^\s"',;]+     # cookies
    | (?<=token=)[^\s"'&,;]+
    | (?<=://)[^\s/@"']+(?=@)                                   # who signs in at an address, and how
    | \b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+                       # mail
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEADER = re.compile(
    r"""(["']?(?:x-api-key|authorization|set-cookie|cookie)["']?\s*[:=,]\s*b?["']?)([^"'\r\n]+)""", re.IGNORECASE
)


def redacted(text: str) -> str:
    """Return the text without keys, tokens, cookies, mail addresses and this installation's own secrets."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    text = _HEADER.sub(rf"\1{HIDDEN}", text)
    return _SHAPES.sub(HIDDEN, text)


@cache
def _secrets() -> tuple[str, ...]:
    given = {value.get_secret_value() for value in dict(environment).values() if isinstance(value, SecretStr)}
    # What is shorter is no secret, and stands in other words.
    return tuple(sorted((each for each in {settings.SECRET_KEY, *given} if len(each) >= 8), key=len, reverse=True))


class RedactingFormatter(logging.Formatter):
    """A line of the log, its arguments, exception and stack included, without what must not be in it."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))
