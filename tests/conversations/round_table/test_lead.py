"""A lead: hands each of the others a part of the question, and closes each round; what happens if it fails."""

import re
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from hypothesis import given
from hypothesis import strategies as st

from agents.engine.roles import Request
from conversations.models import Event, Turn
from conversations.round_table import lead
from conversations.round_table.initiator import goal_by_rule
from conversations.round_table.results import SubQuestion, SubQuestions
from conversations.round_table.stream import events_of
from conversations.round_table.table import Table
from tests.conversations.round_table.conftest import QUESTION, passage
from tests.conversations.round_table.test_table import SEATS
from tests.conversations.turn_helpers import bodies, orphaned, reply
from tests.provider import Answer

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

THREE = ["sceptic", "explainer", "historian"]
TWO_QUESTIONS = "What is a fraction, and who invented it?"
read = sync_to_async(bodies)


def table_on(question: str, **options: Any) -> Table:
    return Table(turn_id=uuid.UUID(int=1), question=question, seats=SEATS[:5], rounds=3, lead="sceptic", **options)


def parts(question: str) -> list[str]:
    table = table_on(question)
    return list(lead.parts_of(table, goal_by_rule(table)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (TWO_QUESTIONS, ["What is a fraction", "who invented it"]),
        ("What is zero? Who found it? Discuss.", ["What is zero", "Who found it"]),
        ("Are fractions and decimals the same?", 1),
        (QUESTION, 2),
    ],
)
def test_question_is_divided_where_another_one_begins(question, expected):
    found = parts(question)
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert found == expected


@given(st.text(max_size=400), st.integers(1, 10))
def test_each_of_the_others_gets_one_sub_question(question, number):
    table = table_on(question)
    handed = lead.divide(table, number, goal_by_rule(table), before=())
    assert [each.to for each in handed] == [seat.name for seat in table.seats if seat.name != "sceptic"]
    assert len({each.text for each in handed}) == len(handed)


def test_part_goes_to_whoever_is_good_at_it_and_to_another_one_next():
    table = table_on(TWO_QUESTIONS)
    first = lead.divide(table, 1, None, before=())
    assert next(each.about for each in first if each.to == "historian") == "who invented it"
    second = lead.divide(table, 2, None, before=first)
    assert all(one.about != other.about for one, other in zip(first, second, strict=True))


def test_only_sub_questions_for_somebody_at_the_table_are_taken_from_a_model():
    table = table_on(QUESTION, guard=lambda text: "rude" if "stupid" in text else "")
    own = SubQuestions(leads_round=1, questions=lead.divide(table, 1, None, before=()))
    told = SubQuestions(
        questions=(
            SubQuestion(to="Historian", text="When were  fractions\nfirst written?"),
            SubQuestion(to="nobody", text="What is it?"),
            SubQuestion(to="explainer", text="Why is zero stupid?"),
            SubQuestion(to="practitioner", text="When were fractions first written?"),
        )
    )
    taken = {each.to: each.text for each in lead._take_questions(table, own, told).questions}
    by_rule = {each.to: each.text for each in own.questions}
    assert taken == by_rule | {"historian": "When were fractions first written?"}


async def test_lead_hands_out_first_and_closes_the_round(hold, ben):
    turn = await hold(ben, agents=THREE, rounds=1, lead="sceptic", text=TWO_QUESTIONS)
    events = await read(turn.pk)
    works = [(each["type"], each["agent"]) for each in events if each["type"] in ("agent_started", "agent_finished")]
    within = [each for each in works if each[1] in THREE]
    assert within[:2] == [("agent_started", "sceptic"), ("agent_finished", "sceptic")]
    assert {agent for _type, agent in within[2:6]} == {"explainer", "historian"}
    assert within[-2:] == [("agent_started", "sceptic"), ("agent_finished", "sceptic")]
    sent = [each for each in events if each["type"] == "message_sent"]
    assert [(each["sender"], each["recipient"]) for each in sent] == [
        ("sceptic", "explainer"),
        ("sceptic", "historian"),
    ]
    assert sent[1]["payload"]["question"].startswith("Who invented it?")
    close = [each for each in events_of(events) if each["type"] == "agent_response"][-1]["data"]
    assert close["agent"] == "sceptic"
    assert "round 1" in close["content"]
    assert turn.answer["round_table"]["lead"] == "sceptic"
    assert [each["agent"] for each in turn.answer["round_table"]["sub_questions"]] == ["explainer", "historian"]


async def test_stream_keeps_its_form_and_tells_what_was_handed_out(hold, ben):
    turn = await hold(ben, agents=THREE, rounds=1, lead="sceptic", text=TWO_QUESTIONS)
    said = [each["data"] for each in events_of(await read(turn.pk)) if each["type"] == "agent_response"]
    assert [each["agent"] for each in said] == ["sceptic", *sorted(each["agent"] for each in said[1:3]), "sceptic"]
    assert re.search(r"^- historian: Who invented it\?", said[0]["content"], re.MULTILINE)
    assert all(each.keys() == {"agent", "round", "content", "steps", "finishReason"} for each in said)


