"""The shipped course, for all tests of a module that ask for it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.tutoring.lessons.lesson_player import load_fractions


@pytest.fixture(scope="module")
def kept_fractions(stored_once: Callable[[Callable[[], Any]], Any]) -> None:
    stored_once(load_fractions)
