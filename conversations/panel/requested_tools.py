"""Tools that a message asks for by name: "look it up on Wikipedia", "search the web for …"."""

import re
from collections.abc import Mapping
from typing import Final

_LOOKS: Final = r"(?:look(?:ing)?(?: it)? up|look|search|check|use|find(?: out)?|ask|consult|try)"
_NAMES: Final[Mapping[str, str]] = {
    "wikipedia": r"wikipedia|wiki",
    "web_search": r"(?:the )?(?:web|internet)|online|google",
    "arxiv": r"arxiv",
}
_REQUESTS: Final = {
    tool: re.compile(
        rf"\b{_LOOKS} (?P<between>.{{0,80}}?)\b(?:on|in|with|at|using|via) (?:{names})\b(?: for\b)?"
        rf"|\b{_LOOKS} (?:(?:on|in) )?(?:{names})\b(?: (?:for|about)\b)?"
        rf"|\b(?:using|according to) (?:{names})\b|\bwhat does (?:{names}) say about\b",
        re.IGNORECASE,
    )
    for tool, names in _NAMES.items()
}


def requested_tools(text: str) -> tuple[str, ...]:
    """Return the tools outside this site that a message asks to use."""
    return tuple(tool for tool, request in _REQUESTS.items() if request.search(text))


def without_requests(text: str) -> str:
    """Return what a message asks, without the request to use a tool."""
    for request in _REQUESTS.values():
        text = request.sub(lambda found: found["between"] or "", text)
    return " ".join(text.split()).lstrip(",: ")
