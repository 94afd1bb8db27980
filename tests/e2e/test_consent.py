"""An adult who has not decided on outside models is asked above the composer, and one press connects the model."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests import people
from tests.e2e.page_actions import begin_lesson, say, sign_in, turns
from tests.e2e.test_language_models import ASKED, FLAVOURS, TUTOR, connect
from tests.provider import Answer, Provider

SAID = "You looked at both pieces. What did you compare to decide?"


@pytest.fixture
def provider(url: str, settings: Any) -> Iterator[Provider]:
    backend, path, _abilities = FLAVOURS["anthropic"]
    with Provider() as provider:
        provider.script(TUTOR, Answer(text=SAID))
        connect(settings, backend, provider.url + path)
        yield provider


@pytest.fixture
def undecided(url: str, transactional_db: None, context: BrowserContext, provider: Provider) -> Any:
    ben = people.make_ben(consent=False)
    sign_in(context, ben, url)
    return ben


def test_one_press_lets_the_model_answer(page: Page, url: str, provider: Provider, undecided: Any) -> None:
    begin_lesson(page, url)
    assert provider.attempts == 0
    question = page.locator("form#consent")
    expect(question).to_contain_text("sent to 127.0.0.1")
    question.get_by_role("button", name="Use the language model").click()
    expect(page.locator("#consent")).to_contain_text("starting with your next message")
    expect(page.locator("#consent")).to_be_focused()
    expect(page.locator("#voice")).to_contain_text("fake-strong")
    say(page, ASKED)
    expect(turns(page).last.locator(".say")).to_contain_text("You looked at both pieces.")
    page.reload()
    expect(page.locator("#voice")).to_contain_text("fake-strong")
    expect(question).to_have_count(0)


@pytest.mark.parametrize("javascript", [True, False])
def test_not_now_is_an_answer_too(
    browser: Any, url: str, provider: Provider, undecided: Any, context: BrowserContext, javascript: bool
) -> None:
    begin_lesson(context.new_page(), url)
    own = browser.new_context(java_script_enabled=javascript, storage_state=context.storage_state())
    page = own.new_page()
    page.goto(context.pages[-1].url)
    page.get_by_role("button", name="Not now").click()
    expect(page.locator("form#consent")).to_have_count(0)
    expect(page.locator("#voice")).to_contain_text("not sent to any language model")
    page.reload()
    expect(page.locator("form#consent")).to_have_count(0)
    own.close()
