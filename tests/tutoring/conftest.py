"""The course Fractions, for all tests of a module that ask for it: as shipped, or without steps."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.storage.brief_cache import BriefCache
from tests.tutoring.lessons.lesson_player import load_fractions, load_spoken_fractions


@pytest.fixture(scope="module")
def kept_fractions(stored_once: Callable[[Callable[[], Any]], Any]) -> None:
    """Keep the course without steps: these tests are about what is said in words."""
    stored_once(load_spoken_fractions)


@pytest.fixture(scope="module")
def shipped_fractions(stored_once: Callable[[Callable[[], Any]], Any]) -> None:
    stored_once(load_fractions)


@pytest.fixture
def lasting_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read settings once: on a slow machine, one turn or another would query them again and count more queries."""
    monkeypatch.setattr(BriefCache, "_is_old", lambda cache, read_at: False)
