"""HTML fragments for the page's socket, from events: each replaces or extends an element by its id."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.safestring import mark_safe

from agents.sockets.consumers import Wire
from agents.storage.threads import in_orm_thread
from agents.wire.rejections import Rejection
from conversations.cards import cards_html
from conversations.models import Session, Turn
from conversations.owners import Owner
from conversations.speakers import speaker_named, speaks
from conversations.turns.handler import turn_handler
from conversations.web import presentation

PAGE = "conversations/conversation.html"
CHANGED_AT_END = (
    "reply",
    "opened_steps",
    "composer",
    "team",
    "title",
    "mastery",
    "milestones",
    "pace",
    "noticed",
    "cost",
    "shortfall",
    "voice",
    "announce",
)
"""Partials of the page that a turn's end changes, in the order in which they are sent."""
DROPPED = 300
"""Maximum number of turns removed from an open page; a page shows more only if somebody has scrolled far back."""


class LiveView:
    """The state of one open page of a session, for updating it with fragments."""

    def __init__(self, session_pk: int) -> None:
        self.session_pk = session_pk
        self.team: list[Mapping[str, Any]] = []
        self.stands = ""
        self.is_placed = False
        """Whether the page knows where the turn belongs, see `_placed`."""

    async def html_of(self, events: list[Wire], *, person: Owner) -> str:
        """Return one frame for a batch of events; consecutive text pieces are merged."""
        html: list[str] = []
        text: list[str] = []
        for wire in events:
            if wire["type"] == "reply_text":
                text.append(wire["text"])
                continue
            if text:
                html.append(append_text(wire["turn_id"], "".join(text)))
                text = []
            html.append(await self._fragment(wire, person))
        if text:
            html.append(append_text(events[-1]["turn_id"], "".join(text)))
        html.append(seq_mark(events[-1]))
        return "".join(html)

    def noticed(self) -> str:
        """Return the current findings shown beside the conversation."""
        session = Session.objects.get(pk=self.session_pk)
        return _partial(
            "noticed", {"session": presentation.session_view(session), **presentation.findings_context(session)}
        )

    async def _fragment(self, wire: Wire, person: Owner) -> str:
        match wire["type"]:
            case "turn_started":
                self.team = []
                self.is_placed = False
                return await in_orm_thread(self._turn)(wire["turn_id"], person)
            case "queued":
                return _partial("team", {"queued": wire["position"]}) + _partial(
                    "announce", {"queued": wire["position"]}
                )
            case "turn_resumed":
                return clear_reply(wire["turn_id"])
            case "state_changed":
                self.stands = turn_handler().stands(wire["key"], wire["value"]) or self.stands
            case kind if kind in presentation.TEAM_EVENTS:
                self.team.append(wire)
                team = presentation.team_members(self.team)
                said_by = name_speaker(wire) if wire["type"] == "agent_started" else ""
                placed = "" if self.is_placed else await in_orm_thread(self._placed)(wire["turn_id"], person)
                return placed + said_by + _partial("team", {"team": team, "working": True, "stands": self.stands})
            case "card" if wire.get("stands_alone", True):
                return await in_orm_thread(append_card)(wire, person)
            case "turn_finished":
                return await in_orm_thread(self._finished)(wire["turn_id"], person)
        return ""

    def _turn(self, turn_id: str, person: Owner) -> str:
        turn = Turn.objects.select_related("session").get(pk=turn_id, owner=person)
        view = presentation.turn_views(person, turns=[turn], is_live=True)[0]
        context = {"session": presentation.session_view(turn.session), "running_turn": {"id": turn.pk}}
        is_message = turn.kind == Turn.Kind.MESSAGE
        # Its text follows event by event, even if it has already ended: the pieces need an element.
        begun = replace(
            view,
            status="running",
            running=True,
            parts=(),
            streamed=presentation.StreamedReply(),
            is_aside=is_message,
        )
        return (
            remove_replaced(turn)
            + render_to_string(f"{PAGE}#turn", {"turn": begun, "oob": "append", **context})
            + _partial("composer", context)
            + _partial("error", {})
            # The conversation goes on: what happened before the break is no news.
            + _partial("recap", {})
            # A card whose form was posted has already been updated by the response.
            + (changed_cards(turn, person) if turn.kind == Turn.Kind.MESSAGE else "")
        )

    def _placed(self, turn_id: str, person: Owner) -> str:
        """Return a fragment that names a message which belongs to the open step, to be moved into its card.

        Empty as long as it is not decided what the message is; by the first agent's start it usually is.
        """
        turn = Turn.objects.get(pk=turn_id, owner=person)
        self.is_placed = turn.decision is not None or not turn.is_open
        is_aside = turn.kind != Turn.Kind.MESSAGE or presentation.is_aside(turn)
        return "" if is_aside else _partial("moved", {"moved": turn.pk})

    def _finished(self, turn_id: str, person: Owner) -> str:
        turn = Turn.objects.select_related("session").get(pk=turn_id, owner=person)
        session = turn.session
        whole = presentation.turn_views(person, turns=[turn], is_live=True)[0]
        opened = presentation.opened_steps(whole)
        view = replace(whole, parts=tuple(part for part in whole.parts if "step" not in part))
        context = (
            presentation.sidebar_context(session, turn)
            | presentation.model_status_context(turn, person)
            | {
                "session": presentation.session_view(session),
                "turn": view,
                "opened": opened,
                "announcement": unescape(strip_tags(" ".join(part["html"] for part in view.parts if "html" in part))),
            }
        )
        placed = "" if self.is_placed else self._placed(turn_id, person)
        return placed + changed_cards(turn, person) + "".join(_partial(name, context) for name in CHANGED_AT_END)


