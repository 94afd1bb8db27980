"""Tools that a message asks for by name: "look it up on Wikipedia", "search the web for …"."""

import re
from collections.abc import Mapping
from typing import Final

# A request stands at the beginning of a clause. "How do spiders use silk in the web?" asks for no search.
_BEGINS: Final = r"(?:^|(?<=[.!?;,:] )|\b(?:please|(?:can|could|would|will) you|and|then) )(?:please )?"
_LOOKS: Final = r"(?:look(?: it| this| that)? up|look|search|check|find out|find|read up on)"
_NAMES: Final[Mapping[str, str]] = {
    "wikipedia": r"wikipedia",
    "web_search": r"(?:the )?(?:web|internet)|google",
    "arxiv": r"arxiv",
}
_REQUESTS: Final = {
    tool: re.compile(
        rf"{_BEGINS}{_LOOKS} (?P<between>.{{0,80}}?) ?\b(?:on|in|with|at|using|via) (?:{names})\b(?: for\b)?"
        rf"|{_BEGINS}(?:search|check|use|ask|consult) (?:{names})\b(?: (?:for|about|to find)\b)?"
        + (
            rf"|\b(?:using|according to) (?:{names})\b|\bwhat does (?:{names}) say about\b"
            if tool != "web_search"
            else ""
        ),
        re.IGNORECASE,
    )
    for tool, names in _NAMES.items()
}


def requested_tools(text: str) -> tuple[str, ...]:
    """Return the tools outside this site that a message asks to use."""
    return tuple(tool for tool, request in _REQUESTS.items() if request.search(text))


def without_requests(text: str) -> str:
    """Return what a message asks, without the request to use a tool; empty if that is all of it."""
    for request in _REQUESTS.values():
        text = request.sub(lambda found: found["between"] or "", text)
    return " ".join(text.split()).strip(",:;. ")
