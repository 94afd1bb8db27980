"""Starts a round table: checks what was asked, and stores its turn."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from django.db import transaction
from django.utils.translation import gettext as _

from agents.engine.events import FailureStrategy
from agents.rollout.flags import is_enabled
from agents.rollout.known_flags import ROUND_TABLE
from agents.runtime.speaker_selection import accounts_of, may_ask_model
from agents.usage.budgets import budget_of, spent_today
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations import validators
from conversations.models import TEXT_MAX_LENGTH, Turn
from conversations.owners import Owner, lock_owner
from conversations.panel.single_agent import is_rate_used_up
from conversations.round_table.names import CONTINUES_KEY, LEAD_KEY, PAYLOAD_KEY, from_wire
from conversations.round_table.roster import collaborators_for, table_limits
from conversations.turns.begin import AcceptedTurn, begin_turn

MOST_MESSAGES: Final = 50
MOST_CHARACTERS: Final = 50_000
"""Of all messages of a request together."""

OnDisconnect = Literal["stop", "finish"]


def require_round_table(person: Owner) -> None:
    """Raise Rejection 501 if the round table is off for the person."""
    if not is_enabled(ROUND_TABLE, person):
        raise rejections.not_enabled(_("The round table is turned off for you on this site."))


def checked_names(person: Owner, agents: Sequence[str], *, field: str = "agents") -> list[str]:
    """Return the collaborators named by a client, in its order. Raises Rejection 422 naming what is wrong with them.

    One that exists and is not open to the person looks as if it did not exist.
    """
    limits = table_limits()
    names = [from_wire(each) for each in agents]
    if not names:
        raise rejections.invalid(field, _("Name at least one agent."))
    if len(names) > limits.most_agents:
        raise rejections.invalid(field, _("Name no more than %(most)d agents.") % {"most": limits.most_agents})
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise rejections.invalid(field, _("Named twice: %(names)s.") % {"names": ", ".join(twice)[:200]})
    known = [each.name for each in collaborators_for(person)]
    if unknown := [name for name in names if name not in known]:
        raise rejections.invalid(
            field,
            _("Unknown or unavailable agents: %(unknown)s. You can choose from: %(known)s.")
            % {"unknown": ", ".join(unknown)[:200], "known": ", ".join(known)},
        )
    return names


def checked_lead(lead: str, names: Sequence[str]) -> str:
    """Return the collaborator that leads, or an empty string for none. Raises Rejection 422 if it cannot."""
    name = from_wire(lead)
    if name and name not in names:
        raise rejections.invalid(
            "lead", _("The lead must be one of the agents: %(names)s.") % {"names": ", ".join(names)}
        )
    if name and len(names) < 2:
        raise rejections.invalid("lead", _("A lead needs at least one other agent."))
    return name


def checked_rounds(rounds: int) -> int:
    """Return the number of rounds. Raises Rejection 422 if it is outside the limits."""
    most = table_limits().most_rounds
    if not 1 <= rounds <= most:
        raise rejections.invalid("rounds", _("Ask for 1 to %(most)d rounds.") % {"most": most})
    return rounds


def checked_messages(messages: Sequence[Mapping[str, str]]) -> tuple[str, list[Mapping[str, str]]]:
    """Return the question, which is the last message, and the messages before it.

    Raises Rejection: 422 for no messages, an empty one, or a last one that is not the person's; 413 if they are too long.
    """
    if not messages:
        raise rejections.invalid("messages", _("Send at least one message."))
    if len(messages) > MOST_MESSAGES:
        raise rejections.invalid("messages", _("Send at most %(most)d messages.") % {"most": MOST_MESSAGES})
    if sum(len(each["content"]) for each in messages) > MOST_CHARACTERS:
        raise rejections.too_large(
            _("All messages together can have at most %(most)d characters.") % {"most": MOST_CHARACTERS}
        )
    for place, each in enumerate(messages):
        if not each["content"].strip() or not validators.is_storable(each["content"]):
            raise rejections.invalid(f"messages.{place}.content", _("Write something in every message."))
    *earlier, last = messages
    if last["role"] != "user":
        raise rejections.invalid("messages", _("The last message must be from the user."))
    if len(last["content"]) > TEXT_MAX_LENGTH:
        raise rejections.too_large(
            _("The last message can have at most %(most)d characters.") % {"most": TEXT_MAX_LENGTH}
        )
    return last["content"], list(earlier)


def require_budget(person: Owner) -> None:
    """Raise Rejection 429 if a model would be asked and one of the budgets that pay for it is used up today."""
    if not may_ask_model(person, "fast"):
        return
    for account in accounts_of(person):
        budget = budget_of(account)
        if budget.usd_per_day is None and budget.tokens_per_day is None:
            continue
        spent = spent_today(account)
        is_spent = budget.usd_per_day is not None and spent.usd >= budget.usd_per_day
        if is_spent or (budget.tokens_per_day is not None and spent.tokens >= budget.tokens_per_day):
            words = _("Today’s budget for language models is used up. You can start a round table again tomorrow.")
            raise Rejection("budget", words, status=429, retry_after_s=3_600)


def begin_table(
    *,
    owner: Owner,
    text: str,
    agents: Sequence[str],
    rounds: int,
    strategy: FailureStrategy = "skip",
    lead: str = "",
    messages: Sequence[Mapping[str, str]] = (),
    reasons: Sequence[str] = (),
    session_key: str | None = None,
    client_id: str | None = None,
    continues: Turn | None = None,
) -> AcceptedTurn:
    """Store the turn of a round table, in one transaction. Everything is already checked, except how often.

    With `continues`, the table goes on from the owner's earlier one, in the same conversation: its rounds are not held
    again, and `rounds` is the last one to hold.

    Raises Rejection 429 if the person has asked for too many panels and round tables in a minute, and as `begin_turn`.
    """
    asked: dict[str, Any] = {"agents": list(agents), "rounds": rounds, "failure_strategy": strategy}
    asked |= {LEAD_KEY: lead} if lead else {}
    asked |= {"messages": [dict(each) for each in messages]} if messages else {}
    asked |= {"reasons": list(reasons)} if reasons else {}
    asked |= {CONTINUES_KEY: str(continues.pk)} if continues is not None else {}
    with transaction.atomic():
        # Two requests at once are counted one after the other.
        lock_owner(owner)
        if is_rate_used_up(owner):
            raise rejections.rate_limited(
                _(
                    "You asked for several round tables or team answers in the last minute. Wait a moment, then try again."
                ),
                retry_after_s=30,
            )
        return begin_turn(
            owner=owner, session_key=session_key, text=text, client_id=client_id, payload={PAYLOAD_KEY: asked}
        )
