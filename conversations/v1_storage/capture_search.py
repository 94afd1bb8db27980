"""Full-text search over a person's captures: FTS5 on SQLite, a tsvector on PostgreSQL."""

from django.db import connection

from conversations.models import Capture
from conversations.owners import Owner
from conversations.search.messages import postgresql_query, quoted_in_sqlite
from conversations.search.query import parse_query

IN_SQLITE = """
    SELECT searched.rowid FROM captures_fts AS searched
    CROSS JOIN captures ON captures.id = searched.rowid
    LEFT JOIN conversations_turn AS turn ON turn.id = captures.turn_id
    LEFT JOIN conversations_session AS session ON session.id = turn.session_id
    WHERE captures_fts MATCH %s AND captures.owner_id = %s
      AND turn.replaced_by_id IS NULL AND session.deleted_at IS NULL
    ORDER BY searched.rowid DESC LIMIT %s"""
IN_POSTGRESQL = """
    SELECT captures.id FROM captures
    LEFT JOIN conversations_turn AS turn ON turn.id = captures.turn_id
    LEFT JOIN conversations_session AS session ON session.id = turn.session_id
    WHERE captures.searched @@ (%s::tsquery && to_tsquery('simple', %s)) AND numnode(to_tsquery('simple', %s)) > 0
      AND captures.owner_id = %s AND turn.replaced_by_id IS NULL AND session.deleted_at IS NULL
    ORDER BY captures.id DESC LIMIT %s"""


def search_captures(person: Owner, query: str, *, limit: int) -> list[Capture]:
    """Return the person's own captures in which all words of the query occur, the last stored first.

    A query without words finds nothing.
    """
    terms = parse_query(query)
    if not terms:
        return []
    if connection.vendor == "sqlite":
        # A term may be in either text, and an excluded one in neither.
        wanted = [quoted_in_sqlite(term) for term in terms if not term.is_excluded]
        unwanted = [quoted_in_sqlite(term) for term in terms if term.is_excluded]
        found = " AND ".join([f'owner : "p{person.pk}"', *(f"{{user_text agent_text}} : {term}" for term in wanted)])
        left_out = (f"{{user_text agent_text}} : {term}" for term in unwanted)
        statement, matches = IN_SQLITE, [" NOT ".join([f"({found})", *left_out])]
    else:
        words = postgresql_query(terms)
        statement, matches = IN_POSTGRESQL, [f"'owner {person.pk}'", words, words]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*matches, person.pk, limit])
        keys = [key for (key,) in cursor.fetchall()]
    return list(Capture.objects.filter(pk__in=keys).order_by("-pk"))
