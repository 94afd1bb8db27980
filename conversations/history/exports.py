"""Exports a conversation as Markdown or JSON. Reads it in short pages, so that no transaction stays open."""

import json
import re
import unicodedata
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents.storage.threads import in_orm_thread
from conversations.cards import cards_text
from conversations.history.safe_markdown import disarm_markdown, escape_line, escape_text
from conversations.library.attached_documents import attachments_of
from conversations.models import Document, Message, Session, Turn
from conversations.owners import Owner
from conversations.speakers import speaker_of
from conversations.timestamps import wire_time
from conversations.turns.reply_text import interleave_cards, text_with_cards

PAGE = 100
"""Number of turns read by one query."""
LONGEST_NAME = 60
NO_WORD = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTurn:
    """A turn as exported."""

    turn: Turn
    said: str
    reply: str
    cards: Sequence[Mapping[str, Any]]
    """`{kind, id, at, text}`; `at` is the number of characters of the reply before it."""
    files: Sequence[Mapping[str, str]]
    """`{id, name}` of the files sent with the message, if they still exist."""


async def as_markdown(session: Session, person: Owner) -> AsyncIterator[str]:
    """Yield the conversation as Markdown in which everything said is plain text, except links to the web."""
    yield f"# {escape_line(session.title or _('A conversation'))}\n\n"
    told: set[str] = set()
    async for exported in _turns(session, person):
        # A card shown again later is written only at its first place.
        cards = [card for card in exported.cards if card["id"] not in told]
        yield "".join(_markdown_of(replace(exported, cards=cards)))
        told.update(card["id"] for card in exported.cards)


async def as_json(session: Session, person: Owner) -> AsyncIterator[str]:
    """Yield the conversation as one JSON object, its turns in order."""
    head = {
        "format": "learnagent conversation",
        "version": 1,
        "session_id": session.key,
        "title": session.title,
        "created_at": wire_time(session.created_at),
        "updated_at": wire_time(session.updated_at),
    }
    yield json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "turns": ['
    between = "\n  "
    async for exported in _turns(session, person):
        yield between + json.dumps(_json_of(exported), ensure_ascii=False)
        between = ",\n  "
    yield "\n ]\n}\n"


def file_name(session: Session, ending: str) -> str:
    """Return a name valid on every file system: words of the title, today's date."""
    words = NO_WORD.sub(" ", unicodedata.normalize("NFC", session.title)).split()
    title = " ".join(words)[:LONGEST_NAME].strip(" -_") or _("conversation")
    return f"{title} {timezone.localdate():%Y-%m-%d}.{ending}"


async def _turns(session: Session, person: Owner) -> AsyncIterator[ExportedTurn]:
    after = 0
    while page := await in_orm_thread(_page)(session, person, after):
        for exported in page:
            yield exported
        after = page[-1].turn.number


def _page(session: Session, person: Owner, after: int) -> list[ExportedTurn]:
    turns = list(session.turns.filter(number__gt=after, replaced_by=None).order_by("number")[:PAGE])
    said = {(row.turn_id, row.author): row for row in Message.objects.filter(turn__in=turns)}
    texts = cards_text([card for row in said.values() for card in row.cards], person)
    attached = attachments_of(turns)
    return [
        _exported_turn(
            turn,
            said.get((turn.pk, "learner")),
            said.get((turn.pk, "team")),
            texts=texts,
            files=attached.get(turn.pk, ()),
        )
        for turn in turns
    ]


def _exported_turn(
    turn: Turn, said: Message | None, reply: Message | None, *, texts: Mapping[str, str], files: Sequence[Document]
) -> ExportedTurn:
    cards = reply.cards if reply else []
    return ExportedTurn(
        turn=turn,
        said=said.text if said else "",
        reply=reply.text if reply else "",
        cards=[
            {"kind": card["kind"], "id": card["id"], "at": card["at"], "text": texts.get(card["id"], "")}
            for card in cards
        ],
        files=[{"id": str(document.pk), "name": document.name} for document in files],
    )


def _markdown_of(exported: ExportedTurn) -> Iterator[str]:
    if exported.said:
        when = f"{exported.turn.created_at:%Y-%m-%d %H:%M} UTC"
        yield f"**{_('You')}**, {when}\n\n{_quoted(escape_text(exported.said))}\n\n"
    if exported.files:
        yield f"{_('Files:')} {', '.join(escape_line(file['name']) for file in exported.files)}\n\n"
    if exported.reply or exported.cards:
        yield f"**{speaker_of(exported.turn).label}**\n\n"
    for part in interleave_cards(exported.reply, exported.cards):
        if isinstance(part, str):
            yield f"{disarm_markdown(part)}\n\n"
        elif part["text"]:
            yield f"{_quoted(disarm_markdown(part['text']))}\n\n"
    if exported.turn.status not in ("done", "degraded"):
        yield f"*{exported.turn.get_status_display()}*\n\n"


def _quoted(markdown: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in markdown.split("\n"))


def _json_of(exported: ExportedTurn) -> dict[str, Any]:
    turn, texts = exported.turn, {card["id"]: card["text"] for card in exported.cards}
    return {
        "turn_id": str(turn.pk),
        "number": turn.number,
        "kind": turn.kind,
        "status": turn.status,
        "created_at": wire_time(turn.created_at),
        "finished_at": wire_time(turn.finished_at),
        "user_text": exported.said,
        "agent_text": text_with_cards(exported.reply, exported.cards, texts),
        "reply": exported.reply,
        "cards": exported.cards,
        "attachments": exported.files,
    }
