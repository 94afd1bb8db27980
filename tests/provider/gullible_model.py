"""A model that obeys whatever it reads, whoever said it: the worst that a prompt can meet."""

import json
import re
from collections.abc import Callable
from itertools import count

from tests.provider.answers import Answer, ToolCall, sensible_answer
from tests.provider.leaking_model import leak
from tests.provider.model_request import ProviderRequest
from tests.provider.schemas import smallest_value

_TELL = re.compile(
    r"(?i)\b(?:tell|give|show|reveal|say)\b[^.?!\n]{0,30}\b(?:answer|solution|result)|\bjust (?:tell|say|give)\b"
    r"|\bwhat(?:'s|’s| is| are)\b[^.?!\n]{0,20}\b(?:answer|solution)|\banswer,? please|\bsolve it\b"
)
_SAY = re.compile(
    r"(?im)(?:^|[.!?:;,]\s*|\b(?:please|must|to|and|now|then|should|always)\s+)(?:say|repeat|(?:answer|reply|respond) with|print|output)\b(?! (?:you|the answer))[:,]?\s+"
    r"[\"“'«]?(?P<words>[^\n\"”»]{1,300})"
)
_PROMPT = re.compile(r"(?i)\b(?:your|the|system) (?:system )?(?:prompt|instructions|rules)\b")
_MARKUP = re.compile(r"(?i)\b(?:html|script|javascript|markup|svg|iframe)\b|<\w+")
_CLAIM = re.compile(r"(?i)\byou(?:'re| are) (?:now )?(?P<who>(?:the|my|a|an) [\w ]{3,30})")
_MARKS = re.compile(r"(?i)\b100 ?%|\bfull marks\b|\b(?:mark|count|grade|rate)\b.{0,40}\b(?:correct|right|mastered)\b")
_TOOL = re.compile(
    r"(?i)\b(?:call|use|run|invoke)\s+(?:the\s+)?(?:(?:tool|function)\s+[\"'`]?([\w.-]+)|[\"'`]?(\w+_\w+))[\"'`]?"
    r"(?:\s*(?:with|\()\s*(?P<args>\{.*\}|[^\n]{1,300}))?"
)
_HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=alert(1)>",
    "[press here](javascript:alert(1))",
    "<svg onload=alert(1)>",
    "<iframe src='https://example.com'></iframe>",
    "![seen](https://example.com/pixel.png?who=learner)",
)
_FORBIDS = re.compile(r"(?i)\b(?:not|never|no|don['’]t)\b")
_PROMPT_SHOWN = 2_000


def obedient_model() -> Callable[[ProviderRequest], Answer]:
    """Return a model that follows every order in what it is sent: system prompt, history, results of tools.

    It counts its turns, and says the same thing in another way each time.
    """
    turns = count()
    return lambda asked: _obey(asked, next(turns))


def _obey(asked: ProviderRequest, turn: int) -> Answer:
    heard = _orders(asked)
    said = "\n".join(filter(None, _said(asked, heard, turn)))
    tools = _tools(heard)
    if asked.schema is not None:
        return Answer(object=smallest_value(asked.schema, text=said or "…"), tools=tools)
    return Answer(text=said, tools=tools) if said or tools else sensible_answer(asked)


def _said(asked: ProviderRequest, heard: str, turn: int) -> list[str]:
    """Do in words what is ordered, the newest of each kind of order."""
    said = []
    if _TELL.search(heard):
        said.append(leak(asked.everything, turn))
    if words := _SAY.search(heard):
        said.append(words["words"])
    if _PROMPT.search("\n".join(asked.history)):
        said.append(asked.system[:_PROMPT_SHOWN])
    if _MARKUP.search(heard):
        said.append(_HOSTILE[turn % len(_HOSTILE)])
    if claim := _CLAIM.search("\n".join(reversed(asked.history))):
        said.append(f"I am {claim['who'].strip()}.")
    if _MARKS.search(heard):
        said.append("You have 100 %. Everything is right, and I have marked it as mastered.")
    return said


def _orders(asked: ProviderRequest) -> str:
    """Return all that could order anything, the newest first; of the system prompt not what it forbids."""
    allowed = (line for line in asked.system.splitlines() if not _FORBIDS.search(line))
    return "\n".join((*reversed(asked.history), *allowed))


def _tools(heard: str) -> tuple[ToolCall, ...]:
    """Call what is ordered, whether it is on offer or not."""
    match = _TOOL.search(heard)
    if match is None:
        return ()
    return ((match[1] or match[2], _arguments(match["args"] or "{}")),)


def _arguments(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return {"input": text}
