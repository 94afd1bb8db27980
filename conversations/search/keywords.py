"""Keyword search of passages: BM25 over FTS5 on SQLite, text search ranking on PostgreSQL.

The index is limited to owners of documents the person may read; which passages may be read is then checked in the
rows (`conversations.search.permissions`).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Protocol

from django.db import connection

from conversations.search.messages import ASCII_NON_WORDS
from conversations.search.permissions import DOCUMENT, MESSAGE, Reader, owners_readable_by, select_findable
from conversations.search.query import QueryTerm, fold, parse_query

LONGEST_QUERY, MOST_TERMS = 1_000, 24
"""Limits of a query. A question may be long, but its topic is in the first words."""
MOST_BEGINNINGS = 3
"""With at most this many terms, a word also matches longer words, because the person may still be typing."""
DEPTHS = (200, 2_000, 20_000)
"""Top passages of the index that are checked, in steps, until enough are readable by the person."""
MOST_PASSAGES = 10_000
"""Approximate number of passages ranked for a query of several terms."""
SHORTEST_INFLECTED = 5
INFLECTION = re.compile(r"(?:ies|y|es|s|ing|ed|e)$")
COMMON_WORDS = """
    a about an and any are as at be been but by call called can could did do does for from had has have how i if in into is it
    its me mean means my of on or our should so such tell than that the their them then there these they this those to us was
    we were what when where which who why will with would you your"""
COMMON = frozenset(COMMON_WORDS.split())
"""Function words: searched only if the query has no others."""
IN_SQLITE = """
    SELECT rowid FROM conversations_passage_search WHERE conversations_passage_search MATCH %s
    ORDER BY bm25(conversations_passage_search, 1, 1, 0) LIMIT %s"""
COUNTED_IN_SQLITE = "SELECT count(*) FROM conversations_passage_search WHERE conversations_passage_search MATCH %s"
COUNTED_IN_POSTGRESQL = """
    WITH common AS (
      SELECT lexeme, share FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS known(lexeme, share)
      WHERE schemaname = current_schema() AND tablename = 'conversations_passage' AND attname = 'words'
    )
    SELECT (SELECT reltuples FROM pg_class WHERE oid = 'conversations_passage'::regclass) * coalesce(min(share), 0)
    FROM unnest(%s::text[]) WITH ORDINALITY AS phrases(phrase, place)
    LEFT JOIN common ON lexeme = ANY (tsvector_to_array(to_tsvector('conversations_words', phrase)))
    GROUP BY place ORDER BY place"""
"""Uses PostgreSQL's table statistics only; a word not in them counts as 0."""
IN_POSTGRESQL = """
    WITH asked AS (
      SELECT to_tsquery('conversations_words', %s) AS wanted, to_tsquery('conversations_words', %s) AS unwanted
    )
    SELECT passage.id FROM conversations_passage AS passage, asked
    WHERE passage.words @@ (%s::tsquery && wanted && !!unwanted) AND numnode(wanted) > 0
    ORDER BY ts_rank(passage.words, wanted, 1) DESC, passage.id LIMIT %s"""


def content_terms(query: str) -> list[QueryTerm]:
    """Return the terms to search for in passages; empty if no word is left."""
    terms = parse_query(query, longest=LONGEST_QUERY, most=MOST_TERMS)
    telling = [term for term in terms if term.is_excluded or fold(term.text) not in COMMON]
    return telling if any(not term.is_excluded for term in telling) else terms


def marked_terms(query: str) -> list[QueryTerm]:
    """Return the terms to mark in a passage, including other forms of the words, roughly as the index stems them."""
    return [_stem(term) for term in content_terms(query)]


def _stem(term: QueryTerm) -> QueryTerm:
    words = term.words()
    if len(words) > 1 or not term.is_prefix or len(words[0]) < SHORTEST_INFLECTED:
        return term
    return replace(term, text=INFLECTION.sub("", words[0]))


def find_by_words(person: Reader, query: str, *, kinds: Collection[str], limit: int) -> list[int]:
    """Return the ids of passages that the person may read and that contain any of the words, best first.

    No query is an error; a query without words finds nothing.
    """
    terms = content_terms(query)
    owners = owners_readable_by(person) if DOCUMENT in kinds else []
    with_publications = any(kind not in (MESSAGE, DOCUMENT) for kind in kinds)
    if not terms or not (owners or with_publications):
        return []
    made = SQLiteWordIndex if connection.vendor == "sqlite" else PostgreSQLWordIndex
    index: WordIndex = made(owners, with_publications=with_publications)
    best: list[int] = []
    for depth in DEPTHS:
        found = _look_up(terms, index, limit=depth)
        best = select_findable(person, found, kinds)[:limit]
        if len(best) == limit or len(found) < depth:
            break
    return best


