"""What the backends on an official SDK share: the client, one answer's way through it, and what it comes to."""

import asyncio
import re
from abc import abstractmethod
from collections.abc import AsyncGenerator, Callable
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
"""The most that an answer may have, arguments of tools included; what is longer is cut off."""
MOST_TOKENS = 2**31 - 1
DRAIN_S = 0.1
"""Time for the last bytes of an answer that has ended: the connection can be used again only after them."""
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


class PendingToolCall:
    """A tool that is being asked for."""

    __slots__ = ("arguments", "id", "name")

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name = id, name
        self.arguments: list[str] = []


class ReplyParser:
    """An answer as far as it has come."""

    def __init__(self) -> None:
        self.fresh: list[str] = []
        """Text that was not yet taken."""
        self.calls: list[PendingToolCall] = []
        self.stop: StopReason | None = None
        self.refused = False
        self.done = False
        """The provider said that nothing follows."""
        self.input_tokens: Any = None
        self.output_tokens: Any = None
        """As the provider wrote them: a number, one hopes."""
        self.cache_surcharge = 0.0
        """What the provider's cache adds to the price of what was read, in tokens; below 0 where it saved some."""
        self.characters = 0

    def hear(self, data: bytes) -> None:
        """Take up an event. Raise LLMError for one that tells of a failure, anything else for one that makes no sense."""
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
    """Speaks to one model by an official SDK, which is imported with the first question."""

    address: str
    """Where the provider itself answers."""
    reply_class: type[ReplyParser]

    def __init__(
        self,
        *,
        model: str,
        api_key: str | SecretStr,
        base_url: str = "",
        price: Price | None = None,
        outside: bool = True,
    ) -> None:
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
        """Return a client of the SDK. Runs in a thread: importing the SDK takes seconds."""

    @abstractmethod
    def creator(self, client: Any) -> Callable[..., AbstractAsyncContextManager[Any]]:
        """Return the client's method that sends a question; what it returns, entered, is a response not yet read."""

    @abstractmethod
    def parameters(self, asked: ModelRequest) -> dict[str, Any]:
        """Return the parameters of a question."""

    def _loaded_client(self) -> Any:
        client = self.make_client()
        self.creator(client)  # The SDKs load what is behind it only now.
        return client

    async def client(self) -> Any:
        """Return this loop's client: one cannot be used in two loops."""
        loop = asyncio.get_running_loop()
        if (client := self._clients.get(loop)) is None:
            client = self._clients.setdefault(loop, await asyncio.to_thread(self._loaded_client))
        return client

    async def aopen(self) -> None:
        """Do now what this loop's first question would wait for."""
        await self.client()

    async def aclose(self) -> None:
        """Close this loop's connections."""
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
        # Out of the clause above, so that nothing leads from our error to the SDK's: its text may repeat the key.
        if reply.fresh:
            yield reply.taken()
        for piece in self._end(reply, failed):
            yield piece

    async def _open(self, stack: AsyncExitStack, asked: ModelRequest) -> Any:
        """Send the request, without what this server turns out not to take. Raise what the SDK raises, or LLMError."""
        if not self.abilities.images and _has_images(asked):
            raise LLMRejected
        create = self.creator(await self.client())
        while True:
            try:
                response = await stack.enter_async_context(create(**self.parameters(asked), stream=True))
            except Exception as error:
                if not self.learns(_refusal(error), asked):
                    raise
            else:
                # A page to sign in to a network is a success too.
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    raise LLMUnavailable
                return response

    def learns(self, refusal: str, asked: ModelRequest) -> bool:
        """Tell whether the server does not support something that can be left out, and leave it out from now on."""
        if asked.tools and self.abilities.tools and "tool" in refusal and "support" in refusal:
            self.abilities.tools = False
            return True
        if _has_images(asked) and "image" in refusal and "support" in refusal:
            self.abilities.images = False
        return False

    def _end(self, reply: ReplyParser, failed: LLMError | None) -> list[AnswerPiece]:
        """Return the last pieces of an answer. Raise LLMError where it is not whole."""
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
    """Return a provider's count of tokens; None for what cannot be one: text, less than nothing, more than a column holds."""
    return tokens if type(tokens) is int and 0 <= tokens <= MOST_TOKENS else None


async def _drain(chunks: AsyncGenerator[bytes]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in chunks:
                pass


def _refusal(error: Exception) -> str:
    """Return what a server says of a request that it does not take, in small letters; empty for other errors."""
    if getattr(error, "status_code", 0) not in (400, 404, 422, 501):
        return ""
    told = error_details(getattr(error, "body", None))
    return f"{told.get('param')} {told.get('message') or told}"[:2_000].lower()


def _has_images(asked: ModelRequest) -> bool:
    return any(isinstance(message, ChatText) and message.images for message in asked.messages)


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def tool_name(name: str) -> str:
    """Return a tool's name as providers take it back; models may have made up any."""
    return _NOT_IN_NAMES.sub("_", name)[:64] or "_"


def parse_arguments(text: str) -> dict[str, Any]:
    """Return a tool's arguments as providers take them back: an object, empty where the model wrote none."""
    try:
        value = strict_json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@cache
def arguments_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments."""
    return model.model_json_schema()
