"""Reads which of a person's messages name which concepts, from the stored answers."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from conversations.models import Session, Turn
from conversations.owners import Owner

TURNS_SEARCHED: Final = 5_000
"""Latest turns of a person that are searched for concepts; most turns of a lesson have none. It takes 0.1 s."""
MESSAGES_READ: Final = 1_000
"""Latest messages with concepts that are read."""
_FIELDS: Final = (
    "pk", "number", "created_at", "session__key", "session__title", "answer__concepts", "answer__relationships",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMessage:
    """One message, with the concepts that it names."""

    at: datetime
    session_key: str
    title: str
    """The conversation's name."""
    url: str
    """The message in its conversation."""
    concepts: Sequence[Mapping[str, Any]]
    """`{name, category}`, as in a v2 answer."""
    relationships: Sequence[Mapping[str, Any]]
    """`{source, target, type}`, as in a v2 answer."""


def asked_messages(person: Owner) -> list[AskedMessage]:
    """Return the person's messages that name concepts, latest first; one query.

    They are computed anew each time: what was deleted or replaced is gone at once.
    """
    latest = Turn.objects.filter(owner=person).order_by("-created_at").values("pk")[:TURNS_SEARCHED]
    rows = Turn.objects.filter(pk__in=latest, replaced_by=None, session__deleted_at=None, answer__has_key="concepts")
    return [_message(*row) for row in rows.order_by("-created_at").values_list(*_FIELDS)[:MESSAGES_READ]]


def _message(
    pk: uuid.UUID,
    number: int,
    at: datetime,
    key: str,
    title: str,
    concepts: Sequence[Mapping[str, Any]],
    relationships: Sequence[Mapping[str, Any]] | None,
) -> AskedMessage:
    return AskedMessage(
        at=at,
        session_key=key,
        title=title or _("A conversation"),
        url=f"{Session(key=key).get_absolute_url()}?at={number}#turn-{pk}",
        concepts=concepts,
        relationships=relationships or (),
    )
