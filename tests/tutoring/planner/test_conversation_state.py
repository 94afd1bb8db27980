"""What the planner keeps of a conversation, and for how long it means something."""

from datetime import UTC, datetime

from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.llm.token_usage import Usage
from tutoring.planner.conversation_state import MEANT_FOR, companion_context, settled_state
from tutoring.planner.facts import CompanionFacts, CompanionTurn, next_agent
from tutoring.planner.graph import COMPANION
from tutoring.planner.tools.results import FoundRow
from tutoring.planner.values import AskedBack, PlannerRequest

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)
FOOTBALL = FoundRow(agent="event", id=7, title="Football")
REQUEST = PlannerRequest(agent="event", action="create", quote="football", title="Football")


def answered(agent: str, **fields: object) -> Answered:
    result = CompanionTurn(spoke=True, actions=["create"], **fields)  # type: ignore[arg-type]
    return Answered(
        agent=agent,
        text="",
        ms=1.0,
        began_ms=0.0,
        tries=1,
        prompt_version="",
        result=result,
        waits=False,
        usage=Usage(backend="offline"),
    )


def state_after(*outcomes: Answered, turn: int = 1) -> dict[str, object]:
    return {"companion": settled_state({}, outcomes, turn=turn)}


def test_question_is_open_for_one_turn() -> None:
    state = state_after(answered("event", asked=AskedBack(request=REQUEST, missing="when")))
    assert companion_context(state, turn=2, now=NOW, only_clear=False).asked is not None
    assert companion_context(state, turn=3, now=NOW, only_clear=False).asked is None


def test_it_means_a_row_for_some_turns_and_in_a_lesson_for_one() -> None:
    state = state_after(answered("event", rows=[FOOTBALL], changes=["x"]))
    assert companion_context(state, turn=1 + MEANT_FOR, now=NOW, only_clear=False).last is not None
    assert companion_context(state, turn=2 + MEANT_FOR, now=NOW, only_clear=False).last is None
    assert companion_context(state, turn=2, now=NOW, only_clear=True).can_undo
    assert not companion_context(state, turn=3, now=NOW, only_clear=True).can_undo


def test_only_row_of_a_list_is_meant_and_of_several_none() -> None:
    one = state_after(answered("event", listed=[FOOTBALL]))
    found = companion_context(one, turn=2, now=NOW, only_clear=False).last
    assert found is not None
    assert found.title == "Football"
    both = state_after(answered("event", listed=[FOOTBALL, FoundRow(agent="event", id=8, title="Piano")]))
    context = companion_context(both, turn=2, now=NOW, only_clear=False)
    assert (context.last, len(context.listed)) == (None, 2)


def test_state_of_another_version_is_left_out() -> None:
    state = {"companion": {"turn": 1, "asked": {"request": {"agent": "nobody"}}, "current_agent": "event"}}
    assert companion_context(state, turn=2, now=NOW, only_clear=False).asked is None


def test_each_agent_serves_once_and_the_one_that_was_named_comes_next() -> None:
    food = PlannerRequest(agent="food", action="log", quote="pasta")
    facts = CompanionFacts(turn_id="", text="", requests=(REQUEST, food), now=NOW)
    request = Request(facts=facts)
    assert next_agent(request) == "event"
    handed = PlannerRequest(agent="task", action="delete", quote="football")
    turn = CompanionTurn(hand_off="task", handed=(handed,))
    assert next_agent(Request(facts=facts, results={"event": turn})) == "task"
    back = CompanionTurn(hand_off="event", handed=(REQUEST,))
    assert next_agent(Request(facts=facts, results={"event": turn, "task": back})) == "food"
    assert next_agent(Request(facts=facts, results={"event": turn, "task": back, "food": CompanionTurn()})) is None


def test_graph_is_bounded_by_its_agents() -> None:
    assert COMPANION.root.at_most == 4  # type: ignore[union-attr]
