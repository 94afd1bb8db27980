"""The stream as it is made from a turn's events: each thing once, also after a restart; and the metrics of the same events."""

from conversations.round_table.figures.metrics import table_metrics
from conversations.round_table.stream import events_of, line_of

AT = "2026-01-01T00:00:0{}.000+00:00"


def wire(kind, second=0, **fields):
    return {"seq": 1, "turn_id": "t", "at": AT.format(second), "type": kind} | fields


def said(agent, number):
    result = {"round": number, "quotes": [], "remark": "", "looked_up": [], "says": "words"}
    return wire("agent_finished", agent=agent, ms=5.0, result=result)


def text(agent, words):
    return wire("agent_text", agent=agent, text=words)


FAILED = {
    "error_type": "timeout",
    "message": "took too long",
    "recoverable": True,
    "fallback_available": False,
    "ms": 1.0,
}
RESUMED = [
    wire("round_started", 1, round=1, agents=["data_steward", "sceptic"]),
    wire("agent_started", agent="data_steward"),
    text("data_steward", "Half a "),
    wire("turn_resumed", attempt=2),
    wire("round_started", 2, round=1, agents=["data_steward", "sceptic"]),
    wire("agent_started", agent="data_steward"),
    text("data_steward", "Whole."),
    wire("tool_called", agent="data_steward", tool="library", args={"query": "q"}),
    wire("tool_returned", agent="data_steward", tool="library", ok=True, summary="", ms=1.0),
    said("data_steward", 1),
    wire("agent_failed", agent="sceptic", strategy="abort", **FAILED),
    wire("round_finished", 3, round=1),
    wire("reply_text", text="So."),
    wire("turn_finished", reply="So.", status="degraded", metadata={}),
]


def test_each_thing_is_told_once_with_the_names_of_the_document():
    found = events_of(RESUMED)
    assert [each["type"] for each in found] == [
        "round_start", "agent_tool_call", "agent_response", "agent_error", "round_end", "error", "summarizer_response",
        "summarizer_response",
    ]  # fmt: skip
    assert found[0]["data"]["agents"] == ["data-steward", "sceptic"]
    assert found[1]["data"]["toolCall"] == {"name": "library", "args": {"query": "q"}}
    assert found[2]["data"] == {
        "agent": "data-steward", "round": 1, "content": "Whole.", "steps": 2, "finishReason": "stop",
    }  # fmt: skip
    assert found[3]["data"] == {
        "agent": "sceptic", "round": 1, "error_type": "timeout", "message": "took too long", "strategy": "abort",
    }  # fmt: skip
    assert found[-1]["data"] == {"content": "So.", "complete": True}


def test_turn_that_failed_ends_with_an_error():
    found = events_of([wire("turn_finished", reply="", status="failed", metadata={})])
    assert [each["type"] for each in found] == ["error", "summarizer_response"]


def test_line_has_no_line_break_in_it():
    assert (
        line_of({"type": "error", "data": {"message": "a\nb"}})
        == 'data: {"type": "error", "data": {"message": "a\\nb"}}\n\n'
    )


def test_round_is_measured_from_its_first_beginning():
    families = {each.name: each for each in table_metrics(RESUMED)}
    samples = families["learnagent_round_completion_time_ms"].samples
    assert {(each.labels["round"], each.value) for each in samples} == {("1", 2000.0)}
    assert families["learnagent_tool_call_success_rate"].samples[0].value == 1.0
