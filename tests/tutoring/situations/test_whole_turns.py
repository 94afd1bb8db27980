"""The forty situations played as whole turns: rows, reading, decision, graph, guard, and the real SDK asking a recorded model."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.provider import Provider
from tests.tutoring.lessons.lesson_player import Exchange, Stage, counted_turns, unhurried
from tests.tutoring.situations.cases import situations
from tests.tutoring.situations.setup import READER, Recording, recorded_model, recorded_turns, staged
from tests.tutoring.situations.test_situations import FILLER
from tutoring.models import Attempt

pytestmark = [pytest.mark.db, pytest.mark.django_db]
NO_MODEL = "no model is connected"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.mark.parametrize("situation", situations(), ids=lambda each: each["id"])
def test_whole_turns(situation: dict[str, Any], provider: Provider, kept_fractions: None) -> None:
    with unhurried(), counted_turns(situation["id"]):
        stage = staged(situation)
        with recorded_model(provider) as recording:
            for turn in recorded_turns(situation):
                recording.begin(turn["reading"], turn["replies"])
                exchange = stage.say(turn["text"])
                assert_served(turn, exchange)
                assert_moved(turn, recording)
                assert_told(turn, exchange, recording)
                assert_graded(turn, exchange, stage)


def assert_served(turn: dict[str, Any], exchange: Exchange) -> None:
    """What was decided is what the message wants."""
    exchange.turn.refresh_from_db()
    served = exchange.turn.decision or {}
    assert (served.get("to", "lesson"), served.get("act", "")) == (turn["to"], turn["act"])


def assert_moved(turn: dict[str, Any], recording: Recording) -> None:
    """The move that the model chose was on offer, and serves the learner."""
    readings = [asked.system for asked in recording.asked if READER in asked.system]
    assert len(readings) <= 1
    for system in readings:
        allowed = system.split("Moves allowed now, by id:\n")[1].split("\n\n")[0].splitlines()
        ids = [line.removeprefix("- ").split(":")[0] for line in allowed]
        assert 3 <= len(ids) <= 5
        assert turn["reading"]["move"] in ids
        assert turn["reading"]["move"] in turn["good"]


def assert_told(turn: dict[str, Any], exchange: Exchange, recording: Recording) -> None:
    """Every recorded reply was asked for once, and shown whole; nothing else was asked for."""
    shown = " ".join(exchange.reply.split())
    assert (recording.unforeseen, recording.replies) == (0, [])
    assert [reply for reply in turn["replies"] if " ".join(reply.split()) not in shown] == []
    assert shown or exchange.events("card")
    assert not FILLER.search(shown)
    assert NO_MODEL not in shown.casefold()
    assert [words for words in turn.get("never", ()) if words.casefold() in shown.casefold()] == []


def assert_graded(turn: dict[str, Any], exchange: Exchange, stage: Stage) -> None:
    """Answers are graded by code, and by nobody else; what was said of a milestone counts."""
    graded = Attempt.objects.filter(pk=exchange.turn.payload.get("attempt"), gave_up=False).first()
    verdict = ("right" if graded.correct else "wrong") if graded is not None else None
    assert verdict == turn.get("verdict")
    read = [each["id"] for each in turn["reading"].get("milestones", ())]
    assert set(turn.get("granted", read)) <= set(stage.standing.said)
