"""A person's 100,000 messages, and searches in them: through the index, and by a plain scan."""

import random
import uuid
from collections.abc import Callable, Sequence
from functools import cache
from time import process_time
from typing import Any

from bench.contenders import temporary_django

SESSIONS, TURNS = 500, 100
"""Each turn has two messages."""
COMMON = "half third quarter fraction piece equal share line number top bottom part bigger because bread the a of is it"
COMMON_WORDS = COMMON.split()
QUERIES = (
    "half",  # In most messages.
    "frac",  # The beginning of a common word.
    "bigger because",
    '"equal part"',
    "share -bread",
    "word123",  # A handful.
    "nowhere",  # None: a scan reads everything.
    "word12 half third",
)


def sample_ours() -> dict[str, float]:
    """Search as the page does: the index, the rows, the snippets."""
    person = _person()
    from conversations.search.messages import search_messages

    return _figures(lambda query: search_messages(person, query, limit=20))


def sample_scan() -> dict[str, float]:
    """What one would write by hand: each word by LIKE, the newest first."""
    person = _person()
    return _figures(lambda query: _scanned(person, query))


def _scanned(person: Any, query: str) -> Sequence[Any]:
    from conversations.models import Message

    rows = Message.objects.filter(session__owner=person, session__deleted_at=None)
    for word in query.replace('"', "").split():
        unwanted = word.startswith("-")
        rows = rows.exclude(text__icontains=word[1:]) if unwanted else rows.filter(text__icontains=word)
    return list(rows.select_related("session", "turn").order_by("-pk")[:20])


def _figures(search: Callable[[str], Sequence[Any]]) -> dict[str, float]:
    """Return CPU milliseconds of a query: the mean of all, and the slowest."""
    taken = []
    for query in QUERIES:
        before = process_time()
        search(query)
        taken.append((process_time() - before) * 1e3)
    return {"mean_cpu_ms": sum(taken) / len(taken), "slowest_cpu_ms": max(taken)}


@cache
def _person() -> Any:
    """Store the messages, and return whose they are."""
    temporary_django.prepare_django()
    from django.contrib.auth import get_user_model
    from django.db import transaction

    from conversations.models import Message, Session, Turn

    chance = random.Random(1)
    rare = [f"word{number}" for number in range(20_000)]
    owner = get_user_model().objects.create(username="ada")
    for _ in range(SESSIONS):
        session = Session.objects.create(owner=owner, key=uuid.uuid4().hex)
        turns = [
            Turn(session=session, owner=owner, number=number, client_id=uuid.uuid4().hex, status="done")
            for number in range(1, TURNS + 1)
        ]
        with transaction.atomic():
            Turn.objects.bulk_create(turns)
            Message.objects.bulk_create(
                Message(session=session, turn=turn, author=author, text=_text(chance, rare))
                for turn in turns
                for author in ("learner", "team")
            )
    return owner


def _text(chance: random.Random, rare: Sequence[str]) -> str:
    return " ".join(
        chance.choice(COMMON_WORDS if chance.random() < 0.7 else rare) for _ in range(chance.randint(4, 90))
    )
