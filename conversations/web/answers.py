"""The v2 answer of a turn, with every field of docs/reference/api.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from ninja import Schema
from pydantic import BaseModel, ConfigDict, Field

from agents.errors import ErrorType
from agents.tools import Source
from conversations.cards import current_cards
from conversations.models import Message, Turn, TurnStatus
from conversations.owners import Owner
from conversations.panel.results import Classification, Concept, Connection, Entity, Insight, Relationship
from conversations.search import citations
from conversations.timestamps import wire_time
from conversations.turns.handler import Intent, turn_handler
from conversations.turns.reply_text import text_with_cards

OPEN = ConfigDict(extra="allow", use_attribute_docstrings=True, json_schema_serialization_defaults_required=True)


class ResponseSchema(Schema):
    """Base of answers to clients. Fields may be added, but existing ones are not changed."""

    model_config = OPEN


class Fact(ResponseSchema):
    statement: str
    source_id: str | None = None
    confidence: float | None = None
    relevance: float | None = None


class VisionObject(ResponseSchema):
    label: str
    confidence: float | None = None
    location: Any = None


class Vision(ResponseSchema):
    description: str
    extracted_text: str | None = None
    concepts: list[str] = []
    objects: list[VisionObject] = []
    analysis_type: str | None = None
    confidence: float | None = None


class Confidence(ResponseSchema):
    """How sure each step was, 0–1; null if not measured."""

    analysis: float | None = None
    research: float | None = None
    vision: float | None = None
    synthesis: float | None = None


class AgentError(ResponseSchema):
    """An agent that failed in this turn, so that the others answered without it, or whose model failed, so that built-in
    text or a result without a model replaced the model's."""

    agent: str
    error_type: ErrorType
    message: str
    recoverable: bool
    fallback_available: bool


class Tokens(ResponseSchema):
    input: int | None = None
    output: int | None = None


class Metadata(ResponseSchema):
    """The turn's figures; null if not measured."""

    api_version: str = "v2"
    agents_used: list[str] = []
    agent_times_ms: dict[str, float] = {}
    total_time_ms: float | None = None
    coordination_ms: float | None = None
    first_word_ms: float | None = None
    """From the message to the first word or card of the reply."""
    provider: str | None = None
    """`offline` if no model was asked."""
    tokens: Tokens = Tokens()
    cost_usd: float | None = None
    """In US dollars, the sum of the known costs; null if none is known."""
    cost_is_lower_bound: bool = False
    """Whether a call's cost is unknown and missing from `cost_usd` because it has no price or was cut off."""
    fallback: bool = False
    """Whether authored words replaced a model's."""
    shortfall: str = ""
    """Why: `model` (it could not answer), `budget` (it is used up), `unasked` (an agent that does not speak failed)."""
    saving: bool = False
    """Whether a budget was nearly used up, so that only needed agents were asked, with the smaller model."""


class ShownCard(BaseModel):
    """An element shown on the page. It also has the fields of its kind, such as those of `QuestionCard`."""

    # Ninja's own schema class reads attributes, and so drops the fields of the kind.
    model_config = OPEN

    kind: str
    """`question`, `picture`, `concept`, `path`, `replies` or `sources`."""
    id: str
    at: int = 0
    """Number of characters of `reply` before the card. In an event, `at` is a time."""
    text: str = ""
    """The card in words, as Markdown; empty if there is nothing to say or the reader can no longer read it."""


class ChangedCard(BaseModel):
    """A card of an earlier turn in its current state. A question also has `state`, `verdict`, `answer` and `hints`, as
    in `QuestionCard`."""

    model_config = OPEN

    kind: str
    id: str
    """As in the turn that showed the card."""
    text: str
    """The card in words, as Markdown."""


