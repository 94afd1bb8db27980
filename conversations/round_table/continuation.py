"""Goes on with a table that has ended: one more round of it, or one point that two of its collaborators sort out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations import validators
from conversations.models import Turn
from conversations.owners import Owner
from conversations.round_table import start
from conversations.round_table.names import LEAD_KEY, PAYLOAD_KEY
from conversations.round_table.record import earlier_record, stored_record
from conversations.turns.begin import AcceptedTurn

MOST_SETTLING: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """What one more round of a table needs; checked."""

    turn: Turn
    text: str
    agents: Sequence[str]
    number: int


def last_round(turn: Turn) -> int:
    """Return the number of the last round that has ended, also of the tables that this one continues."""
    return max(stored_record(turn.pk, turn.owner, before=earlier_record(turn)).rounds_ended, default=0)


def question_of(turn: Turn) -> str:
    """Return the learner's words that a table is about."""
    return turn.messages.get(author="learner").text


def checked_next_round(turn: Turn, person: Owner, *, text: str, agents: Sequence[str]) -> NextRound:
    """Return one more round on the learner's words, or on the question again if they are empty.

    Raises Rejection for anything wrong: also if the table still runs, or has had its last round.
    """
    _require_ended(turn)
    names = start.checked_names(person, agents)
    number = last_round(turn) + 1
    start.checked_rounds(number)
    start.require_budget(person)
    said = validators.validate_text(text) if text.strip() else question_of(turn)
    return NextRound(turn=turn, text=said, agents=names, number=number)


def begin_next_round(asked: NextRound) -> AcceptedTurn:
    """Store the turn of one more round. Raises Rejection as `start.begin_table`."""
    lead = asked.turn.payload[PAYLOAD_KEY].get(LEAD_KEY, "")
    strategy = asked.turn.payload[PAYLOAD_KEY]["failure_strategy"]
    return start.begin_table(
        owner=asked.turn.owner,
        session_key=asked.turn.session.key,
        text=asked.text,
        agents=asked.agents,
        rounds=asked.number,
        # A failure of an earlier round is known; it stops no further one.
        strategy="skip" if strategy == "abort" else strategy,
        lead=lead if lead in asked.agents and len(asked.agents) > 1 else "",
        continues=asked.turn,
    )


def checked_settlement(turn: Turn, person: Owner, *, point: str, agents: Sequence[str]) -> tuple[str, list[str]]:
    """Return the point and the two who are to sort it out. Raises Rejection for anything wrong."""
    _require_ended(turn)
    names = start.checked_names(person, agents)
    if len(names) != MOST_SETTLING:
        raise rejections.invalid("agents", _("Choose two voices."))
    start.require_budget(person)
    return validators.validate_text(point), names


def begin_settlement(turn: Turn, *, point: str, agents: Sequence[str]) -> AcceptedTurn:
    """Store a table of two with one round on one point, which sees the question and what the table came to."""
    reply = turn.messages.filter(author="team").first()
    earlier: list[Mapping[str, str]] = [{"role": "user", "content": question_of(turn)}]
    if reply is not None and reply.text:
        earlier.append({"role": "assistant", "content": reply.text})
    return start.begin_table(
        owner=turn.owner, session_key=turn.session.key, text=point, agents=agents, rounds=1, messages=earlier
    )


def _require_ended(turn: Turn) -> None:
    if turn.is_open:
        raise rejections.invalid("table", _("This round table is still running. Wait for it to end, or stop it."))
