"""Chooses who answers a message: one agent, or the team if it is enabled and the message asks for it."""

from dataclasses import dataclass
from functools import partial

from agents.storage.threads import in_orm_thread
from conversations.access import is_team_enabled
from conversations.models import Turn
from conversations.owners import Owner
from conversations.panel.classification import classify
from conversations.timestamps import wire_time
from conversations.turns import whole_turns
from conversations.turns.begin import begin_turn
from conversations.turns.summary import FELL_BACK_KEY
from conversations.v1.conversation import SingleAgentAnswer, ask_single_agent, read_answer
from conversations.web.answers import Answer, build_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SmartAnswer:
    exchange: SingleAgentAnswer
    v2: Answer | None
    """The whole v2 answer; None if one agent answered."""


async def ask(person: Owner, text: str, session_key: str | None) -> SmartAnswer:
    """Send a validated message to one agent or to the team; return the answer. Raises Rejection as for `begin_turn`.

    If the team fails before its first words, one agent answers within the same turn, so there is only one answer.
    """
    if not await in_orm_thread(is_for_team)(person, text, session_key):
        return SmartAnswer(exchange=await ask_single_agent(person, text, session_key), v2=None)
    begin = partial(begin_turn, owner=person, session_key=session_key, text=text)
    accepted = await whole_turns.start_turn(begin)
    turn = await whole_turns.wait_for_end(accepted.turn.pk)
    return await in_orm_thread(_read)(person, turn, text)


def is_for_team(person: Owner, text: str, session_key: str | None) -> bool:
    """Return whether the team is enabled for the person and the message asks for more than one agent."""
    return classify(text) != "simple_query" and is_team_enabled(person, session_key)


def _read(person: Owner, turn: Turn, text: str) -> SmartAnswer:
    if turn.answer.get(FELL_BACK_KEY):
        return SmartAnswer(exchange=read_answer(person, turn.pk), v2=None)
    v2 = build_answer(turn, person)
    exchange = SingleAgentAnswer(
        session_key=v2.session_id,
        user_text=text,
        agent_text=v2.response,
        intent=v2.intent or "statement",
        timestamp=wire_time(turn.created_at) or "",
        turn_id=turn.pk,
    )
    return SmartAnswer(exchange=exchange, v2=v2)
