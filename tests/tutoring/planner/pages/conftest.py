"""A Wednesday in November, and a learner who is signed in."""

from datetime import UTC, datetime

import pytest

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _wednesday(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


@pytest.fixture
def learner(client, ben):
    """Ben, signed in; his clock is UTC."""
    ben.zone = "UTC"
    ben.save()
    client.force_login(ben)
    return ben
