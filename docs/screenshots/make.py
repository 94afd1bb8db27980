"""Takes the pictures in this folder: plays a learner's first days in a browser, then visits five pages.

Run from the project's root: `.venv/bin/python docs/screenshots/make.py`. Needs Chromium (`CHROMIUM`, if not in PATH).
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from png import shrunk

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
SIZES = {"1280": (1280, 860), "390": (390, 844)}
SCHEMES = ("light", "dark")
MOST_BYTES = 120_000
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def served(data: str) -> Iterator[str]:
    """Serve a fresh installation from a folder; yield the address that signs Ada in."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    os.environ |= {"LEARNAGENT_DATA": data, "LEARNAGENT_PORT": port, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    command = [sys.executable, "manage.py", "serve"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(found[1] for line in server.stdout if (found := re.match(r"\s+ada\s+(http\S+)", line)))
        finally:
            server.terminate()


def play(page: Page, link: str) -> str:
    """Let Ada learn: one idea mastered, one misconception noticed and resolved, one question open. Return the origin."""
    from tests.e2e.browsing import begin_lesson, open_card, reach_question, say

    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()
    url = page.url.rstrip("/")
    begin_lesson(page, url, "/learn/fractions/equal-parts/")
    to_mastery(page)
    begin_lesson(page, url, "/learn/fractions/one-half/")
    say(page, "yes these two pieces are halves because there are two")
    say(page, "no yours is bigger. they have to be the same size")
    to_mastery(page)
    begin_lesson(page, url, "/learn/fractions/unit-fractions/")
    say(page, "one of four equal parts")
    reach_question(page)
    expect(open_card(page)).to_be_visible()
    return url


def to_mastery(page: Page) -> None:
    from tests.e2e.browsing import check, fill_in, open_card, reach_question, right_answer, say

    for _ in range(30):
        if page.locator("#mastery", has_text="Mastered").count():
            return
        if page.get_by_role("button", name="Resume").count():
            say(page, "continue")
        elif open_card(page).count():
            card = open_card(page)
            for ticked in card.locator(":checked").all():
                ticked.uncheck() if ticked.get_attribute("type") == "checkbox" else None
            fill_in(card, right_answer(card))
            check(page, card)
        else:
            reach_question(page)


def take(browser: Browser, signed_in: BrowserContext, url: str) -> None:
    """Take each page in both sizes and both schemes."""
    state = signed_in.storage_state()
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                storage_state=state,
                color_scheme=scheme,
                reduced_motion="reduce",
                viewport={"width": width, "height": height},
                is_mobile=width < 500,
                has_touch=width < 500,
            )
            page = context.new_page()
            for name, path in PAGES.items():
                page.goto(url + path)
                SEEN.get(name, lambda page: None)(page)
                file = HERE / f"{name}-{size}-{scheme}.png"
                file.write_bytes(shrunk(page.screenshot(animations="disabled")))
                assert file.stat().st_size <= MOST_BYTES, f"{file.name}: {file.stat().st_size} bytes"
            context.close()


def show_contrast_case(page: Page) -> None:
    """Scroll to where the idea was tested."""
    page.locator(".said", has_text="these two pieces").evaluate(
        "said => scrollTo({top: scrollY + said.getBoundingClientRect().top - 110, behavior: 'instant'})"
    )


PAGES = {
    "home": "/",
    "course": "/learn/fractions/",
    "lesson": "/learn/fractions/one-half/",
    "question": "/learn/fractions/unit-fractions/",
    "progress": "/progress/",
}
SEEN = {"lesson": show_contrast_case}


def main() -> None:
    with tempfile.TemporaryDirectory() as data, served(data) as link, sync_playwright() as playwright:
        import django

        os.environ["DJANGO_SETTINGS_MODULE"] = "learnagent.settings"
        django.setup()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
        url = play(context.new_page(), link)
        take(browser, context, url)
        browser.close()


if __name__ == "__main__":
    main()
