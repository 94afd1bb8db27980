"""A lesson by phone: asked, answered and graded by voice, and ended with what was done."""

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from conversations.models import PhoneLink
from conversations.turns.supervisor import supervisor
from tests import people
from tests.conversations.phone.twilio_caller import FORM, Heard, Post, TwilioCall
from tests.tutoring.lessons.lesson_player import load_fractions
from tutoring.models import Attempt

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def _calls_are_set_up(settings: Any) -> Iterator[None]:
    settings.TWILIO_AUTH_TOKEN, settings.PUBLIC_URL = TOKEN, "http://testserver"
    yield
    supervisor.closing = False


async def test_three_steps_of_a_fractions_lesson_by_voice(async_client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("conversations.phone.phone_turns.ANSWER_WITHIN_S", 60.0)
    await sync_to_async(load_fractions)()
    ada = await sync_to_async(people.make_ada)()
    call = TwilioCall(site="http://testserver", token=TOKEN)
    await PhoneLink.objects.acreate(owner=ada, number=call.number)

    async def hear(posted: Post) -> Heard:
        headers = {"X-Twilio-Signature": posted.signature}
        response = await async_client.post(posted.path, posted.body, content_type=FORM, headers=headers)
        assert response.status_code == 200, response.content
        return call.hear(response.content)

    assert (await hear(call.dial())).words.startswith("Welcome back")
    first = (await hear(call.say("I want to learn one half"))).words
    assert "In the picture: " in first
    right = next(letter for letter in "ABC" if f"{letter}: No" in first)
    second = (await hear(call.say(f"Option {right}."))).words
    assert second.startswith("Right.")
    assert "you can say “skip”" in second, "a step on a board has nothing to say"
    third = (await hear(call.say("skip"))).words
    assert "written one over two" in third
    wrong = next(letter for letter in "ABC" if f"{letter}: The 1, above" in third)
    hinted = (await hear(call.say(wrong))).words
    assert "Not yet." in hinted
    assert "Hint: " in hinted
    assert "In the picture" not in hinted, "the question is heard again without its introduction"
    assert "the card" not in hinted
    assert "In the picture" not in (await hear(call.say("I don't know"))).words
    goodbye = await hear(call.say("Goodbye."))
    assert goodbye.is_over
    assert "You worked on One half. You answered" in goodbye.words
    answers = [each async for each in Attempt.objects.order_by("pk").values_list("answer", "verdict")]
    assert [(letter.upper(), verdict) for letter, verdict in answers[:2]] == [(right, "correct"), (wrong, "wrong")]
