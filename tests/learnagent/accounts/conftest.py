"""Passwords that are cheap to hash, for these tests make and check many; and a home to be sent to."""

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _cheap_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["tests.learnagent.accounts.counting_hasher.CountingHasher"]


@pytest.fixture(autouse=True)
def _home(settings: Any) -> None:
    """Where people land after signing in is another room's page."""
    settings.LOGIN_REDIRECT_URL = "/"
