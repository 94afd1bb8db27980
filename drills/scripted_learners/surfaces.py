"""How a learner reaches the tutor: as a program over `/v2`. The page is in `page.py`."""

from collections.abc import Mapping
from time import sleep
from typing import Any, Protocol

from drills.regressions.visitor import Visitor

WAITS = 200
WAIT_S = 0.1
"""Between two looks at a turn that waits for capacity."""


class Surface(Protocol):
    def say(self, text: str) -> Mapping[str, Any]:
        """Send a message; return the answer as `/v2` gives it."""

    def answer(self, text: str) -> Mapping[str, Any]:
        """Answer the open card; return the answer to the turn."""

    def open_lesson(self, text: str, concept: str) -> Mapping[str, Any]:
        """Ask for a lesson; return the answer to the turn."""

    def notes(self) -> str:
        """Return what else was noticed; empty if nothing was."""


class ApiSurface:
    """One conversation over `/v2`; an answer to a card is a message."""

    def __init__(self, visitor: Visitor, *, learner: str) -> None:
        self._visitor = visitor
        self._learner = learner
        self._sent = 0

    def say(self, text: str) -> Mapping[str, Any]:
        self._sent += 1
        body = {"text": text, "session_id": self._learner, "client_id": f"{self._learner}-{self._sent}"}
        response = self._visitor.post("/v2/conversation", json=body)
        answer: dict[str, Any] = response.json()
        if response.is_error:
            raise RuntimeError(f"the server refused {text!r}: {answer}")
        return answer if "reply" in answer else self._finished(answer["turn_id"])

    answer = say

    def open_lesson(self, text: str, concept: str) -> Mapping[str, Any]:
        return self.say(text)

    def notes(self) -> str:
        return ""

    def _finished(self, turn_id: str) -> Mapping[str, Any]:
        """Return the answer of a turn that waited for capacity. Raise TimeoutError if it never comes."""
        for _ in range(WAITS):
            turn: dict[str, Any] = self._visitor.get(f"/v2/turns/{turn_id}").json()
            if turn["status"] not in ("queued", "running"):
                answer: dict[str, Any] = turn["answer"]
                return answer
            sleep(WAIT_S)
        raise TimeoutError(f"the turn {turn_id} never ended")
