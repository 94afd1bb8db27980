"""Finds JSON in a model's answer that contains other text: thoughts, code fences, words before and after."""

import json
import re
from collections.abc import Iterator

MAX_BRACES = 40
"""Braces tried as the start of an object before the search stops, so that hostile input cannot slow it down."""
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"\A```[a-zA-Z]*\s*\n(.*?)\n?\s*```\Z", re.DOTALL)


def find_json_objects(text: str) -> Iterator[str]:
    """Yield candidates for the answer's JSON: the whole text, then each complete object in it, last one first."""
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
