"""Side agents listen beside the answer: what comes in time goes with it, what comes late is kept, nothing holds it up."""

import threading
import uuid
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async

from agents.engine import registry
from agents.engine.events import FindingMade
from agents.engine.graph import Graph, parallel
from agents.engine.roles import Plan, Role
from agents.models import ModelCall, Spending
from agents.usage.budgets import set_budget
from conversations.models import Analysis, Finding, Turn
from conversations.turns import notices, side_agent_runner, side_agents
from conversations.turns.findings import store_result
from conversations.turns.side_agents import SideAgentResult, SideAgentTask
from tests.conversations.turn_helpers import Pause, accepted, bodies, reply

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

MODEL = {"model": "fake", "api_key": "sk-ant-none", "base_url": "http://127.0.0.1:9"}
FOUND = FindingMade(
    agent="misconception",
    kind="misconception",
    name="any_two",
    words="You called any two pieces halves.",
    confidence=0.8,
    evidence="two pieces",
    content={"intervention_suggestion": "Ask about the sizes."},
)
ANALYSIS = {"agent": "misconception", "key": "k", "output": {"confidence": 0.8}, "ms": 2.0}


class ScriptedListener:
    """Hears every turn, and notices what the test says, when it says so."""

    def __init__(self):
        self.ready, self.graph, self.fails, self.kept = threading.Event(), None, None, []
        self.results, self.in_prompt, self.is_deaf = [], (), False

    def hears(self, turn, prepared):
        return not self.is_deaf

    def prepare_task(self, turn, prepared):
        if self.fails:
            raise self.fails
        return SideAgentTask(facts=turn.number, graph=self.graph)

    def noticed(self, overheard, result):
        self.results.append(result)
        assert self.ready.wait(20)
        return SideAgentResult(findings=[FOUND], analyses=[ANALYSIS])

    def told(self, prepared):
        return self.in_prompt

    def keep(self, turn, noticed):
        self.kept.append(turn.number)


@pytest.fixture
def listener(host, monkeypatch):
    one = ScriptedListener()
    monkeypatch.setattr(side_agents, "_listeners", [one])
    return one


async def served(supervisor, ada):
    begun = await sync_to_async(accepted)(ada)
    supervisor.start(begun)
    await supervisor.finished(begun.turn.pk)
    return await Turn.objects.select_related("session").aget(pk=begun.turn.pk)


async def kept(supervisor):
    """Wait for what is kept after the turns."""
    for task in list(supervisor.listening._keeping):
        await task


async def stored():
    return await sync_to_async(lambda: (list(Finding.objects.values()), list(Analysis.objects.values())))()


async def test_what_is_noticed_in_time_goes_with_the_turn(supervisor, says, listener, ada):
    listener.ready.set()
    pause = Pause()
    says("One ", pause, "half.")
    begun = await sync_to_async(accepted)(ada)
    supervisor.start(begun)
    await pause.reached.wait()
    await supervisor.listening._tasks[begun.turn.pk]
    pause.over.set()
    await supervisor.finished(begun.turn.pk)
    findings, analyses = await stored()
    assert [(each["name"], each["content"]) for each in findings] == [("any_two", FOUND.content)]
    assert [each["output"] for each in analyses] == [{"confidence": 0.8}]
    assert listener.kept == [1]
    (event,) = await sync_to_async(bodies)(begun.turn.pk, "finding")
    assert event["confidence"] == 0.8


async def test_what_comes_late_is_kept_and_the_page_is_told(supervisor, listener, ada, monkeypatch):
    told = []
    monkeypatch.setattr(notices, "notify_findings", told.append)
    turn = await served(supervisor, ada)
    assert (turn.status, await stored()) == ("done", ([], []))
    listener.ready.set()
    await kept(supervisor)
    findings, analyses = await stored()
    assert (len(findings), len(analyses), listener.kept) == (1, 1, [1])
    assert [session.pk for session in told] == [turn.session_id]
    assert await sync_to_async(bodies)(turn.pk, "finding") == []  # A turn has one last event, and it is over.


async def test_a_listener_that_fails_costs_nothing_but_its_findings(supervisor, listener, ada):
    listener.fails = RuntimeError("a bug")
    turn = await served(supervisor, ada)
    assert (turn.status, (await sync_to_async(reply)(turn)).text) == ("done", "One half.")
    assert await stored() == ([], [])


async def test_what_a_turn_was_told_is_on_record_though_there_is_nothing_to_hear_in_it(supervisor, listener, ada):
    listener.is_deaf = True
    first = await served(supervisor, ada)
    known = await sync_to_async(finding_of)(first)
    listener.in_prompt = (known.pk,)
    second = await served(supervisor, ada)
    await known.arefresh_from_db()
    assert (known.told_turn, listener.results) == (second.number, [])


async def test_what_was_heard_of_a_stopped_turn_is_kept(supervisor, says, listener, ada):
    listener.ready.set()
    pause = Pause()
    says("One ", pause, "half.")
    begun = await sync_to_async(accepted)(ada)
    supervisor.start(begun)
    await pause.reached.wait()
    await supervisor.listening._tasks[begun.turn.pk]
    assert supervisor.stop(begun.turn.pk)
    await supervisor.finished(begun.turn.pk)
    await begun.turn.arefresh_from_db()
    findings, _analyses = await stored()
    assert (begun.turn.status, len(findings)) == ("stopped", 1)


async def test_a_conversation_deleted_meanwhile_loses_nothing_else(supervisor, listener, ada):
    turn = await served(supervisor, ada)
    await turn.session.adelete()
    listener.ready.set()
    await kept(supervisor)
    assert await stored() == ([], [])


