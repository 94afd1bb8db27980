"""What a page weighs on the wire for somebody who comes for the first time."""

from typing import Any

from playwright.sync_api import Browser

from tests import people
from tests.e2e.page_actions import begin_lesson, reach_question, say, sign_in
from tests.tutoring.class_helpers import make_class

MOST_KB = 100
WEIGHT = """() => performance.getEntries()
    .filter((entry) => ["navigation", "resource"].includes(entry.entryType) && entry.initiatorType !== "img")
    .filter((entry) => !entry.name.endsWith(".woff2"))
    .reduce((sum, entry) => sum + entry.transferSize, 0) / 1000"""


def test_no_page_weighs_100_kb_beside_its_fonts(
    browser: Browser, browser_context_args: dict[str, Any], url: str, learner: Any, page: Any
) -> None:
    begin_lesson(page, url)
    say(page, "these two pieces are halves")
    reach_question(page)
    grace = people.make_grace()
    make_class(grace, learner, people.make_ben(), conversations="everything")
    seen = {}
    for person, address in (
        (learner, f"{url}/"),
        (learner, f"{url}/learn/fractions/"),
        (learner, page.url),
        (grace, f"{url}/teach/4b/"),
    ):
        with browser.new_context(**browser_context_args) as context:
            sign_in(context, person, url)
            cold = context.new_page()
            cold.goto(address)
            cold.evaluate("document.fonts.ready.then(() => null)")
            seen[address.removeprefix(url)] = round(cold.evaluate(WEIGHT))
    print("kB on the wire:", seen)
    assert {path: weight for path, weight in seen.items() if not 0 < weight < MOST_KB} == {}
