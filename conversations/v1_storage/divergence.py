"""How far v1's and v2's storage differ: what one lacks, and what reads differently."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from django.core.cache import cache
from django.db import connection

from conversations.models import OPEN_STATUSES, Capture
from conversations.v1_storage.modes import StorageMode, storage_mode

CACHE_KEY: Final = "storage-divergence"
CACHED_S: Final = 60.0
"""With 100,000 messages, counting takes a third of a second."""
OPEN: Final = ", ".join(f"'{status}'" for status in OPEN_STATUSES)
WITHOUT_CAPTURE: Final = f"""
    FROM conversations_turn AS turn
    JOIN conversations_session AS session ON session.id = turn.session_id AND session.deleted_at IS NULL
    LEFT JOIN captures ON captures.turn_id = turn.id
    WHERE captures.id IS NULL AND turn.replaced_by_id IS NULL AND turn.status NOT IN ({OPEN})"""
"""Active finished turns that v1's storage lacks."""
DIFFERENT: Final = """
    FROM captures
    JOIN conversations_turn AS turn ON turn.id = captures.turn_id AND turn.replaced_by_id IS NULL
    JOIN conversations_session AS session ON session.id = turn.session_id AND session.deleted_at IS NULL
    LEFT JOIN conversations_message AS said ON said.turn_id = turn.id AND said.author = 'learner'
    LEFT JOIN conversations_message AS reply ON reply.turn_id = turn.id AND reply.author = 'team'
    WHERE (COALESCE(said.text, '') <> captures.user_text
           OR COALESCE(reply.text, '') <> COALESCE(captures.reply, captures.agent_text))"""
"""Captures whose turn's messages read differently, or are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """Numbers of exchanges in which the two storages differ."""

    without_turn: int
    """In v1's storage only. Orphans are not counted: v2's storage cannot have them."""
    without_capture: int
    """In v2's storage only; 0 in mode v2, in which captures are not written."""
    different: int
    """In both, but not with the same texts."""

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


def storage_divergence(mode: StorageMode | None = None) -> int:
    """Return the number of exchanges in which the storages differ; 0 before reading may change from one to the other.

    `mode` is the one to count for, if not the one in force: before going back from v2, count for `dual`. Compares every
    text, in the database.
    """
    return measure_divergence(mode).total


def recent_divergence() -> int:
    """Return `storage_divergence()` as of at most a minute ago, for what asks often."""
    return int(cache.get_or_set(CACHE_KEY, storage_divergence, CACHED_S) or 0)


def measure_divergence(mode: StorageMode | None = None) -> Divergence:
    """Return what `storage_divergence` counts, by kind."""
    captured = (mode or storage_mode()) is not StorageMode.V2
    return Divergence(
        without_turn=Capture.objects.filter(turn=None).exclude(owner=None).count(),
        without_capture=_count(WITHOUT_CAPTURE) if captured else 0,
        different=_count(DIFFERENT),
    )


def _count(of: str) -> int:
    return int(rows(f"SELECT COUNT(*) {of}")[0][0])


def rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
