"""Points, lines and scales worked by mouse, touch and keys, and plots whose sliders move them."""

import json
import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_actions import check, goes_sideways, sign_in
from tests.e2e.test_manipulatives import answer_of, drag, keys, press, told
from tests.e2e.test_pages import AXE, FAULTS
from tests.e2e.test_question_kinds import put
from tutoring.courses.exercises.plot_plans import make_formula
from tutoring.courses.pictures.formulas import formula_value


def test_point_is_put_on_the_grid_by_mouse_and_keys(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "p-point")
    assert page.evaluate(FAULTS) == []
    point = card.get_by_role("slider", name="The point")
    keys(page, point, "ArrowRight", "ArrowUp", "ArrowUp")
    assert answer_of(card) == "(1, 2)"
    expect(told(card)).to_have_text("The point is at (1, 2).")
    press(card, "Start again")
    assert answer_of(card) == ""
    drag(page, point, (-60, -30))
    x, y = map(int, answer_of(card).strip("()").split(", "))
    assert x < 0 < y
    press(card, "Undo")
    assert answer_of(card) == ""
    keys(page, point, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown")
    assert answer_of(card) == "(5, -5)"
    check(page, card)
    expect(card).to_have_attribute("data-state", "open")
    expect(card.get_by_text("Your point is (5, −5)")).to_be_visible()


def test_two_points_make_a_line(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "p-line")
    assert page.evaluate(FAULTS) == []
    first, second = card.get_by_role("slider", name="Point A"), card.get_by_role("slider", name="Point B")
    keys(page, first, "ArrowUp")
    assert answer_of(card) == "(-2, 1), (2, 0)"
    drag(page, second, (0, -90))
    expect(told(card)).to_contain_text("The line goes through (−2, 1) and (2,")
    keys(page, second, *["ArrowLeft"] * 4)
    check(page, card)
    expect(card.get_by_text("straight up")).to_be_visible()


def test_scale_is_solved_by_pressing_and_by_keys(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "p-balance")
    assert page.evaluate(FAULTS) == []
    assert answer_of(card) == ""
    take = card.get_by_role("button", name="Take a weight of 1 from the left side only")
    take.click()
    expect(told(card)).to_contain_text("Now the scale shows")
    press(card, "Start again")
    both = card.get_by_role("button", name="Take a weight of 1 from both sides")
    while both.is_enabled():
        keys(page, both, "Enter")
    share = card.get_by_role("button", name="Share both sides into")
    share.last.click()
    expect(told(card)).to_contain_text("One x is alone")
    check(page, card)
    expect(card).to_have_attribute("data-state", "answered")


def test_boards_fit_a_phone_and_are_worked_by_touch(browser: Browser, url, learner):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sign_in(context, learner, url)
    page = context.new_page()
    for template in ("p-point", "p-line", "p-balance", "p-plot"):
        put(page, url, learner, template)
        assert not goes_sideways(page), template
    card = put(page, url, learner, "p-point")
    box = card.locator("[data-stage] svg .plot-ground").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.5)
    assert answer_of(card) == "(3, 0)"
    context.close()


def test_slider_moves_the_plot_and_its_readout(page: Page, url, learner):
    page.add_init_script(path=AXE)
    card = put(page, url, learner, "p-plot")
    assert page.evaluate(FAULTS) == []
    slider = card.get_by_role("slider", name="slope m")
    curve = card.locator(".plot-curve")
    before = curve.get_attribute("d")
    expect(slider).to_have_attribute("aria-valuetext", "1")
    keys(page, slider, "ArrowRight", "ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "2")
    assert curve.get_attribute("d") != before
    slider.fill("3")
    expect(card.locator(".plot-values dd")).to_have_text("0")
    expect(card.locator(".plot-slider output")).to_have_text("3")


def test_page_and_server_draw_the_same(page: Page, url, learner):
    """What the module draws at the start is what the server drew."""
    card = put(page, url, learner, "p-plot")
    expect(card.locator(".plot-slider")).to_be_visible()
    served = page.request.get(page.url).text()
    before = re.findall(r'class="plot-curve [^"]*" d="([^"]*)"', served)
    assert [_numbers(each) for each in before] == [_numbers(card.locator(".plot-curve").get_attribute("d") or "")]


def _numbers(path: str) -> list[float]:
    return [round(float(each), 1) for each in path.replace("M", " ").replace("L", " ").split()]


def test_formulas_have_the_same_values_in_the_page(page: Page, url, learner):
    put(page, url, learner, "p-plot")
    expressions = [
        "exp(x) / 10", "log(x)", "sqrt(x + 1)", "sin(x) * cos(x)", "tanh(x)", "sigmoid(4*x)", "relu(x - 1)", "abs(x)^x",
        "min(x, 1, m)", "max(x, 1)", "floor(x/2)", "x % 3", "round(x / 3, 2)", "choose(x > 1 and not x == 2, 1/x, -x)", "1/x",
        "(-x)^(1/2)", "exp(800*x)",
    ]  # fmt: skip
    formulas = [make_formula(each, {}, frozenset({"x", "m"})) for each in expressions]
    places = [-3.5, -1.0, 0.0, 0.25, 1.0, 2.0, 7.3]
    found = page.evaluate(
        """async ([formulas, places]) => {
          const { valueOf } = await import("/static/js/plot_formulas.js");
          return formulas.map((each) => places.map((x) => String(valueOf(each, { x, m: 0.5 }))));
        }""",
        [json.loads(json.dumps(formulas)), places],
    )
    for expression, formula, values in zip(expressions, formulas, found, strict=True):
        for x, value in zip(places, values, strict=True):
            here, there = formula_value(formula, {"x": x, "m": 0.5}), float(value.replace("Infinity", "inf"))
            same = abs(here - there) <= 1e-9 * max(1, abs(here)) if abs(here) < 1e300 else here == there
            assert same or (here != here and there != there), (expression, x, here, there)
