"""Summaries are stored with the turn that they reach, and go with it."""

from typing import Any

import pytest

from conversations.models import ConversationSummary, Transition, Turn
from conversations.summaries import contributors, records
from conversations.summaries.contributors import Contribution
from conversations.turns.finish import TurnEnding, finish_turn
from tests.conversations.turn_helpers import begun
from tests.conversations.turns.test_finish import RAN, taken

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what other apps know."""
    monkeypatch.setattr(contributors, "_contributors", {})


def answered(owner: Any, *concepts: str, sources: Any = (), **fields: Any) -> Turn:
    """Store a turn that the panel has answered."""
    turn = begun(owner, text="?", **fields)
    turn.status = "done"
    turn.answer = {
        "concepts": [{"name": each} for each in concepts],
        "sources": [{"id": each} for each in sources],
        "facts": [{}],
        "knowledge_gaps": [],
    }
    turn.save()
    return turn


def test_facts_come_from_the_stored_answers_and_transitions(ada):
    answered(ada, "list", "tuple", sources=["passage-1", "web-3"])
    turn = answered(ada, "lists", sources=["passage-1", "passage-2"])
    for agent in ("synthesis", "tutor", "synthesis"):
        Transition.objects.create(session=turn.session, turn=turn, to_agent=agent)
    found = records.summary_up_to(turn).facts
    assert found.concepts == ("lists", "tuple")
    assert found.sources == ("passage-1", "passage-2")
    assert found.agents == ("synthesis", "tutor")


def test_turn_without_an_answer_counts_for_nothing(ada):
    assert records.summary_up_to(begun(ada)).text == ""


def test_what_nothing_was_found_on_is_told(ada):
    turn = answered(ada, "qubit")
    Turn.objects.filter(pk=turn.pk).update(answer={"concepts": [{"name": "qubit"}], "sources": [], "facts": []})
    assert records.summary_up_to(turn).text == "You asked about *qubit*, but I found nothing on that."


def test_other_apps_contribute_what_they_know(ada):
    contributors.register_contributor(
        "school", lambda session: Contribution(topics=(session.key,), result="Well done.")
    )
    turn = answered(ada, "list")
    assert records.short_summary(turn.session) == "You worked on *s*. Well done. You asked about *list*."


def test_summary_is_stored_at_the_end_of_a_turn_that_asks_for_it(ada):
    turn = taken(ada)
    finish_turn(turn, TurnEnding(status="done", result=RAN, summary_is_due=True), events=[], next_seq=2)
    stored = ConversationSummary.objects.get()
    assert (stored.turn_id, stored.session_id, stored.reason) == (turn.pk, turn.session_id, "length")


@pytest.mark.parametrize("ending", [{"result": None, "summary_is_due": True}, {"result": RAN}])
def test_turn_that_was_stopped_or_has_room_stores_none(ada, ending):
    finish_turn(taken(ada), TurnEnding(status="stopped", **ending), events=[], next_seq=2)
    assert not ConversationSummary.objects.exists()


def test_each_refresh_is_another_version_and_a_turn_has_one(ada):
    for concept in ("list", "tuple"):
        turn = answered(ada, concept)
        records.store_summary(turn, reason="length")
    records.store_summary(turn, reason="goodbye")
    rows = ConversationSummary.objects.order_by("turn__number").values_list("turn__number", "reason", "text")
    assert list(rows) == [
        (1, "length", "You asked about *list*."),
        (2, "goodbye", "You asked about *list* and *tuple*."),
    ]


def test_stored_one_is_shown_as_it_was(ada):
    turn = answered(ada, "list")
    records.store_summary(turn, reason="goodbye")
    Turn.objects.filter(pk=turn.pk).update(answer={})
    assert records.summary_up_to(turn).text == "You asked about *list*."


class TestPrompt:
    def test_without_a_summary_one_is_due(self, ada):
        assert records.summary_for_prompt(answered(ada).session, left_out_to=1) == records.PromptSummary(is_due=True)

    def test_the_latest_is_told_until_something_later_is_left_out(self, ada):
        for concept in ("list", "tuple"):
            turn = answered(ada, concept)
            records.store_summary(turn, reason="length")
        told = "You asked about *list* and *tuple*."
        assert records.summary_for_prompt(turn.session, left_out_to=2) == records.PromptSummary(text=told)
        assert records.summary_for_prompt(turn.session, left_out_to=3) == records.PromptSummary(text=told, is_due=True)


class TestReplacedTurns:
    """What an edited message led to is in no summary."""

    def test_are_left_out(self, ada):
        answered(ada, "list")
        second = answered(ada, "tuple")
        third = answered(ada, "qubit", replaces=second.pk)
        assert records.summary_up_to(third).text == "You asked about *list* and *qubit*."

    def test_take_their_summaries_with_them(self, ada):
        first, second = answered(ada, "list"), answered(ada, "tuple")
        for turn in (first, second):
            records.store_summary(turn, reason="length")
        begun(ada, text="again", replaces=second.pk)
        assert ConversationSummary.objects.get().turn_id == first.pk

    def test_of_deleted_conversations_go_with_the_words(self, ada):
        turn = answered(ada, "list")
        records.store_summary(turn, reason="goodbye")
        turn.delete()
        assert not ConversationSummary.objects.exists()