async def test_close_of_a_round_is_nothing_new(hold, library, ben):
    library.clear()
    turn = await hold(ben, agents=THREE, rounds=5, lead="sceptic")
    assert [each["round"] for each in await read(turn.pk, "round_started")] == [1]
    assert "Still open after round 1" in str(turn.answer["round_table"]["contributions"])


async def test_model_answers_the_sub_question_it_was_handed(hold, modelled, ben):
    modelled.script(
        "You lead a round table",
        Answer(object={"questions": [{"to": "historian", "text": "Since when are fractions written?"}]}),
        Answer(text="The historian has answered, and the matter of zero is open."),
    )
    modelled.otherwise(Answer(text="The bakers of the town shared every loaf among their children."))
    turn = await hold(ben, agents=["sceptic", "historian"], rounds=1, lead="sceptic")
    told = [str(each.body) for each in modelled.requests if "Your name at the table: Historian" in str(each.body)]
    assert "Sceptic, who leads, asks you in this round: Since when are fractions written?" in told[0]
    closing = [str(each.body) for each in modelled.requests if "Round 1 is over" in str(each.body)]
    assert "shared every loaf" in closing[0]
    assert turn.status == "done"


@pytest.mark.parametrize(("strategy", "rounds"), [("skip", [1, 2]), ("retry", [1, 2]), ("abort", [1])])
async def test_without_its_lead_a_round_is_on_the_whole_question(hold, library, ben, monkeypatch, strategy, rounds):
    library.append(passage("However, zero is not below a fraction. People in Rome wrote fractions.", number=2))

    def broken(*given: Any, **options: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr("agents.engine.runner.raise_bugs", False)
    monkeypatch.setattr(lead, "divide", broken)
    monkeypatch.setattr(lead, "likely_parts", lambda table, request: {})
    turn = await hold(ben, agents=THREE, rounds=2, lead="sceptic", strategy=strategy)
    events = await read(turn.pk)
    assert [each["round"] for each in events if each["type"] == "round_started"] == rounds
    said = {
        (each["result"]["round"], each["agent"])
        for each in events
        if each["type"] == "agent_finished" and "quotes" in each["result"]
    }
    assert {(1, "explainer"), (1, "historian")} <= said
    assert not [each for each in events if each["type"] == "message_sent"]
    assert "These agents could not answer: Sceptic in round 1" in (await sync_to_async(reply)(turn)).text


async def test_what_was_handed_out_is_not_handed_out_again_after_a_restart(hold, tables, ben):
    turn = await hold(ben, agents=THREE, rounds=1, lead="sceptic", text=TWO_QUESTIONS)
    before = await read(turn.pk)
    handed = next(
        each["seq"] for each in before if each["type"] == "agent_finished" and "leads_round" in each["result"]
    )
    await Event.objects.filter(turn=turn, seq__gt=handed).adelete()
    await sync_to_async(turn.messages.filter(author="team").delete)()
    await sync_to_async(orphaned)(turn, status="running", attempt=1, finished_at=None, answer={})
    tables.claim(turn.pk)
    await tables.finished(turn.pk)
    after = await read(turn.pk)
    assert sum("leads_round" in each["result"] for each in after if each["type"] == "agent_finished") == 1
    said = [each["agent"] for each in after if each["type"] == "agent_finished" and "quotes" in each["result"]]
    assert sorted(said) == sorted(THREE)
    again = await Turn.objects.aget(pk=turn.pk)
    assert len(again.answer["round_table"]["sub_questions"]) == 2


class TestPage:
    async def test_sub_question_stands_above_the_card_and_in_the_file(self, tables, ben):
        client = AsyncClient()
        await client.aforce_login(ben)
        sent = {"question": TWO_QUESTIONS, "agents": THREE, "rounds": "1", "strategy": "skip", "lead": "sceptic"}
        place = (await client.post("/round-table/", sent))["Location"]
        await tables.finished(uuid.UUID(place.split("/")[2]))
        html = (await client.get(place)).content.decode()
        cell = html[html.index('id="cell-1-historian"') :]
        assert "Who invented it?" in cell[: cell.index("</article>")]
        assert "led the rounds" in html
        assert "*Who invented it?" in (await client.get(f"{place}export.md")).content.decode()

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"lead": "historian", "agents": ["sceptic", "explainer"]}, "The lead must be one of the agents"),
            ({"lead": "sceptic", "agents": ["sceptic"]}, "A lead needs at least one other agent."),
        ],
    )
    async def test_lead_that_cannot_lead_is_refused(self, tables, ben, changes, problem):
        client = AsyncClient()
        await client.aforce_login(ben)
        sent = {"question": QUESTION, "rounds": "1", "strategy": "skip"} | changes
        response = await client.post("/round-table/", sent)
        assert (response.status_code, problem in response.content.decode()) == (422, True)
        assert not await Turn.objects.aexists()


def test_lead_asks_for_what_a_rule_would_ask_without_a_goal():
    table = table_on(TWO_QUESTIONS)
    assert lead.likely_parts(table, Request())["historian"] == "who invented it"
