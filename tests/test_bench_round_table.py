"""The round table's benchmark: what of a round it calls coordination, what it counts as lost, and that it runs what it says."""

from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

import pytest

from agents.engine.graph import Round, Sequence
from bench.contenders import table_engine, table_rounds
from bench.harness import ROOT
from bench.live_server.table_load import TableLoad, count_table, expected, round_times
from bench.live_server.table_models import PROMPTS
from conversations.round_table import initiator, summary
from conversations.round_table.roster import SHIPPED

BEGAN = datetime(2026, 11, 27, 12)


def on_record() -> list[dict[str, Any]]:
    """Return the events of a table of two voices and one round: 350 ms, of which the slowest voice took 320."""
    events: list[dict[str, Any]] = [
        {"type": "turn_started", "after_ms": 0},
        {"type": "agent_finished", "agent": "initiator", "ms": 100.0, "after_ms": 100},
        {"type": "round_started", "round": 1, "after_ms": 101},
        {"type": "tool_called", "agent": "sceptic", "after_ms": 110},
        {"type": "agent_finished", "agent": "sceptic", "ms": 270.0, "after_ms": 380},
        {"type": "agent_finished", "agent": "explainer", "ms": 320.0, "after_ms": 430},
        {"type": "round_finished", "round": 1, "after_ms": 450},
        {"type": "reply_text", "text": "So be it.", "after_ms": 600},
        {"type": "turn_finished", "reply": "So be it.", "status": "done", "after_ms": 601},
    ]
    return [
        each | {"seq": seq, "at": (BEGAN + timedelta(milliseconds=each["after_ms"])).isoformat()}
        for seq, each in enumerate(events, start=1)
    ]


def shown() -> list[dict[str, Any]]:
    data = {"round": 1, "agent": ""}
    return [
        {"type": "initiator_start", "data": {}},
        {"type": "round_start", "data": data},
        {"type": "agent_tool_call", "data": data | {"agent": "sceptic"}},
        {"type": "agent_response", "data": data | {"agent": "sceptic"}},
        {"type": "agent_response", "data": data | {"agent": "explainer"}},
        {"type": "round_end", "data": data},
        {"type": "summarizer_response", "data": {"content": "So be it."}},
        {"type": "summarizer_response", "data": {"content": "So be it."}},
    ]


def counted(stream: list[dict[str, Any]], numbers: list[int], stored: list[dict[str, Any]]) -> tuple[bool, bool]:
    """Return whether something is lost, and whether something is out of order."""
    load = TableLoad(due=1)
    count_table(load, stream, numbers, stored)
    return load.lost > 0, load.misplaced > 0


def test_coordination_is_the_round_without_its_slowest_agent() -> None:
    [only] = round_times(on_record())
    assert (only.ms, only.agents_ms, only.coordination_ms) == (350.0, 320.0, 30.0)
    assert only.beyond_models_ms == 50.0


def test_good_table_has_lost_nothing() -> None:
    assert len(expected(on_record())) == len(shown())
    assert counted(shown(), list(range(1, 10)), on_record()) == (False, False)


@pytest.mark.parametrize("place", range(8))
def test_event_that_the_stream_lacks_is_noticed(place: int) -> None:
    stream = shown()
    del stream[place]
    assert counted(stream, list(range(1, 10)), on_record())[1]


def test_event_that_the_socket_lacks_or_has_twice_is_noticed() -> None:
    assert counted(shown(), [1, 2, 4, 5, 6, 7, 8, 9], on_record()) == (True, False)
    assert counted(shown(), [1, 2, 2, 3, 4, 5, 6, 7, 8, 9], on_record()) == (False, True)


def test_table_without_an_end_is_lost() -> None:
    stored = deepcopy(on_record())
    stored[-1]["status"] = "degraded"
    assert counted(shown(), list(range(1, 10)), stored) == (True, False)


def test_simulated_voices_are_the_shipped_ones() -> None:
    assert isinstance(table_engine.GRAPH.root, Sequence)
    first, *rounds, last = table_engine.GRAPH.root.steps
    assert (first, last) == (initiator.ROLE.name, summary.ROLE.name)
    assert [each.number for each in rounds if isinstance(each, Round)] == [1, 2, 3]
    assert set(table_rounds.VOICES) <= SHIPPED.keys()


async def test_simulated_table_says_all_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rounds, "LATENCY_S", dict.fromkeys(table_rounds.LATENCY_S, 0.0))
    assert await table_engine.table() == table_rounds.ALL_WORDS


def test_scripts_are_for_prompts_that_there_are() -> None:
    prompts = [path.read_text() for path in (ROOT / "conversations/round_table/prompts").glob("*.md")]
    prompts += [f"Your name at the table: {fields['title']}" for fields in SHIPPED.values()]
    assert [name for name, words in PROMPTS.items() if not any(words in prompt for prompt in prompts)] == []
