"""A host for tests that begin turns and never serve them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from conversations.turns import handler
from conversations.turns.handler import Intent


class QuietHost:
    """Accepts every turn and adds nothing."""

    def read(self, turn: Any) -> None:
        return None

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def stands(self, key: str, value: Any) -> str:
        return ""

    def changed_cards(self, turn: Any) -> Sequence[Mapping[str, Any]]:
        return []

    def judged_cards(self, turn: Any) -> Sequence[Mapping[str, Any]]:
        return []

    def may_show_to_model(self, drawing: Any) -> bool:
        return True

    def needs_care(self, text: str) -> bool:
        return False

    def may_rerun(self, turn: Any) -> str:
        return ""

    def intent(self, turn: Any, text: str) -> Intent:
        return "statement"

    def is_aside(self, turn: Any) -> bool:
        return False

    def decided(self, result: Mapping[str, Any]) -> str:
        return ""

    def tested(self, session: Any) -> Sequence[tuple[int, str]]:
        return ()

    def lesson_context(self, session: Any) -> Mapping[str, Any]:
        return {}


@pytest.fixture
def quiet_host() -> Iterator[None]:
    before = list(handler._handlers)
    handler.register_turn_handler(QuietHost())  # type: ignore[arg-type]  # Turns begin here and are not served.
    yield
    handler._handlers[:] = before
