"""How a reply came about: plain for learners, whole for admins, nobody else's."""

from uuid import uuid4

import pytest

from agents.engine.events import (
    AgentFailed,
    AgentFinished,
    AgentText,
    Classified,
    FindingMade,
    HandedOff,
    MessageSent,
    Routed,
    ToolCalled,
    ToolReturned,
)
from agents.engine.events import TurnResumed as Resumed
from agents.engine.outcomes import Answered
from agents.engine.runner import RunResult
from agents.models import ModelCall
from agents.storage import run_recorder
from conversations.models import Turn
from conversations.turns.feed import number_event, store_events
from conversations.web.presentation import team_members
from conversations.web.turn_story import steps_of, stories
from tests.conversations.turns.test_versions import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]
SECRET = "the answer is 7/8"
HAPPENED = (
    Routed(from_agent="", to="tutor", strategy="pattern", confidence=None, reason="It begins."),
    AgentFinished(agent="tutor", ms=0.2, result={"move": "It asked.", "answer": SECRET}),
    HandedOff(from_agent="tutor", to="quiz", reason="It is time."),
    AgentText(agent="quiz", text=SECRET),
    ToolCalled(agent="quiz", tool="look_up", args={"answer": SECRET}),
    ToolReturned(agent="quiz", tool="look_up", ok=True, summary=SECRET, ms=3.0),
    FindingMade(agent="quiz", kind="misconception", name="x", words="It counts.", confidence=0.9, evidence="two"),
    AgentFailed(
        agent="quiz",
        error_type="timeout",
        message=SECRET,
        recoverable=True,
        fallback_available=True,
        strategy="skip",
        ms=9,
    ),
)


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


def happened(turn, *events):
    store_events([number_event(event, turn_id=turn.pk, seq=2 + place) for place, event in enumerate(events)])
    return turn


@pytest.fixture
def told(ada):
    return happened(said(ada, "what is a half"), *HAPPENED)


def read(client, person, path):
    client.force_login(person)
    return client.get(path, headers={"HX-Request": "true"})


def test_story_is_told_in_order_and_in_sentences(told):
    [story] = stories([told], whole=False)
    assert [step.text for step in story.steps] == [
        "The coordinator sent you to Tutor: It begins.",
        "Tutor. It asked.",
        "Tutor handed off to Quiz: It is time.",
        "Quiz used look up.",
        "It counts.",
        "Quiz did not answer this time.",
    ]
    assert [(step.took_ms, step.quote) for step in story.steps][1:5] == [(1, ""), (None, ""), (3, ""), (None, "two")]


def test_turn_that_ran_again_is_told_from_there(ada):
    turn = happened(said(ada), HAPPENED[0], Resumed(attempt=2), HAPPENED[2])
    [story] = stories([turn], whole=False)
    assert [step.text[:19] for step in story.steps] == ["The answer was inte", "Tutor handed off to"]


@pytest.mark.parametrize("path", ["/c/s/turns/{}/story/", "/c/s/transcript/"])
def test_learner_reads_no_more_than_the_story(client, ada, told, path):
    """What agents say to one another, ask of tools and keep for themselves may hold an answer."""
    response = read(client, ada, path.format(told.pk))
    assert "It is time." in response.text
    assert SECRET not in response.text
    assert "for admins" not in response.text


def test_admin_reads_all_of_it_in_their_own_conversation(client, root, django_assert_max_num_queries):
    turn = happened(said(root), *HAPPENED)
    outcome = Answered(agent="tutor", result=None, text="x", ms=12, tries=2, remarks=("leak",), prompt_version="p-12")
    run_recorder.record_run(
        turn_id=turn.pk, graph="g", result=RunResult(outcomes=(outcome,), state={}, position=None), person_id=root.pk
    )
    ModelCall.objects.create(turn_id=turn.pk, agent="tutor", backend="b", model="m-9", input_tokens=311, cost_usd=0.5)
    client.force_login(root)
    with django_assert_max_num_queries(15):
        page = client.get(f"/c/s/turns/{turn.pk}/story/", headers={"HX-Request": "true"}).text
    for shown in (SECRET, "m-9", "311", "0.50000", "leak", "p-12", "tool_called"):
        assert shown in page


def test_nobody_reads_anothers(client, ada, eve, root, told):
    for person in (eve, root):
        for path in (f"/c/s/turns/{told.pk}/story/", "/c/s/transcript/"):
            assert read(client, person, path).status_code == 404


def test_without_a_script_the_story_is_a_place_on_a_page(client, ada, told, settings):
    for _ in range(20):
        last = said(ada)
    client.force_login(ada)
    address = client.get(f"/c/s/turns/{last.pk}/story/")["Location"]
    assert address == f"/c/s/transcript/?page=2#story-{last.pk}"
    assert f'id="story-{last.pk}"' in client.get(address).text


def test_page_takes_few_queries_however_long_it_is(client, ada, django_assert_max_num_queries):
    for _ in range(20):
        happened(said(ada), *HAPPENED)
    client.force_login(ada)
    with django_assert_max_num_queries(15):
        assert client.get("/c/s/transcript/").text.count("It is time.") == 20


@pytest.mark.parametrize(("query", "status"), [("?page=2", 404), ("?page=0", 404), ("?page=x", 404), ("?page=1", 200)])
def test_pages_are_those_there_are(client, ada, told, query, status):
    client.force_login(ada)
    assert client.get(f"/c/s/transcript/{query}").status_code == status


def test_history_is_left_out(client, ada, told):
    said(ada, "what is a third", replaces=told.pk)
    client.force_login(ada)
    page = client.get("/c/s/transcript/").text
    assert "what is a half" not in page
    assert "There is no record of how this answer was made." in page
    assert Turn.objects.count() == 2


def test_each_reply_offers_its_story_once(client, ada, told):
    client.force_login(ada)
    assert client.get("/c/s/").text.count(f'hx-get="/c/s/turns/{told.pk}/story/"') == 1


def test_team_shows_the_tool_that_somebody_is_using():
    wires = [{"type": "agent_started", "agent": "tutor"}, {"type": "tool_called", "agent": "tutor", "tool": "library"}]
    (member,) = team_members(wires)
    assert (member.state, member.what) == ("working", "uses the library")
    (member,) = team_members([*wires, {"type": "tool_returned", "agent": "tutor", "tool": "library", "ms": 3.0}])
    assert (member.state, member.what, member.ms) == ("working", "explains the topic and asks questions", None)


def test_what_the_panels_agents_told_each_other_is_in_the_story() -> None:
    sent = MessageSent(
        message_id="msg_1",
        sender="analysis",
        recipient=None,
        message_type="event",
        payload={"event": "concept_detected", "data": {"concepts": ["transformer", "attention"]}},
        parent_id=None,
        priority=5,
        dropped="",
    )
    classified = Classified(workflow="panel", classification="complex_query", agents=("analysis",), reason="It asks.")
    bodies = [number_event(each, seq=number, turn_id=uuid4()) for number, each in enumerate((classified, sent), 1)]
    assert [each.text for each in steps_of(bodies)] == [
        "It asks. The message went to: Analysis.",
        "Analysis told the others what the message is about: transformer, attention.",
    ]
