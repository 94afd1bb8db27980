"""The timeline of a turn shows when each agent worked, what it used and sent, and how it ended."""

from datetime import datetime, timedelta
from typing import Any

from agents.models import ModelCall
from conversations.web.timeline import WIDTH, timeline_of
from conversations.web.turn_story import steps_of


def event(kind: str, at_ms: int, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "at": f"2026-11-27T10:00:00.{at_ms:03}+00:00", **fields}


def panel() -> list[dict[str, Any]]:
    found = {"event": "concept_detected", "data": {"concepts": ["attention"]}}
    return [
        event("agent_started", 100, agent="analysis"),
        event("agent_started", 100, agent="research"),
        event("message_sent", 150, sender="analysis", recipient=None, payload=found, dropped=""),
        event("agent_finished", 200, agent="analysis", ms=100.0, result={}),
        event("tool_called", 200, agent="research", tool="library", args={"query": "What is attention?"}),
        event("tool_returned", 300, agent="research", tool="library", ok=True, summary="", ms=100.0),
        event("agent_failed", 500, agent="research", error_type="timeout", ms=400.0),
    ]


def test_bars_share_one_scale() -> None:
    timeline = timeline_of(panel())
    assert timeline is not None
    analysis, research = timeline.rows
    assert timeline.total_ms == 400
    assert (analysis.bar.x, analysis.bar.width) == (0.0, WIDTH / 4)
    assert (research.bar.x, research.bar.width) == (0.0, WIDTH)
    assert [(each.x, each.width, each.label) for each in research.tools] == [(250.0, 250.0, "the library")]
    assert [each.x for each in analysis.messages] == [125.0]
    assert [row.ending for row in timeline.rows] == ["done", "took too long"]


def test_model_calls_are_added_up_by_agent() -> None:
    at = datetime.fromisoformat("2026-11-27T10:00:00.300+00:00")
    before = at - timedelta(seconds=9)
    calls = [
        ModelCall(agent="research", input_tokens=90, output_tokens=90, cost_usd=9.0, started_at=before),
        ModelCall(agent="research", input_tokens=10, output_tokens=5, cost_usd=0.5, started_at=at),
        ModelCall(agent="research", input_tokens=1, output_tokens=1, cost_usd=0.25, started_at=at),
        ModelCall(agent="somebody else", input_tokens=9, output_tokens=9, cost_usd=9.0, started_at=at),
    ]
    timeline = timeline_of(panel(), calls)
    assert timeline is not None
    assert [(row.tokens, row.cost_usd) for row in timeline.rows] == [(None, None), (17, 0.75)]


def test_one_agent_needs_no_timeline() -> None:
    assert timeline_of(panel()[:1]) is None


def test_only_the_latest_run_counts() -> None:
    assert timeline_of([*panel(), event("turn_resumed", 600, attempt=2), *panel()[:1]]) is None


def test_agent_that_worked_twice_has_two_rows() -> None:
    again = [event("agent_started", 600, agent="analysis"), event("agent_finished", 700, agent="analysis", ms=100.0)]
    timeline = timeline_of([*panel(), *again])
    assert timeline is not None
    assert [(row.agent, row.starts_ms) for row in timeline.rows] == [
        ("analysis", 0),
        ("research", 0),
        ("analysis", 500),
    ]


def test_lookup_of_the_question_itself_follows_no_announcement() -> None:
    first = event("tool_called", 120, agent="research", tool="library", args={"query": "What is attention?"})
    assert not [each for each in steps_of([first, *panel()[:6]]) if "announced" in each.text]


def test_lookup_that_follows_an_announcement_says_so() -> None:
    first = event("tool_called", 120, agent="research", tool="library", args={"query": "How do models read?"})
    said = [each.text for each in steps_of([first, *panel()[:6]])]
    assert "Research also looked up “attention” because Analysis had mentioned it." in said
