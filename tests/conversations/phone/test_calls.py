"""A call: greeted, answered, ended; and what goes wrong in it."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client

from conversations.models import ConversationSummary, Message, PhoneCall, PhoneLink, Session, Turn
from conversations.panel.single_agent import SINGLE_AGENT_KEY
from conversations.phone import calls, phone_turns
from conversations.phone.calls import CALLS_AT_MOST
from conversations.turns.supervisor import Supervisor
from learnagent.accounts.models import Person
from tests.conversations.phone.conftest import NUMBER, SITE, TOKEN, Hear, Send
from tests.conversations.phone.twilio_caller import FORM, TwilioCall
from tests.conversations.turn_helpers import Pause, ScriptedHandler
from tests.sqlite_locks import foreign_write_lock

pytestmark = pytest.mark.django_db(transaction=True)

link = sync_to_async(lambda person, number=NUMBER: PhoneLink.objects.create(owner=person, number=number))
said_in = sync_to_async(
    lambda **of: [*Message.objects.filter(author="learner", **of).order_by("pk").values_list("text", flat=True)]
)
count = sync_to_async(lambda model, **of: model.objects.filter(**of).count())


@pytest.fixture
def ada(transactional_db: None) -> Any:
    return Person.objects.create_user("ada")


async def test_caller_is_greeted_answered_and_heard_again(hear: Hear, call: TwilioCall, says: Any) -> None:
    greeting = await hear(call, call.dial())
    assert "learnagent" in greeting.words
    assert greeting.listens_at
    says("It is 3/4 of **one** bar.")
    answer = await hear(call, call.say("What is it?"))
    assert answer.words == "It is three quarters of one bar."
    assert answer.listens_at
    assert (await hear(call, call.say("Say that again."))).words == answer.words
    assert await said_in() == ["What is it?"]


async def test_linked_callers_conversation_is_a_session_of_theirs_that_goes_on(hear: Hear, ada: Any) -> None:
    await link(ada)
    for words in ("one", "two"):
        call = TwilioCall(site=SITE, token=TOKEN, number=NUMBER)
        assert (await hear(call, call.dial())).words.startswith("Welcome back")
        await hear(call, call.say(words))
    assert await said_in(session__owner=ada, session__key="phone") == ["one", "two"]
    assert await count(Session) == 1
    assert await count(Person, is_guest=True) == 0


async def test_caller_without_a_link_is_a_guest_of_their_own(hear: Hear, ada: Any) -> None:
    for words in ("hello", "good morning"):
        call = TwilioCall(site=SITE, token=TOKEN, number=NUMBER)
        await hear(call, call.dial())
        await hear(call, call.say(words))
        guest = await Person.objects.aget(phone_calls__sid=call.sid)
        assert (guest.is_guest, guest.is_active, guest.consent, guest.is_adult) == (True, False, False, False)
        assert await said_in(session__owner=guest) == [words]
    assert await count(Session, owner=ada) == 0


async def test_only_a_guest_who_says_something_is_stored(hear: Hear, call: TwilioCall) -> None:
    await hear(call, call.dial())
    assert await count(Person) == 0


async def test_one_agent_answers_calls(hear: Hear, call: TwilioCall) -> None:
    await hear(call, call.dial())
    await hear(call, call.say("hello"))
    assert (await Turn.objects.aget()).payload[SINGLE_AGENT_KEY] is True


async def test_answer_that_takes_long_is_fetched(hear: Hear, call: TwilioCall, says: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(phone_turns, "ANSWER_WITHIN_S", 0.0)
    pause = Pause()
    says("Done.", pause)
    await hear(call, call.dial())
    first = await hear(call, call.say("hello"))
    assert first.words == "One moment."
    assert parse_qs(urlsplit(first.fetches).query)["turn"] == [str((await Turn.objects.aget()).pk)]
    assert (await hear(call, call.post())).fetches == first.fetches, "it is still not there"
    pause.over.set()
    monkeypatch.setattr(phone_turns, "ANSWER_WITHIN_S", 60.0)
    answer = await hear(call, call.post())
    assert answer.words == "Done."
    assert answer.listens_at
    assert await count(Turn) == 1


async def test_turn_of_another_call_is_not_fetched(hear: Hear, send: Send, ada: Any) -> None:
    """A1"""
    await link(ada)
    first, second, stranger = (
        TwilioCall(site=SITE, token=TOKEN, number=each) for each in (NUMBER, NUMBER, "+15017122661")
    )
    for each in (first, second, stranger):
        await hear(each, each.dial())
    await hear(first, first.say("hello"))
    turn = await Turn.objects.aget()
    for each in (second, stranger):
        response = await send(each.post(f"/twilio/process-speech?step=1&turn={turn.pk}"))
        assert response.status_code == 404
    for nonsense in ("", "x", str(turn.pk).upper(), "%00"):
        assert (await send(first.post(f"/twilio/process-speech?step=1&turn={nonsense}"))).status_code == 404


async def test_request_that_comes_twice_is_answered_once(hear: Hear, call: TwilioCall, says: Any) -> None:
    """A replay of a signed request, or Twilio trying again."""
    await hear(call, call.dial())
    posted = call.say("hello")
    first = await hear(call, posted)
    says("Something else.")
    assert await hear(call, posted) == first
    assert await count(Turn) == 1
    assert await said_in() == ["hello"]


async def test_replay_after_the_call_says_nothing(hear: Hear, call: TwilioCall) -> None:
    await hear(call, call.dial())
    posted = call.say("hello")
    await hear(call, posted)
    await hear(call, call.report())
    for each in (posted, call.dial()):
        heard = await hear(call, each)
        assert (heard.words, heard.is_over) == ("", True)
    assert await count(Turn) == 1


async def test_replay_of_a_forgotten_call_says_nothing(hear: Hear, call: TwilioCall, ada: Any) -> None:
    await link(ada)
    first, posted = call.dial(), call.post("/twilio/process-speech?step=1", SpeechResult="hello")
    await hear(call, first)
    assert (await hear(call, posted)).words == "One half."
    await PhoneCall.objects.all().adelete()
    for each in (first, posted):
        heard = await hear(call, each)
        assert (heard.words, heard.is_over) == ("", True)


async def test_same_words_twice_in_a_row_are_two_messages(hear: Hear, call: TwilioCall) -> None:
    await hear(call, call.dial())
    await hear(call, call.say("yes"))
    await hear(call, call.say("yes"))
    assert await said_in() == ["yes", "yes"]


async def test_goodbye_ends_the_call_with_the_reply(
    hear: Hear, host: ScriptedHandler, call: TwilioCall, says: Any
) -> None:
    host.on_settle = lambda turn, result: (
        ConversationSummary.objects.create(session=turn.session, turn=turn, reason="goodbye", text="") and None
    )
    says("You worked on one half. Goodbye.")
    await hear(call, call.dial())
    heard = await hear(call, call.say("goodbye"))
    assert heard.words == "You worked on one half. Goodbye."
    assert heard.is_over
    assert not heard.listens_at
    assert (await PhoneCall.objects.aget()).ended_at is not None


async def test_caller_who_hangs_up_keeps_what_was_said(
    hear: Hear, supervisor: Supervisor, call: TwilioCall, says: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(phone_turns, "ANSWER_WITHIN_S", 0.0)
    pause = Pause()
    says(pause, "Done.")
    await hear(call, call.dial())
    await hear(call, call.say("hello"))
    await hear(call, call.report("completed"))
    pause.over.set()
    turn = await Turn.objects.aget()
    await supervisor.finished(turn.pk)
    assert await Message.objects.filter(turn=turn, author="team").values_list("text", flat=True).aget() == "Done."


async def test_silence_is_asked_about_twice_and_then_ends_the_call(hear: Hear, call: TwilioCall) -> None:
    await hear(call, call.dial())
    heard = [await hear(call, call.say(each)) for each in ("", " \x00 ", "")]
    assert [each.is_over for each in heard] == [False, False, True]
    assert await count(Turn) == 0


@pytest.mark.parametrize(
    "words", ["hello \x00 there", "hello \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]
)
async def test_odd_characters_are_answered(hear: Hear, call: TwilioCall, words: str) -> None:
    await hear(call, call.dial())
    assert (await hear(call, call.say(words))).words == "One half."


async def test_message_of_the_greatest_length_is_answered_and_a_longer_one_is_not(hear: Hear, call: TwilioCall) -> None:
    """B4"""
    await hear(call, call.dial())
    assert "too long" in (await hear(call, call.say("word " * 2_000 + "x"))).words
    assert (await hear(call, call.say("word " * 1_999 + "words"))).words == "One half."
    assert [len(each) for each in await said_in()] == [10_000]


@pytest.mark.parametrize("sid", ["", "CA 1", "CA\x00", "x" * 35, "ä"])
async def test_call_without_a_name_is_refused(send: Send, call: TwilioCall, sid: str) -> None:
    call.sid = sid
    for at in ("/twilio/voice", "/twilio/process-speech"):
        response = await send(call.post(at))
        assert response.status_code == 422
        assert response.json()["error"]["fields"].keys() == {"CallSid"}


@pytest.mark.parametrize("query", ["step=-1", "step=x", "step=99999999999", "step=%C2%B2", "silences=x"])
async def test_address_that_was_not_made_here_is_refused(hear: Hear, send: Send, call: TwilioCall, query: str) -> None:
    await hear(call, call.dial())
    assert (await send(call.post(f"/twilio/process-speech?{query}", SpeechResult="x"))).status_code == 422


async def test_call_that_is_not_known_begins_anew(hear: Hear, call: TwilioCall) -> None:
    heard = await hear(call, call.post("/twilio/process-speech", SpeechResult="hello"))
    assert heard.fetches == "/twilio/voice"


async def test_second_call_of_a_person_waits_for_the_first(hear: Hear, ada: Any, says: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(phone_turns, "ANSWER_WITHIN_S", 0.0)
    await link(ada)
    pause = Pause()
    says(pause, "Done.")
    first, second = (TwilioCall(site=SITE, token=TOKEN, number=NUMBER) for _ in range(2))
    for each in (first, second):
        await hear(each, each.dial())
    await hear(first, first.say("hello"))
    heard = await hear(second, second.say("good morning"))
    assert "still being answered" in heard.words
    assert heard.listens_at
    pause.over.set()
    assert await said_in() == ["hello"]


async def test_number_that_calls_too_often_is_turned_away(hear: Hear, call: TwilioCall) -> None:
    for _ in range(CALLS_AT_MOST):
        each = TwilioCall(site=SITE, token=TOKEN, number=NUMBER)
        assert (await hear(each, each.dial())).listens_at
    heard = await hear(call, call.dial())
    assert "too many times" in heard.words
    assert heard.is_over
    other = TwilioCall(site=SITE, token=TOKEN, number="+15017122661")
    assert (await hear(other, other.dial())).listens_at


async def test_messages_beyond_the_limit_of_a_minute_are_refused_in_words(
    hear: Hear, call: TwilioCall, settings: Any
) -> None:
    settings.AGENTS = settings.AGENTS | {"turns_per_minute": 1}
    await hear(call, call.dial())
    await hear(call, call.say("hello"))
    heard = await hear(call, call.say("hello"))
    assert "too many messages" in heard.words
    assert heard.listens_at


async def test_call_of_a_closed_account_ends(hear: Hear, call: TwilioCall, ada: Any) -> None:
    await link(ada)
    await hear(call, call.dial())
    await Person.objects.filter(pk=ada.pk).aupdate(is_active=False)
    assert (await hear(call, call.say("hello"))).is_over
    assert await count(Turn) == 0


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        ({"From": NUMBER}, NUMBER),
        ({"From": NUMBER, "StirVerstat": "TN-Validation-Passed-A"}, NUMBER),
        ({"From": NUMBER, "StirVerstat": "TN-Validation-Failed-C"}, ""),
        ({"From": "+266696687"}, ""),
        ({"From": "anonymous"}, ""),
        ({"From": "sip:ada@example.com"}, ""),
        ({"From": "+43664\x00"}, ""),
        ({}, ""),
    ],
)
def test_only_a_number_that_is_shown_and_not_false_counts(fields: dict[str, str], number: str) -> None:
    assert calls.number_of(fields) == number


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database")
def test_caller_is_asked_to_wait_while_nothing_can_be_stored(client: Client, call: TwilioCall) -> None:
    """G3: the same request is right afterwards."""
    posted = call.dial()
    headers = {"X-Twilio-Signature": posted.signature}
    with foreign_write_lock():
        response = client.post(posted.path, posted.body, content_type=FORM, headers=headers)
    heard = call.hear(response.content)
    assert "in a moment" in heard.words
    assert heard.listens_at == posted.path
    response = client.post(posted.path, posted.body, content_type=FORM, headers=headers)
    assert "learnagent" in call.hear(response.content).words
