"""Full-text search over a person's own messages: FTS5 on SQLite, a tsvector on PostgreSQL.

Triggers on the message table update the index, in the transaction that stores a message. Each entry
also contains its owner as a term, so that one person's search does not read other people's entries.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from conversations.models import Message, Session
from conversations.owners import Owner
from conversations.search.query import QueryTerm, SnippetPiece, fold, parse_query, snippet
from conversations.speakers import speaker_of

LARGEST_ID = 2**63 - 1
IN_SQLITE = """
    SELECT searched.rowid
    FROM conversations_search AS searched
    CROSS JOIN conversations_message AS message ON message.id = searched.rowid
    CROSS JOIN conversations_session AS session ON session.id = message.session_id
    CROSS JOIN conversations_turn AS turn ON turn.id = message.turn_id
    WHERE conversations_search MATCH %s AND searched.rowid < %s AND session.owner_id = %s AND session.deleted_at IS NULL
      AND turn.replaced_by_id IS NULL
    ORDER BY searched.rowid DESC LIMIT %s"""
# SQLite keeps the order of CROSS JOIN: the index returns the newest first, and reading stops at the limit.
IN_POSTGRESQL = """
    SELECT message.id
    FROM conversations_message AS message
    JOIN conversations_session AS session ON session.id = message.session_id
    JOIN conversations_turn AS turn ON turn.id = message.turn_id
    WHERE message.searched @@ (%s::tsquery && to_tsquery('simple', %s)) AND numnode(to_tsquery('simple', %s)) > 0
      AND message.id < %s AND session.owner_id = %s AND session.deleted_at IS NULL
      AND turn.replaced_by_id IS NULL
    ORDER BY message.id DESC LIMIT %s"""
ASCII_NON_WORDS = re.compile("[\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]+")
"""Characters that the trigger on PostgreSQL replaces by blanks: its parser would see URLs, numbers and paths there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHit:
    """A message found by a search."""

    id: int
    session: Session
    turn_id: uuid.UUID
    turn_number: int
    author: str
    """`Message.Author`"""
    text: str
    snippet: tuple[SnippetPiece, ...]
    at: datetime
    who: str
    """The speaker label, for a message from the team."""


def search_messages(
    person: Owner, query: str, *, limit: int, before: int | None = None, terms: Sequence[QueryTerm] | None = None
) -> list[MessageHit]:
    """Return the person's own messages that contain all terms, newest first; below the id `before` if given.

    No query is an error; a query without words finds nothing. `terms` are the parsed query.
    """
    terms = parse_query(query) if terms is None else terms
    found = find_messages(person, terms, limit=limit, before=before)
    rows = Message.objects.filter(pk__in=found).select_related("session", "turn").order_by("-pk")
    return [_hit(row, terms) for row in rows]


def find_messages(person: Owner, terms: Sequence[QueryTerm], *, limit: int, before: int | None = None) -> list[int]:
    """Return the ids of the person's own messages that contain all terms, newest first; without terms, none."""
    if not terms:
        return []
    if connection.vendor == "sqlite":
        sql, matches = IN_SQLITE, [sqlite_query(person, terms)]
    else:
        wanted = postgresql_query(terms)
        sql, matches = IN_POSTGRESQL, [f"'owner {person.pk}'", wanted, wanted]
    with connection.cursor() as cursor:
        cursor.execute(sql, [*matches, LARGEST_ID if before is None else before, person.pk, limit])
        return [pk for (pk,) in cursor.fetchall()]


def _hit(row: Message, terms: Sequence[QueryTerm]) -> MessageHit:
    # Emphasis is rendered on the page; here it would show as asterisks.
    said = row.text if row.author == Message.Author.LEARNER else row.text.replace("**", "").replace("`", "")
    return MessageHit(
        id=row.pk,
        session=row.session,
        turn_id=row.turn_id,
        turn_number=row.turn.number,
        author=row.author,
        text=row.text,
        snippet=snippet(said, terms),
        at=row.created_at,
        who=speaker_of(row.turn).label,
    )


def sqlite_query(person: Owner, terms: Sequence[QueryTerm]) -> str:
    """Return the terms in FTS5's query language, where everything in double quotes is plain words."""
    wanted = [_phrase_in_sqlite(term) for term in terms if not term.is_excluded]
    unwanted = [_phrase_in_sqlite(term) for term in terms if term.is_excluded]
    found = " AND ".join([f'owner : "p{person.pk}"', *wanted])
    return " NOT ".join([f"({found})", *unwanted])


def _phrase_in_sqlite(term: QueryTerm) -> str:
    return f"text : {quoted_in_sqlite(term)}"


def quoted_in_sqlite(term: QueryTerm) -> str:
    """Return a term's words as one phrase of FTS5."""
    return f'"{term.text.replace(chr(34), " ")}"{" *" if term.is_prefix else ""}'


def postgresql_query(terms: Sequence[QueryTerm]) -> str:
    """Return the terms in the language of `to_tsquery`, where everything in quotes is plain words."""
    return " & ".join(filter(None, map(_phrase_in_postgresql, terms)))


def _phrase_in_postgresql(term: QueryTerm) -> str:
    words = [f"'{word}'" for word in ASCII_NON_WORDS.sub(" ", fold(term.text)).split()]
    if not words:
        return ""
    if term.is_prefix:
        # The planner knows how common a word is, but not a prefix: for common ones it scans the newest rows.
        words[-1] = f"({words[-1]} | {words[-1]}:*)"
    phrase = " <-> ".join(words)
    return f"!({phrase})" if term.is_excluded else phrase
