"""Questions answered by doing something to a picture: by mouse, by touch, by keys, and as a form without JavaScript."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_actions import check, goes_sideways, question_on, sign_in
from tests.e2e.test_pages import AXE, FAULTS
from tests.e2e.test_question_kinds import put


def press(card: Locator, name: str, times: int = 1) -> None:
    for _ in range(times):
        card.get_by_role("button", name=name, exact=True).click()


def keys(page: Page, on: Locator, *names: str) -> None:
    on.focus()
    for name in names:
        page.keyboard.press(name)


def drag(page: Page, what: Locator, to: tuple[float, float]) -> None:
    """Drag the middle of a thing by so many pixels."""
    what.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = what.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + to[0] / 2, y + to[1] / 2)
    page.mouse.move(x + to[0], y + to[1])
    page.mouse.up()


def answer_of(card: Locator) -> str:
    return card.locator("[data-answer]").input_value()


def told(card: Locator) -> Locator:
    return card.locator("[data-tells]")


def test_boards_are_worked_by_mouse_and_judged(page: Page, url, learner):
    page.add_init_script(path=AXE)
    shade = put(page, url, learner, "p-shade")
    assert page.evaluate(FAULTS) == []
    shade.get_by_role("checkbox", name="Part 4 of 5").click()
    check(page, shade)
    expect(shade).to_have_attribute("data-state", "open")
    expect(shade.get_by_text("You have shaded 1 of 5 parts.")).to_be_visible()
    expect(shade.get_by_role("checkbox", checked=True)).to_have_count(1)
    shade.get_by_role("checkbox", name="Part 1 of 5").click()
    expect(told(shade)).to_contain_text("2 of the 5 parts are striped")
    check(page, shade)
    expect(shade).to_have_attribute("data-state", "answered")
    expect(shade.get_by_role("img", name="2 of 5 parts shaded")).to_be_visible()

    cut = put(page, url, learner, "p-cut")
    assert page.evaluate(FAULTS) == []
    press(cut, "One more cut", 3)
    expect(told(cut)).to_contain_text("4 parts, all the same size.")
    third = cut.get_by_role("slider", name="Cut 3")
    drag(page, third, (47, 0))
    expect(told(cut)).to_contain_text("Part C is the longest, and part D is the shortest.")
    press(cut, "Undo")
    assert answer_of(cut) == "1/4,1/2,3/4"
    drag(page, third, (900, 0))  # Far beyond the picture.
    assert answer_of(cut) == "1/4,1/2,0.98"
    drag(page, third, (-95, 12))  # Near its fair place, where it catches.
    assert answer_of(cut) == "1/4,1/2,3/4"

    place = put(page, url, learner, "p-place")
    assert page.evaluate(FAULTS) == []
    drag(page, place.get_by_role("slider", name="The point"), (262, 5))
    expect(told(place)).to_contain_text("jumps of")
    assert answer_of(place) == "5/4"
    press(place, "Start again")
    assert answer_of(place) == ""

    build = put(page, url, learner, "p-build")
    assert page.evaluate(FAULTS) == []
    press(build, "Put in 1/2", 2)
    expect(told(build)).to_contain_text("The frame is full.")
    expect(build.get_by_role("button", name="Put in 1/6")).to_be_disabled()
    build.get_by_role("button", name="Take out 1/2").last.click()
    press(build, "Put in 1/6")
    check(page, build)
    expect(build).to_have_attribute("data-state", "answered")

    bars = put(page, url, learner, "p-compare")
    expect(bars.locator(".slid-bar")).to_have_count(2)
    assert page.evaluate(FAULTS) == []
    press(bars, "One more part: Leo", 3)
    drag(page, bars.get_by_role("slider", name="Move the bar: Leo"), (40, 0))
    expect(bars.get_by_role("slider", name="Move the bar: Leo")).not_to_have_attribute("aria-valuenow", "0")
    expect(bars.get_by_text("Mia: not cut. Leo: 4 parts.")).to_be_visible()


def test_boards_are_worked_by_keys_alone(page: Page, url, learner):
    grid = put(page, url, learner, "p-shade-grid")
    keys(
        page,
        grid.get_by_role("checkbox", name="Part 1 of 10"),
        "ArrowRight",
        "Space",
        "ArrowDown",
        "Enter",
        "Home",
        "Space",
    )
    assert answer_of(grid) == "2,7"
    keys(page, grid.get_by_role("checkbox", name="Part 1 of 10"), "Space", "End", "Space", "ArrowLeft", "Space")
    check(page, grid)
    expect(grid).to_have_attribute("data-state", "answered")

    cut = put(page, url, learner, "p-cut")
    keys(page, cut.get_by_role("button", name="One more cut"), "Enter", "Enter", "Enter")
    keys(page, cut.get_by_role("slider", name="Cut 3"), "Shift+ArrowRight", "ArrowRight")
    assert answer_of(cut) == "1/4,1/2,0.81"
    keys(page, cut.get_by_role("slider", name="Cut 3"), "Delete")
    assert answer_of(cut) == "0.25,0.5"
    keys(page, cut.get_by_role("button", name="Undo"), "Enter", "Enter", "Enter")
    check(page, cut)
    expect(cut).to_have_attribute("data-state", "answered")

    place = put(page, url, learner, "p-place")
    point = place.get_by_role("slider", name="The point")
    keys(page, point, "End", "ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(point).to_have_attribute("aria-valuetext", "5 over 4")
    check(page, place)
    expect(place).to_have_attribute("data-state", "answered")

    share = put(page, url, learner, "p-share")
    keys(page, share.get_by_role("button", name="Give A one whole"), "Enter", "Enter")
    keys(page, share.get_by_role("button", name="Give B one whole"), "Enter")
    check(page, share)
    expect(share.get_by_text("Person A gets more than person B.")).to_be_visible()
    keys(page, share.get_by_role("button", name="Take 1/2 back from A"), "Enter")
    keys(page, share.get_by_role("button", name="Give B 1/2"), "Enter")
    expect(told(share)).to_contain_text("Nothing is left.")
    check(page, share)
    expect(share).to_have_attribute("data-state", "answered")

    combine = put(page, url, learner, "p-combine")
    keys(page, combine.get_by_role("spinbutton", name="Parts in both bars"), "1", "0", "Enter")
    expect(told(combine)).to_contain_text("Both bars have 10 parts. 5 and 2 are shaded. The result is still empty.")
    keys(page, combine.get_by_role("slider", name="Parts in the result"), *["ArrowRight"] * 7)
    assert answer_of(combine) == "5/10+2/10=7/10"
    check(page, combine)
    expect(combine).to_have_attribute("data-state", "answered")


def test_boards_are_worked_by_touch_on_a_phone(browser: Browser, browser_context_args: dict[str, Any], url, learner):
    phone = {**browser_context_args, "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with browser.new_context(**phone) as context:
        sign_in(context, learner, url)
        page = context.new_page()
        shade = put(page, url, learner, "p-shade")
        shade.get_by_role("checkbox", name="Part 2 of 5").tap()
        shade.get_by_role("checkbox", name="Part 3 of 5").tap()
        assert answer_of(shade) == "2,3"
        check(page, shade)
        expect(shade).to_have_attribute("data-state", "answered")
        cut = put(page, url, learner, "p-cut")
        cut.get_by_role("button", name="One more cut").tap()
        touch_drag(page, cut.get_by_role("slider", name="Cut 1"), by=-60)
        assert 0.2 < float(answer_of(cut)) < 0.4
        touch_drag(page, cut.get_by_role("slider", name="Cut 1"), by=-40, ends="touchCancel")
        assert 0.2 < float(answer_of(cut)) < 0.4
        small = cut.locator(".touch").first.bounding_box()
        assert small is not None
        assert small["width"] >= 44
        place = put(page, url, learner, "p-place")
        place.locator("[data-stage] svg").tap(position={"x": 150, "y": 60})
        assert answer_of(place) == "1"
        assert not goes_sideways(page)
        build = put(page, url, learner, "p-build")
        build.get_by_role("button", name="Put in 1/2").tap()
        build.get_by_role("button", name="Put in 1/6").tap()
        check(page, build)
        expect(build).to_have_attribute("data-state", "answered")
        bars = put(page, url, learner, "p-compare")
        bars.get_by_role("button", name="One more part: Leo").tap()
        touch_drag(page, bars.get_by_role("slider", name="Move the bar: Leo"), by=40)
        expect(bars.get_by_role("slider", name="Move the bar: Leo")).not_to_have_attribute("aria-valuenow", "0")
        assert not goes_sideways(page)
        share = put(page, url, learner, "p-share")
        for name in ("Give A one whole", "Give A 1/2", "Give B one whole", "Give B 1/2"):
            share.get_by_role("button", name=name, exact=True).tap()
        check(page, share)
        expect(share).to_have_attribute("data-state", "answered")
        combine = put(page, url, learner, "p-combine")
        combine.get_by_role("spinbutton", name="Parts in both bars").fill("10")
        combine.get_by_role("spinbutton", name="Parts in both bars").press("Enter")
        expect(told(combine)).to_contain_text("5 and 2 are shaded")
        touch_drag(page, combine.get_by_role("slider", name="Parts in the result"), by=60)
        assert answer_of(combine).startswith("5/10+2/10=")
        assert not goes_sideways(page)


def touch_drag(page: Page, what: Locator, *, by: float, ends: str = "touchEnd") -> None:
    what.evaluate("one => one.scrollIntoView({ block: 'center' })")
    knob = what.locator(".knob")
    box = (knob if knob.count() else what).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    device = page.context.new_cdp_session(page)
    for kind, to in (("touchStart", 0.0), ("touchMove", by / 2), ("touchMove", by), (ends, None)):
        points = [{"x": x + to, "y": y}] if to is not None else []
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize(
    ("template", "fields"),
    [
        ("p-cut", {"answer": "0.25, 0.5, 0.75"}),
        ("p-build", {"piece-1/6": "4"}),
        ("p-share", {"row-A": "3", "row-B": "3"}),
        ("p-combine", {"combine-parts": "10", "combine-first": "5", "combine-second": "2", "combine-result": "7"}),
    ],
)
def test_boards_are_forms_without_javascript(
    browser: Browser, browser_context_args: dict[str, Any], url, learner, template, fields
):
    with browser.new_context(**browser_context_args, java_script_enabled=False) as context:
        sign_in(context, learner, url)
        card = put(context.new_page(), url, learner, template)
        for name, value in fields.items():
            card.locator(f"[name='{name}']:not([type=hidden])").fill(value)
        card.get_by_role("button", name="Check").click()
        expect(card).to_have_attribute("data-state", "answered")
        assert question_on(card).attempts.get().correct
