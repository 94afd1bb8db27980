"""Takes the pictures in this folder, every page on a desk and on a phone, light and dark, and asks axe about each.

Run from the project's root: `.venv/bin/python docs/screenshots/make.py [--into FOLDER] [--png] [NAME …]`; names are
those of `pages.py`, without one all are taken. Needs Chromium (`CHROMIUM`, if not in PATH). Ends with 1 where axe finds
something serious or critical, or a page is wider than its window.
"""

import argparse
import base64
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pages import DESK, PHONE, View, views
from playwright.sync_api import Browser, Page, expect, sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
SIZES = {DESK: (1280, 860), PHONE: (390, 844)}
SCHEMES = ("light", "dark")
TALLEST = 1800
"""Pixels of a whole page that a picture shows at most."""
QUALITY = 50
"""Of the WebP, 0-100: text stays sharp."""
AXE = ROOT / "tests" / "e2e" / "vendor" / "axe-core-4.14.1" / "axe.min.js"
AROUND = """piece => {
    piece.scrollIntoView({block: "center", behavior: "instant"});
    const {x, y, width, height} = piece.getBoundingClientRect();
    return {x: x + scrollX - 8, y: y + scrollY - 8, width: width + 16, height: height + 16};
}"""
"""Where a piece stands on the page, with a little ground around it."""
expect.set_options(timeout=30_000)
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def served(data: str) -> Iterator[str]:
    """Serve a fresh installation from a folder; yield the address that signs Ada in."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    os.environ |= {"LEARNAGENT_DATA": data, "LEARNAGENT_PORT": port, "TURN_RATE_LIMIT": "0", "CARD_RATE_LIMIT": "0"}
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    command = [sys.executable, "manage.py", "serve"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(found[1] for line in server.stdout if (found := re.match(r"\s+ada\s+(http\S+)", line)))
        finally:
            server.terminate()


class Camera:
    """Takes the views in one size, in both schemes, and keeps what is wrong with them."""

    def __init__(self, browser: Browser, url: str, *, size: str, into: Path, ending: str) -> None:
        self.browser, self.url, self.size, self.into, self.ending = browser, url, size, into, ending
        self.wrong: list[str] = []

    def take(self, all_views: Sequence[View], people: dict[str, Any]) -> None:
        from learnagent.accounts.authentication.sign_in_links import sign_in_address

        width, height = SIZES[self.size]
        for name in dict.fromkeys(view.person for view in all_views):
            context = self.browser.new_context(
                reduced_motion="reduce",
                viewport={"width": width, "height": height},
                is_mobile=self.size == PHONE,
                has_touch=self.size == PHONE,
                service_workers="block",
            )
            if name:
                page = context.new_page()
                page.goto(sign_in_address(people[name]))
                with page.expect_navigation():
                    page.get_by_role("button", name="Sign in").click()
                page.close()
            context.add_init_script(path=AXE)
            for view in all_views:
                if view.person == name and view.only in (None, self.size):
                    page = context.new_page()
                    self.show(page, view)
                    page.close()
            context.close()

    def show(self, page: Page, view: View) -> None:
        from tests.e2e.page_actions import wait_until_said

        page.goto(self.url + view.path)
        if page.locator("#composer").count():
            wait_until_said(page)
        if view.act:
            view.act(page)
            page.wait_for_load_state()
        if view.whole:
            width, height = SIZES[self.size]
            tall = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": min(max(height, tall), TALLEST)})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("for (const one of document.getAnimations()) one.cancel()")
            self.judge(page, f"{view.name} at {self.size}, {scheme}")
            for name, part in (view.parts or {view.name: ""}).items():
                file = self.into / f"{name}-{self.size}-{scheme}.{self.ending}"
                file.write_bytes(self.picture(page, part))

    def judge(self, page: Page, where: str) -> None:
        from tests.e2e.page_actions import goes_sideways
        from tests.e2e.test_pages import FAULTS

        self.wrong += [f"{where}: {fault}" for fault in page.evaluate(FAULTS)]
        if goes_sideways(page):
            self.wrong.append(f"{where}: is wider than its window")

    def picture(self, page: Page, part: str) -> bytes:
        """Return what the window shows, or a piece alone. Chromium packs WebP itself, which Playwright does not ask it for."""
        wish: dict[str, Any] = {"format": self.ending}
        if self.ending == "webp":
            wish["quality"] = QUALITY
        if part:
            wish["clip"] = page.locator(part).evaluate(AROUND) | {"scale": 1}
        chromium = page.context.new_cdp_session(page)
        data = chromium.send("Page.captureScreenshot", wish)["data"]
        chromium.detach()
        return base64.b64decode(data)


def chosen(all_views: Iterator[View], names: Sequence[str]) -> list[View]:
    return [view for view in all_views if not names or any(re.fullmatch(name, view.name) for name in names)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names of views, or patterns of them")
    parser.add_argument("--into", type=Path, default=HERE, help="folder for the pictures")
    parser.add_argument("--png", action="store_true", help="PNG instead of WebP")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, served(data) as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        wrong = photograph(browser, link, wish)
        browser.close()
    print("\n".join(wrong) or "axe finds nothing serious, and no page goes sideways")
    return 1 if wrong else 0


def photograph(browser: Browser, link: str, wish: argparse.Namespace) -> list[str]:
    """Set the stage and take the views; return what is wrong with them."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "learnagent.settings"
    django.setup()
    import stage

    from learnagent.accounts.authentication.password_resets import reset_address
    from tests.e2e.page_actions import sign_in

    url = "{0.scheme}://{0.netloc}".format(urlsplit(link))
    people = stage.people()
    for name, play in {"ada": stage.play, "noa": stage.be_placed}.items():
        context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
        sign_in(context, people[name], url)
        play(context.new_page(), url)
        context.close()
    reset = urlsplit(reset_address(people["ben"])).path
    taken = chosen(views(people, reset, urlsplit(link).path), wish.names)
    wrong = []
    for size in SIZES:
        camera = Camera(browser, url, size=size, into=wish.into, ending="png" if wish.png else "webp")
        camera.take(taken, people)
        wrong += camera.wrong
    return wrong


if __name__ == "__main__":
    sys.exit(main())
