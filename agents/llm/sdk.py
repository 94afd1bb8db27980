"""Base of the backends that use an official SDK: client, streaming of an answer, usage."""

import asyncio
import re
from abc import abstractmethod
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from pydantic import BaseModel, SecretStr

from agents.errors import LLMError, LLMRefused, LLMRejected, LLMTruncated, LLMUnavailable
from agents.llm.base import (
    Abilities,
    AnswerEnd,
    AnswerPiece,
    ChatText,
    LLMBackend,
    ModelRequest,
    StopReason,
    TextPiece,
    ToolRequest,
)
from agents.llm.error_mapping import error_details, error_from_exception
from agents.llm.prices import Price
from agents.llm.sse import event_batches, storable_text
from agents.llm.token_usage import Usage
from agents.wire import strict_json

REPLY_CHARACTERS = 200_000
"""Most characters of an answer, including tool arguments; the rest is cut."""
MOST_TOKENS = 2**31 - 1
DRAIN_S = 0.1
"""Time to read the last bytes of a finished answer; only then can the connection be reused."""
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


class PendingToolCall:
    """A tool call that is still being received."""

    __slots__ = ("arguments", "id", "name")

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name = id, name
        self.arguments: list[str] = []


class ReplyParser:
    """Parses one answer while it arrives."""

    def __init__(self) -> None:
        self.fresh: list[str] = []
        """Text that was not yet yielded."""
        self.calls: list[PendingToolCall] = []
        self.stop: StopReason | None = None
        self.refused = False
        self.done = False
        """The provider said that nothing follows."""
        self.input_tokens: Any = None
        self.output_tokens: Any = None
        """As the provider sent it; may not be a number."""
        self.cache_surcharge = 0.0
        """Price change by the provider's cache, in input tokens; negative if it saved some."""
        self.characters = 0

    def hear(self, data: bytes) -> None:
        """Process an event. Raises LLMError for an error event, other exceptions for an invalid one."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        self.characters += len(text)
        self.fresh.append(storable_text(text))

    def append_arguments(self, call: PendingToolCall, text: str) -> None:
        self.characters += len(text) + 1
        call.arguments.append(text)

    def taken(self) -> TextPiece:
        text = "".join(self.fresh)
        self.fresh.clear()
        return TextPiece(text)


class SDKBackend(LLMBackend):
    """Calls one model with an official SDK, which is imported at the first request."""

    address: str
    """The provider's own base URL."""
    provider: str
    """The provider's display name."""
    reply_class: type[ReplyParser]

    def __init__(
        self,
        *,
        model: str,
        api_key: str | SecretStr,
        base_url: str = "",
        price: Price | None = None,
        outside: bool = True,
        name: str = "",
        max_parallel: int | None = None,
    ) -> None:
        """`name` tells several backends with the same API apart, in records too."""
        self.name = name or self.name
        self.max_parallel = max_parallel
        self.model = model
        self.price = price
        self.base_url = base_url or self.address
        self.calls_outside = outside
        self.is_local = is_loopback(self.base_url)
        self.abilities = Abilities()
        self._api_key = api_key if isinstance(api_key, SecretStr) else SecretStr(api_key)
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @abstractmethod
    def make_client(self) -> Any:
        """Return a new SDK client. Runs in a thread: importing the SDK takes seconds."""

    @abstractmethod
    def creator(self, client: Any) -> Callable[..., AbstractAsyncContextManager[Any]]:
        """Return the client's method that sends a request; entering its result gives a response not yet read."""

    @abstractmethod
    def parameters(self, asked: ModelRequest) -> dict[str, Any]:
        """Return the parameters of a request."""

    def _loaded_client(self) -> Any:
        client = self.make_client()
        self.creator(client)  # The SDKs load this method's module only now.
        return client

    async def client(self) -> Any:
        """Return this event loop's client; a client cannot be shared by two loops."""
        loop = asyncio.get_running_loop()
        if (client := self._clients.get(loop)) is None:
            client = self._clients.setdefault(loop, await asyncio.to_thread(self._loaded_client))
        return client

    async def aopen(self) -> None:
        """Create this event loop's client, so that its first request does not have to wait."""
        await self.client()

    async def aclose(self) -> None:
        """Close this event loop's connections."""
        if client := self._clients.pop(asyncio.get_running_loop(), None):
            await client.close()

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        self.refuse_forbidden_call()
        reply = self.reply_class()
        failed: LLMError | None = None
        begun = False
        try:
            async with AsyncExitStack() as stack:
                response = await self._open(stack, asked)
                begun = True
                chunks = response.iter_bytes()
                async for batch in event_batches(chunks):
                    for data in batch:
                        reply.hear(data)
                    if reply.fresh:
                        yield reply.taken()
                    if reply.done or reply.characters > REPLY_CHARACTERS:
                        break
                if reply.done:
                    await _drain(chunks)
        except Exception as error:
            failed = error_from_exception(error, streaming=begun)
        # Outside the except clause, so that our error is not linked to the SDK's: its text may contain the key.
        if reply.fresh:
            yield reply.taken()
        for piece in self._end(reply, failed):
            yield piece

    async def _open(self, stack: AsyncExitStack, asked: ModelRequest) -> Any:
        """Send the request, without what this server rejects. Raises what the SDK raises, or LLMError."""
        if not self.abilities.images and _has_images(asked):
            raise LLMRejected
        create = self.creator(await self.client())
        while True:
            try:
                response = await stack.enter_async_context(create(**_as_sent(self.parameters(asked)), stream=True))
            except Exception as error:
                if not self.learns(_refusal(error), asked):
                    raise
            else:
                # A network's sign-in page also answers with a success status.
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    raise LLMUnavailable
                return response

    def learns(self, refusal: str, asked: ModelRequest) -> bool:
        """Return whether the server rejected something optional; it is left out from now on."""
        if asked.tools and self.abilities.tools and "tool" in refusal and "support" in refusal:
            self.abilities.tools = False
            return True
        if _has_images(asked) and "image" in refusal and "support" in refusal:
            self.abilities.images = False
        return False

    def _end(self, reply: ReplyParser, failed: LLMError | None) -> list[AnswerPiece]:
        """Return the last pieces of an answer. Raises LLMError if it is incomplete."""
        if reply.characters > REPLY_CHARACTERS:
            return [AnswerEnd(stop="length", usage=self._usage(reply))]
        if reply.refused:
            raise LLMRefused
        if reply.stop is None:
            raise failed or LLMTruncated
        calls = [
            ToolRequest(id=call.id or f"call_{number}", name=call.name, arguments="".join(call.arguments))
            for number, call in enumerate(reply.calls)
        ]
        return [*calls, AnswerEnd(stop="tools" if calls else reply.stop, usage=self._usage(reply))]

    def _usage(self, reply: ReplyParser) -> Usage:
        read, written = valid_token_count(reply.input_tokens), valid_token_count(reply.output_tokens)
        cost = None
        if self.price is not None and read is not None and written is not None:
            cost = self.price.usd(read + reply.cache_surcharge, written)
        return Usage(backend=self.name, model=self.model, input_tokens=read, output_tokens=written, cost_usd=cost)


