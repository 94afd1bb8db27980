"""Requests to learning platforms, and their answers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import async_to_sync

from learnagent.lti.models import Platform


class PlatformUnreachable(Exception):
    """A platform gave no usable answer; the text says why, without addresses or tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The body as a value. Raises PlatformUnreachable if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise PlatformUnreachable("the answer is not JSON") from None


def get_json(platform: Platform, url: str) -> Any:
    """Return the JSON value at a platform's address. Raises PlatformUnreachable."""
    answer = send_request(platform, "GET", url, headers={"Accept": "application/json"})
    if answer.status != 200:
        raise PlatformUnreachable(f"status {answer.status}")
    return answer.json


def post_form(platform: Platform, url: str, fields: Mapping[str, str]) -> Answer:
    """Return the answer to a form. Raises PlatformUnreachable."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    return send_request(platform, "POST", url, headers=headers, content=urlencode(fields).encode())


def send_request(
    platform: Platform, method: str, url: str, *, headers: Mapping[str, str], content: bytes = b""
) -> Answer:
    """Return the answer, whatever its status. Raises PlatformUnreachable.

    A host that no admin has entered for the platform must be on the public internet.
    """
    # The HTTP library takes long to load, and a start must not wait for it.
    from learnagent.lti.platform_client import send

    return async_to_sync(send)(platform, method, url, headers=headers, content=content)
