"""JSON that a model wrote among other things: thoughts, a fence of code, words before and after."""

import json
import re
from collections.abc import Iterator

MAX_BRACES = 40
"""Braces that may turn out to begin nothing, before the search ends: what is written to be slow to search stays quick."""
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"\A```[a-zA-Z]*\s*\n(.*?)\n?\s*```\Z", re.DOTALL)


def find_json_objects(text: str) -> Iterator[str]:
    """Yield what may be the JSON of an answer: all of it, then each whole object in it, the last one first."""
    text = _THOUGHTS.sub("", text, count=1).strip()
    yield text
    if fenced := _FENCE.match(text):
        yield fenced[1]
    yield from reversed([found for found in _objects(text) if found != text])


def _objects(text: str) -> Iterator[str]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(MAX_BRACES):
        if start < 0:
            return
        try:
            _value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield text[start:end]
        start = text.find("{", end)
