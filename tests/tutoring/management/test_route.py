"""`manage.py route`: a line in, a line out; what cannot be routed says why, and the end says that it happened."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agents.models import ModelCall
from agents.routing import router
from agents.routing.classifier import Classification
from tests.provider import Answer, Provider
from tests.tutoring.local_provider import PATIENT, WIRES, options


def rows_for(lines: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[list[dict[str, Any]], str]:
    """Return the answers, and the error's words; empty without one."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
    out, error = io.StringIO(), ""
    try:
        call_command("route", stdout=out)
    except CommandError as raised:
        error = str(raised)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


def line(**row: object) -> bytes:
    return json.dumps(row).encode() + b"\n"


def test_each_message_gets_its_agent_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = line(text="quiz me", surface="team") + b"\n" + line(text="tell me a joke")
    (quiz, nothing), error = rows_for(lines, monkeypatch)
    assert error == ""
    assert quiz == {"agent": "quiz", "strategy": "rule", "confidence": 0.95, "reason": "The message asks for a quiz."}
    assert nothing["agent"] is None


@pytest.mark.django_db
def test_the_companions_agents_are_a_surface_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = line(text="remind me to bring my ruler", surface="companion") + line(text="quiz me", surface="companion")
    (task, nothing), error = rows_for(lines, monkeypatch)
    assert error == ""
    assert task == {
        "agent": "task", "strategy": "rule", "confidence": 0.95, "reason": "The message asks for a reminder.",
    }  # fmt: skip
    assert nothing["agent"] is None


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"garbage\n", "not a line of JSON"),
        (b"\xff\xfe\n", "not a line of JSON"),
        (b"[" * 20_000 + b"\n", "not a line of JSON"),
        (b"[]\n", "the line must be an object with a text"),
        (line(text=7), "the line must be an object with a text"),
        (line(text="hi", surface="nobody"), 'the surface must be "team" or "companion"'),
        (line(text="a" * 10_001), "the text is longer than 10000 characters"),
        (line(text="a" * 500_000), "the line is longer than 160000 bytes"),
    ],
)
def test_a_bad_line_says_why_and_stops_nothing(bad: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (refused, quiz), error = rows_for(bad + line(text="quiz me"), monkeypatch)
    assert refused == {"error": why}
    assert quiz["agent"] == "quiz"
    assert error == "1 lines could not be routed"


def test_the_longest_text_and_the_oddest_are_routed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, error = rows_for(line(text="😀" * 10_000) + line(text="\ud800\x00"), monkeypatch)
    assert error == ""
    assert all(set(row) == {"agent", "strategy", "confidence", "reason"} for row in rows)


COORDINATOR = "You decide which member of a teaching team"


class Guesses:
    def __init__(self, confidence: float, label: str = "quiz") -> None:
        self.confidence, self.label = confidence, label

    def classify(self, text: str) -> Classification:
        return Classification(label=self.label, confidence=self.confidence)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest, settings: Any, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> str:
    """A provider behind every tier, and a classifier that is certain of nothing."""
    settings.AGENTS = {**settings.AGENTS, "model_limits": PATIENT}
    settings.LLMS = options(provider, request.param)
    monkeypatch.setattr(router, "load_classifier", lambda path: Guesses(0.6))
    return str(request.param)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("agent", ["tutor", "diagnostic", "quiz", "feedback", "pathplanner", "none"])
def test_model_decides_what_is_not_certain(
    agent: str, wire: str, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.script(COORDINATOR, Answer(object={"agent": agent, "reason": "Says\nso."}))
    (answer, by_rule), error = rows_for(line(text="gimme the thing") + line(text="quiz me"), monkeypatch)
    found = None if agent == "none" else agent
    assert answer == {"agent": found, "strategy": "llm", "confidence": None, "reason": "Says so."}
    assert (by_rule["strategy"], error, provider.attempts) == ("rule", "", 1)
    [call] = ModelCall.objects.all()
    assert (call.agent, call.accounts, call.person_id, call.turn_id) == ("coordinator", ["site"], None, None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("agent", ["task", "none"])
def test_model_decides_what_is_not_certain_for_the_companion(
    agent: str, wire: str, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "load_classifier", lambda path: Guesses(0.6, "food"))
    provider.script("You decide which part of a planner", Answer(object={"agent": agent, "reason": "Says so."}))
    (answer,), error = rows_for(line(text="gimme the thing", surface="companion"), monkeypatch)
    assert answer == {
        "agent": None if agent == "none" else agent, "strategy": "llm", "confidence": None, "reason": "Says so.",
    }  # fmt: skip
    assert (error, provider.attempts) == ("", 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "useless",
    [Answer(status=500), Answer(object={"agent": "admin", "reason": "so"}), Answer(text="the quiz, I think")],
)
def test_model_that_fails_leaves_it_to_the_classifier(
    useless: Answer, wire: str, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.script(COORDINATOR, useless)
    (answer,), error = rows_for(line(text="gimme the thing"), monkeypatch)
    assert provider.attempts
    assert error == ""
    assert answer == {
        "agent": "quiz",
        "strategy": "classifier",
        "confidence": 0.6,
        "reason": "The message sounds like a request for questions.",
    }


@pytest.mark.django_db(transaction=True)
def test_model_is_not_asked_what_is_certain(wire: str, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "load_classifier", lambda path: Guesses(0.96))
    (answer,), _error = rows_for(line(text="gimme the thing"), monkeypatch)
    assert (answer["strategy"], provider.attempts) == ("classifier", 0)
