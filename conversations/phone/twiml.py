"""TwiML: what Twilio is told to do next in a call."""

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

LANGUAGE: Final = "en-US"
LONGEST_SAY: Final = 1_500
"""Characters in one `<Say>`, of which Twilio reads at most 4,096."""
SILENCE_S: Final = 8
"""Seconds that Twilio waits for the caller to begin."""


def ask(words: str, *, action: str) -> bytes:
    """Return TwiML that reads the words and sends what the caller then says or types to `action`, even if it is nothing.

    The caller may speak before the words have ended.
    """
    response = ElementTree.Element("Response")
    gather = ElementTree.SubElement(
        response,
        "Gather",
        input="speech dtmf",
        action=action,
        method="POST",
        language=LANGUAGE,
        timeout=str(SILENCE_S),
        speechTimeout="auto",
        finishOnKey="#",
        actionOnEmptyResult="true",
    )
    _say(gather, words)
    return _written(response)


def redirect(words: str, *, to: str) -> bytes:
    """Return TwiML that reads the words and then fetches what follows from `to`."""
    response = ElementTree.Element("Response")
    _say(response, words)
    ElementTree.SubElement(response, "Redirect", method="POST").text = to
    return _written(response)


def hang_up(words: str) -> bytes:
    """Return TwiML that reads the words, if any, and ends the call."""
    response = ElementTree.Element("Response")
    _say(response, words)
    ElementTree.SubElement(response, "Hangup")
    return _written(response)


def nothing() -> bytes:
    """Return TwiML for a report about a call, which asks for nothing."""
    return _written(ElementTree.Element("Response"))


def _say(parent: ElementTree.Element, words: str) -> None:
    for portion in _portions(words):
        ElementTree.SubElement(parent, "Say", language=LANGUAGE).text = portion


def _portions(words: str) -> Iterator[str]:
    """Yield the words in portions that Twilio reads, broken after a sentence or else after a word if possible."""
    while len(words) > LONGEST_SAY:
        ends = (words.rfind(mark, 0, LONGEST_SAY) + 1 for mark in (". ", "? ", " "))
        end = next((each for each in ends if each), LONGEST_SAY)
        yield words[:end].strip()
        words = words[end:].strip()
    if words:
        yield words


def _written(response: ElementTree.Element) -> bytes:
    document: bytes = ElementTree.tostring(response, encoding="utf-8", xml_declaration=True)
    return document
