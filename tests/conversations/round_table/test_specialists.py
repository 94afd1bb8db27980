"""The specialists at the table: each puts the question to its own tool, and shows only what the person may see."""

from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents.tools import tools
from conversations.round_table.stream import events_of
from tests.conversations.turn_helpers import bodies
from tests.tutoring.class_helpers import answer, make_class
from tests.tutoring.small_course import make_course

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

STRUGGLES = "Who in my class struggles with one half, and since when?"


@sync_to_async
def make_school(teacher: Any, *learners: Any) -> None:
    make_course()
    make_class(teacher, *learners)
    for learner in learners:
        answer(learner, "1/2", "1/2", "2", "2", "2", "2", "2")


async def said(hold: Any, person: Any, agent: str, question: str) -> tuple[str, list[dict[str, Any]]]:
    """Return what the agent says in the first round, and the charts that are shown."""
    turn = await hold(person, agents=[agent], rounds=1, text=question)
    events = await sync_to_async(bodies)(turn.pk)
    (response,) = [each["data"] for each in events_of(events) if each["type"] == "agent_response"]
    return response["content"], [each for each in events if each["type"] == "card" and each["kind"] == "chart"]


async def test_data_steward_answers_a_teacher_with_figures_and_a_chart(hold, grace, ada, ben):
    """Shown by 3"""
    await make_school(grace, ada, ben)
    words, charts = await said(hold, grace, "data_steward", STRUGGLES)
    assert "Ada (" in words
    assert [chart["columns"][0] for chart in charts] == ["Learner"]


async def test_figures_leave_no_word_of_the_question_open(hold, grace, ada):
    await make_school(grace, ada)
    turn = await hold(grace, agents=["data_steward"], rounds=1, text=STRUGGLES)
    assert turn.answer["round_table"]["summary"]["open_points"] == []


async def test_data_steward_shows_a_learner_only_their_own_data(hold, grace, ada, ben):
    await make_school(grace, ada, ben)
    words, charts = await said(hold, ada, "data_steward", STRUGGLES)
    assert "Ben" not in f"{words} {charts}"


async def test_data_steward_says_what_it_can_be_asked_where_the_question_is_about_something_else(hold, grace):
    words, charts = await said(hold, grace, "data_steward", "Was zero invented in India?")
    assert "Ask about mastery" in words
    assert charts == []


async def test_contract_reader_says_that_there_is_nothing_to_quote(hold, ada):
    words, _charts = await said(hold, ada, "contract_reader", "What does my contract say about the notice period?")
    assert words.strip()


async def test_broken_tool_is_not_what_a_specialist_says(hold, ada, monkeypatch):
    async def crash(_arguments: Any, _use: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setitem(tools, "contract_clauses", replace(tools["contract_clauses"], run=crash))
    words, _charts = await said(hold, ada, "contract_reader", "What does my contract say about the notice period?")
    assert words.startswith("Contract reader: I looked for")
