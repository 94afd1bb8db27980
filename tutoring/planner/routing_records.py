"""Records of the messages that the companion's agents got: what the words, the classifier and the model each said."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from agents.routing.decision import RoutingDecision
from agents.runtime.routing_records import record_routing
from agents.runtime.routing_words import words_in_force
from conversations.companion.state import companion_state
from conversations.models import Message, Turn
from tutoring.planner.routing import SURFACE, classify, decide_by_words
from tutoring.planner.routing_rules import COMPANION_AGENTS


def prepare_record(agent: str, text: str) -> None:
    """Have the classifier judge a message that an agent of the companion gets, while no transaction is open."""
    if agent in COMPANION_AGENTS:
        classify(text)


def record_companion_turn(turn: Turn, told: Sequence[Mapping[str, Any]]) -> None:
    """Record a turn's routing, if an agent of the companion got its message, once the turn itself is stored.

    `told` are the turn's transitions, as events.
    """
    routed = next((each for each in told if each["type"] == "routed"), None)
    if routed is not None and routed["to"] in COMPANION_AGENTS and turn.kind == Turn.Kind.MESSAGE:
        # These are figures for admins: they must neither hold up nor undo a turn.
        transaction.on_commit(partial(_record, turn, routed), robust=True)


def _record(turn: Turn, routed: Mapping[str, Any]) -> None:
    text = Message.objects.filter(turn=turn, author=Message.Author.LEARNER).values_list("text", flat=True).first()
    if text is None:  # Deleted in the meantime.
        return
    space = companion_state(turn.session.state).workspace
    record_routing(
        RoutingDecision(
            agent=routed["to"], strategy=routed["strategy"], confidence=routed["confidence"], reason=routed["reason"]
        ),
        surface=SURFACE.name,
        owner_id=turn.owner_id,
        turn_id=turn.pk,
        by_words=decide_by_words(text, space=space),
        by_classifier=classify(text),
        words_version=words_in_force(SURFACE.name, space).version,
        space=space,
    )
