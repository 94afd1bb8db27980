"""The signature of Twilio's requests."""

from typing import Any

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from conversations.phone.signature import is_signed, sign
from tests.conversations.phone.conftest import SITE, TOKEN, Send
from tests.conversations.phone.twilio_caller import FORM, Post, TwilioCall

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESSES = ("/twilio/voice", "/twilio/process-speech")


def test_published_example_has_the_published_signature() -> None:
    """The example of Twilio's own libraries."""
    fields = {
        "CallSid": ["CA1234567890ABCDE"],
        "Caller": ["+14158675309"],
        "Digits": ["1234"],
        "From": ["+14158675309"],
        "To": ["+18005551212"],
    }
    url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    assert sign(url, fields, token="12345") == "RSOYDt4T1cUTdK1PDd93/VVr8B8="


@given(
    fields=st.dictionaries(st.text("abcXYZ09", min_size=1, max_size=8), st.text(max_size=20), min_size=1, max_size=6),
    other=st.text(max_size=20),
)
def test_every_other_value_has_another_signature(fields: dict[str, str], other: str) -> None:
    name = min(fields)
    signatures = [
        sign(SITE, {each: [value] for each, value in said.items()}, token=TOKEN)
        for said in (fields, fields | {name: other})
    ]
    assert (signatures[0] == signatures[1]) == (fields[name] == other)


@pytest.mark.parametrize(
    ("public", "signed"),
    [
        ("https://learn.example", "https://learn.example"),
        ("https://learn.example", "https://learn.example:443"),
        ("https://learn.example:443", "https://learn.example"),
        ("http://learn.example:8000", "http://learn.example:8000"),
    ],
)
def test_default_port_may_be_signed_or_left_out(settings: Any, public: str, signed: str) -> None:
    settings.PUBLIC_URL = public
    posted = TwilioCall(site=signed, token=TOKEN).post("/twilio/process-speech?step=2", SpeechResult="ä")
    assert is_signed(_request(posted))


def test_port_that_is_not_the_default_is_part_of_the_address(settings: Any) -> None:
    settings.PUBLIC_URL = "http://learn.example:8000"
    assert not is_signed(_request(TwilioCall(site="http://learn.example", token=TOKEN).dial()))


@pytest.mark.parametrize("at", ADDRESSES)
async def test_forged_requests_are_refused(call: TwilioCall, send: Send, at: str) -> None:
    """A7"""
    right = call.post(at, SpeechResult="hello")
    wrong_token = TwilioCall(site=SITE, token="x" * 32).post(at, SpeechResult="hello").signature
    for forged in (
        Post(url=right.url, body=right.body, signature=""),
        Post(url=right.url, body=right.body, signature="x" * 100_000),
        Post(url=right.url, body=right.body, signature="ä"),
        Post(url=right.url, body=right.body, signature=wrong_token),
        Post(url=right.url, body=right.body + b"&Digits=1", signature=right.signature),
        Post(url=f"{right.url}?step=2", body=right.body, signature=right.signature),
    ):
        response = await send(forged)
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "forbidden"


@pytest.mark.parametrize("at", ADDRESSES)
async def test_without_a_token_nobody_can_call(settings: Any, call: TwilioCall, send: Send, at: str) -> None:
    """Not even with what would be its signature."""
    settings.TWILIO_AUTH_TOKEN = ""
    response = await send(TwilioCall(site=SITE, token="").post(at))
    assert response.status_code == 501
    assert response.json()["error"]["code"] == "not_enabled"


def _request(posted: Post) -> Any:
    headers = {"X-Twilio-Signature": posted.signature}
    return RequestFactory().post(posted.path, posted.body, content_type=FORM, headers=headers)
