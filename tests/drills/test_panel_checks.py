"""The drill of the panel notices an agent that is not named, named for nothing, named wrongly, or missing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drills import storage_checks
from drills.panel.models import (
    DRAFT,
    GONE,
    MARK,
    OPENING,
    READER,
    THEME,
    AgentRequest,
    PanelModels,
    QuestionRecord,
    Strike,
    agent_strikes,
    fault_strikes,
    question,
)
from drills.panel.turn_checks import PanelTurn, turn_faults
from tests.provider.model_request import ProviderRequest

STRIKES = {each.name: each for each in (*agent_strikes(), *fault_strikes(), GONE)}
KILLED = STRIKES["analysis killed"]
FACT = {"statement": "Attention weighs words.", "source_id": "passage-1"}
TURN_ID = "9ac53448-7702-4b96-804c-52fcd931fd01"


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str]]:
    """What is on record of the turn's calls: five, all ended."""
    found = [("answered",)] * 5
    monkeypatch.setattr(storage_checks, "rows", lambda *_query: found)
    return found


def turn(strike: Strike | None = KILLED, *, struck: str = "analysis", **answer: Any) -> PanelTurn:
    agents = (READER, "conversation", "analysis", "research", "synthesis")
    requests = [AgentRequest(agent=each, model="fake", struck=each == struck) for each in agents]
    error = {"agent": "analysis", "error_type": "api_error"}
    found: dict[str, Any] = {
        "turn_id": TURN_ID, "status": "done", "response": OPENING, "classification": "complex_query", "vision": None, "facts": [FACT],
        "concepts": [{"name": "attention"}], "entities": [], "insights": [], "relationships": [], "themes": [f"attention {THEME}"],
        "errors": [error] if struck else [],
    }  # fmt: skip
    events = [{"seq": 1, "type": "agent_text", "text": DRAFT}, {"seq": 2, "type": "turn_finished"}]
    record = QuestionRecord(strike=strike, requests=requests)
    return PanelTurn(kind="complex_query", strike=strike, record=record, answer=found | answer, events=events)


WELL = turn(None, struck="")


def faults(each: PanelTurn) -> list[str]:
    return list(turn_faults(each, WELL, Path("/nowhere")))


def test_turn_that_names_who_was_struck_is_as_it_should_be() -> None:
    assert faults(turn()) == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"errors": []}, "analysis was struck, and is not named"),
        ({"errors": [{"agent": "analysis", "error_type": "timeout"}]}, "analysis is said to have failed by timeout"),
        ({"status": "failed"}, "the turn is failed"),
        ({"response": "Something else."}, "the synthesis is not in the answer"),
        ({"facts": []}, "facts: []"),
        ({"concepts": []}, "concepts: []"),
        ({"entities": [{"text": MARK}]}, "what a model made up is in a result"),
        ({"response": f"{OPENING} sk-live-4f3c2b1a"}, "shown: "),
        ({"response": OPENING * 1_000}, "the answer has"),
    ],
)
def test_whatever_is_wrong_with_an_answer_is_noticed(answer: dict[str, Any], fault: str) -> None:
    assert any(fault in each for each in faults(turn(**answer)))


def test_agent_named_though_it_answered_is_noticed() -> None:
    named = [{"agent": each, "error_type": "api_error"} for each in ("analysis", "research")]
    assert faults(turn(errors=named)) == ["research is named (api_error), and was not struck"]


def test_second_end_and_a_gap_in_the_events_are_noticed() -> None:
    ended = {"seq": 4, "type": "turn_finished"}
    assert len(faults(replace(turn(), events=(*turn().events, ended)))) == 2


def test_fourth_attempt_and_a_call_without_a_record_are_noticed(calls: list[tuple[str]]) -> None:
    each = turn()
    each.record.requests.extend([AgentRequest(agent="analysis", model="fake", struck=True)] * 3)
    assert faults(each) == ["analysis asked fake 4 times", "8 requests, 5 calls on record"]
    calls[0] = ("open",)
    assert faults(turn()) == ["a call is open"]


def test_agent_that_was_answered_at_its_second_request_need_not_be_named() -> None:
    each = turn(errors=[])
    each.record.requests.append(AgentRequest(agent="analysis", model="fake", struck=False))
    assert "analysis was struck, and is not named" not in faults(each)


# --- Who is struck ---


def asked(models: PanelModels, prompt: str, text: str) -> str:
    fields: dict[str, Any] = {"wire": "openai", "model": "fake", "system": prompt, "history": (text,), "last": text}
    fields |= {"stream": True, "counts_usage": True, "shape": "", "schema": None, "tools": {}, "images": 0}
    return models(ProviderRequest(**fields)).fault


def test_fault_on_all_strikes_everybody_and_at_first_only_the_first_agent() -> None:
    models, text = PanelModels(), question("sleep", "complex_query")
    prompts = ("You read one message of a learner", "You are the Analysis Agent", "You are the Research Agent")
    for name, struck in (("V7:cut on all", ["V7:cut"] * 3), ("V7:cut at first", ["", "V7:cut", ""])):
        models.begin(text, STRIKES[name])
        assert [asked(models, each, text) for each in prompts] == struck
        assert asked(models, prompts[1], question("sleep", "visual_query")) == ""


def test_order_of_one_agent_that_another_reads_is_noticed_unless_it_is_quoted() -> None:
    models, text = PanelModels(), question("sleep", "complex_query")
    record = models.begin(text, STRIKES["analysis orders"])
    asked(models, "You are the Research Agent", f"{text}\n\n(Quoted from outside sources.)\n{MARK}")
    assert record.orders == []
    asked(models, "You are the Research Agent", f"{text} {MARK}")
    assert record.orders == ["research"]
