"""The calls of the round table: a discussion of several agents, an answer of one, and who can be asked."""

import uuid
from functools import partial
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Field, Query, Router, Schema
from pydantic import ConfigDict

from agents.storage.threads import in_orm_thread
from conversations import validators
from conversations.models import REMARK_LENGTH, Turn
from conversations.owners import Owner
from conversations.round_table import remarks, start
from conversations.round_table.names import to_wire
from conversations.round_table.roster import collaborators_for
from conversations.round_table.selection import select
from conversations.round_table.stream import stream_turn, wait_until_stored
from conversations.turns import whole_turns
from conversations.turns.begin import AcceptedTurn
from conversations.web.answers import ResponseSchema
from conversations.web.api import READ_REFUSALS, WRITE_REFUSALS, QueryParameters

router = Router(tags=["round table"])

# Percent-encoded, a character takes up to 12 bytes, and the server closes a connection whose request line has over 16 KB.
LONGEST_QUERY: Final = 1000
"""Characters of a question in an address."""

AgentName = Annotated[str, Field(json_schema_extra={"pattern": r"^[a-z0-9_-]{1,30}$"})]


class ChatMessage(Schema):
    """A message of the conversation."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    role: Literal["user", "assistant"]
    content: str = Field(json_schema_extra={"minLength": 1, "pattern": validators.STORABLE})
    """All messages together can have 50,000 characters, and the last one 10,000; more return 413."""


class _TableRequest(Schema):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    messages: list[ChatMessage] = Field(
        json_schema_extra={"minItems": 1, "maxItems": start.MOST_MESSAGES},
        examples=[[{"role": "user", "content": "Were fractions a more useful invention than zero? Discuss."}]],
    )
    """The conversation so far, oldest first. The last message is the question, and its role is `user`."""
    on_disconnect: Literal["stop", "finish"] = "finish"
    """What happens if you close the connection before the end: `finish` lets the agents finish, so that the answer is
    in your conversations; `stop` stops them."""


class DiscussRequest(_TableRequest):
    """A question for several agents."""

    agents: list[AgentName] = Field(
        json_schema_extra={"minItems": 1, "maxItems": 5, "uniqueItems": True},
        examples=[["explainer", "sceptic", "historian"]],
    )
    """Who takes part, as listed by `GET /api/chat/agents`. An underscore in a name can be written as a hyphen."""
    rounds: int = Field(json_schema_extra={"minimum": 1, "maximum": 10}, examples=[3])
    """How many rounds at most. The discussion ends earlier if nothing new is said."""
    lead: Annotated[str, Field(json_schema_extra={"pattern": r"^[a-z0-9_-]{0,30}$"})] = ""
    """One of `agents`, which hands each of the others a sub-question in every round, and closes the round; empty for none."""
    failure_strategy: Literal["skip", "retry", "abort"] = "skip"
    """What happens if an agent fails: `skip` continues without it, `retry` tries it up to three times first, `abort` ends
    the rounds. What was said is summarized in each case."""


class AskAgentRequest(_TableRequest):
    """A question for one agent of the round table."""

    agent: AgentName = Field(examples=["explainer"])


class RemarkRequest(Schema):
    """What you say to a round table while it runs."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    text: str = Field(json_schema_extra=validators.TEXT_SCHEMA | {"maxLength": REMARK_LENGTH})
    client_id: str | None = Field(None, json_schema_extra=validators.CLIENT_ID_SCHEMA)
    """An id of your choice. If you send the same one again, it is said only once."""


class RemarkAnswer(ResponseSchema):
    """What becomes of it."""

    text: str
    taken_up_by: Literal["round", "summary", "next_table", "conversation"]
    """`round`: the agents read it in the next round. `summary`: the last round has begun, so only the summary takes it up.
    `next_table`: the summary has begun, so that only one more round takes it up. `conversation`: it is answered in a
    conversation of its own, and the round table is stopped, because it says that somebody may be in danger."""
    round: int | None
    """The round that takes it up."""
    session_id: str
    """The conversation in which the round table is, or in which this is answered."""


class CollaboratorDescription(ResponseSchema):
    """An agent that you can ask to a round table."""

    name: str
    title: str
    purpose: str
    tools: list[str]
    fits: bool
    """Whether it would be chosen for the question; false without one."""
    reason: str
    """Why it would be chosen."""


class RosterQuery(QueryParameters):
    model_config = ConfigDict(use_attribute_docstrings=True)

    question: str = Field("", max_length=LONGEST_QUERY)
    """A question: the agents that fit it are marked, with the reason."""


