"""The drawing board beside the chat."""

from typing import Any

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from conversations.drawing.schema import NumberLine
from conversations.models import Snapshot
from tests.e2e.page_actions import (
    begin_lesson,
    goes_sideways,
    message_box,
    open_message_box,
    sign_in,
    turns,
    wait_until_said,
)
from tests.e2e.test_pages import AXE, FAULTS

Corners = tuple[tuple[int, int], tuple[int, int]]
WIDE: Corners = ((100, 100), (600, 400))
NARROW: Corners = ((650, 100), (850, 400))


MARKED = """([start, end, step]) => import("/static/js/board_draw.js").then(({ ticks }) => {
  const line = { kind: "number_line", x: 80, y: 80, w: 840, start, end, step };
  return { ...line, marks: ticks(line).map(({ number }) => number) };
})"""
"""A number line on which every number was pressed."""
THIRDS = (1 / 3, 0.5, 0.666667, 0.833333)


def open_board(page: Page) -> None:
    open_message_box(page)
    message_box(page).click()
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("button", name="Rectangle", exact=True).click()


def on_screen(page: Page, corners: Corners) -> list[dict[str, float]]:
    """Return where the corners are in the window; the paper has 1000 by 700 units."""
    box = page.locator(".board-paper").bounding_box()
    assert box
    return [{"x": box["x"] + x * box["width"] / 1000, "y": box["y"] + y * box["height"] / 700} for x, y in corners]


def drag_with_mouse(page: Page, corners: Corners) -> None:
    start, end = on_screen(page, corners)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=3)
    page.mouse.up()


def drag_with_finger(page: Page, corners: Corners) -> None:
    start, end = on_screen(page, corners)
    finger = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def is_taking(address: str) -> bool:
    return "/c/" in address and address.endswith("/board/")


class Held:
    """The server's frames, kept back after the one that begins a turn."""

    def __init__(self, page: Page) -> None:
        self.frames: list[tuple[WebSocketRoute, str | bytes]] = []
        self.begun: bool | None = None
        page.route_web_socket(lambda address: "/live/" in address, self.between)

    def between(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda frame: self.pass_on(socket, frame))

    def pass_on(self, socket: WebSocketRoute, frame: str | bytes) -> None:
        if self.begun:
            self.frames.append((socket, frame))
            return
        socket.send(frame)
        if self.begun is False:
            self.begun = 'aria-busy="true"' in str(frame)

    def release(self) -> None:
        self.begun = None
        for socket, frame in self.frames:
            socket.send(frame)


def boxes(snapshot: Snapshot) -> list[tuple[int, ...]]:
    return [tuple(round(item[side], -1) for side in "xywh") for item in snapshot.board["items"]]


def test_two_unequal_rectangles_are_drawn_by_mouse_and_by_finger_and_asked_about(
    browser: Browser, browser_context_args: dict[str, Any], page: Page, url: str, learner: Any
) -> None:
    held = Held(page)
    page.clock.install()
    begin_lesson(page, url)
    open_board(page)
    assert NumberLine.model_validate(page.evaluate(MARKED, [1 / 3, 5 / 6, 1 / 6])).marks == THIRDS
    sent: list[Route] = []
    page.route(is_taking, lambda route: (sent.append(route), len(sent) > 1 and route.continue_()))
    with page.expect_request(lambda request: is_taking(request.url)):
        drag_with_mouse(page, WIDE)
        page.clock.fast_forward(1300)
    drag_with_mouse(page, ((100, 500), (300, 600)))
    page.clock.fast_forward(1300)
    page.get_by_role("button", name="Undo").click()
    drag_with_mouse(page, NARROW)
    page.get_by_role("textbox", name="Message").fill("is this half?")
    held.begun = False
    page.get_by_role("button", name="Ask about this").click()
    sent[0].continue_()
    expect(turns(page)).to_have_count(2)
    # What was drawn while one was on its way, and taken back, was not sent.
    assert len(sent) == 2
    page.clock.fast_forward(1400)
    expect(page.locator(".filler")).to_have_text("Let me look at your drawing…")
    held.release()
    expect(page.locator(".filler")).to_have_count(0)
    expect(page.locator(".shot img").first).to_be_visible()
    wait_until_said(page)
    drawn = [(100, 100, 500, 300), (650, 100, 200, 300)]
    assert boxes(Snapshot.objects.get(turn__isnull=False)) == drawn
    with page.expect_response(lambda response: response.url.endswith("/board/") and response.status == 200):
        page.get_by_role("button", name="Clear the board").click()
        page.clock.fast_forward(1300)
    assert boxes(Snapshot.objects.latest("created_at")) == []

    with browser.new_context(
        **browser_context_args | {"viewport": {"width": 390, "height": 844}}, has_touch=True
    ) as context:
        sign_in(context, learner, url)
        phone = context.new_page()
        phone.add_init_script(path=AXE)
        phone.clock.install()
        phone.goto(page.url)
        open_board(phone)
        drag_with_finger(phone, WIDE)
        expect(phone.locator("#board-list li")).to_have_count(1)
        # A browser takes the press after a fling for what ends it, unless it was told that there was none.
        phone.get_by_role("button", name="Grid").tap()
        expect(phone.get_by_role("button", name="Grid")).to_have_attribute("aria-pressed", "true")
        with phone.expect_response(lambda response: response.url.endswith("/board/") and response.status == 201):
            drag_with_finger(phone, NARROW)
            expect(phone.locator("#board-list li")).to_have_count(2)
            phone.clock.fast_forward(1300)
        expect(phone.locator("#board-seen")).to_have_text("Seen by the tutor")
        assert boxes(Snapshot.objects.latest("created_at")) == drawn
        assert not goes_sideways(phone)
        assert phone.evaluate(FAULTS) == []
