"""Whole round tables: rounds in order, nothing said twice, failures, an end before the last round, a restart."""

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from conversations.models import Event, Turn
from conversations.round_table.record import stored_record
from conversations.round_table.stream import events_of
from tests.conversations.round_table.conftest import ALL, passage
from tests.conversations.turn_helpers import bodies, orphaned, reply
from tests.provider import Answer

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

read = sync_to_async(bodies)
SCEPTIC = "Your name at the table: Sceptic"
WORDS = "The loaf number {} was shared among people who had counted {} days of winter."


async def stream_of(turn: Turn) -> list[dict[str, Any]]:
    return events_of(await read(turn.pk))


async def test_offline_table_tells_its_rounds_in_order(hold, ben):
    """Shown by 2"""
    events = await stream_of(await hold(ben, rounds=1))
    types = [each["type"] for each in events if each["type"] not in ("agent_tool_call", "summarizer_response")]
    assert types == ["initiator_start", "round_start", *["agent_response"] * 5, "round_end"]
    assert events[0]["data"].keys() == {"agent", "goal", "success_criteria", "approach"}
    last = events[-1]
    assert (last["type"], last["data"]["complete"]) == ("summarizer_response", True)
    pieces = [each["data"]["content"] for each in events[:-1] if each["type"] == "summarizer_response"]
    assert "".join(pieces) == last["data"]["content"]


async def test_no_sentence_is_said_twice(hold, library, ben):
    library.append(
        passage("Zero is not a fraction of a loaf, but it is a number. Use zero where nothing is left.", number=2)
    )
    events = await stream_of(await hold(ben))
    said = [each["data"]["content"] for each in events if each["type"] == "agent_response"]
    sentences = [sentence for content in said for sentence in re.findall(r"“([^”]+)”", content) or [content]]
    assert len(sentences) == len(set(sentences))


async def test_each_finds_by_its_own_rule(hold, ben):
    events = await stream_of(await hold(ben, rounds=1))
    said = {each["data"]["agent"]: each["data"]["content"] for each in events if each["type"] == "agent_response"}
    assert "names equal parts" in said["explainer"]
    assert "However" in said["sceptic"]
    assert "For example" in said["example-finder"]
    assert "four thousand years ago" in said["historian"]
    assert "You can use" in said["practitioner"]


async def test_table_ends_when_nothing_new_is_said(hold, ben):
    turn = await hold(ben, rounds=10)
    begun = [each["round"] for each in await read(turn.pk, "round_started")]
    assert begun == list(range(1, len(begun) + 1))
    assert len(begun) < 10
    assert "because nothing new was said" in (await sync_to_async(reply)(turn)).text
    assert turn.answer["round_table"]["summary"]["ended_early"]


async def test_nothing_found_is_said_and_nothing_made_up(hold, library, ben):
    library.clear()
    turn = await hold(ben, rounds=3)
    assert [each["round"] for each in await read(turn.pk, "round_started")] == [1]
    events = await stream_of(turn)
    said = [each["data"]["content"] for each in events if each["type"] == "agent_response"]
    assert len(set(said)) == 5
    assert all("courses and found nothing" in each for each in said)
    assert "don’t make up answers" in (await sync_to_async(reply)(turn)).text


