"""Codes and linked numbers: who a caller is."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.http import Http404
from django.utils import timezone

from conversations.models import Message, PhoneCall, PhoneCode, PhoneLink
from conversations.phone import numbers
from conversations.phone.calls import forget_calls, open_call
from learnagent.accounts.models import Person
from tests.conversations.phone.conftest import NUMBER, SITE, TOKEN, Hear
from tests.conversations.phone.twilio_caller import TwilioCall

pytestmark = pytest.mark.django_db(transaction=True)

make_code = sync_to_async(numbers.make_code)


@pytest.fixture
def ada(transactional_db: None) -> Any:
    return Person.objects.create_user("ada")


@pytest.fixture
def ben(transactional_db: None) -> Any:
    return Person.objects.create_user("ben")


@pytest.mark.parametrize("way", ["typed", "said", "said in twos", "called a code"])
async def test_code_links_the_number_for_good(hear: Hear, call: TwilioCall, ada: Any, way: str) -> None:
    code = await make_code(ada)
    await hear(call, call.dial())
    said = {"said": " ".join(code), "said in twos": f"{code[:2]} {code[2:4]} {code[4:6]} {code[6:]}."}
    posted = call.type(code) if way == "typed" else call.say(said.get(way, f"My code is {code}"))
    assert "now linked" in (await hear(call, posted)).words
    await hear(call, call.say("hello"))
    again = TwilioCall(site=SITE, token=TOKEN, number=NUMBER)
    assert (await hear(again, again.dial())).words.startswith("Welcome back")
    assert [each async for each in Message.objects.filter(author="learner").values_list("session__owner", "text")] == [
        (ada.pk, "hello")
    ]


async def test_code_works_once(hear: Hear, call: TwilioCall, ada: Any) -> None:
    code = await make_code(ada)
    other = TwilioCall(site=SITE, token=TOKEN, number="+15017122661")
    for each in (call, other):
        await hear(each, each.dial())
    assert "now linked" in (await hear(call, call.type(code))).words
    assert "wrong, or it has expired" in (await hear(other, other.type(code))).words


async def test_code_works_for_a_quarter_of_an_hour(hear: Hear, call: TwilioCall, ada: Any) -> None:
    code = await make_code(ada)
    left = (await PhoneCode.objects.aget()).expires_at - timezone.now()
    assert timedelta(minutes=14) < left <= timedelta(minutes=15)
    await PhoneCode.objects.aupdate(expires_at=timezone.now())
    await hear(call, call.dial())
    assert "wrong, or it has expired" in (await hear(call, call.type(code))).words


async def test_new_code_replaces_the_old_one(hear: Hear, call: TwilioCall, ada: Any) -> None:
    old, new = await make_code(ada), await make_code(ada)
    await hear(call, call.dial())
    assert "wrong" in (await hear(call, call.type(old))).words
    assert "now linked" in (await hear(call, call.type(new))).words


async def test_codes_cannot_be_guessed_from_one_number(hear: Hear, call: TwilioCall, ada: Any) -> None:
    """L2: nor by calling again."""
    code = await make_code(ada)
    await hear(call, call.dial())
    for _ in range(numbers.WRONG_CODES_AT_MOST):
        assert "wrong" in (await hear(call, call.type("00000000" if code != "00000000" else "00000001"))).words
    again = TwilioCall(site=SITE, token=TOKEN, number=NUMBER)
    await hear(again, again.dial())
    for each in (call, again):
        assert "too many wrong codes" in (await hear(each, each.type(code))).words
    other = TwilioCall(site=SITE, token=TOKEN, number="+15017122661")
    await hear(other, other.dial())
    assert "now linked" in (await hear(other, other.type(code))).words


async def test_codes_cannot_be_guessed_from_ever_new_numbers(
    hear: Hear, call: TwilioCall, ada: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(numbers, "WRONG_CODES_OF_ALL", 2)
    code = await make_code(ada)
    for last in "12":
        guessing = TwilioCall(site=SITE, token=TOKEN, number=f"+1501712266{last}")
        await hear(guessing, guessing.dial())
        await hear(guessing, guessing.type("00000000" if code != "00000000" else "00000001"))
    await hear(call, call.dial())
    assert "too many wrong codes" in (await hear(call, call.type(code))).words


async def test_withheld_number_is_linked_for_the_call_alone(hear: Hear, ada: Any) -> None:
    code = await make_code(ada)
    call, again = (TwilioCall(site=SITE, token=TOKEN, number="+266696687") for _ in range(2))
    await hear(call, call.dial())
    assert "for this call only" in (await hear(call, call.type(code))).words
    await hear(call, call.say("hello"))
    assert await Message.objects.filter(author="learner", session__owner=ada).acount() == 1
    assert (await hear(again, again.dial())).words.startswith("Hello")
    assert not await PhoneLink.objects.aexists()


async def test_number_goes_to_whoever_links_it_last(hear: Hear, call: TwilioCall, ada: Any, ben: Any) -> None:
    await PhoneLink.objects.acreate(owner=ada, number=NUMBER)
    code = await make_code(ben)
    await hear(call, call.dial())
    assert "now linked" in (await hear(call, call.say(f"my code is {code}"))).words
    await hear(call, call.say("hello"))
    assert await Message.objects.filter(author="learner", session__owner=ben).acount() == 1
    assert (await PhoneLink.objects.aget()).owner_id == ben.pk


@pytest.mark.parametrize("typed", ["12345", "1234567", "123456789"])
async def test_code_of_another_length_is_asked_for_again(hear: Hear, call: TwilioCall, typed: str) -> None:
    await hear(call, call.dial())
    assert "A code has 8 digits" in (await hear(call, call.type(typed))).words
    assert (await PhoneCall.objects.aget()).wrong_codes == 0


@pytest.mark.parametrize(("typed", "said"), [("12", "12"), ("3*4", "3/4")])
async def test_other_numbers_are_answers(hear: Hear, call: TwilioCall, typed: str, said: str) -> None:
    await hear(call, call.dial())
    await hear(call, call.type(typed))
    assert (await Message.objects.filter(author="learner").aget()).text == said


async def test_unlinking_ends_the_calls_of_that_number(hear: Hear, call: TwilioCall, ada: Any, ben: Any) -> None:
    link = await PhoneLink.objects.acreate(owner=ada, number=NUMBER)
    await hear(call, call.dial())
    with pytest.raises(Http404):
        await sync_to_async(numbers.unlink)(ben, link.pk)
    await sync_to_async(numbers.unlink)(ada, link.pk)
    assert (await hear(call, call.say("hello"))).is_over
    assert not await Message.objects.aexists()


def test_only_hashes_of_codes_and_callers_numbers_are_stored(ada: Any) -> None:
    code = numbers.make_code(ada)
    open_call("CA1", number=NUMBER)
    kept = str([*PhoneCode.objects.values(), *PhoneCall.objects.values()])
    assert code not in kept
    assert NUMBER not in kept


def test_person_can_link_only_so_many_numbers(ada: Any) -> None:
    for last in range(numbers.NUMBERS_AT_MOST):
        PhoneLink.objects.create(owner=ada, number=f"+1501712266{last}")
    with pytest.raises(numbers.TooManyNumbers):
        numbers.make_code(ada)


def test_calls_and_codes_are_forgotten_in_time(ada: Any) -> None:
    numbers.make_code(ada)
    for sid, hours in (("old", 25), ("new", 23)):
        open_call(sid, number=NUMBER)
        PhoneCall.objects.filter(pk=sid).update(started_at=timezone.now() - timedelta(hours=hours))
    forget_calls()
    assert [each.pk for each in PhoneCall.objects.all()] == ["new"]
    assert PhoneCode.objects.exists()
    PhoneCode.objects.update(expires_at=timezone.now())
    forget_calls()
    assert not PhoneCode.objects.exists()
