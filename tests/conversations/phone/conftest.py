"""A site that takes calls, and callers."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.test import AsyncClient

from conversations.turns.supervisor import Supervisor
from tests.conversations.conftest import host, says, supervisor  # noqa: F401  # Fixtures.
from tests.conversations.phone.twilio_caller import FORM, Heard, Post, TwilioCall

TOKEN = "0123456789abcdef0123456789abcdef"
NUMBER = "+436641234567"
SITE = "http://testserver"

type Send = Callable[[Post], Awaitable[Any]]
type Hear = Callable[[TwilioCall, Post], Awaitable[Heard]]


@pytest.fixture(autouse=True)
def _calls_are_set_up(settings: Any) -> None:
    settings.TWILIO_AUTH_TOKEN = TOKEN
    settings.PUBLIC_URL = SITE


@pytest.fixture
def call() -> TwilioCall:
    return TwilioCall(site=SITE, token=TOKEN, number=NUMBER)


@pytest.fixture
def send(async_client: AsyncClient) -> Send:
    """Return a function that sends a request of Twilio's and returns the response."""

    async def post(posted: Post) -> Any:
        return await async_client.post(
            posted.path, posted.body, content_type=FORM, headers={"X-Twilio-Signature": posted.signature}
        )

    return post


@pytest.fixture
def hear(send: Send, supervisor: Supervisor) -> Hear:  # noqa: F811  # The fixture itself.
    """Return a function that sends a request in a call and returns what the caller hears."""

    async def heard(call: TwilioCall, posted: Post) -> Heard:
        response = await send(posted)
        assert response.status_code == 200, response.content
        assert response["Content-Type"] == "text/xml; charset=utf-8"
        return call.hear(response.content)

    return heard
