"""A conversation with a single agent: a message goes in, and the whole reply in words comes out."""

import uuid
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from agents.storage.threads import in_orm_thread
from conversations import access, validators
from conversations.models import Message, Turn
from conversations.owners import Owner
from conversations.panel.single_agent import SINGLE_AGENT_KEY
from conversations.summaries.records import summary_up_to
from conversations.timestamps import wire_time
from conversations.turns import whole_turns
from conversations.turns.begin import begin_turn
from conversations.turns.handler import Intent, turn_handler
from conversations.turns.reply_text import reply_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleAgentAnswer:
    """A message and its reply."""

    session_key: str
    user_text: str
    agent_text: str
    """The whole reply as Markdown: its text, with each card in words where it was shown."""
    intent: Intent
    timestamp: str
    """When the message was accepted: ISO 8601, in UTC."""
    turn_id: uuid.UUID


async def ask_single_agent(
    owner: Owner, text: str, session_key: str | None = None, *, client_id: str | None = None
) -> SingleAgentAnswer:
    """Send a message to one agent and return its answer; without a session key, a new session starts.

    The same `client_id` returns the first answer. If the caller is cancelled, the turn still runs to its end, and
    `read_answer` has it then. Raises Rejection: for an invalid text or key, as for `begin_turn`, and 503 if it takes too
    long.
    """
    turn_id = await start_single_agent(owner, text, session_key, client_id=client_id)
    await whole_turns.wait_for_end(turn_id)
    return await in_orm_thread(read_answer)(owner, turn_id)


async def start_single_agent(
    owner: Owner, text: str, session_key: str | None = None, *, client_id: str | None = None
) -> uuid.UUID:
    """Store a message for one agent and have it answered; return the turn's id at once. Raises Rejection as above."""
    begin = partial(
        begin_turn,
        owner=owner,
        session_key=validators.validate_session_key(session_key) if session_key is not None else None,
        text=validators.validate_text(text),
        client_id=validators.validate_client_id(client_id) if client_id is not None else None,
        payload={SINGLE_AGENT_KEY: True},
    )
    accepted = await whole_turns.start_turn(begin)
    return accepted.turn.pk


def summarize(owner: Owner, session_key: str) -> str:
    """Return in a few sentences of Markdown what happened in the person's own session, never empty.

    Raises Rejection 404 for a session that has no turn, or is not theirs.
    """
    return summary_up_to(access.latest_turn_for(owner, session_key)).text or _("You have not worked on any topics yet.")


def read_answer(owner: Owner, turn_id: uuid.UUID) -> SingleAgentAnswer:
    """Return a turn's message and its reply as this person may read it; the reply is empty until the turn has ended."""
    turn = Turn.objects.select_related("session").get(owner=owner, pk=turn_id)
    messages = list(Message.objects.filter(turn=turn))
    said = next((each.text for each in messages if each.author == Message.Author.LEARNER), "")
    replies = reply_texts([each for each in messages if each.author == Message.Author.TEAM], owner)
    return SingleAgentAnswer(
        session_key=turn.session.key,
        user_text=said,
        agent_text=replies.get(turn.pk, ""),
        intent=turn_handler().intent(turn, said),
        timestamp=wire_time(turn.created_at) or "",
        turn_id=turn.pk,
    )
