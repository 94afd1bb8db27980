"""Passages by their words: BM25 over FTS5 on SQLite, the text search's own rank on PostgreSQL.

The index is narrowed to the owners whose documents a person may read any of; which passages those are is then asked of
the rows (`conversations.searching.readable`).
"""

from collections.abc import Collection, Sequence

from django.db import connection

from agents.people import Person
from conversations.history.search import ASCII_BUT_WORDS
from conversations.history.terms import Term, folded, parsed
from conversations.searching.readable import DOCUMENT, MESSAGE, owners_read_by, readable_passages

LONGEST_QUERY, MOST_TERMS = 1_000, 24
"""A question may be long; what it is about stands in its first words."""
MOST_BEGINNINGS = 3
"""Up to so many terms, a word finds longer ones too: somebody is typing, not asking."""
DEPTHS = (200, 2_000, 20_000)
"""Best passages of the index looked at, until enough of them are the person's to read."""
COMMON = frozenset(
    [
        "a",
        "about",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "call",
        "called",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "mean",
        "means",
        "my",
        "of",
        "on",
        "or",
        "our",
        "should",
        "so",
        "such",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
"""Words that ask, or say nothing: looked for only where nothing else is."""
IN_SQLITE = """
    SELECT rowid FROM conversations_passage_search WHERE conversations_passage_search MATCH %s
    ORDER BY bm25(conversations_passage_search, 1, 1, 0) LIMIT %s"""
IN_POSTGRESQL = """
    WITH asked AS (
      SELECT to_tsquery('conversations_words', %s) AS wanted, to_tsquery('conversations_words', %s) AS unwanted
    )
    SELECT passage.id FROM conversations_passage AS passage, asked
    WHERE passage.words @@ (%s::tsquery && wanted && !!unwanted) AND numnode(wanted) > 0
    ORDER BY ts_rank(passage.words, wanted, 1) DESC, passage.id LIMIT %s"""


def terms_of(query: str) -> list[Term]:
    """Return what to look for in passages. Empty where no word is left."""
    terms = parsed(query, longest=LONGEST_QUERY, most=MOST_TERMS)
    telling = [term for term in terms if term.is_excluded or folded(term.text) not in COMMON]
    return telling if any(not term.is_excluded for term in telling) else terms


def best_by_words(person: Person, query: str, *, kinds: Collection[str], limit: int) -> list[int]:
    """Return the ids of passages that the person may read and that have any of the words, the best first.

    Nothing that is typed is an error; a query without a word finds nothing.
    """
    terms = terms_of(query)
    owners = owners_read_by(person) if DOCUMENT in kinds else []
    with_publications = any(kind not in (MESSAGE, DOCUMENT) for kind in kinds)
    if not terms or not (owners or with_publications):
        return []
    readable = readable_passages(person, kinds)
    best: list[int] = []
    for depth in DEPTHS:
        found = _looked_up(terms, owners, with_publications=with_publications, limit=depth)
        theirs = set(readable.filter(pk__in=found).values_list("pk", flat=True))
        best = [pk for pk in found if pk in theirs][:limit]
        if len(best) == limit or len(found) < depth:
            break
    return best


def _looked_up(terms: Sequence[Term], owners: Sequence[int], *, with_publications: bool, limit: int) -> list[int]:
    wanted = [term for term in terms if not term.is_excluded]
    unwanted = [term for term in terms if term.is_excluded]
    if connection.vendor == "sqlite":
        sql = IN_SQLITE
        parameters = [_for_sqlite(wanted, unwanted, owners, with_publications=with_publications)]
    else:
        sql = IN_POSTGRESQL
        whose = [f"'owner {owner}'" for owner in owners] + ["'for everyone'"] * with_publications
        parameters = [_for_postgresql(wanted), _for_postgresql(unwanted), " | ".join(whose)]
    with connection.cursor() as cursor:
        cursor.execute(sql, [*parameters, limit])
        return [pk for (pk,) in cursor.fetchall()]


def _for_sqlite(
    wanted: Sequence[Term], unwanted: Sequence[Term], owners: Sequence[int], *, with_publications: bool
) -> str:
    """Return the terms in FTS5's language, in which whatever stands between double quotes is words."""
    whose = [f'"p{owner}"' for owner in owners] + ['"everyone"'] * with_publications
    begins = len(wanted) <= MOST_BEGINNINGS
    any_of = " OR ".join(_phrase_in_sqlite(term, begins=begins) for term in wanted)
    found = f"{{text heading}} : ({any_of}) AND owner : ({' OR '.join(whose)})"
    none_of = [f"{{text heading}} : {_phrase_in_sqlite(term, begins=begins)}" for term in unwanted]
    return " NOT ".join([f"({found})", *none_of])


def _phrase_in_sqlite(term: Term, *, begins: bool) -> str:
    return f'"{term.text.replace(chr(34), " ")}"{" *" if begins and term.is_prefix else ""}'


def _for_postgresql(terms: Sequence[Term]) -> str:
    """Return the terms in the language of `to_tsquery`, in which whatever stands between quotes is words."""
    begins = len(terms) <= MOST_BEGINNINGS
    return " | ".join(filter(None, (_phrase_in_postgresql(term, begins=begins) for term in terms)))


def _phrase_in_postgresql(term: Term, *, begins: bool) -> str:
    words = [f"'{word}'" for word in ASCII_BUT_WORDS.sub(" ", folded(term.text)).split()]
    if words and begins and term.is_prefix:
        words[-1] = f"({words[-1]} | {words[-1]}:*)"
    return f"({' <-> '.join(words)})" if words else ""
