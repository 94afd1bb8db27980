"""The table of request patterns, compiled from `patterns.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from tutoring.planner.values import Action, AgentName

PATH: Final = Path(__file__).with_name("patterns.yaml")
_NAME = re.compile(r"<<(\w+)>>")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPattern:
    """One kind of request; the fields are explained in `patterns.yaml`."""

    agent: AgentName | Literal[""]
    action: Action
    match: re.Pattern[str]
    kind: str = ""
    needs: Literal["", "date", "clock"] = ""
    statement: bool = False
    unclear: bool = False
    past: bool = False


@cache
def request_patterns() -> tuple[RequestPattern, ...]:
    """Return the patterns in the order in which they are tried."""
    entries: list[dict[str, Any]] = _table()["requests"]
    return tuple(RequestPattern(**{**entry, "match": compiled(entry["match"])}) for entry in entries)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern with the table's words in place of their names."""
    return re.compile(_with_words(pattern), re.IGNORECASE)


def _with_words(pattern: str) -> str:
    words: dict[str, str] = _table()["words"]
    return _NAME.sub(lambda name: _with_words(words[name[1]]), pattern)


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = yaml.safe_load(PATH.read_text(encoding="utf-8"))
    return table