class Answer(ResponseSchema):
    """A finished turn. Empty means not found; null means not measured."""

    session_id: str
    turn_id: str
    response: str
    """The whole reply in words, as Markdown: its text, with each card in words where it was shown."""
    intent: Intent | None = None
    """What the message does; null for a turn without a message."""
    classification: Classification | None = None
    follow_ups: list[str] = []
    concepts: list[Concept] = []
    entities: list[Entity] = []
    themes: list[str] = []
    relationships: list[Relationship] = []
    sentiment: str | None = None
    facts: list[Fact] = []
    sources: list[Source] = []
    """The sources of the reply."""
    tool_calls: list[str] = []
    """Names of the tools used, once per use."""
    vision: Vision | None = None
    insights: list[Insight] = []
    recommendations: list[str] = []
    knowledge_gaps: list[str] = []
    connections: list[Connection] = []
    confidence: Confidence = Confidence()
    errors: list[AgentError] = []
    metadata: Metadata = Metadata()
    reply: str = ""
    """The reply's text without cards: exactly `turn_finished.reply`."""
    cards: list[ShownCard] = []
    changed_cards: list[ChangedCard] = []
    """Cards of earlier turns that this turn may have changed: the answered question, or one that is waiting."""
    status: TurnStatus
    """`done`, `stopped`, `degraded`, `failed` or `interrupted`."""


STORED_FIELDS = frozenset(Answer.model_fields) - {
    "session_id",
    "turn_id",
    "response",
    "intent",
    "reply",
    "cards",
    "changed_cards",
    "status",
}
"""Fields of an answer that are stored with its turn."""


class TurnState(ResponseSchema):
    """The status of a turn."""

    turn_id: str
    session_id: str
    status: TurnStatus
    """`queued` and `running` are still in progress; any other status is final."""
    attempt: int
    """How many processes have tried the turn; more than 1 if one died."""
    created_at: str
    """ISO 8601, in UTC, like all times here."""
    finished_at: str | None
    answer: Answer | None = Field(description="The answer, once the turn has ended.")


def build_answer(turn: Turn, person: Owner) -> Answer:
    """Return a finished turn as `POST /v2/conversation` answers it, with its cards in words for this person."""
    messages = {each.author: each for each in turn.messages.all()}
    asked, said = messages.get(Message.Author.LEARNER), messages.get(Message.Author.TEAM)
    reply, cards = (said.text, said.cards) if said else ("", [])
    shown = current_cards(cards, person)
    earlier = current_cards(turn_handler().changed_cards(turn), person)
    return Answer(
        session_id=turn.session.key,
        turn_id=str(turn.pk),
        response=text_with_cards(reply, cards, {card["id"]: card["text"] for card in shown}),
        intent=turn_handler().intent(turn, asked.text) if asked else None,
        reply=reply,
        cards=[ShownCard(**card) for card in shown],
        # Cards the reader may not see have no text.
        changed_cards=[ChangedCard(**card) for card in earlier if card["text"]],
        status=TurnStatus(turn.status),
        **_stored_fields(turn.answer)
        | {"facts": _facts(turn.answer.get("facts", ()), cards, person), "vision": _vision(turn.answer, person)},
    )


def _facts(stored: Sequence[Mapping[str, Any]], cards: Sequence[Mapping[str, Any]], person: Owner) -> list[Fact]:
    """Return the stored facts with their words; those of documents are read now, and left out if they cannot be."""
    if not stored:
        return []
    sources = [card for card in cards if card["kind"] == citations.CARD_KIND]
    quoted = citations.quoted_words(sources, person)
    facts = []
    for each in stored:
        words = each["statement"] or next(iter(quoted.get(each["source_id"], ())), "")
        if words:
            quoted[each["source_id"]] = quoted.get(each["source_id"], [])[1:]
            facts.append(Fact(**{**each, "statement": words}))
    return facts


def _vision(stored: Mapping[str, Any], person: Owner) -> Vision | None:
    """Return what the picture shows, with its text read now; without it if the person may no longer read it."""
    if not (seen := stored.get("vision")):
        return None
    text = citations.passage_text(seen["source"]["id"], person) if seen["source"] else None
    return Vision(**{name: value for name, value in seen.items() if name in Vision.model_fields}, extracted_text=text)


def _stored_fields(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name in STORED_FIELDS}


def build_turn_state(turn: Turn, person: Owner) -> TurnState:
    """Return a turn's status, with its answer once there is one."""
    return TurnState(
        turn_id=str(turn.pk),
        session_id=turn.session.key,
        status=TurnStatus(turn.status),
        attempt=turn.attempt,
        created_at=wire_time(turn.created_at) or "",
        finished_at=wire_time(turn.finished_at),
        answer=None if turn.is_open else build_answer(turn, person),
    )
