"""The drill of the round table notices what is missing, said twice, misplaced or not named."""

from copy import deepcopy

import pytest

from drills.tables.checks import LARGEST_EVENT, table_faults
from drills.tables.models import MARK, ORDER, QUESTION, QUOTED, Strike, TableModels
from drills.tables.reading import HeldTable
from tests.provider import Answer
from tests.provider.model_request import ProviderRequest

VOICES = ("explainer", "example_finder")
ROUNDS = 2


def event(kind, **data):
    return {"type": kind, "data": data}


def spoken(number, agent):
    content = f"The {agent} of round {number} says so."
    return event("agent_response", agent=agent.replace("_", "-"), round=number, content=content)


def held_table():
    """A table without a fault."""
    stream, events = [event("initiator_start", agent="initiator")], []
    for number in range(1, ROUNDS + 1):
        stream += [event("round_start", round=number), *(spoken(number, each) for each in VOICES)]
        stream.append(event("round_end", round=number))
        for each in VOICES:
            events.append({"type": "agent_finished", "agent": each, "result": {"round": number, "quotes": []}})
    stream += [event("summarizer_response", content="So be it.", complete=whole) for whole in (False, True)]
    events.append({"type": "turn_finished", "reply": "So be it."})
    numbered = [{"seq": place, **each} for place, each in enumerate(events, start=1)]
    return HeldTable(stream=stream, events=numbered)


def faults(held, **expected):
    return list(table_faults(held, voices=VOICES, rounds=ROUNDS, **expected))


def test_good_table_has_no_fault():
    assert faults(held_table()) == []


def without(place):
    def change(held):
        del held.stream[place]

    return change


def repeated(held):
    held.stream.insert(3, deepcopy(held.stream[2]))


def same_words(held):
    held.stream[6]["data"]["content"] = held.stream[2]["data"]["content"]


def late(held):
    held.stream.insert(5, held.stream.pop(3))


def gap(held):
    held.events[2]["seq"] += 1


def said_twice_on_record(held):
    held.events[1] = held.events[0] | {"seq": 2}


def large(held):
    held.events[0]["result"]["quotes"] = ["x" * LARGEST_EVENT]


def other_summary(held):
    held.stream[-1]["data"]["content"] = "So be that."


def failed(held):
    held.stream[2] = event("agent_error", agent="explainer", round=1, strategy="skip")


def hidden_tool(held):
    held.events.insert(-1, {"type": "tool_called", "tool": "library", "seq": len(held.events)})
    held.events[-1]["seq"] += 1


@pytest.mark.parametrize(
    ("change", "noticed"),
    [
        (without(0), "initiator_start"),
        (without(1), "its rounds are"),
        (without(2), "spoken: [(1, 'explainer')]"),
        (without(-1), "its one summary"),
        (without(-2), "the pieces of the summary"),
        (repeated, "somebody twice"),
        (same_words, "said 2 times"),
        (late, "spoke in round 2"),
        (gap, "without gaps"),
        (said_twice_on_record, "on record: {(1, 'explainer'): 2}"),
        (large, "characters"),
        (other_summary, "the pieces of the summary"),
        (failed, "agent_error names"),
        (hidden_tool, "1 calls of tools, 0 in the stream"),
    ],
)
def test_fault_is_noticed(change, noticed):
    held = held_table()
    change(held)
    assert any(noticed in each for each in faults(held)), faults(held)


def test_failed_voice_must_be_told_as_a_partial_result():
    held = held_table()
    failed(held)
    del held.events[0]
    for place, each in enumerate(held.events, start=1):
        each["seq"] = place
    silent = [(1, "explainer")]
    assert faults(held, silent=silent) == ["the summary does not say that it is partial"]
    for each in held.stream[-2:]:
        each["data"]["content"] = "This is a partial result."
    assert faults(held, silent=silent) == []
    assert faults(held, silent=silent, strategy="abort")


def asked(title, material, number=1):
    told = f"{QUESTION}\n\n{material}"
    return ProviderRequest(
        wire="anthropic", model="fake", system=f"Your name at the table: {title}\nRound {number} of at most 3.",
        history=(told,), last=told, stream=True, counts_usage=True, shape="", schema=None, tools={}, images=0,
    )  # fmt: skip


def test_order_is_noticed_unless_it_is_quoted():
    models = TableModels()
    table = models.begin(Strike(agent="sceptic", answer=lambda _before, _asked: Answer(text=ORDER)))
    assert MARK in models(asked("Sceptic", "")).said
    models(asked("Historian", f"{QUOTED} …)\n{ORDER}"))
    assert table.orders == []
    models(asked("Historian", ORDER))
    assert table.orders == ["historian"]


def test_only_the_named_round_is_struck_and_nothing_is_said_twice():
    models = TableModels()
    table = models.begin(Strike(agent="sceptic", round=2, answer=lambda _before, _asked: Answer(status=500)))
    answers = [models(asked("Sceptic", "", number)) for number in (1, 2, 3)]
    assert [each.status for each in answers] == [200, 500, 200]
    assert answers[0].said != answers[2].said
    assert table.asked[2, "sceptic"] == 1
