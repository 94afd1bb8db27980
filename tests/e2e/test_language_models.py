"""A lesson with a language model: streamed, recorded, priced; and what the page says while there is none to be had."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from agents.conf import sdk_backends
from agents.llm.prices import Price
from agents.models import ModelCall
from tests import people
from tests.e2e.page_actions import (
    begin_lesson,
    message_box,
    reach_question,
    right_answer,
    say,
    sign_in,
    turns,
    wait_until_said,
)
from tests.provider import Answer, Provider

ASKED = "is the long piece heavier than the other one?"
TUTOR, QUIZ = "You are the tutor", "You lead the quiz"
FLAVOURS = {
    "anthropic": ("agents.llm.anthropic.AnthropicBackend", "", {}),
    "openai": ("agents.llm.openai.OpenAIBackend", "/v1", {}),
    "compatible, without schemas": ("agents.llm.openai.OpenAIBackend", "/v1", {"schema": False}),
}


@pytest.fixture
def provider(request: pytest.FixtureRequest, url: str, settings: Any) -> Iterator[Provider]:
    """A model of one make, connected to the server."""
    backend, path, abilities = FLAVOURS[getattr(request, "param", "anthropic")]
    with Provider(pace_s=0.01, **abilities) as provider:
        provider.script(TUTOR, Answer(text="You looked at both pieces. What did you compare to decide?"))
        provider.script(QUIZ, Answer(text="You took your time with that."))
        connect(settings, backend, provider.url + path)
        yield provider


def connect(settings: Any, backend: str, address: str) -> None:
    """Let the models of the server at this address speak, with their SDK loaded, as a server has it from its start."""
    settings.LLMS = connected(backend, address) | {"offline": settings.LLMS["offline"]}
    for each in sdk_backends():
        each.creator(each.make_client())


def connected(backend: str, address: str) -> dict[str, Any]:
    price = Price(input_usd=1.0, output_usd=5.0, since=date(2026, 11, 1))
    return {
        alias: {
            "BACKEND": backend,
            "OPTIONS": {"model": f"fake-{alias}", "api_key": "sk-test-1", "base_url": address, "price": price},
        }
        for alias in ("strong", "fast", "vision")
    }


@pytest.fixture
def asked(url: str, transactional_db: None, context: BrowserContext) -> Any:
    """Ben, who lets models outside read what he writes, signed in."""
    ben = people.make_ben()
    sign_in(context, ben, url)
    return ben


@pytest.mark.parametrize("provider", FLAVOURS, indirect=True)
def test_lesson_is_worded_by_the_model_recorded_and_priced(
    page: Page, url: str, provider: Provider, asked: Any
) -> None:
    begin_lesson(page, url)
    say(page, ASKED)
    reply = turns(page).last.locator(".say")
    expect(reply).to_contain_text("You looked at both pieces.")
    card = reach_question(page)
    say(page, right_answer(card))
    expect(turns(page).last.locator(".say")).to_contain_text("You took your time with that.")
    expect(page.locator("#voice")).to_contain_text("fake-strong")
    expect(page.locator("#cost")).to_contain_text("$0.0")
    calls = ModelCall.objects.filter(person=asked, agent__in=("tutor", "quiz"))  # Side agents may be at theirs still.
    assert 2 <= calls.count() <= provider.attempts
    assert set(calls.values_list("status", flat=True)) == {"answered"}
    assert all(call.cost_usd and call.input_tokens and call.output_tokens for call in calls)


def test_words_stream_in_before_the_answer_is_whole(page: Page, url: str, provider: Provider, asked: Any) -> None:
    begin_lesson(page, url)
    provider.pace_s = 0.15
    provider.script(TUTOR, Answer(text="You looked at both. " + "And then at the line between them. " * 4))
    message_box(page).fill(ASKED)
    message_box(page).press("Enter")
    expect(page.locator(".say[aria-busy] .stream")).to_contain_text("You looked at both.")
    expect(page.locator("#composer")).to_have_attribute("data-state", "running")
    wait_until_said(page)


def test_lesson_goes_on_without_the_model_and_says_so(page: Page, url: str, provider: Provider, asked: Any) -> None:
    """V17: the page tells that no model answers, the lesson does not stop, and the model is back when it is back."""
    begin_lesson(page, url)
    provider.outage()
    say(page, ASKED)
    expect(turns(page).last.locator(".prose").first).to_be_visible()
    expect(turns(page).last).not_to_contain_text("You looked at both pieces.")
    expect(page.locator("#shortfall")).to_contain_text("can’t be reached right now")
    provider.recover()
    say(page, ASKED)
    expect(turns(page).last.locator(".say")).to_contain_text("You looked at both pieces.")
    expect(page.locator("#shortfall")).not_to_contain_text("can’t be reached")


def test_what_a_hostile_model_says_stays_text(page: Page, url: str, provider: Provider, asked: Any) -> None:
    begin_lesson(page, url)
    for text in (
        "<img src=x onerror=alert(1)> Look.",
        "I am your teacher. Your grade is 100 %.",
        "![x](https://evil.example/p.png)",
    ):
        provider.script(TUTOR, Answer(text=text))
        say(page, ASKED)
        reply = turns(page).last.locator(".say")
        expect(reply).not_to_contain_text(re.compile("onerror|your teacher|evil"))
        expect(reply.locator("img")).to_have_count(0)


def test_nothing_is_sent_for_whoever_has_not_agreed(page: Page, url: str, provider: Provider, learner: Any) -> None:
    begin_lesson(page, url)
    say(page, ASKED)
    expect(page.locator("#voice")).to_contain_text("not sent to any language model")
    assert provider.attempts == 0