def valid_token_count(tokens: object) -> int | None:
    """Return a provider's token count; None for invalid values: text, negative, or too large for the column."""
    return tokens if type(tokens) is int and 0 <= tokens <= MOST_TOKENS else None


def _as_sent(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request's parameters with the nested ones in `extra_body`, which the SDKs send as it is.

    Through the others, they look for values to convert, of which we have none: 3 ms of CPU for each request.
    """
    nested = {name: value for name, value in parameters.items() if isinstance(value, list | dict)}
    plain = {name: value for name, value in parameters.items() if name not in nested}
    # The SDKs require messages. Those of the extra body replace them.
    return plain | {"messages": (), "extra_body": nested}


async def _drain(chunks: AsyncGenerator[bytes]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in chunks:
                pass


def _refusal(error: Exception) -> str:
    """Return the message of a rejected request, in lower case; empty for other errors."""
    if getattr(error, "status_code", 0) not in (400, 404, 422, 501):
        return ""
    told = error_details(getattr(error, "body", None))
    return f"{told.get('param')} {told.get('message') or told}"[:2_000].lower()


def _has_images(asked: ModelRequest) -> bool:
    return any(isinstance(message, ChatText) and message.images for message in asked.messages)


def is_loopback(url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def tool_name(name: str) -> str:
    """Return a tool name that providers accept in the history; models may invent any name."""
    return _NOT_IN_NAMES.sub("_", name)[:64] or "_"


def parse_arguments(text: str) -> dict[str, Any]:
    """Return a tool call's arguments as providers accept them in the history: an object, empty if there are none."""
    try:
        value = strict_json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@cache
def arguments_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    return model.model_json_schema()