class TableEvent(ResponseSchema):
    """An event of a round table's stream."""

    type: Literal[
        "initiator_start", "round_start", "agent_tool_call", "agent_response", "agent_error", "round_end",
        "summarizer_response", "error",
    ]  # fmt: skip
    data: dict[str, Any]
    """The fields of the event; docs/reference/api.md lists them."""


@router.post(
    "/chat/multi",
    response={200: TableEvent, **WRITE_REFUSALS},
    operation_id="discuss",
    url_name="discuss",
    summary="Have several agents discuss a question in rounds",
)
async def discuss(request: HttpRequest, asked: DiscussRequest) -> StreamingHttpResponse:
    """The answer is an event stream, `text/event-stream`: it begins as soon as the question is stored."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    begin = await in_orm_thread(_checked)(
        person, asked, asked.agents, rounds=asked.rounds, strategy=asked.failure_strategy, lead=asked.lead
    )
    return await _streamed(person, begin, asked)


@router.post(
    "/chat/multi/{table}/say",
    response={200: RemarkAnswer, **WRITE_REFUSALS},
    operation_id="say_to_table",
    url_name="say-to-table",
    summary="Say something to a round table that runs",
)
async def say_to_table(request: HttpRequest, table: uuid.UUID, asked: RemarkRequest) -> RemarkAnswer:
    """The agents take it up in the next round, or the summary does. `table` is the header `X-Turn-Id` of the stream."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    client_id = uuid.uuid4().hex if asked.client_id is None else asked.client_id
    said = await remarks.say(person, table, text=asked.text, client_id=client_id)
    if isinstance(said, Turn):
        return RemarkAnswer(text=asked.text, taken_up_by="conversation", round=None, session_id=said.session.key)
    await wait_until_stored(table)
    taker, number = await in_orm_thread(remarks.taken_up_by)(said)
    return RemarkAnswer(text=asked.text, taken_up_by=taker, round=number, session_id=said.turn.session.key)


@router.post(
    "/chat",
    response={200: TableEvent, **WRITE_REFUSALS},
    operation_id="ask_agent",
    url_name="ask-agent",
    summary="Ask one agent of the round table",
)
async def ask_agent(request: HttpRequest, asked: AskAgentRequest) -> StreamingHttpResponse:
    """The same stream as that of a discussion, with one agent and one round."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    begin = await in_orm_thread(_checked)(person, asked, [asked.agent], rounds=1, strategy="skip", field="agent")
    return await _streamed(person, begin, asked)


@router.get(
    "/chat/agents",
    response={200: list[CollaboratorDescription], **READ_REFUSALS},
    operation_id="collaborators",
    url_name="collaborators",
    summary="List the agents that you can ask to a round table",
)
def collaborators(request: HttpRequest, query: Query[RosterQuery]) -> list[CollaboratorDescription]:
    """With a question, those that fit it are marked."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    roster = collaborators_for(person)
    chosen = {each.collaborator.name: each.reason for each in select(query.question, roster)} if query.question else {}
    return [
        CollaboratorDescription(
            name=to_wire(each.name),
            title=each.title,
            purpose=each.purpose,
            tools=list(each.tools),
            fits=each.name in chosen,
            reason=chosen.get(each.name, ""),
        )
        for each in roster
    ]


def _checked(
    person: Owner,
    asked: _TableRequest,
    agents: list[str],
    *,
    rounds: int,
    strategy: Literal["skip", "retry", "abort"],
    lead: str = "",
    field: str = "agents",
) -> "partial[AcceptedTurn]":
    """Return what stores the turn. Raises Rejection for anything wrong with the request."""
    start.require_round_table(person)
    names = start.checked_names(person, agents, field=field)
    lead = start.checked_lead(lead, names)
    text, earlier = start.checked_messages([each.model_dump() for each in asked.messages])
    rounds = start.checked_rounds(rounds)
    start.require_budget(person)
    return partial(
        start.begin_table,
        owner=person,
        text=text,
        agents=names,
        rounds=rounds,
        strategy=strategy,
        lead=lead,
        messages=earlier,
    )


async def _streamed(person: Owner, begin: "partial[AcceptedTurn]", asked: _TableRequest) -> StreamingHttpResponse:
    accepted = await whole_turns.start_turn(begin)
    lines = stream_turn(accepted.turn.pk, person, on_disconnect=asked.on_disconnect)
    return StreamingHttpResponse(
        lines,
        content_type="text/event-stream",
        # A proxy that collects the answer first would make a stream useless.
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no", "X-Turn-Id": str(accepted.turn.pk)},
    )
