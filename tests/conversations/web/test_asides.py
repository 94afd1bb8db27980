"""What is asked beside the current step: kept apart from the thread, and what belongs to the step is not."""

from uuid import UUID

import pytest

from conversations.models import Turn
from conversations.speakers import speaker_named
from conversations.web.fragments import LiveView
from conversations.web.presentation import StreamedReply, TurnView, is_aside, set_asides_apart, thread_of
from tests.conversations.turn_helpers import begun

CARD = {"card_id": "c", "card_html": "<p>card</p>", "step": "yes"}


def view(number, *, aside=False, opens=False):
    return TurnView(
        id=UUID(int=number),
        number=number,
        kind="message",
        user_text="",
        parts=(CARD,) if opens else (),
        status="done",
        running=False,
        client_id="",
        streamed=StreamedReply(),
        who=speaker_named([]),
        is_aside=aside,
    )


def apart(*views):
    """Return the numbers of the turns that are talk of a step, and of those beside the current one."""
    parts, asides = set_asides_apart(thread_of(views))
    talk = [each.number for part in parts for step in part.steps for each in step.talk]
    return talk, [each.number for each in asides]


def test_asides_of_the_current_step_are_set_apart():
    assert apart(view(1, opens=True), view(2, aside=True), view(3), view(4, aside=True)) == ([3], [2, 4])


def test_asides_of_earlier_steps_stay_with_them():
    assert apart(view(1, opens=True), view(2, aside=True), view(3, opens=True), view(4, aside=True)) == ([2, 3], [4])


def test_aside_whose_reply_opened_the_current_step_is_beside_it():
    assert apart(view(1, opens=True), view(2, aside=True), view(3, aside=True, opens=True)) == ([2], [3])


def test_conversation_without_steps_has_no_asides():
    parts, asides = set_asides_apart(thread_of([view(1), view(2, aside=True)]))
    assert [part.turn.number for part in parts] == [1, 2]
    assert asides == ()


def test_message_is_an_aside_until_it_is_decided(host):
    def turn(**fields):
        return Turn(number=2, kind="message", **fields)

    assert is_aside(turn(status="running"))
    assert not is_aside(turn(status="running", decision={}))
    assert not is_aside(turn(status="done"))
    host.asides = {2}
    assert is_aside(turn(status="done", decision={}))


@pytest.mark.django_db
@pytest.mark.parametrize("number", [1, 2])
def test_message_that_belongs_to_the_step_is_named_once_that_is_decided(host, ada, number):
    host.asides = {2}
    turn = begun(ada)
    live = LiveView(turn.session_id)
    live.is_placed = False
    assert live._placed(str(turn.pk), ada) == ""
    assert not live.is_placed
    Turn.objects.filter(pk=turn.pk).update(decision={}, number=number)
    moved = live._placed(str(turn.pk), ada)
    assert live.is_placed
    assert (f'data-turn="{turn.pk}"' in moved) == (number == 1)


@pytest.mark.django_db
def test_page_shows_what_is_asked_after_the_thread(host, ada, client):
    client.force_login(ada)
    begun(ada)
    page = client.get("/c/s/").text
    assert page.index('id="thread"') < page.index('id="asides"') < page.index('id="compose"')
