"""Edited messages: which may be edited, which turns become history, and the versions a reader can page through."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.models import Finding, Message, Session, Turn
from conversations.summaries.records import delete_summaries
from conversations.turns.handler import turn_handler

CARDS_FROM = 100
"""Number of latest active replies whose cards are not shown again in an older version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageVersions:
    """The versions of a message up to this one."""

    ids: tuple[uuid.UUID, ...]
    """Their turns, oldest first."""

    @property
    def total(self) -> int:
        return len(self.ids)

    @property
    def earlier(self) -> int:
        """The place, from 1, of the version before the newest."""
        return self.total - 1


def find_replaceable(session: Session, turn_id: uuid.UUID) -> Turn:
    """Return the turn of this session whose message may be edited.

    Raises Rejection: 404 if it does not exist, 409 if it is already history, 422 if it may not be edited.
    """
    turn = session.turns.filter(pk=turn_id).first()
    if turn is None:
        raise rejections.not_found()
    if turn.replaced_by_id is not None:
        message = _("This message was changed in another window. Reload the page to see it.")
        raise Rejection("conflict", message, status=409)
    later = session.turns.filter(number__gte=turn.number, replaced_by=None).order_by("number")
    if why := why_not_replaceable(turn, list(later)):
        raise rejections.invalid("replaces", why)
    return turn


def why_not_replaceable(turn: Turn, since: Sequence[Turn]) -> str:
    """Return why the turn's message may not be edited, empty if it may; `since` are the turns from it on."""
    if turn.kind != Turn.Kind.MESSAGE or not turn.before:
        return _("You can change only your own messages.")
    return next(filter(None, map(turn_handler().may_rerun, since)), "")


def replaceable_turns(turns: Sequence[Turn]) -> frozenset[uuid.UUID]:
    """Return which of a conversation's latest turns, given in order, have a message that may be edited."""
    may: set[uuid.UUID] = set()
    for turn in reversed(turns):
        if turn_handler().may_rerun(turn):
            break
        if turn.kind == Turn.Kind.MESSAGE and turn.before and turn.replaced_by_id is None:
            may.add(turn.pk)
    return frozenset(may)


def rewind(session: Session, replaced: Turn, *, title_was: str) -> None:
    """Reset the session to its state before that turn; the caller saves it. `title_was`: the title from the message."""
    session.state = dict(replaced.before["state"])
    session.positions = dict(replaced.before["positions"])
    if session.title == title_was:
        session.title = ""


def learner_text(turn: Turn) -> str:
    """Return the turn's message from the learner; empty if there is none."""
    said = Message.objects.filter(turn=turn, author=Message.Author.LEARNER).values_list("text", flat=True)
    return said.first() or ""


def supersede(replaced: Turn, *, by: Turn) -> None:
    """Mark the replaced turn, and all later active ones, as history of the new one, with their effects."""
    later = Turn.objects.filter(session=by.session_id, number__gte=replaced.number, number__lt=by.number)
    later.filter(replaced_by=None).update(replaced_by=by)
    Finding.objects.filter(resolved_turn__replaced_by=by).update(resolved_turn=None)
    Finding.objects.filter(overridden_turn__replaced_by=by).update(overridden_turn=None, overridden_why="")
    Finding.objects.filter(session=by.session_id, told_turn__gte=replaced.number).update(told_turn=None)
    delete_summaries(by)
    turn_handler().undo(by)


def versions_of(turns: Sequence[Turn]) -> dict[uuid.UUID, MessageVersions]:
    """Return the versions of each edited message; one query, none if no message was edited."""
    again = [turn for turn in turns if turn.replaces_id is not None]
    if not again:
        return {}
    rows = Turn.objects.filter(session=again[0].session_id).exclude(replaces=None)
    replaced = dict(rows.values_list("pk", "replaces"))
    return {turn.pk: MessageVersions(ids=_chain(turn.pk, replaced)) for turn in again}


def _chain(newest: uuid.UUID, replaced: dict[uuid.UUID, uuid.UUID | None]) -> tuple[uuid.UUID, ...]:
    ids = [newest]
    while before := replaced.get(ids[-1]):
        ids.append(before)
    return tuple(reversed(ids))


def turns_of_version(versions: MessageVersions, place: int, *, at_most: int) -> list[Turn]:
    """Return the turns of an older version, `place` from 1, and those that followed it until the next version."""
    undone = Turn.objects.filter(replaced_by=versions.ids[place]).order_by("number")
    return list(undone.select_related("session")[:at_most])


def ids_of_current_cards(session: Session) -> frozenset[str]:
    """Return the ids of the cards in the active turns of the conversation."""
    replies = Message.objects.filter(session=session, turn__replaced_by=None, author=Message.Author.TEAM)
    latest = replies.order_by("-turn__number").values_list("cards", flat=True)[:CARDS_FROM]
    return frozenset(card["id"] for cards in latest for card in cards)
