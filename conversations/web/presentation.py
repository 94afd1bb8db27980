"""Context of the conversation's page, from its rows."""

import re
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from django.db.models import Max
from django.http import HttpRequest
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from agents.engine.registry import roles
from agents.people import zone_named
from agents.rollout.known_flags import MULTI_AGENT
from agents.runtime.speech_access import speech_offers_for
from agents.usage.saving import next_budget_day
from conversations import pinned_flags
from conversations.board.snapshots import drawing_context, drawings_of
from conversations.cards import cards_html, opens_step
from conversations.library.attached_documents import attachments_of
from conversations.library.uploads import limits
from conversations.models import Document, Event, Feedback, Message, Session, Turn
from conversations.owners import Owner
from conversations.round_table.names import PAYLOAD_KEY as ROUND_TABLE_KEY
from conversations.speakers import ReplySpeaker, speaker_named, speaker_of, speaks
from conversations.tools.labels import tool_label
from conversations.turns.handler import turn_handler
from conversations.turns.reply_text import interleave_cards
from conversations.turns.versions import MessageVersions, replaceable_turns, versions_of
from conversations.web.findings_panel import SHOWN, finding_views
from conversations.web.markup import to_html
from conversations.web.model_status import cost_line, current_shortfall, model_status_for, providers_to_ask_about
from conversations.web.recap import recap_after_break
from conversations.web.side_agent_usage import usage_line

TURNS_SHOWN = 30
"""Number of turns on a page at first; older ones can be loaded."""
TURNS_BEFORE = 10
"""Number of turns shown before one that was searched for."""
TEAM_EVENTS = ("agent_started", "agent_finished", "agent_failed", "tool_called", "tool_returned")
_EMPHASIS = re.compile(r"(?<! )\*+|\*+(?! )")
"""Asterisks, except one between two spaces, which is a multiplication sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    id: uuid.UUID
    number: int
    kind: str
    user_text: str
    """Empty if the learner's words are on a card."""
    parts: tuple[Mapping[str, str], ...]
    """The finished reply: `{html}` for text, `{card_html, card_id}` for cards, in order."""
    status: str
    running: bool
    client_id: str
    streamed: "StreamedReply"
    """The reply so far, while it runs."""
    who: ReplySpeaker
    """The speakers of the reply; while it runs, the agent at work."""
    shortfall: str = ""
    """Why the reply is incomplete: `model`, `budget` or `unasked`."""
    feedback: Feedback | None = None
    """The reader's feedback."""
    may_rerun: bool = False
    """Whether the message can be edited."""
    stays: bool = False
    """Whether the turn is evidence, so that it and all earlier turns can no longer be edited."""
    versions: MessageVersions | None = None
    """The versions of its message, if it was edited."""
    is_aside: bool = False
    """Whether it leaves the open step alone, so that it is shown next to the card; assumed until it is decided."""
    attachments: tuple[Document, ...] = ()
    """The documents sent with the message that still exist."""
    is_table: bool = False
    """Whether it is a round table, which has a page of its own."""
    shot: Mapping[str, Any] | None = None
    """The drawing sent with the message, deleted or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step of a lesson: a card, and what was said while it was the latest one."""

    card_id: str
    card_html: str
    talk: "tuple[TurnView, ...]" = ()
    is_current: bool = False
    """Whether it is the latest step of the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPart:
    """A part of the thread: a turn, or the steps that one opened; a running turn may still open some."""

    turn: "TurnView | None" = None
    opened_by: uuid.UUID | None = None
    steps: tuple[StepView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedReply:
    """The stored part of a running reply; its last part is a paragraph that may continue."""

    parts: tuple[Mapping[str, str], ...] = ({"text": ""},)
    """`{text}` for a paragraph as received, `{card_html, card_id}` for a card."""
    seq: int = 0
    """The number of the last event in it."""
    agent: str = ""
    """The agent at work, if it speaks to the learner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    name: str
    label: str
    state: str
    what: str
    ms: int | None = None
    """Whole milliseconds, at least 1."""

    @property
    def took(self) -> str:
        """The duration in a readable unit; empty if unknown."""
        if self.ms is None:
            return ""
        if self.ms < 1000:
            return _("%(count)s ms") % {"count": self.ms}
        return _("%(count)s s") % {"count": f"{self.ms / 1000:.1f}"}


