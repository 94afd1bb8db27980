"""The words in force on a surface: those that ship, or an admin's, with those that a space adds."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db import DatabaseError

from agents.models import RoutingWords
from agents.routing.keywords import AgentWords, KeywordIndex
from agents.routing.surfaces import surface_named
from agents.storage.brief_cache import BriefCache

# Admins expect a change to work at once; each process asks the database this often at most.
CACHED_S: Final = 5.0
"""Seconds until a change of the words works in other processes."""

type _Row = tuple[str, str, str, Mapping[str, float]]
"""Surface, agent, space, words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsInForce:
    version: str
    """A hash of the words: decisions made with other words have another one."""
    index: KeywordIndex


def words_in_force(surface: str, space: str = "") -> WordsInForce:
    """Return the words of a surface in a space. Without a database, those that ship."""
    return index_words(surface, listed_words(surface, space))


def listed_words(surface: str, space: str = "") -> AgentWords:
    """Return the words listed for each agent of a surface in a space."""
    try:
        rows = site_rows()
    except DatabaseError:
        rows = []
    return merge_words(surface_named(surface).words, [row for row in rows if row[0] == surface], space)


def site_rows() -> "list[_Row]":
    """Return all lists that admins wrote, at most CACHED_S old."""
    return _rows.get()


def merge_words(shipped: AgentWords, rows: Iterable[_Row], space: str) -> AgentWords:
    """Return the words by agent: a site's list takes the place of the shipped one, and a space's is added to it."""
    merged = {agent: dict(own) for agent, own in shipped.items()}
    found = list(rows)
    for _surface, agent, of_space, words in found:
        if not of_space:
            merged[agent] = dict(words)
    for _surface, agent, of_space, words in found:
        if of_space and of_space == space:
            merged[agent] = merged.get(agent, {}) | dict(words)
    return {agent: {word: weight for word, weight in own.items() if weight > 0} for agent, own in merged.items()}


def index_words(surface: str, words: AgentWords) -> WordsInForce:
    """Return the words weighed on the surface's examples; made once for each version."""
    return _indexed(surface, json.dumps(words, sort_keys=True))


def forget_words() -> None:
    """Read the lists anew, now and after the transaction that changes them."""
    _rows.forget_now_and_on_commit()


@lru_cache(maxsize=64)  # One per space that has words of its own; beyond that they are weighed again, in about 50 ms.
def _indexed(surface: str, words: str) -> WordsInForce:
    version = hashlib.sha256(words.encode()).hexdigest()[:12]
    return WordsInForce(version=version, index=KeywordIndex(json.loads(words), surface_named(surface).examples))


def _read_rows() -> list[_Row]:
    return list(RoutingWords.objects.values_list("surface", "agent", "space", "words"))


_rows = BriefCache(_read_rows, seconds=CACHED_S)
