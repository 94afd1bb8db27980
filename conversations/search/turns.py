"""Full-text search over a person's own turns: the messages of a turn together contain what is searched for."""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import connection

from conversations.models import Message, Turn
from conversations.owners import Owner
from conversations.search.messages import find_messages, postgresql_query, sqlite_query
from conversations.search.query import QueryTerm, parse_query

FIRST_CANDIDATES, MOST_CANDIDATES = 200, 2_000
"""Messages with the rarest word whose turns are looked at, the newest first: more of them only if the first are not enough."""
MOST_HITS = 50_000
"""Messages with a word that are listed, the newest first; more than MOST_CANDIDATES. A commoner word is looked up in those
of the candidates."""
HITS_IN_SQLITE = """
    SELECT rowid FROM conversations_search WHERE conversations_search MATCH %s ORDER BY rowid DESC LIMIT %s"""
HITS_IN_POSTGRESQL = """
    SELECT id FROM conversations_message WHERE searched @@ (%s::tsquery && to_tsquery('simple', %s))
    ORDER BY id DESC LIMIT %s"""
# The plus keeps SQLite from searching the index anew for each of the messages.
AMONG_IN_SQLITE = """
    SELECT rowid FROM conversations_search
    WHERE conversations_search MATCH %s AND rowid BETWEEN %s AND %s AND +rowid IN (SELECT value FROM json_each(%s))"""
AMONG_IN_POSTGRESQL = """
    SELECT id FROM conversations_message WHERE id = ANY(%s) AND searched @@ to_tsquery('simple', %s)"""


def search_turns(person: Owner, query: str, *, limit: int) -> list[Turn]:
    """Return the person's own turns whose messages together contain all terms, the one with the newest hit first.

    A phrase is in one message, and an excluded term in none. A query without words finds nothing. If even the rarest word
    is in more than MOST_CANDIDATES messages, older turns are found only if one of their messages contains all terms.
    """
    terms = _usable(parse_query(query))
    hits = [_hits(person, term) for term in terms]
    rarest = min((each for term, each in zip(terms, hits, strict=True) if not term.is_excluded), key=len, default=[])
    found: list[uuid.UUID] = []
    for most in (FIRST_CANDIDATES, MOST_CANDIDATES):
        candidates = rarest[:most]
        if most == MOST_CANDIDATES and len(rarest) > most:
            candidates += find_messages(person, terms, limit=most)
        messages = _messages_of_turns(person, candidates)
        found = _matching(person, messages, terms, hits)[:limit]
        if len(found) == limit or len(rarest) <= most:
            break
    turns = Turn.objects.in_bulk(found)
    return [turns[pk] for pk in found]


def _usable(terms: Sequence[QueryTerm]) -> list[QueryTerm]:
    """Return the terms in which the database sees a word."""
    return [term for term in terms if connection.vendor == "sqlite" or postgresql_query([term])]


def _messages_of_turns(person: Owner, candidates: Collection[int]) -> dict[int, uuid.UUID]:
    """Return all messages of the turns that these messages belong to, each with its turn, if the person may find them."""
    mine = Message.objects.filter(session__owner=person.pk, session__deleted_at=None, turn__replaced_by=None)
    turn_ids = set(mine.filter(pk__in=candidates).values_list("turn_id", flat=True))
    return dict(Message.objects.filter(turn__in=turn_ids).values_list("pk", "turn_id"))


def _matching(
    person: Owner, messages: Mapping[int, uuid.UUID], terms: Sequence[QueryTerm], hits: Sequence[Sequence[int]]
) -> list[uuid.UUID]:
    """Return the turns whose messages together contain all terms, the one with the newest hit first."""
    found = set(messages.values())
    newest: dict[uuid.UUID, int] = {}
    for term, listed in zip(terms, hits, strict=True):
        is_listed = len(listed) < MOST_HITS or not messages or min(messages) >= listed[-1]
        hit = sorted(messages.keys() & listed if is_listed else _among(person, term, messages))
        turns_hit = {messages[pk] for pk in hit}
        found = found - turns_hit if term.is_excluded else found & turns_hit
        if not term.is_excluded:
            newest |= {messages[pk]: max(pk, newest.get(messages[pk], 0)) for pk in hit}
    return sorted(found, key=lambda turn_id: newest[turn_id], reverse=True)


def _hits(person: Owner, term: QueryTerm) -> list[int]:
    """Return which of the person's messages contain the term, whether it is excluded or not, the newest first."""
    term = replace(term, is_excluded=False)
    if connection.vendor == "sqlite":
        return _ids(HITS_IN_SQLITE, [sqlite_query(person, [term]), MOST_HITS])
    return _ids(HITS_IN_POSTGRESQL, [f"'owner {person.pk}'", postgresql_query([term]), MOST_HITS])


def _among(person: Owner, term: QueryTerm, messages: Collection[int]) -> list[int]:
    """Return which of these messages contain the term, whether it is excluded or not."""
    term = replace(term, is_excluded=False)
    if connection.vendor == "sqlite":
        within = [min(messages), max(messages), json.dumps([*messages])]
        return _ids(AMONG_IN_SQLITE, [sqlite_query(person, [term]), *within])
    return _ids(AMONG_IN_POSTGRESQL, [[*messages], postgresql_query([term])])


def _ids(sql: str, values: list[Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [pk for (pk,) in cursor.fetchall()]
