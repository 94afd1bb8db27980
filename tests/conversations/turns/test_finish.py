"""What a turn came to is stored whole or not at all, by whoever holds it."""

import pytest
from django.db import IntegrityError, transaction

from agents.engine.events import FindingMade, HandedOff, ReplyText, Routed, StateChanged
from agents.engine.graph import Choice, Graph, sequence
from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.models import AgentCall, Run
from conversations.models import Event, Finding, Message, Session, Transition, Turn
from conversations.turns import leases
from conversations.turns.feed import RECORDED_TYPES, number_event, store_events
from conversations.turns.finish import TurnEnding, finish_turn, opening_events
from conversations.turns.handler import PreparedRun
from tests.conversations.turn_helpers import begun, bodies

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]

RAN = RunResult(
    outcomes=(Answered(agent="speaker", result=None, text="One half.", ms=1.0),), state={"topic": "halves"}, position=(0,)
)  # fmt: skip
FINDING = {"agent": "speaker", "kind": "misconception", "words": "Counts pieces.", "confidence": 0.8, "evidence": "two"}


def taken(owner, **options):
    return leases.claim(begun(owner, **options).pk).turn


def end(turn, *events, **ending):
    """Finish the turn with these events after those stored; return its last events, none where it was not ours."""
    wires = [number_event(event, turn_id=turn.pk, seq=2 + index) for index, event in enumerate(events)]
    told = [wire for wire in wires if wire["type"] in RECORDED_TYPES]
    ended = TurnEnding(
        **{
            "told": told,
            "said": "x" * 300,
            "status": "done",
            "reply": "One half.",
            "result": RAN,
            "graph": "stage",
            **ending,
        }
    )
    return finish_turn(turn, ended, events=wires, next_seq=2 + len(events))


def test_reply_events_figures_and_state_are_stored_together(ada):
    turn = taken(ada)
    assert end(turn, ReplyText(text="One half."))
    turn.refresh_from_db()
    assert (turn.status, turn.lease_until, turn.is_open) == ("done", None, False)
    assert Message.objects.get(turn=turn, author="team").text == "One half."
    assert [body["seq"] for body in bodies(turn.pk)] == [1, 2, 3]
    assert Run.objects.get(turn_id=turn.pk).waits
    assert (turn.session.state, turn.session.positions) == ({"topic": "halves"}, {"stage": [0]})


def test_events_that_were_stored_meanwhile_are_stored_once(ada):
    turn = taken(ada)
    said = ReplyText(text="One half.")
    store_events([number_event(said, turn_id=turn.pk, seq=2)])
    assert end(turn, said, said)
    assert [body["seq"] for body in bodies(turn.pk)] == [1, 2, 3, 4]


def test_host_that_cannot_settle_rolls_everything_back(ada, host):
    turn = taken(ada)

    def fail(*args):
        raise ValueError("no")

    host.on_settle = fail
    with pytest.raises(ValueError, match="no"), transaction.atomic():
        end(turn, ReplyText(text="One half."))
    turn.refresh_from_db()
    assert (turn.status, turn.is_open, turn.answer) == ("running", True, {})
    assert not Message.objects.filter(author="team").exists()
    assert not Run.objects.exists()
    assert Event.objects.count() == 1


def test_turn_of_another_process_is_not_finished(ada):
    turn = taken(ada)
    Turn.objects.update(lease_owner="another")
    assert not end(turn)
    assert not Message.objects.filter(author="team").exists()


def test_earlier_attempt_does_not_finish_the_later_one(ada):
    turn = taken(ada)
    Turn.objects.update(attempt=2)
    assert not end(turn)
    assert Event.objects.count() == 1


def test_turn_is_finished_once(ada):
    turn = taken(ada)
    assert end(turn)
    assert not end(turn)


def test_session_rests_nowhere_when_its_graph_came_to_its_end(ada):
    turn = taken(ada)
    Session.objects.update(positions={"stage": [0], "aside": [1]})
    end(turn, result=RunResult(outcomes=(), state={}, position=None))
    turn.session.refresh_from_db()
    assert turn.session.positions == {"aside": [1]}


def test_what_a_form_changed_while_the_turn_ran_is_kept(ada, host):
    turn = taken(ada)
    before = {"topic": "thirds", "mastery_threshold": 0.85, "level": "beginner"}
    turn.session.state = dict(before)
    Session.objects.update(state={**before, "mastery_threshold": 0.75, "level": "advanced"}, positions={"aside": [1]})
    ran = RunResult(outcomes=(), state={**before, "topic": "halves", "level": "intermediate"}, position=(0,))

    def settle(turn, result):
        turn.session.state["last"] = turn.session.state["mastery_threshold"]

    host.on_settle = settle
    assert end(turn, before=before, result=ran)
    stored = Session.objects.get()
    assert stored.state == {
        "topic": "halves", "mastery_threshold": 0.75, "level": "intermediate", "last": 0.75,
    }  # fmt: skip
    assert stored.positions == {"aside": [1], "stage": [0]}


