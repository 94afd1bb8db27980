"""A turn as a trace: from the request to the models and tools, the same in each process that serves it, with no words."""

import json

import pytest
from asgiref.sync import sync_to_async
from channels.testing import HttpCommunicator

from agents import tracing
from agents.engine.roles import Plan, Role
from agents.engine.toolbox import Toolbox
from agents.llm.call_context import CallContext
from learnagent.asgi import application
from learnagent.operations.tracing import start_tracing, stop_tracing
from tests.collector import Collector
from tests.conversations.provider_helpers import KEY, WORDED
from tests.conversations.sockets import PATIENCE_S, token_of
from tests.conversations.turn_helpers import begun, orphaned

pytestmark = pytest.mark.django_db(transaction=True)

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)


@pytest.fixture
def collector(settings):
    """A collector that this process sends its traces to; all of them once `flush` was called."""
    with Collector() as collector:
        settings.TRACES_ENDPOINT = collector.url
        start_tracing()
        yield collector
        stop_tracing()


@pytest.fixture
def flush(collector):
    async def flushed():
        await sync_to_async(tracing.tracer().provider.force_flush)()
        return collector

    return flushed


def tree(collector, trace_id):
    """Return the names of a trace's spans, each with that of its parent."""
    spans = {span.span_id: span for span in collector.spans if span.trace_id == trace_id}
    return {(span.name, spans[span.parent_id].name if span.parent_id else "") for span in spans.values()}


async def test_message_over_a_socket_leads_to_its_models(served, connect, ben, flush):
    socket = await connect(ben)
    await socket.say("CANARY yes because there are two")
    [*_events, finished] = await socket.until("turn_finished")
    found = await flush()
    [message], [turn] = found.named("socket message"), found.named("turn")
    assert turn.links == (message.span_id,)
    assert message.attributes["learnagent.turn.id"] == turn.attributes["learnagent.turn.id"] == finished["turn_id"]
    assert tree(found, turn.trace_id) == {
        ("turn", ""), ("agent speaker", "turn"), ("chat fake-strong", "agent speaker"),
    }  # fmt: skip
    assert turn.attributes["learnagent.turn.status"] == finished["status"] == "done"
    [chat] = found.named("chat fake-strong")
    assert (chat.attributes["gen_ai.provider.name"], chat.is_error) == ("anthropic", False)
    assert chat.attributes["gen_ai.usage.output_tokens"] > 0


async def test_call_over_http_leads_to_the_turn(supervisor, ada, flush):
    body = json.dumps({"text": "CANARY what is a half?"}).encode()
    headers = {
        "authorization": f"Bearer {await token_of(ada)}",
        "content-type": "application/json",
        "host": "localhost",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    request = HttpCommunicator(application, "POST", "/v2/conversation", body=body, headers=pairs)
    assert (await request.get_response(PATIENCE_S))["status"] == 200
    await request.wait(PATIENCE_S)
    found = await flush()
    [call], [turn] = found.named("POST /v2/conversation"), found.named("turn")
    assert (call.attributes["http.response.status_code"], call.attributes["learnagent.person"]) == (200, ada.pk)
    assert turn.links == (call.span_id,)
    assert turn.attributes["learnagent.turn.id"] == call.attributes["learnagent.turn.id"]


async def test_next_attempt_goes_on_in_the_same_trace(supervisor, ada, flush):
    """F5"""
    turn = await begin(ada)
    for attempt in (1, 2):
        await leave(turn, attempt=attempt - 1)
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
    turns = (await flush()).named("turn")
    assert [span.attributes["learnagent.turn.attempt"] for span in turns] == [1, 2]
    assert len({span.trace_id for span in turns}) == 1


async def test_model_that_fails_is_marked(served, ben, flush, provider):
    provider.fault("V5:401")
    await served(ben)
    [chat] = (await flush()).named("chat fake-strong")
    assert (chat.is_error, chat.attributes["error.type"]) == (True, "LLMKeyRejected")


async def test_tool_is_below_the_agent_that_uses_it(collector, flush):
    role = Role(name="helper", purpose="Counts.", plan=lambda request: Plan(), tools=("calculator",))
    toolbox = Toolbox(role, CallContext())
    calculator = toolbox.tools["calculator"]
    with tracing.span("agent helper", {}):
        await toolbox.use(calculator, calculator.arguments(expression="2 + 2"))
        await toolbox.use(calculator, calculator.arguments(expression="2 +"))
    found = await flush()
    [agent], [right, wrong] = found.named("agent helper"), found.named("execute_tool calculator")
    assert right.parent_id == wrong.parent_id == agent.span_id
    assert (right.is_error, wrong.is_error) == (False, True)


async def test_nothing_that_anybody_said_or_that_signs_in_is_sent(served, connect, ben, flush):
    """K1"""
    ben.display_name = "CANARYCHILD"
    await ben.asave()
    socket = await connect(ben, "/v2/ws/CANARYSESSION")
    await socket.say("CANARY yes because there are two")
    await socket.until("turn_finished")
    sent = b"".join((await flush()).bodies)
    assert b"fake-strong" in sent
    for planted in ("CANARY", KEY, WORDED[:12]):
        assert planted.encode() not in sent


async def test_collector_that_is_away_is_told_once_and_holds_up_nothing(settings, log, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.01")
    with Collector() as collector:
        settings.TRACES_ENDPOINT = collector.url
    start_tracing()
    for _ in range(2):
        tracing.span("x", {}).end()
        await sync_to_async(tracing.tracer().provider.force_flush)()
    stop_tracing()
    assert [(event["event"], event["service"]) for event in log.events] == [("service_lost", "collector")]
    with Collector() as collector:
        settings.TRACES_ENDPOINT = collector.url
        start_tracing()
        tracing.span("x", {}).end()
        stop_tracing()
    assert [event["failures"] for event in log.named("service_back")] == [2]


async def test_without_a_collector_nothing_is_recorded():
    start_tracing()
    assert tracing.tracer() is None
    with tracing.span("x", {}) as span:
        assert span is tracing.NO_SPAN
        assert tracing.current_parent() == ""