def turn_views(
    person: Owner,
    *,
    turns: Sequence[Turn],
    request: HttpRequest | None = None,
    below: Collection[str] = (),
    is_live: bool = False,
) -> list[TurnView]:
    """Return the turns as shown, in the given order; a fixed, small number of queries.

    `below` are the ids of cards already shown further down on the page. `is_live`: the page shows the earlier turns.
    """
    messages = _messages_of(turns)
    replies = [said["team"] for said in messages.values() if "team" in said]
    cards = cards_html([card for reply in replies for card in reply.cards], person, request=request)
    opinions = {row.turn_id: row for row in Feedback.objects.filter(turn__in=turns, person=person)}
    places = _places_of_cards(replies, is_live=is_live) | dict.fromkeys(below)
    may_rerun, told_anew = replaceable_turns(turns), versions_of(turns)
    attached, drawn = attachments_of(turns), drawings_of(turns)
    return [
        replace(
            _turn_view(turn, messages[turn.pk], _shown_at(turn, cards, places), person),
            feedback=opinions.get(turn.pk),
            may_rerun=turn.pk in may_rerun,
            versions=told_anew.get(turn.pk),
            attachments=tuple(attached.get(turn.pk, ())),
            shot=drawing_context(drawn[turn.pk]) if turn.pk in drawn else None,
        )
        for turn in turns
    ]


def _places_of_cards(replies: Iterable[Message], *, is_live: bool) -> dict[str, uuid.UUID | None]:
    """Return the turn that shows each card: a step stays where it was first shown, any other card moves down."""
    places: dict[str, uuid.UUID | None] = {}
    for reply in replies:
        for card in reply.cards:
            if not opens_step(card):
                places[card["id"]] = reply.turn_id
            elif not (is_live and card.get("again")):
                places.setdefault(card["id"], reply.turn_id)
    return places


def _messages_of(turns: Sequence[Turn]) -> dict[uuid.UUID, dict[str, Message]]:
    """Return the messages of each turn by their author."""
    messages: dict[uuid.UUID, dict[str, Message]] = {turn.pk: {} for turn in turns}
    for message in Message.objects.filter(turn__in=turns):
        messages[message.turn_id][message.author] = message
    return messages


def _shown_at(turn: Turn, cards: Mapping[str, str], places: Mapping[str, uuid.UUID | None]) -> dict[str, str]:
    """Return the cards whose place is this turn."""
    return {key: card for key, card in cards.items() if places.get(key) == turn.pk}


def thread_of(views: Iterable[TurnView], *, is_latest: bool = True) -> list[ThreadPart]:
    """Return turns as the thread shows them: those after a step belong to it, until the next step.

    `is_latest`: the last step of these is the latest one of the conversation.
    """
    parts: list[ThreadPart] = []
    for view in views:
        rest, steps = _split_steps(view)
        if parts and parts[-1].steps:
            parts[-1] = _with_talk(parts[-1], (*parts[-1].steps[-1].talk, rest))
        else:
            parts.append(ThreadPart(turn=rest))
        if steps:
            parts.append(ThreadPart(opened_by=view.id, steps=steps))
        elif view.running:
            parts.append(ThreadPart(opened_by=view.id))
    return _mark_current(parts) if is_latest else parts


