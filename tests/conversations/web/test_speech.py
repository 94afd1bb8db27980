"""Speech by way of the server, from a browser's request to a stand-in of a provider and back."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from agents.limits import ModelLimits
from agents.models import Budget, ModelCall
from agents.runtime import speech_access
from tests.agents.audio.test_openai import KEY
from tests.conversations.turn_helpers import begun
from tests.provider import Provider
from tests.provider.audio_wire import tone

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("host")]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        yield provider


@pytest.fixture
def connected(provider: Provider, settings: Any) -> Provider:
    options = {"api_key": KEY, "base_url": f"{provider.url}/v1", "model": "any"}
    settings.SPEECH = {
        "transcription": [{"BACKEND": "agents.audio.openai.OpenAITranscriber", "OPTIONS": options}],
        "speech": [{"BACKEND": "agents.audio.openai.OpenAISynthesizer", "OPTIONS": options | {"voice": "alloy"}}],
    }
    return provider


@pytest.fixture
def talker(client: Any, ben: Any) -> Any:
    """Ben, who agreed to outside models, signed in and with a conversation."""
    begun(ben, text="hello")
    client.force_login(ben)
    return client


def hear(client: Any, data: bytes = b"", **more: Any) -> Any:
    file = SimpleUploadedFile("said.webm", data or tone(0.01), content_type="audio/webm")
    return client.post(reverse("speech-heard", args=["s"]), {"file": file, **more})


def say(client: Any, text: str = "One half.", **more: Any) -> Any:
    return client.post(reverse("speech-said", args=["s"]), {"text": text, **more})


def test_what_is_said_comes_back_as_words_and_nothing_of_it_is_kept(connected: Provider, talker: Any, ben: Any) -> None:
    answer = hear(talker)
    assert (answer.status_code, answer.json()) == (200, {"text": connected.hears})
    call = ModelCall.objects.get()
    assert (call.agent, call.status, call.person_id, call.cost_usd, call.reply) == (
        "transcription", "answered", ben.pk, None, "",
    )  # fmt: skip
    assert connected.hears not in str(call.asked)


def test_what_is_to_be_read_comes_back_as_sound(connected: Provider, talker: Any) -> None:
    answer = say(talker, speed="1.5")
    assert (answer.status_code, answer["Content-Type"], answer.content) == (200, "audio/wav", connected.sound)
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert connected.requests[-1].body["speed"] == 1.5
    assert ModelCall.objects.get().agent == "speech"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({}, 422, "invalid_input"),
        ({"file": b"<svg/>"}, 415, "unsupported_type"),
        ({"file": b"\x1aE\xdf\xa3" + b"\0" * (10 << 20)}, 413, "too_large"),
        ({"file": tone(121, rate=100)}, 413, "too_large"),
    ],
)
def test_recording_that_is_not_taken_is_told_so(
    connected: Provider, talker: Any, sent: Any, status: int, code: str
) -> None:
    """U1: empty, of another kind, over the limit, and small but long."""
    files = {name: SimpleUploadedFile("a.webm", data) for name, data in sent.items()}
    answer = talker.post(reverse("speech-heard", args=["s"]), files)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert connected.attempts == 0


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"text": " "}, 422),
        ({"text": "a" * 4_097}, 413),
        ({"text": "a", "speed": "9"}, 422),
        ({"text": "a", "speed": "nan"}, 422),
    ],
)
def test_text_that_is_not_read_is_told_so(connected: Provider, talker: Any, sent: Any, status: int) -> None:
    assert talker.post(reverse("speech-said", args=["s"]), sent).status_code == status
    assert connected.attempts == 0


@pytest.mark.parametrize(("ask", "fault"), [(hear, "V5"), (say, "V10")])
def test_server_that_fails_is_told_in_words_without_its_own(
    connected: Provider, talker: Any, settings: Any, ask: Any, fault: str
) -> None:
    """V5, V10: typing and reading go on."""
    settings.AGENTS = settings.AGENTS | {"model_limits": ModelLimits(pauses_s=(0.001, 0.002))}
    connected.fault(fault)
    answer = ask(talker)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert KEY not in answer.text


def test_nobody_is_heard_outside_without_consent(connected: Provider, client: Any, ada: Any) -> None:
    begun(ada, text="hello")
    client.force_login(ada)
    assert [hear(client).status_code, say(client).status_code] == [501, 501]
    assert connected.attempts == 0


def test_many_in_a_minute_wait(connected: Provider, talker: Any, settings: Any) -> None:
    settings.AGENTS = settings.AGENTS | {"turns_per_minute": 1, "cards_per_minute": 1}
    assert [hear(talker).status_code for _ in range(2)] == [200, 429]
    assert [say(talker).status_code for _ in range(2)] == [200, 429]
    assert connected.attempts == 2
    assert not speech_access._open_calls


def test_budget_that_is_spent_is_told(connected: Provider, talker: Any, ben: Any) -> None:
    Budget.objects.create(account="site", tokens_per_day=10)
    assert hear(talker).status_code == 200  # A server tells only afterwards how much it was.
    answer = hear(talker)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "budget")
    assert connected.attempts == 1
