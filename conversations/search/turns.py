"""Full-text search over a person's own turns: the messages of a turn together contain what is searched for."""

import json
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection

from conversations.models import Message, Turn
from conversations.owners import Owner
from conversations.search.messages import find_messages, postgresql_query, sqlite_query
from conversations.search.query import QueryTerm, parse_query

MOST_CANDIDATES = 2_000
"""Messages with the rarest word, and messages with all words, whose turns are looked at; of more, the newest."""
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
    messages = _messages_of_candidates(person, terms, limit=limit)
    found = set(messages.values())
    newest: dict[uuid.UUID, int] = {}
    for term in terms:
        hits = _among(person, term, messages) if found else []
        turns_hit = {messages[pk] for pk in hits}
        found = found - turns_hit if term.is_excluded else found & turns_hit
        if not term.is_excluded:
            newest |= {messages[pk]: max(pk, newest.get(messages[pk], 0)) for pk in sorted(hits)}
    best = sorted(found, key=lambda turn_id: newest[turn_id], reverse=True)[:limit]
    turns = Turn.objects.in_bulk(best)
    return [turns[pk] for pk in best]


def _usable(terms: Sequence[QueryTerm]) -> list[QueryTerm]:
    """Return the terms in which the database sees a word."""
    return [term for term in terms if connection.vendor == "sqlite" or postgresql_query([term])]


def _messages_of_candidates(person: Owner, terms: Sequence[QueryTerm], *, limit: int) -> dict[int, uuid.UUID]:
    """Return all messages of turns that may be found, each with its turn: every turn that is has the rarest word."""
    wanted = [term for term in terms if not term.is_excluded]
    # Of one word, each hit is a turn to show, and a turn has two messages.
    most = MOST_CANDIDATES if len(terms) > 1 else 2 * limit
    rarest = min((find_messages(person, [term], limit=most) for term in wanted), key=len, default=[])
    together = find_messages(person, terms, limit=most) if len(rarest) == most and len(terms) > 1 else []
    turn_ids = Message.objects.filter(pk__in={*rarest, *together}).values_list("turn_id", flat=True)
    return dict(Message.objects.filter(turn__in=set(turn_ids)).values_list("pk", "turn_id"))


def _among(person: Owner, term: QueryTerm, messages: Collection[int]) -> list[int]:
    """Return those of the person's messages that contain the term, whether it is excluded or not."""
    term = QueryTerm(text=term.text, is_prefix=term.is_prefix)
    if connection.vendor == "sqlite":
        sql = AMONG_IN_SQLITE
        values: list[Any] = [sqlite_query(person, [term]), min(messages), max(messages), json.dumps([*messages])]
    else:
        sql, values = AMONG_IN_POSTGRESQL, [[*messages], postgresql_query([term])]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [pk for (pk,) in cursor.fetchall()]