def _split_steps(view: TurnView) -> tuple[TurnView, tuple[StepView, ...]]:
    """Return a turn without the steps it opened, and those."""
    steps = tuple(
        StepView(card_id=part["card_id"], card_html=part["card_html"]) for part in view.parts if "step" in part
    )
    return replace(view, parts=tuple(part for part in view.parts if "step" not in part)), steps


def set_asides_apart(parts: Sequence[ThreadPart]) -> tuple[list[ThreadPart], tuple[TurnView, ...]]:
    """Return the thread without the turns that are shown next to the current step, and those, oldest first.

    They are the asides since that step was opened, and the one whose reply opened it.
    """
    at = next((at for at, part in enumerate(parts) if part.steps and part.steps[-1].is_current), None)
    if at is None:
        return list(parts), ()
    apart, asides = list(parts), list[TurnView]()
    for place in (place for place in (at - 1, at) if place >= 0 and parts[place].steps):
        talk = parts[place].steps[-1].talk
        here = [view for view in talk if view.is_aside and (place == at or view.id == parts[at].opened_by)]
        apart[place] = _with_talk(parts[place], [view for view in talk if view not in here])
        asides += here
    return apart, tuple(asides)


def _with_talk(part: ThreadPart, talk: Iterable[TurnView]) -> ThreadPart:
    """Return the part with this talk below its last step."""
    *before, last = part.steps
    return replace(part, steps=(*before, replace(last, talk=tuple(talk))))


def is_aside(turn: Turn) -> bool:
    """Tell whether a turn is shown next to the current step; assumed of a message that is not understood yet."""
    is_new = turn.kind == Turn.Kind.MESSAGE and turn.is_open and turn.decision is None
    return is_new or bool(turn_handler().is_aside(turn))


def _mark_current(parts: list[ThreadPart]) -> list[ThreadPart]:
    for index in reversed(range(len(parts))):
        if parts[index].steps:
            *before, last = parts[index].steps
            parts[index] = replace(parts[index], steps=(*before, replace(last, is_current=True)))
            break
    return parts


def opened_steps(view: TurnView) -> ThreadPart:
    """Return the steps that a turn which has just ended opened."""
    return ThreadPart(opened_by=view.id, steps=_split_steps(view)[1])


def _turn_view(turn: Turn, said: Mapping[str, Message], cards: Mapping[str, str], person: Owner) -> TurnView:
    reply, learner = said.get("team"), said.get("learner")
    so_far = streamed_reply(turn, person) if turn.is_open else StreamedReply()
    return TurnView(
        id=turn.pk,
        number=turn.number,
        kind=turn.kind,
        user_text=learner.text if learner and turn.kind == Turn.Kind.MESSAGE else "",
        parts=tuple(_parts(reply, cards)) if reply else (),
        status=turn.status,
        running=turn.is_open,
        client_id=turn.client_id,
        streamed=so_far,
        who=speaker_named([so_far.agent] if so_far.agent else []) if turn.is_open else speaker_of(turn),
        shortfall=turn.answer.get("metadata", {}).get("shortfall", ""),
        stays=bool(turn_handler().may_rerun(turn)),
        is_aside=is_aside(turn),
        is_table=ROUND_TABLE_KEY in turn.payload,
    )


def _parts(reply: Message, cards: Mapping[str, str]) -> Iterable[Mapping[str, str]]:
    """Yield the reply's rendered text, with its cards at their places."""
    for part in interleave_cards(reply.text, reply.cards):
        if isinstance(part, str):
            yield {"html": to_html(part)}
        elif html := cards.get(part["id"]):
            yield {**card_part(part["id"], html), **({"step": "yes"} if opens_step(part) else {})}


def card_part(card_id: str, html: str) -> Mapping[str, str]:
    """Return a card as a part of a reply; its HTML comes from the card's template, which escapes."""
    return {"card_id": card_id, "card_html": mark_safe(html)}