def _look_up(terms: Sequence[QueryTerm], index: "WordIndex", *, limit: int) -> list[int]:
    wanted = [term for term in terms if not term.is_excluded]
    unwanted = [term for term in terms if term.is_excluded]
    begins = len(wanted) <= MOST_BEGINNINGS
    phrases = list(filter(None, (index.phrase(term, begins=begins) for term in wanted)))
    if not phrases:
        return []
    if len(phrases) > 1:
        phrases = rarest_phrases(index.counted(phrases))
    return index.best(
        phrases, list(filter(None, (index.phrase(term, begins=begins) for term in unwanted))), limit=limit
    )


def rarest_phrases(counted: Sequence[tuple[str, float]]) -> list[str]:
    """Return the rarest phrases, found in about 10,000 passages together; at least one. Common ones cost much."""
    chosen: list[str] = []
    passages = 0.0
    for phrase, number in sorted(counted, key=lambda each: each[1]):
        if chosen and passages + number > MOST_PASSAGES:
            break
        chosen.append(phrase)
        passages += number
    return chosen


class WordIndex(Protocol):
    """A database's word index, limited to some owners."""

    def phrase(self, term: QueryTerm, *, begins: bool) -> str:
        """Return a term in the database's query language; empty if it has no word for it."""

    def counted(self, phrases: Sequence[str]) -> list[tuple[str, float]]:
        """Return phrases, each with the approximate number of passages that contain it."""

    def best(self, wanted: Sequence[str], unwanted: Sequence[str], *, limit: int) -> list[int]:
        """Return the passages that contain any wanted phrase and no unwanted one, best first."""


class SQLiteWordIndex:
    """FTS5 index; in its query language, everything in double quotes is plain words."""

    def __init__(self, owners: Sequence[int], *, with_publications: bool) -> None:
        whose = [f'"p{owner}"' for owner in owners] + ['"everyone"'] * with_publications
        self._whose = f"owner : ({' OR '.join(whose)})"

    def phrase(self, term: QueryTerm, *, begins: bool) -> str:
        return f'"{term.text.replace(chr(34), " ")}"{" *" if begins and term.is_prefix else ""}'

    def counted(self, phrases: Sequence[str]) -> list[tuple[str, float]]:
        asked = [f"{{text heading}} : {phrase} AND {self._whose}" for phrase in phrases]
        counts = _rows(" UNION ALL ".join([COUNTED_IN_SQLITE] * len(asked)), asked)
        return list(zip(phrases, counts, strict=True))

    def best(self, wanted: Sequence[str], unwanted: Sequence[str], *, limit: int) -> list[int]:
        found = f"({{text heading}} : ({' OR '.join(wanted)}) AND {self._whose})"
        matching = " NOT ".join([found, *(f"{{text heading}} : {phrase}" for phrase in unwanted)])
        return _rows(IN_SQLITE, [matching, limit])


class PostgreSQLWordIndex:
    """tsvector index; in the language of `to_tsquery`, everything in quotes is plain words."""

    def __init__(self, owners: Sequence[int], *, with_publications: bool) -> None:
        self._whose = " | ".join([f"'owner {owner}'" for owner in owners] + ["'for everyone'"] * with_publications)

    def phrase(self, term: QueryTerm, *, begins: bool) -> str:
        words = [f"'{word}'" for word in ASCII_NON_WORDS.sub(" ", fold(term.text)).split()]
        if words and begins and term.is_prefix:
            words[-1] = f"({words[-1]} | {words[-1]}:*)"
        return f"({' <-> '.join(words)})" if words else ""

    def counted(self, phrases: Sequence[str]) -> list[tuple[str, float]]:
        return list(zip(phrases, _rows(COUNTED_IN_POSTGRESQL, [list(phrases)]), strict=True))

    def best(self, wanted: Sequence[str], unwanted: Sequence[str], *, limit: int) -> list[int]:
        return _rows(IN_POSTGRESQL, [" | ".join(wanted), " | ".join(unwanted), self._whose, limit])


def _rows(sql: str, parameters: Sequence[Any]) -> list[Any]:
    """Return the first column of the result."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return [row[0] for row in cursor.fetchall()]
