"""Messages that the team writes unasked: stored once, as a finished turn of an ordinary conversation."""

import pytest

from conversations.models import Message, Session, Turn
from conversations.turns.begin import begin_turn
from conversations.turns.unasked_messages import write_unasked

pytestmark = pytest.mark.django_db


def write(person, *, name="first", text="Good morning."):
    return write_unasked(person, key="letters", title="Letters", text=text, agent="tutor", name=name)


def test_the_first_one_starts_the_conversation(ben):
    turn = write(ben)
    assert (turn.number, turn.kind, turn.status) == (1, Turn.Kind.OPEN, "done")
    assert (turn.session.title, turn.session.owner) == ("Letters", ben)
    assert [(each.author, each.text) for each in Message.objects.all()] == [("team", "Good morning.")]


def test_the_same_name_writes_once(ben):
    assert write(ben) == write(ben, text="Good evening.")
    assert Message.objects.count() == 1


def test_the_next_one_goes_on_in_the_conversation_and_brings_it_back_from_the_archive(ben):
    write(ben)
    Session.objects.update(archived=True)
    assert write(ben, name="second").number == 2
    assert not Session.objects.get().archived


def test_a_conversation_that_is_being_answered_is_left_alone(ben):
    begin_turn(owner=ben, session_key="letters", text="hello", client_id="x")
    assert write(ben) is None


def test_two_people_have_conversations_of_their_own(ben, eve):
    assert write(ben, name="b").session != write(eve, name="e").session
