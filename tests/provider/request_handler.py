"""One request, from its path to the last byte of its answer."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tests.provider import anthropic_wire, audio_wire, openai_wire
from tests.provider.answers import Answer, scripts_from
from tests.provider.event_stream import compact
from tests.provider.faults import Fault, asks_tools, break_stream, break_whole, refuse, size_of
from tests.provider.http import Connection, Request
from tests.provider.model_request import ProviderRequest
from tests.provider.recorded_request import RecordedRequest

if TYPE_CHECKING:
    from tests.provider.server import Provider

MODELS = "/v1/models"
_WIRES = {"anthropic": anthropic_wire, "openai": openai_wire}


async def serve(provider: "Provider", connection: Connection, request: Request) -> None:
    match request.method, request.path:
        case "POST", "/_control":
            await _control(provider, connection, request)
        case "GET", "/_requests":
            await connection.whole(200, compact([_told(recorded) for recorded in provider.requests]), headers={})
        case "POST", path if path in audio_wire.PATHS and provider.abilities.speaks != "anthropic":
            await _sound(provider, connection, request)
        case _:
            await _answer(provider, connection, request)


async def _sound(provider: "Provider", connection: Connection, request: Request) -> None:
    """Answer what is asked about sound: the words that the provider hears, or the sound that it makes."""
    recorded = RecordedRequest(
        path=request.path, headers=dict(request.headers), body=audio_wire.read(request), asked=None
    )
    _, fault = provider.take(recorded)
    try:
        if fault is not None and await refuse(fault, connection, openai_wire, _key_of(request)):
            return
        hears = request.path == audio_wire.HEARING
        body = compact(audio_wire.words(provider.hears)) if hears else provider.sound
        media_type = "application/json" if hears else "audio/wav"
        if fault is None:
            await connection.whole(200, body, headers={}, content_type=media_type)
        else:
            await break_whole(fault, connection, openai_wire, body, provider.beat_s, content_type=media_type)
    except asyncio.CancelledError:
        recorded.left_early = connection.client_left
        raise
    finally:
        recorded.ended.set()


async def _control(provider: "Provider", connection: Connection, request: Request) -> None:
    """Change what the provider does: `fault` (with `times` and `after`), `gullible`, `script`, each as its method."""
    try:
        orders = request.json() or {}
        if "fault" in orders:
            provider.fault(orders["fault"], times=orders.get("times"), after=orders.get("after"))
        if "gullible" in orders:
            provider.gullible(orders["gullible"])
        for match, answers in scripts_from(orders.get("script", {})).items():
            provider.script(match, *answers)
    except (ValueError, TypeError, AttributeError) as error:
        await connection.whole(422, compact({"error": str(error)}), headers={})
    else:
        await connection.whole(200, compact({"attempts": provider.attempts}), headers={})


def _told(recorded: RecordedRequest) -> dict[str, Any]:
    return {name: getattr(recorded, name) for name in ("path", "headers", "body", "fault", "left_early")}


async def _answer(provider: "Provider", connection: Connection, request: Request) -> None:
    wire = _wire_for(request, provider.abilities.speaks)
    body, asked = _read(request, wire)
    recorded = RecordedRequest(path=request.path, headers=dict(request.headers), body=body, asked=asked)
    answer, fault = provider.take(recorded)
    try:
        if wire is None:
            await connection.whole(404, compact(openai_wire.error(404, "No such page.")), headers={})
        elif fault is not None and await refuse(fault, connection, wire, _key_of(request)):
            pass
        elif request.path == MODELS:
            await connection.whole(200, compact(wire.models(provider.abilities.models)), headers={})
        elif asked is None or answer is None:
            await connection.whole(400, compact(wire.error(400, "This is no request.")), headers={})
        elif refusal := _unable(provider, asked):
            status = provider.abilities.refuses_with
            await connection.whole(status, compact(wire.error(status, refusal)), headers={})
        else:
            await _speak(provider, connection, wire, asked, answer, fault)
    except asyncio.CancelledError:
        recorded.left_early = connection.client_left
        raise
    finally:
        recorded.ended.set()


def _read(request: Request, wire: ModuleType | None) -> tuple[Any, ProviderRequest | None]:
    """Return the body, and what it asks a model; None for what it does not hold."""
    try:
        body = request.json()
        return body, wire.read(body) if wire is not None and request.path == wire.PATH else None
    except (ValueError, TypeError, AttributeError, KeyError):
        return None, None


def _wire_for(request: Request, speaks: str) -> ModuleType | None:
    wires = [wire for name, wire in _WIRES.items() if speaks in (name, "any")]
    if request.method == "GET" and request.path == MODELS:
        return wires[0] if "anthropic-version" in request.headers else wires[-1]
    return next((wire for wire in wires if (request.method, request.path) == ("POST", wire.PATH)), None)


def _key_of(request: Request) -> str:
    return request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")


def _unable(provider: "Provider", asked: ProviderRequest) -> str:
    """Return why the server cannot do what is asked of it; empty where it can."""
    abilities = provider.abilities
    if asked.shape == "schema" and not abilities.schema:
        return "response_format json_schema is unsupported"
    if asked.tools and not abilities.tools:
        return f"{asked.model} does not support tools"
    if asked.images and not abilities.images:
        return f"{asked.model} does not support images"
    return ""


async def _speak(
    provider: "Provider",
    connection: Connection,
    wire: ModuleType,
    asked: ProviderRequest,
    answer: Answer,
    fault: Fault | None,
) -> None:
    if fault is not None and fault.id == "V15":
        answer, fault = asks_tools(fault, asked), None
    if answer.status != 200:
        body = wire.error(answer.status, answer.text)
        await connection.whole(answer.status, compact(body), headers=answer.headers or {})
    elif asked.stream:
        await _stream(provider, connection, wire, asked, answer, fault)
    else:
        await _send(provider, connection, wire, asked, answer, fault)


async def _send(
    provider: "Provider",
    connection: Connection,
    wire: ModuleType,
    asked: ProviderRequest,
    answer: Answer,
    fault: Fault | None,
) -> None:
    await asyncio.sleep(answer.first_delay_s)
    if fault is not None and fault.id == "V14":
        answer = Answer(text="a" * size_of(fault))
    body = wire.whole(asked, answer.said, answer.calls, answer.stop, stopped=fault is None or fault.id != "V6")
    if fault is None:
        await connection.whole(200, compact(body), headers=answer.headers or {})
    else:
        await break_whole(fault, connection, wire, compact(body), provider.beat_s)


async def _stream(
    provider: "Provider",
    connection: Connection,
    wire: ModuleType,
    asked: ProviderRequest,
    answer: Answer,
    fault: Fault | None,
) -> None:
    if not provider.abilities.usage:
        asked = replace(asked, counts_usage=False)
    rendered = wire.render(asked, answer.said, answer.calls, answer.stop)
    gap_s = provider.pace_s if answer.gap_s is None else answer.gap_s
    await connection.begin(headers=answer.headers or {})
    await connection.chunk(rendered.opening)
    if answer.first_delay_s:
        await asyncio.sleep(answer.first_delay_s)
    if fault is not None:
        await _send_pieces(connection, rendered.pieces[: fault.cut_at(len(rendered.pieces))], gap_s)
        await break_stream(fault, connection, wire, rendered, provider.beat_s)
    elif answer.burst:
        await connection.chunk(b"".join((*rendered.pieces, rendered.ending)))
        await connection.finish()
    else:
        await _send_pieces(connection, rendered.pieces, gap_s)
        await connection.chunk(rendered.ending)
        await connection.finish()


async def _send_pieces(connection: Connection, pieces: Iterable[bytes], gap_s: float) -> None:
    for piece in pieces:
        if gap_s:
            await asyncio.sleep(gap_s)
        await connection.chunk(piece)
