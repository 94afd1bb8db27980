"""Past turns as v1 knows them: a message and its reply in one row."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.db.models.functions import Now

from conversations.models import Message, Session, Turn
from conversations.owners import Owner
from conversations.search.messages import search_messages
from conversations.search.query import SnippetPiece, parse_query, snippet
from conversations.timestamps import wire_time
from conversations.turns.reply_text import reply_texts

ACTIVE_FOR = timedelta(minutes=30)
"""How long a session counts as active after its last message, as long as its context is kept in the cache."""
MOST_ACTIVE = 100
"""Active sessions that are listed."""


def exchanges_of(session: Session, person: Owner, *, limit: int) -> list[dict[str, Any]]:
    """Return the session's latest turns, oldest first: id, timestamp, user_text, agent_text, metadata."""
    rows = session.turns.filter(replaced_by=None).order_by("-number")[:limit]
    turns = list(rows)[::-1]
    texts = _texts(turns, person)
    return [
        {
            "id": str(turn.pk),
            "timestamp": wire_time(turn.created_at),
            "user_text": texts[turn.pk][0],
            "agent_text": texts[turn.pk][1],
            "metadata": {"kind": turn.kind, "status": turn.status} | turn.answer.get("metadata", {}),
        }
        for turn in turns
    ]


def search_exchanges(person: Owner, query: str, *, limit: int) -> list[dict[str, Any]]:
    """Return the person's own turns whose message or reply contains all terms, newest first.

    Each has `id`, `session_id`, `timestamp`, both texts, and a snippet of each as pieces of plain text.
    """
    terms = parse_query(query)
    # Both messages of a turn may be found.
    hits = search_messages(person, query, limit=2 * limit, terms=terms)
    found = list(dict.fromkeys(hit.turn_id for hit in hits))[:limit]
    turns = Turn.objects.filter(pk__in=found).select_related("session").in_bulk()
    texts = _texts(list(turns.values()), person)

    def marked(text: str) -> tuple[SnippetPiece, ...]:
        return snippet(text.replace("**", "").replace("`", ""), terms)

    return [
        {
            "id": str(pk),
            "session_id": turns[pk].session.key,
            "timestamp": wire_time(turns[pk].created_at),
            "user_text": texts[pk][0],
            "agent_text": texts[pk][1],
            "user_snippet": snippet(texts[pk][0], terms),
            "agent_snippet": marked(texts[pk][1]),
        }
        for pk in found
    ]


def count_exchanges(person: Owner, *, of_everybody: bool) -> dict[str, Any]:
    """Return the figures of the person's own turns, or of everybody's, over all surfaces."""
    turns = Turn.objects.filter(replaced_by=None, session__deleted_at=None)
    if not of_everybody:
        turns = turns.filter(owner=person)
    figures = turns.aggregate(total=Count("pk"), sessions=Count("session", distinct=True), last=Max("created_at"))
    active = _active_keys(turns)
    return {
        "database": {
            "total_captures": figures["total"],
            "unique_sessions": figures["sessions"],
            "last_capture": wire_time(figures["last"]),
        },
        "sessions": {"active": len(active), "ids": active[:MOST_ACTIVE]},
    }


def _active_keys(turns: QuerySet[Turn]) -> list[str]:
    """Return the keys of the sessions with a message in the last ACTIVE_FOR, the latest first."""
    recent = turns.filter(created_at__gt=Now() - ACTIVE_FOR).order_by()
    rows = recent.values("session_id", "session__key").annotate(last=Max("created_at")).order_by("-last")
    return [row["session__key"] for row in rows]


def _texts(turns: Sequence[Turn], person: Owner) -> dict[Any, tuple[str, str]]:
    """Return turn id → its message and its whole reply in words; empty texts for what there is not."""
    messages = list(Message.objects.filter(turn__in=turns))
    said = {each.turn_id: each.text for each in messages if each.author == Message.Author.LEARNER}
    replies = reply_texts([each for each in messages if each.author == Message.Author.TEAM], person)
    return {turn.pk: (said.get(turn.pk, ""), replies.get(turn.pk, "")) for turn in turns}
