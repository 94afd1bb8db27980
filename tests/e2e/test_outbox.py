"""What waits to be said: in line while a turn runs, kept while the server is away, said once."""

import re
import threading
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from conversations.models import Message
from tests.e2e.conftest import held
from tests.e2e.page_actions import Complaints, begin_lesson, message_box, turns, wait_until_said


def waiting(page: Page) -> Locator:
    return page.locator("#outbox li")


def write(page: Page, text: str) -> None:
    message_box(page).fill(text)
    message_box(page).press("Enter")
    expect(message_box(page)).to_have_value("")


def said() -> list[str]:
    return list(Message.objects.filter(author="learner").order_by("turn__number").values_list("text", flat=True))


def test_messages_wait_in_line_can_be_changed_and_outlive_a_reload(
    page: Page, url: str, learner: Any, settings: Any, cue: threading.Event
) -> None:
    begin_lesson(page, url)
    settings.LLMS = held(cue)
    write(page, "these two pieces are halves")
    expect(page.locator(".stream")).to_contain_text("Two pieces are always halves.")
    for text in ("first", "secnd", "third"):
        write(page, text)
    expect(waiting(page)).to_have_count(3)
    waiting(page).nth(1).get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Edit message").fill("second")
    page.keyboard.press("Enter")
    waiting(page).nth(2).get_by_role("button", name="Don’t send").click()
    expect(page.locator(".outbox-text")).to_have_text(["first", "second"])
    page.reload()
    expect(page.locator(".outbox-text")).to_have_text(["first", "second"])
    cue.set()
    expect(turns(page)).to_have_count(4)
    wait_until_said(page)
    expect(waiting(page)).to_have_count(0)
    assert said() == ["these two pieces are halves", "first", "second"]


def test_what_one_is_changing_stays_under_ones_hands_whatever_else_is_told_of_the_line(
    page: Page, url: str, learner: Any, settings: Any, cue: threading.Event
) -> None:
    line = Line(page)
    begin_lesson(page, url)
    settings.LLMS = held(cue)
    write(page, "these two pieces are halves")
    expect(page.locator(".stream")).to_contain_text("Two pieces are always halves.")
    for text in ("first", "secnd", "third"):
        write(page, text)
    expect(waiting(page)).to_have_count(3)
    waiting(page).nth(1).get_by_role("button", name="Edit").click()
    box = page.get_by_role("textbox", name="Edit message")
    box.fill("secod")
    box.press("ArrowLeft")
    line.cut()
    for place in (0, 1, 2):
        expect(waiting(page).nth(place)).to_contain_text("not sent yet")
    expect(box).to_be_focused()
    page.keyboard.type("n")
    line.mend()
    expect(waiting(page).nth(0)).not_to_contain_text("not sent yet")
    waiting(page).nth(0).get_by_role("button", name="Don’t send").click()
    expect(page.locator(".outbox-text")).to_have_text(["second", "third"])


def test_what_is_written_while_the_server_is_away_is_sent_once_on_return(
    page: Page, url: str, learner: Any, complaints: Complaints
) -> None:
    line = Line(page)
    begin_lesson(page, url)
    page.evaluate("navigator.serviceWorker.ready")
    address = page.url
    line.cut()
    write(page, "they are the same size")
    expect(waiting(page)).to_contain_text("not sent yet")
    page.context.set_offline(True)
    page.goto(f"{url}/progress/")
    expect(page.get_by_role("heading", name="Can’t reach learnagent")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="My progress")).to_be_visible()
    line.mend()
    page.goto(address)
    expect(turns(page)).to_have_count(2)
    wait_until_said(page)
    expect(waiting(page)).to_have_count(0)
    page.reload()
    assert said() == ["they are the same size"]
    line.cut()
    write(page, "nobody else is to read this")
    page.get_by_role("button", name="This conversation", exact=True).click()
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "nobody else" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    complaints.heard = [text for text in complaints.heard if "ERR_INTERNET_DISCONNECTED" not in text]


class Line:
    """The socket of a page, to be cut and mended."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/live/"), self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=1012)
        else:
            socket.connect_to_server()
            self.sockets.append(socket)

    def cut(self) -> None:
        self.is_cut = True
        self.sockets[-1].close(code=1012)

    def mend(self) -> None:
        self.is_cut = False
