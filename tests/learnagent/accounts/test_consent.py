"""Who is asked about outside models above the composer, what it says, and that it is asked once."""

from typing import Any

import pytest
from django.test import Client, override_settings

from conversations.models import Session
from learnagent.accounts.models import Person
from tests import people
from tests.conversations.provider_helpers import KEY
from tests.conversations.turn_helpers import begun

pytestmark = pytest.mark.django_db
ASK = "/accounts/consent/"
QUESTION = 'id="consent" method="post"'


def models(backend: str = "anthropic.AnthropicBackend", **options: Any) -> override_settings:
    one = {"BACKEND": f"agents.llm.{backend}", "OPTIONS": {"model": "m", "api_key": KEY, **options}}
    return override_settings(LLMS=dict.fromkeys(("strong", "fast", "vision"), one))


def page(client: Client, person: Person) -> str:
    if not Session.objects.filter(owner=person).exists():
        begun(person)
    client.force_login(person)
    return client.get("/c/s/").content.decode()


@pytest.fixture
def undecided() -> Person:
    return people.make_ben(consent=False)


@pytest.mark.parametrize(
    ("backend", "options", "named"),
    [
        ("anthropic.AnthropicBackend", {}, "sent to Anthropic,"),
        ("openai.OpenAIBackend", {}, "sent to OpenAI,"),
        ("openai.OpenAIBackend", {"base_url": "https://llm.school.example/v1"}, "sent to llm.school.example,"),
        ("openai.OpenAIBackend", {"base_url": "https://gpu.example:1/v1", "name": "ollama"}, "sent to gpu.example,"),
    ],
)
def test_question_names_who_gets_the_words(
    client: Client, undecided: Person, backend: str, options: dict[str, Any], named: str
) -> None:
    with models(backend, **options):
        html = page(client, undecided)
    assert QUESTION in html
    assert named in html


def test_question_names_who_hears_too(client: Client, undecided: Person) -> None:
    hearing = {"BACKEND": "agents.audio.openai.OpenAITranscriber", "OPTIONS": {"model": "m", "api_key": KEY}}
    with models(), override_settings(SPEECH={"transcription": [hearing]}):
        assert "sent to Anthropic, OpenAI," in page(client, undecided)


def test_nobody_else_is_asked(client: Client, undecided: Person, ada: Person, grace: Person) -> None:
    assert QUESTION not in page(client, undecided), "no model is connected"
    with models("openai.OpenAIBackend", base_url="http://127.0.0.1:1/v1", outside=False):
        assert QUESTION not in page(client, undecided), "nothing leaves this place"
    with models():
        assert QUESTION not in page(client, ada), "a child"
        assert QUESTION not in page(client, grace), "has consented"


@pytest.mark.parametrize(("said", "consents"), [("yes", True), ("no", False)])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["form", "htmx"])
def test_either_answer_is_kept_and_not_asked_for_again(
    client: Client, undecided: Person, said: str, consents: bool, headers: dict[str, str]
) -> None:
    with models():
        page(client, undecided)
        answer = client.post(ASK, {"consent": said, "next": "/c/s/"}, headers=headers)
        assert Person.objects.get().consent is consents
        assert QUESTION not in client.get("/c/s/").content.decode()
    if not headers:
        assert (answer.status_code, answer["Location"]) == (302, "/c/s/")
        return
    html = answer.content.decode()
    assert ("will help, starting with your next message" if consents else "Nothing you write is sent") in html
    assert '<p class="tiny" id="voice" hx-swap-oob="true">' in html


def test_anything_else_is_asked_again(client: Client, undecided: Person) -> None:
    with models():
        page(client, undecided)
        answer = client.post(ASK, {"consent": "perhaps", "next": "/c/s/"}, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert QUESTION in answer.content.decode()
    assert Person.objects.get().needs_consent_decision


def test_saving_the_look_decides_nothing(client: Client, undecided: Person) -> None:
    client.force_login(undecided)
    look = {"level": "unknown", "language": "en", "zone": "UTC", "theme": "dark", "text_size": "normal"}
    client.post("/accounts/profile/", look)
    assert Person.objects.get().needs_consent_decision
    client.post("/accounts/profile/", look | {"consent": "on"})
    client.post("/accounts/profile/", look)
    person = Person.objects.get()
    assert (person.theme, person.consent, person.needs_consent_decision) == ("dark", False, False)
