"""Draws the PNG icons in static/img: the mark, alone and with the room that round masks cut away.

Run from the project's root: `.venv/bin/python docs/icons/make.py`. Needs Chromium (`CHROMIUM`, if not in PATH).
"""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[2] / "static" / "img"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
MARK = (IMAGES / "favicon.svg").read_text()
FULL = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#0b6e69"/>'
    '<g fill="none" stroke="#fff" stroke-width="2.2"><circle cx="16" cy="16" r="8"/><path d="M16 8v16M16 16h8"/></g></svg>'
)
"""The mark within the middle 80 %, which every mask leaves."""
ICONS = {
    "icon-192.png": (MARK, 192),
    "icon-512.png": (MARK, 512),
    "icon-maskable-512.png": (FULL, 512),
    "apple-touch-icon.png": (FULL, 180),
}


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (svg, size) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{svg}")
            page.screenshot(path=IMAGES / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