def changed_cards(turn: Turn, person: Owner) -> str:
    """Return fragments that update cards of earlier turns after this one; a page without such a card ignores it."""
    cards = cards_html(turn_handler().changed_cards(turn), person)
    fragment = '<div hx-swap-oob="innerHTML:#card-{}">{}</div>'
    return format_html_join("", fragment, ((key, mark_safe(html)) for key, html in cards.items()))


def remove_replaced(turn: Turn) -> str:
    """Return fragments that remove the turns this one has replaced; makes no query if there are none."""
    if turn.replaces_id is None:
        return ""
    undone = turn.undone.order_by("-number").values_list("pk", flat=True)[:DROPPED]
    fragment = '<div hx-swap-oob="delete:#turn-{}"></div><div hx-swap-oob="delete:#opens-{}"></div>'
    return format_html_join("", fragment, ((pk, pk) for pk in undone))


def clear_reply(turn_id: str) -> str:
    """Return fragments that remove what a turn had shown, because it runs again."""
    return format_html('<div id="text-{}" hx-swap-oob="innerHTML"><p></p></div>', turn_id)


def append_text(turn_id: str, text: str) -> str:
    """Return fragments that append escaped text to a running reply, in its last paragraph and new ones."""
    first, *others = presentation.split_paragraphs(text)
    reply = f"#text-{escape(turn_id)}"
    # Plain strings, because this runs for every piece and format_html takes seven times as long.
    html = f'<span hx-swap-oob="beforeend:{reply} > p:last-of-type">{escape(first)}</span>'
    if others:
        added = "".join(f"<p>{escape(other)}</p>" for other in others)
        html += f'<div hx-swap-oob="beforeend:{reply}">{added}</div>'
    return html


def name_speaker(wire: Wire) -> str:
    """Return a fragment with the name of the agent at work on the reply; empty if it does not speak to the learner."""
    if not speaks(wire["agent"]):
        return ""
    return _partial("who", {"turn": {"id": wire["turn_id"], "running": True, "who": speaker_named([wire["agent"]])}})


def append_card(wire: Wire, person: Owner) -> str:
    """Return a fragment that adds a card to a running reply, and opens a paragraph after it."""
    html = cards_html([wire], person).get(wire["id"])
    if not html:
        return ""
    fragment = '<div hx-swap-oob="beforeend:#text-{}"><div class="slot" id="card-{}">{}</div><p></p></div>'
    return format_html(fragment, wire["turn_id"], wire["id"], mark_safe(html))


def seq_mark(wire: Wire) -> str:
    """Return the element that records the page's position in the events."""
    return _partial("seq", {"place": {"id": wire["turn_id"], "after": wire["seq"]}})


def error(rejection: Rejection) -> str:
    """Return a fragment that shows a rejection near the message field."""
    return _partial("error", {"error": rejection})


def refetch(turn_id: uuid.UUID, after: int) -> str:
    """Return a fragment that makes the page reload the conversation."""
    return _partial("seq", {"place": {"id": turn_id, "after": after}, "refetch": True})


def pong() -> str:
    return '<span hidden id="pong" hx-swap-oob="true"></span>'


def _partial(name: str, context: Mapping[str, Any]) -> str:
    return render_to_string(f"{PAGE}#{name}", {**context, "oob": True})