def fresh_words(provider: Any) -> None:
    """Let every answer have words of its own."""
    numbers = iter(range(100, 10_000))
    words = iter("".join(chr(97 + (place // 26**k) % 26) for k in range(5)) for place in range(1, 10_000))
    provider.otherwise(
        lambda asked: Answer(
            text=f"Thought {next(numbers)} of {next(words)} meets {next(words)} and {next(words)} at noon."
        )
    )


async def failing_in_round_two(modelled: Any) -> None:
    fresh_words(modelled)
    ok = Answer(text="At first the doubtful matter of empty places comes to mind.")
    down = Answer(status=503, text="down")
    later = Answer(text="Later another doubtful matter about ledgers appears.")
    modelled.script(SCEPTIC, ok, down, later)


@pytest.mark.parametrize(("strategy", "rounds"), [("skip", 3), ("retry", 3), ("abort", 2)])
async def test_voice_fails_in_round_two(hold, modelled, ben, strategy, rounds):
    """Shown by 1"""
    await failing_in_round_two(modelled)
    turn = await hold(ben, strategy=strategy)
    events = await stream_of(turn)
    assert [each["data"]["round"] for each in events if each["type"] == "round_start"] == list(range(1, rounds + 1))
    errors = [each["data"] for each in events if each["type"] == "agent_error"]
    said = [(each["data"]["round"], each["data"]["agent"]) for each in events if each["type"] == "agent_response"]
    if strategy == "retry":
        assert errors == []
        assert (2, "sceptic") in said
        return
    assert [(each["agent"], each["round"], each["strategy"]) for each in errors] == [("sceptic", 2, strategy)]
    assert (2, "sceptic") not in said
    assert ((3, "sceptic") in said) == (strategy == "skip")
    assert any(each["type"] == "error" for each in events) == (strategy == "abort")
    text = (await sync_to_async(reply)(turn)).text
    assert "partial result" in text
    assert ("stopped at the first failure" in text) == (strategy == "abort")
    assert turn.answer["round_table"]["summary"]["is_partial"]


async def test_table_goes_on_where_its_process_died(hold, tables, ben):
    """Shown by 4"""
    turn = await hold(ben, rounds=3)
    before = await read(turn.pk)
    # The process died in round two, after two of its five had spoken.
    ended = [each["seq"] for each in before if each["type"] == "agent_finished" and each["result"].get("round") == 2]
    await Event.objects.filter(turn=turn, seq__gt=ended[1]).adelete()
    await sync_to_async(turn.messages.filter(author="team").delete)()
    await sync_to_async(orphaned)(turn, status="running", attempt=1, finished_at=None, answer={})
    tables.claim(turn.pk)
    await tables.finished(turn.pk)
    after = await read(turn.pk)
    resumed = next(each["seq"] for each in after if each["type"] == "turn_resumed")
    finished = [
        (each["result"]["round"], each["agent"])
        for each in after
        if each["type"] == "agent_finished" and "round" in each["result"]
    ]
    assert len(finished) == len(set(finished))
    assert {agent for number, agent in finished if number == 2} == set(ALL)
    assert not [each for each in after if each["seq"] > resumed and each.get("agent") == "initiator"]
    starts = [each["round"] for each in after if each["type"] == "round_started" and each["seq"] > resumed]
    assert starts[0] == 2
    assert [each["data"]["round"] for each in events_of(after) if each["type"] == "round_start"] == sorted({1, *starts})
    again = await Turn.objects.aget(pk=turn.pk)
    assert (again.status, again.attempt) == ("done", 2)
    record = await sync_to_async(stored_record)(turn.pk, ben)
    quotes = [quote.statement for each in record.spoken for quote in each.contribution.quotes]
    assert len(quotes) == len(set(quotes))


async def test_words_of_a_document_are_in_no_event_and_no_record(hold, library, ben):
    """K1."""
    library[:] = [passage("However, my private fraction cannot be told to anybody.", kind="document")]
    turn = await hold(ben, rounds=1, agents=("sceptic",))
    assert "private" not in str(await read(turn.pk))
    assert "private" not in str(turn.answer)
    assert "private" not in (await sync_to_async(reply)(turn)).text


async def test_collaborators_share_data_and_ask_one_another(hold, modelled, ben):
    fresh_words(modelled)
    write = ("table_write", {"kind": "discoveredData", "key": "bread", "value": "Bread was shared."})
    ask = ("table_ask", {"agent": "explainer", "question": "What is bread shared into?"})
    modelled.script(SCEPTIC, Answer(tools=(write, ask)), Answer(text="I left a note about the bread that was shared."))
    turn = await hold(ben, agents=("explainer", "sceptic"), rounds=2)
    [entry] = turn.answer["round_table"]["store"]
    assert (entry["kind"], entry["agent"], entry["round"]) == ("discoveredData", "sceptic", 1)
    sent = await read(turn.pk, "message_sent")
    assert [(each["sender"], each["recipient"], each["message_type"]) for each in sent] == [
        ("sceptic", None, "event"), ("sceptic", "explainer", "request"),
    ]  # fmt: skip
    told = [str(each.body) for each in modelled.requests if "Your name at the table: Explainer" in str(each.body)][-1]
    assert "Sceptic asks you: What is bread shared into?" in told
    assert "bread: Bread was shared." in told


async def test_one_megabyte_is_not_stored(hold, modelled, ben):
    fresh_words(modelled)
    write = ("table_write", {"kind": "discoveredData", "key": "k", "value": "x" * 1_000_000})
    modelled.script(SCEPTIC, Answer(tools=(write,)), Answer(text="So I say in short what matters about counting."))
    turn = await hold(ben, agents=("sceptic",), rounds=1)
    assert turn.answer["round_table"]["store"] == []
    assert sum(len(str(each)) for each in await read(turn.pk)) < 20_000


async def test_voice_that_loops_over_tools_is_cut_off(hold, modelled, ben):
    fresh_words(modelled)
    modelled.script(SCEPTIC, *[Answer(tools=(("table_read", {}),))] * 30)
    turn = await hold(ben, agents=("sceptic", "explainer"), rounds=1)
    called = [each for each in await read(turn.pk, "tool_called") if each["agent"] == "sceptic"]
    assert len(called) <= 9
    assert turn.status in ("done", "degraded")