def recent_turns(session: Session, *, before: int | None = None) -> list[Turn]:
    """Return the latest turns, oldest first; only those below the number `before` if given."""
    rows = session.turns.filter(replaced_by=None).order_by("-number")
    if before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows[:TURNS_SHOWN])[::-1]


def cards_from(session: Session, number: int) -> frozenset[str]:
    """Return the ids of the cards in the turns from a number on, up to one page."""
    replies = Message.objects.filter(
        turn__session=session, turn__number__gte=number, turn__replaced_by=None, author=Message.Author.TEAM
    )
    shown = replies.order_by("turn__number").values_list("cards", flat=True)[:TURNS_SHOWN]
    return frozenset(card["id"] for cards in shown for card in cards)


def turns_from(session: Session, number: int) -> tuple[list[Turn], int | None]:
    """Return the turns from a number on, and the number of the first one that did not fit."""
    rows = list(session.turns.filter(number__gte=number, replaced_by=None).order_by("number")[: TURNS_SHOWN + 1])
    return rows[:TURNS_SHOWN], rows[TURNS_SHOWN].number if len(rows) > TURNS_SHOWN else None


def streamed_reply(turn: Turn, person: Owner) -> StreamedReply:
    """Return what a running turn has said since its latest attempt started."""
    parts: list[Mapping[str, str]] = [{"text": ""}]
    seq, agent = 0, ""
    for body in Event.objects.filter(turn=turn).order_by("seq").values_list("body", flat=True):
        if body["type"] == "turn_finished":
            break  # It ended while the page was rendered; the page is told over its socket.
        seq = body["seq"]
        match body:
            case {"type": "agent_started", "agent": name} if speaks(name):
                agent = name
            case {"type": "turn_resumed"}:
                parts = [{"text": ""}]
            case {"type": "reply_text", "text": text}:
                first, *others = split_paragraphs(text)
                parts[-1] = {"text": parts[-1]["text"] + first}
                parts += [{"text": other} for other in others]
            case {"type": "card", "id": key} if body.get("stands_alone", True):
                if html := cards_html([body], person).get(key):
                    parts += [card_part(key, html), {"text": ""}]
    return StreamedReply(parts=tuple(parts), seq=seq, agent=agent)


def split_paragraphs(text: str) -> list[str]:
    """Split a piece of text at paragraph ends; the first part continues the previous text.

    Emphasis marks are removed: the finished reply is rendered as Markdown, but a piece may end inside emphasis.
    """
    return re.split(r"\n{2,}", _EMPHASIS.sub("", text))


def last_seq(turn: Turn) -> int:
    """Return the number of the turn's last stored event."""
    return Event.objects.filter(turn=turn).aggregate(seq=Max("seq"))["seq"] or 0


def team_members(events: Iterable[Mapping[str, Any]]) -> list[TeamMember]:
    """Return the agents that worked on a turn and their progress, in the order they started."""
    team: dict[str, TeamMember] = {}
    for body in events:
        name = body["agent"]
        state = {"agent_finished": "done", "agent_failed": "failed"}.get(body["type"], "working")
        ms = None if state == "working" else body.get("ms")
        team[name] = _team_member(name, state=state, ms=ms, tool=body["tool"] if body["type"] == "tool_called" else "")
    return list(team.values())


def _team_member(name: str, *, state: str, ms: float | None, tool: str = "") -> TeamMember:
    role = roles.get(name)
    label = str(role.label) if role else name
    shown = None if ms is None else max(1, round(ms))
    what = _("uses %(tool)s") % {"tool": tool_label(tool)} if tool else str(role.purpose) if role else ""
    return TeamMember(name=name, label=label, state=state, what=what, ms=shown)


def team_events(turn: Turn) -> list[Mapping[str, Any]]:
    """Return a turn's stored events about the agents' work."""
    return list(Event.objects.filter(turn=turn, type__in=TEAM_EVENTS).order_by("seq").values_list("body", flat=True))