async def test_side_agents_walk_their_own_graph_beside_the_answer(supervisor, listener, ada, monkeypatch):
    for name in ("one", "two"):
        monkeypatch.setitem(registry.roles, name, Role(name=name, purpose="", plan=lambda request: Plan(say=("x",))))
    listener.graph = Graph(name="hub", root=parallel("one", "two"))
    listener.ready.set()
    turn = await served(supervisor, ada)
    await kept(supervisor)
    (result,) = listener.results
    assert {outcome.agent for outcome in result.outcomes} == {"one", "two"}
    assert (await sync_to_async(reply)(turn)).text == "One half."
    assert not await ModelCall.objects.aexists()


async def test_closing_does_not_wait_for_what_is_late(supervisor, listener, ada):
    await served(supervisor, ada)
    closing = supervisor.close()
    listener.ready.set()  # A thread cannot be stopped; what it brings is not kept any more.
    await closing
    assert await stored() == ([], [])


async def noticed_late(supervisor, listener, ada, *, meanwhile):
    """Serve a turn, let something happen, and only then let its listener come to an end."""
    turn = await served(supervisor, ada)
    await sync_to_async(meanwhile)(turn)
    listener.ready.set()
    await kept(supervisor)
    return turn


def next_turn(turn, **fields):
    return Turn.objects.create(session=turn.session, owner=turn.owner, number=turn.number + 1, status="done", **fields)


def finding_of(turn, **fields):
    found = {"agent": FOUND.agent, "kind": FOUND.kind, "name": FOUND.name}
    return Finding.objects.create(session=turn.session, turn=turn, **found | fields)


async def test_what_comes_late_of_a_message_said_anew_is_told_nobody(supervisor, listener, ada, monkeypatch):
    """What it took is on record; the finding is in no prompt and on no page, and counts for nothing."""
    told = []
    monkeypatch.setattr(notices, "notify_findings", told.append)
    replaced = lambda turn: Turn.objects.filter(pk=turn.pk).update(replaced_by=next_turn(turn))  # noqa: E731
    await noticed_late(supervisor, listener, ada, meanwhile=replaced)
    findings, analyses = await stored()
    assert (findings, len(analyses), listener.kept, told) == ([], 1, [], [])


async def test_of_a_turn_that_another_process_heard_too_nothing_is_kept_twice(supervisor, listener, ada):
    def elsewhere(turn):
        store_result(turn, SideAgentResult(findings=[FOUND], analyses=[ANALYSIS]), findings=True)

    await noticed_late(supervisor, listener, ada, meanwhile=elsewhere)
    found, analyses = await stored()
    assert (len(found), len(analyses), listener.kept) == (1, 1, [1])


@pytest.mark.parametrize("settled", [False, True], ids=["shown again", "settled"])
async def test_what_comes_late_does_not_overtake_later_turns(supervisor, listener, ada, settled):
    def meanwhile(turn):
        later = next_turn(turn)
        if settled:
            finding_of(turn, resolved_turn=later)
        else:
            finding_of(later)

    await noticed_late(supervisor, listener, ada, meanwhile=meanwhile)
    findings, analyses = await stored()
    assert (len(findings), len(analyses), listener.kept) == (1, 1, [])


async def test_what_a_turn_was_told_is_on_record_at_its_end_however_late_side_agents_are(supervisor, listener, ada):
    """The next turn is not told the same: it begins before they have come to an end."""
    first = await served(supervisor, ada)
    before = await sync_to_async(finding_of)(first, name="another")
    listener.in_prompt = (before.pk,)
    second = await served(supervisor, ada)
    await before.arefresh_from_db()
    assert before.told_turn == second.number


async def test_where_too_many_models_are_asked_already_code_judges_alone(supervisor, listener, ada, monkeypatch):
    """Nothing waits in line for models that hang."""
    monkeypatch.setitem(registry.roles, "one", Role(name="one", purpose="", plan=lambda request: Plan(say=("x",))))
    listener.graph = Graph(name="hub", root=parallel("one"))
    listener.ready.set()
    for _ in range(side_agent_runner.MOST_AT_ONCE):
        await supervisor.listening._slots.acquire()
    await served(supervisor, ada)
    await kept(supervisor)
    assert listener.results == [None]
    assert len((await stored())[0]) == 1


async def test_where_a_budget_is_nearly_used_up_code_judges_alone(supervisor, listener, ada, monkeypatch, settings):
    monkeypatch.setitem(registry.roles, "one", Role(name="one", purpose="", plan=lambda request: Plan(say=("x",))))
    settings.LLMS = settings.LLMS | {"vision": {"BACKEND": "agents.llm.anthropic.AnthropicBackend", "OPTIONS": MODEL}}
    await sync_to_async(set_budget)("person:ada", tokens_per_day=100)
    await Spending.objects.aupdate(tokens=80)
    listener.graph = Graph(name="hub", root=parallel("one"))
    listener.ready.set()
    await served(supervisor, ada)
    await kept(supervisor)
    assert listener.results == [None]


async def test_what_is_of_a_drawing_deleted_meanwhile_is_not_kept(supervisor, listener, ada, monkeypatch):
    """And costs nobody else their turn: what is stored together is checked together."""
    gone = {**ANALYSIS, "snapshot_id": uuid.uuid4(), "agent": "vision"}
    of_it = replace(FOUND, kind="vision", content={"snapshot": str(gone["snapshot_id"])})
    noticed = SideAgentResult(findings=[of_it, FOUND], analyses=[gone, ANALYSIS])
    monkeypatch.setattr(listener, "noticed", lambda overheard, result: noticed)
    turn = await served(supervisor, ada)
    await kept(supervisor)
    findings, analyses = await stored()
    assert [each["kind"] for each in findings] == ["misconception"]
    assert [each["agent"] for each in analyses] == ["misconception"]
    assert turn.status == "done"
