"""Text of a fetched page. HTML is read in its own process, because a malicious page can block any parser for hours."""

import asyncio
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from agents.net.base import FetchedPage
from agents.net.text_cleaning import INVISIBLE, decode_body
from agents.values import value

ROOT = Path(__file__).resolve().parents[2]
CHILD = [sys.executable, "-E", "-s", "-m", "agents.net.page_child"]
MAX_CHILDREN = 2
WALL_S = 5.0
"""The child's own limit is lower, see page_child.py, so that a busy machine does not fail a page."""
HTML = ("text/html", "application/xhtml+xml")
NAMED_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([a-zA-Z0-9_-]{1,20})""", re.IGNORECASE)

_threads = ThreadPoolExecutor(MAX_CHILDREN, thread_name_prefix="pages")


@value
class Page:
    title: str = ""
    """Empty if the page has none."""
    text: str = ""
    """In lines: headings start with `#`, list items with `-`, table cells are separated by `|`."""


async def read_page(fetched: FetchedPage) -> Page:
    """Return the content of a page or text; empty if it cannot be read."""
    if fetched.media_type not in HTML:
        text = decode_body(fetched.body, fetched.charset).replace("\r\n", "\n")
        return Page(text=INVISIBLE.sub("", text).strip())
    charset = fetched.charset
    if not charset and (named := NAMED_CHARSET.search(fetched.body[:2_000])):
        charset = named.group(1).decode("ascii").lower()
    html = decode_body(fetched.body, charset).encode("utf-8", "replace")
    return await asyncio.get_running_loop().run_in_executor(_threads, _read_in_child, html)


def _read_in_child(html: bytes) -> Page:
    try:
        # No environment is passed on: it contains keys.
        ended = subprocess.run(CHILD, input=html, capture_output=True, timeout=WALL_S, cwd=ROOT, env={})
        title, text = json.loads(ended.stdout) if ended.returncode == 0 else ("", "")
    except (subprocess.TimeoutExpired, ValueError):
        return Page()
    return Page(title=title, text=text)