def page_context_at(session: Session, request: HttpRequest, number: int) -> dict[str, Any]:
    """Return the context of the page around the turn with this number; read-only if it is too old."""
    latest = session.turns.order_by("-number").first()
    if latest is None or number > latest.number - TURNS_SHOWN:
        return page_context(session, request)
    turns, later = turns_from(session, max(1, number - TURNS_BEFORE))
    finished = None if latest.is_open else latest
    views = [replace(view, may_rerun=False) for view in turn_views(request.user, turns=turns, request=request)]
    return {
        **sidebar_context(session, latest, on_page=False),
        **model_status_context(finished, request.user),
        "session": session_view(session),
        "turns": views,
        "thread": thread_of(views),
        "earlier": turns[0].number if turns and turns[0].number > 1 else None,
        "later": later,
        "reading": {"number": number, "latest": latest.number},
    }


def page_context(session: Session, request: HttpRequest) -> dict[str, Any]:
    """Return the context of the conversation's page."""
    turns = recent_turns(session)
    last = turns[-1] if turns else None
    views = turn_views(request.user, turns=turns, request=request)
    # The socket continues exactly where the page's text ends, even if more was stored meanwhile.
    place = {"id": last.pk, "after": views[-1].streamed.seq if last.is_open else last_seq(last)} if last else None
    finished = next((turn for turn in reversed(turns) if not turn.is_open), None)
    thread, asides = set_asides_apart(thread_of(views))
    return {
        **sidebar_context(session, last),
        **model_status_context(finished, request.user),
        "session": session_view(session),
        "turns": views,
        "thread": thread,
        "asides": asides,
        "place": place,
        "recap": recap_after_break(last, request.user),
        "running_turn": place if last is not None and last.is_open else None,
        **limits(),
        "speech": speech_offers_for(session.owner),
        "earlier": turns[0].number if turns and turns[0].number > 1 else None,
    }


def session_view(session: Session) -> dict[str, Any]:
    """Return the session's own data for the page."""
    return {
        "key": session.key,
        "title": session.title or _("A conversation"),
        "is_lesson": bool(session.state.get("current_topic")),
        "pinned": session.pinned,
        "archived": session.archived,
        # Without the panel there is nobody to choose: the tutor answers.
        "answered_by": [
            {"value": each.value, "label": each.label, "chosen": each == session.answered_by}
            for each in (Session.AnsweredBy if pinned_flags.is_on(MULTI_AGENT, session, session.owner) else ())
        ],
        "url": session.get_absolute_url(),
        "live_url": f"/live/{quote(session.key, safe='')}",
    }


def findings_context(session: Session, *, on_page: bool = True) -> dict[str, Any]:
    """Return the findings, newest first: `noticed`, and earlier ones as `noticed_before`, to be expanded."""
    every = finding_views(session, on_page=on_page)
    return {"noticed": every[:SHOWN], "noticed_before": every[SHOWN:]}


def sidebar_context(session: Session, last: Turn | None, *, on_page: bool = True) -> dict[str, Any]:
    """Return what is shown beside the conversation: agents, progress, findings, cost.

    `on_page`: the latest turns are on the same page.
    """
    return {
        "team": team_members(team_events(last)) if last else [],
        "working": last is not None and last.is_open,
        **findings_context(session, on_page=on_page),
        "cost": cost_line(session),
        "beside": usage_line(session),
        **turn_handler().lesson_context(session),
    }


def model_status_context(last: Turn | None, person: Owner) -> dict[str, Any]:
    """Return the model status for the page after a finished turn: which model, and whether it answers."""
    return {
        "voice": model_status_for(person),
        "shortfall": current_shortfall(person, last),
        # Without a zone: pages and sockets show it by the person's own clock.
        "budget_renews_at": next_budget_day().astimezone(zone_named(person.zone)).replace(tzinfo=None),
        "adult": getattr(person, "is_adult", True),
        "places": providers_to_ask_about(person),
    }