def test_what_is_changed_as_the_run_is_stored_is_told_before_the_end(ada, host):
    turn = taken(ada)
    turn.session.state = before = {"topic": "thirds", "gone": 1, "same": [1]}
    Session.objects.update(state=before)
    turn.session.change("wish", 0.75)
    turn.session.save(update_fields=["state"])
    host.on_settle = lambda turn, _result: (turn.session.state.update(topic="halves"), turn.session.state.pop("gone"))
    last = end(turn, before=before, result=RunResult(outcomes=(), state=before, position=None))
    told = {wire["key"]: wire["value"] for wire in last[:-1]}
    assert told == {"topic": "halves", "gone": None, "wish": 0.75}
    assert (last[-1]["type"], last[-1]["reply"]) == ("turn_finished", "One half.")
    assert [body["seq"] for body in bodies(turn.pk)] == [1, 2, 3, 4, 5]
    assert Session.objects.get().state == {"topic": "halves", "same": [1], "wish": 0.75}


def test_what_was_changed_between_turns_is_told_by_the_next(ada, host):
    session = Session.objects.create(owner=ada, key="wished", state={"topic": "halves"})
    session.change("wish", 0.75)
    session.save()
    turn = taken(ada, key="wished")
    choice = Choice(to="speaker", reason="")
    prepared = PreparedRun(graph=Graph(name="stage", root=sequence("speaker")), request=Request(), choice=choice)
    told = [event for event in opening_events(turn, prepared) if isinstance(event, StateChanged)]
    assert told == [StateChanged(key="wish", value=0.75)]
    assert turn.session.state == {"topic": "halves", "wish": 0.75}


def test_what_the_turn_changed_is_there_after_a_second_try(ada, host):
    turn = taken(ada)
    turn.session.state = {"topic": "thirds"}
    Session.objects.update(state={"topic": "thirds"})

    def fail(*args):
        raise ValueError("no")

    host.on_settle = fail
    with pytest.raises(ValueError, match="no"), transaction.atomic():
        end(turn, before={"topic": "thirds"})
    host.on_settle = lambda *args: None
    assert end(turn, before={"topic": "thirds"})
    assert Session.objects.get().state == {"topic": "halves"}


def test_turn_that_was_stopped_keeps_the_state_as_it_was(ada, host):
    turn = taken(ada)
    host.on_settle = lambda *args: pytest.fail("nothing was decided")
    assert end(turn, status="stopped", result=None)
    assert (turn.session.state, Run.objects.count()) == ({}, 0)


class TestTransitions:
    def test_every_handover_is_kept_with_its_reason(self, ada):
        turn = taken(ada)
        routed = Routed(from_agent="", to="tutor", strategy="rule", confidence=0.5, reason="a")
        end(turn, routed, HandedOff(from_agent="tutor", to="quiz", reason="b"))
        first, second = Transition.objects.order_by("pk")
        assert (first.to_agent, first.strategy, first.confidence, first.reason) == ("tutor", "rule", 0.5, "a")
        assert (second.from_agent, second.strategy, second.confidence) == ("tutor", "handoff", None)
        assert first.message_excerpt == "x" * 100


class TestFindings:
    def test_finding_is_kept_with_its_evidence(self, ada):
        end(taken(ada), FindingMade(name="two_pieces", **FINDING))
        found = Finding.objects.get()
        assert (found.name, found.words, found.evidence, found.confidence) == (
            "two_pieces", "Counts pieces.", "two", 0.8,
        )  # fmt: skip

    def test_finding_resolved_later_says_when(self, ada):
        end(taken(ada), FindingMade(name="two_pieces", **FINDING))
        second = taken(ada)
        end(second, FindingMade(name="two_pieces", resolved=True, **FINDING))
        assert Finding.objects.get().resolved_turn == second


class TestStoreWhileHeld:
    def test_events_of_a_held_turn_are_stored(self, ada):
        turn = taken(ada)
        leases.store_if_leased([(turn, [number_event(ReplyText(text="a"), turn_id=turn.pk, seq=2)])])
        assert len(bodies(turn.pk)) == 2

    @pytest.mark.parametrize("lost", [{"lease_owner": "another"}, {"attempt": 2}, {"status": "done"}])
    def test_events_of_a_lost_turn_leave_the_numbers_to_its_new_process(self, ada, lost):
        turn = taken(ada)
        Turn.objects.update(**lost)
        leases.store_if_leased([(turn, [number_event(ReplyText(text="a"), turn_id=turn.pk, seq=2)])])
        assert len(bodies(turn.pk)) == 1


def test_numbers_are_a_turns_own_and_used_once(ada):
    turn = begun(ada)
    with pytest.raises(IntegrityError), transaction.atomic():
        store_events([number_event(ReplyText(text="a"), turn_id=turn.pk, seq=1)])


def test_figures_name_each_agents_ending(ada):
    end(taken(ada))
    assert [call.ending for call in AgentCall.objects.all()] == ["answered"]
