"""Tries a draft prompt on a recorded model call. It does not affect the turn or the learner."""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from agents.engine.registry import roles
from agents.errors import LLMError
from agents.llm.base import AnswerEnd, AnswerPiece, ChatText, Message, ModelRequest, TextPiece
from agents.llm.call_context import CallContext, CallFigures, CallResult, Ledger, LedgerEntry
from agents.llm.prompt import make_prompt
from agents.llm.token_usage import Usage
from agents.models import ModelCall
from agents.people import Person
from agents.prompts.versions import roles_by_prompt
from agents.runtime.model_chain import model_chain_for
from agents.runtime.speaker_selection import accounts_of
from agents.usage.ledger import DatabaseLedger
from agents.values import value

TIME_LIMIT_S = 30.0
CALLS_SEARCHED = 50
"""Number of latest calls checked; those that can be repeated are offered."""


@value
class TryoutReply:
    """A model's reply, and what it cost."""

    text: str
    usage: Usage
    ms: float | None


@value
class TryoutResult:
    """The result of a try-out."""

    now: TryoutReply | None
    """None if no model answered."""
    problem: str = ""
    """Why the reply is incomplete or missing; empty if it is complete."""


@dataclass(frozen=True, slots=True)
class WordlessLedger:
    """Records a try-out's figures but no text: it belongs to the learner and would outlive their erasure."""

    ledger: Ledger

    async def open(self, call_context: CallContext, call: CallFigures) -> LedgerEntry:
        return await self.ledger.open(call_context, replace(call, asked={}))

    async def settle(self, entry: LedgerEntry, result: CallResult) -> None:
        await self.ledger.settle(entry, replace(result, reply=""))


def tryout_context(person: Person) -> CallContext:
    """Return the call context of a try-out, on the account of the person who makes it. Queries the database."""
    ledger = WordlessLedger(DatabaseLedger())
    return CallContext(person_id=person.pk, accounts=accounts_of(person), ledger=ledger)


def tryout_obstacle(name: str, person: Person) -> str:
    """Return why this person cannot try the prompt on any turn, in a sentence; empty if they can."""
    backends = [model_chain_for(role.tier) for role in roles_by_prompt()[name]]
    if all(backend.name == "offline" for backend in backends):
        return _("No language model is connected, so you can’t try this text out.")
    if not person.consent and all(backend.calls_outside for backend in backends):
        return _(
            "The test would run under your account, and you have not agreed to the use of external models. You can "
            "agree in your profile."
        )
    return ""


def repeatable_calls(name: str, person: Person) -> list[ModelCall]:
    """Return the latest answered calls that can be repeated with another prompt, newest first."""
    agents = [role.name for role in roles_by_prompt()[name]]
    answered = ModelCall.objects.filter(agent__in=agents, status=ModelCall.Status.ANSWERED, person__isnull=False)
    return [call for call in answered.select_related("person")[:CALLS_SEARCHED] if _is_repeatable(call, person)]


def _is_repeatable(call: ModelCall, person: Person) -> bool:
    """Return whether the whole request is known and may be sent; an outside model needs the learner's consent."""
    backend = model_chain_for(roles[call.agent].tier)
    agreed = call.person is not None and call.person.consent and person.consent
    if backend.name == "offline" or (backend.calls_outside and not agreed):
        return False
    messages = call.asked.get("messages")
    return bool(messages) and all(_is_plain(message) for message in messages)


def _is_plain(message: Mapping[str, Any]) -> bool:
    return "author" in message and not message.get("images")


def learner_message(call: ModelCall) -> str:
    """Return the learner's last message."""
    said = [message["text"] for message in call.asked["messages"] if message.get("author") == "learner"]
    return str(said[-1]) if said else ""


def recorded_reply(call: ModelCall) -> TryoutReply:
    """Return the recorded reply of the model."""
    usage = Usage(
        backend=call.backend,
        model=call.model,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        cost_usd=call.cost_usd,
    )
    return TryoutReply(text=call.reply, usage=usage, ms=call.ms)


async def try_prompt(name: str, text: str, call: ModelCall, *, call_context: CallContext) -> TryoutResult:
    """Repeat a call with another prompt. Takes at most TIME_LIMIT_S; every ending is a value."""
    backend, clock = model_chain_for(roles[call.agent].tier), asyncio.get_running_loop().time
    began = clock()
    asked = replace(_asked_again(name, text, call), ends=began + TIME_LIMIT_S, call_context=call_context)
    heard: list[AnswerPiece] = []
    problem = ""
    try:
        async with asyncio.timeout_at(asked.ends), aclosing(backend.stream(asked)) as pieces:
            async for piece in pieces:
                heard.append(piece)
    except TimeoutError:
        problem = _("The test took more than %(seconds)d seconds, so it was stopped.") % {"seconds": TIME_LIMIT_S}
    except LLMError:
        problem = _("The model stopped early, so this reply is incomplete.")
    if not heard or _is_offline(heard[-1]):
        return TryoutResult(now=None, problem=_unanswered(call_context))
    ms = (clock() - began) * 1000
    return TryoutResult(
        now=_reply(heard, ms=ms, otherwise=Usage(backend=backend.name, model=backend.model)), problem=problem
    )


def _is_offline(piece: AnswerPiece) -> bool:
    """Return whether authored words replaced a model's."""
    return isinstance(piece, AnswerEnd) and piece.usage.backend == "offline"


def _reply(heard: list[AnswerPiece], *, ms: float, otherwise: Usage) -> TryoutReply:
    """Return the pieces as a reply; `otherwise` names the model if the reply never ended."""
    ended = heard[-1] if isinstance(heard[-1], AnswerEnd) else None
    if ended and ended.parsed is not None:
        text = ended.parsed.model_dump_json(indent=2)
    else:
        text = "".join(piece.text for piece in heard if isinstance(piece, TextPiece))
    return TryoutReply(text=text, usage=ended.usage if ended else otherwise, ms=ms)


def _unanswered(call_context: CallContext) -> str:
    if call_context.exhausted_account:
        return _("Today’s budget for models is used up, so no model was used.")
    return _("The model did not answer. Either it can’t be reached right now, or it refused to answer.")


def _asked_again(name: str, text: str, call: ModelCall) -> ModelRequest:
    """Return the recorded request with another prompt, without tools: a try-out must have no effects."""
    messages: tuple[Message, ...] = tuple(
        ChatText(author=message["author"], text=message["text"]) for message in call.asked["messages"]
    )
    return ModelRequest(
        agent=call.agent,
        system=f"{text.strip()}\n\n{call.asked['system']}".strip(),
        context=call.asked.get("context", ""),
        messages=messages,
        schema=roles[call.agent].result if call.asked["schema"] else None,
        output_tokens=call.asked["output_tokens"],
        prompt=make_prompt(name, text.strip()),
    )
