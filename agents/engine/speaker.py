"""Speakers: how a role's plan is said. Authored words as they are, wordings by a model, checked by a guard."""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import field, replace
from functools import lru_cache
from itertools import pairwise

from pydantic import BaseModel

from agents.engine.events import Event
from agents.engine.model_requests import request_for_result, request_for_wording
from agents.engine.roles import (
    TOO_MUCH,
    Announcement,
    Decided,
    Expectation,
    PlannedToolUse,
    RoleCall,
    Wording,
)
from agents.engine.toolbox import Toolbox
from agents.errors import LLMError, LLMInvalidOutput, LLMTruncated
from agents.llm.base import AnswerEnd, LLMBackend, ModelRequest, TextPiece, ToolRequest, ToolResponse
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.llm.offline import stream_at_pace
from agents.llm.prompt import Prompt
from agents.llm.token_usage import Usage
from agents.tools import ToolResult
from agents.values import value

WORDING_ATTEMPTS = 2
"""Words that must not be shown are requested once more; then the authored words are used."""
MAX_SENTENCE_CHARACTERS = 400
"""A longer sentence is checked in parts."""
QUOTED_RUN_WORDS = 8
"""This many words in a row copied from the prompt reveal the prompt."""
PROMPTS_KEPT = 64
"""More than there are roles with one; about 0.1 MB each."""
PROMPT_QUOTED = "prompt"
"""The problem reported for such words."""
LEAST_LEFT = 8
"""In words. If a sentence was left out and fewer words remain, the rest is requested again."""
WORD_CHARACTERS = 20
"""Characters of a reply allowed for each of its words: text without spaces counts as one word, and would never end."""
MOST_LEFT_OUT = 3
"""Sentences of one reply; after that the rest of the stream is dropped."""
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?…][\"'”’)\]*_]*\s+|\n+")
"""A colon does not end a sentence: what it announces belongs to it."""


@value
class ShownEvent:
    """An event at its place in the reply, such as a card or a finding."""

    event: Event = field(kw_only=False)


@value
class SpeechCompleted:
    """The end of a reply. A stream that ends without this event has been cut off."""

    result: BaseModel | None
    usage: Usage
    degraded: bool = False
    remarks: tuple[str, ...] = ()
    failure: type[LLMError] | None = None


SpeechPiece = TextPiece | ShownEvent | SpeechCompleted


class Speaker(ABC):
    """Puts a role's part of a turn into words."""

    @abstractmethod
    def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        """Yield the text and events, `SpeechCompleted` last. Raises LLMError, and nothing else, on failure."""


class PlanSpeaker(Speaker):
    """Puts plans into words for one person, with one backend. If the model fails, authored text is used."""

    def __init__(
        self,
        backend: LLMBackend,
        *,
        call_context: CallContext = NO_CONTEXT,
        pace_s: float = 0.0,
        broke_off: object = "",
        language: str = "",
    ) -> None:
        self.backend = backend
        self.call_context = call_context
        self.pace_s = pace_s
        """Seconds between two pieces of authored words."""
        self.broke_off = broke_off
        """What is said when a model stops in the middle: a string, or a lazy translation."""
        self.language = language
        """The English name of the language in which a model writes; empty for that of the courses."""

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        told, place, result = _SpeechTally(self.backend.name), -1, call.plan.result
        while (place := place + 1) < len(call.plan.say):
            part = call.plan.say[place]
            if isinstance(part, Event):
                yield ShownEvent(part)
                continue
            if isinstance(part, Decided):
                call, result = call.with_result(part), part.result
                continue
            if isinstance(part, Announcement):
                call.bus.publish(part.message)
                continue
            if isinstance(part, Expectation):
                heard = await call.bus.receive(call.role.public_name, part.wanted, within_s=part.within_s)
                call, place = call.with_parts(part.then(heard), place), place - 1
                continue
            if isinstance(part, PlannedToolUse):
                found: ToolResult | str = ""
                async for event, answer in Toolbox(call.role, self.call_context, bus=call.bus).use_planned(part):
                    yield ShownEvent(event)
                    found = answer
                call, place = call.with_parts(part.then(found), place), place - 1
                continue
            asks = isinstance(part, Wording) and part.task and self.backend.name != "offline"
            spoken = self.worded(call, place, told) if asks else self.speak_authored(part)
            async for piece in spoken:
                yield piece
        if result is None and call.role.result is not None:
            result = await self.result(call, told)
        elif result is not None and call.plan.refine is not None and self.backend.name != "offline":
            result = await self.refined(call, result, told)
        if told.degraded and self.call_context.exhausted_account:
            told.remarks.append("budget")
        elif self.call_context.is_saving and self.backend.name != "offline":
            told.remarks.append("saving")
        yield SpeechCompleted(
            result=result,
            usage=told.took(),
            degraded=told.degraded,
            remarks=tuple(told.remarks),
            failure=told.failure,
        )

    async def speak_authored(self, part: str | Wording) -> AsyncIterator[SpeechPiece]:
        text = part if isinstance(part, str) else with_lead_and_trail(part.words, part)
        async for piece in stream_at_pace(text, self.pace_s):
            yield piece

    async def worded(self, call: RoleCall, place: int, told: "_SpeechTally") -> AsyncIterator[SpeechPiece]:
        """Let a model write the words, checked sentence by sentence, or fall back to the authored ones.

        Only the bad sentence is dropped, not the reply. If too little is left, the rest is requested once more.
        """
        part = call.plan.say[place]
        assert isinstance(part, Wording)
        judge = _WordingFilter(part, call.prompt or call.role.prompt)
        for _attempt in range(WORDING_ATTEMPTS):
            judge.begins()
            try:
                again = judge.again
                wanted = request_for_wording(call, place, again=again, shown=judge.shown, language=self.language)
                asked = replace(wanted, call_context=self.call_context)
                toolbox = (
                    Toolbox(call.role, self.call_context, guard=part.guard, bus=call.bus)
                    if part.may_use_tools
                    else None
                )
                async with aclosing(split_sentences(self.answer(asked, toolbox, told))) as spoken:
                    async for sentence in spoken:
                        if isinstance(sentence, ShownEvent):
                            yield sentence
                        elif judge.accept_sentence(sentence):
                            yield TextPiece(sentence if judge.shown else part.lead + sentence)
                            judge.shown += sentence
                        if judge.has_enough():
                            break
            except LLMError as error:
                told.failed(error)
                if part.is_required and not self.call_context.exhausted_account:
                    raise
                break
            if judge.remark:
                told.remarks.append(judge.remark)
            if judge.stands():
                yield TextPiece((judge.held if judge.shown else part.lead + judge.held) + part.trail)
                return
            judge.again = judge.remark
        else:
            told.failure = told.failure or LLMInvalidOutput
        async for piece in self.instead(part, judge.shown, told):
            yield piece

    async def instead(self, part: Wording, shown: str, told: "_SpeechTally") -> AsyncIterator[SpeechPiece]:
        """Say the authored words in place of a model's, and explain it if the model stopped half-way."""
        text = with_lead_and_trail(part.words, part)
        if shown:
            silence = f"… {self.broke_off}" if told.degraded else ""
            text = silence + (f"\n\n{part.words}" if part.words else "") + part.trail
        async for piece in stream_at_pace(text, self.pace_s):
            yield piece

    async def answer(
        self, asked: ModelRequest, toolbox: Toolbox | None, told: "_SpeechTally"
    ) -> AsyncGenerator[TextPiece | ShownEvent]:
        """Yield a model's words, and the events of the tools it uses."""
        asked = replace(asked, tools=toolbox.offered if toolbox else ())
        while True:
            wanted: list[ToolRequest] = []
            said: list[str] = []
            ended: AnswerEnd | None = None
            told.asks()
            async with aclosing(self.backend.stream(asked)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextPiece):
                        said.append(piece.text)
                        yield piece
                    elif isinstance(piece, ToolRequest):
                        wanted.append(piece)
                    else:
                        ended = piece
            if ended is None:
                raise LLMTruncated
            told.count(ended)
            if not wanted:
                return
            if toolbox is None or not asked.tools:
                told.remarks.append("unasked_tool")
                if not said:
                    raise LLMInvalidOutput
                return
            answers: list[ToolResponse] = []
            async for event, answer in toolbox.used(wanted):
                yield ShownEvent(event)
                answers += [answer] if answer else []
            asked = toolbox.asked_on(asked, "".join(said), wanted, answers)

    async def refined(self, call: RoleCall, own: BaseModel, told: "_SpeechTally") -> BaseModel:
        """Return code's result with what of a model's can be believed; code's alone if the model fails."""
        assert call.plan.refine is not None
        try:
            return call.plan.refine(own, await self.result(call, told))
        except LLMError as error:
            # Code's result is whole: nothing that the learner reads is missing, so the reply is not degraded.
            told.failure = told.failure or type(error)
            told.remarks.append(type(error).__name__)
            return own

    async def result(self, call: RoleCall, told: "_SpeechTally") -> BaseModel:
        """Request a result that only a model can give."""
        asked = replace(request_for_result(call), call_context=self.call_context)
        ended: AnswerEnd | None = None
        told.asks()
        async with aclosing(self.backend.stream(asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, AnswerEnd):
                    ended = piece
        if ended is None or ended.parsed is None:
            raise LLMTruncated
        told.count(ended)
        return ended.parsed


class _WordingFilter:
    """Filters a model's words: what may be shown, and what was shown so far."""

    def __init__(self, part: Wording, prompt: Prompt | None) -> None:
        self.part = part
        self.prompt = prompt
        self.shown = ""
        self.held = ""
        """Text after a dropped sentence; shown once it is known to be enough."""
        self.again = ""
        """Why the words are requested once more."""
        self._before = ""
        self._left_out: list[str] = []
        self._ended = False

    def begins(self) -> None:
        """Record that an answer starts."""
        self._before, self.held, self._left_out, self._ended = self.shown, "", [], False

    def accept_sentence(self, sentence: str) -> bool:
        """Return whether a sentence may be shown at once; one that may be shown later is held."""
        text = self.shown + self.held + sentence
        # If no model answers, the last backend of the chain says the authored words, which need no check.
        if not self.held and self.part.words.startswith(text):
            return True
        if problem := find_problem(text, self.part, self.prompt):
            self._left_out.append(problem)
            # A superfluous sentence ends the reply, and a model that recites the prompt says nothing else.
            self._ended = problem == PROMPT_QUOTED or (problem == TOO_MUCH and bool(self.shown))
            return False
        if self._before and sentence.strip() in self._before:
            return False  # It started its answer over.
        if self._left_out:
            self.held += sentence
        return not self._left_out

    def has_enough(self) -> bool:
        """Return whether the rest of the answer is dropped."""
        if self._ended or len(self._left_out) >= MOST_LEFT_OUT:
            return True
        text = self.shown + self.held
        is_long = len(text.split()) >= self.part.most_words or len(text) >= self.part.most_words * WORD_CHARACTERS
        return is_long and not self.part.words.startswith(text)

    @property
    def remark(self) -> str:
        """Why the answer, or part of it, may not be shown, in one word; empty if all of it, or enough of it, may."""
        first = next((each for each in self._left_out if each != TOO_MUCH), "")
        return first or ("" if self.shown + self.held else next(iter(self._left_out), "empty"))

    def stands(self) -> bool:
        """Return whether the text that may be shown is a complete reply."""
        text = self.shown + self.held
        if text and not self.remark:
            return True
        asks = "?" in text or "?" not in self.part.words
        return PROMPT_QUOTED not in self._left_out and asks and len(text.split()) >= LEAST_LEFT


class _SpeechTally:
    """Totals of a part so far."""

    def __init__(self, backend: str) -> None:
        self.usage = Usage(backend=backend)
        self.degraded = False
        self.remarks: list[str] = []
        self.failure: type[LLMError] | None = None
        """How a model failed first, where something replaces what it did not give."""
        self._asked = self._counted = 0

    def asks(self) -> None:
        """Count a request. If its answer is not read to the end, its tokens are never counted."""
        self._asked += 1

    def took(self) -> Usage:
        """Return the total usage of all requests; tokens and cost are unknown if one was not counted."""
        if self._asked == self._counted:
            return self.usage
        return Usage(backend=self.usage.backend, model=self.usage.model)

    def failed(self, error: LLMError) -> None:
        self.degraded = True
        self.failure = self.failure or type(error)
        self.remarks.append(type(error).__name__)

    def count(self, ended: AnswerEnd) -> None:
        """Add a request's usage. A figure unknown for one is unknown in the total."""
        new = ended.usage
        if new.backend == "offline":
            # The last backend of the fallback chain: authored words instead of a model's.
            self.degraded = True
            self.failure = self.failure or ended.failure
            self.remarks.append("offline")
        if ended.stop == "length":
            self.remarks.append("length")
        self.usage = self.usage.plus(new) if self._counted else new
        self._counted += 1


async def split_sentences(pieces: AsyncGenerator[TextPiece | ShownEvent]) -> AsyncGenerator[str | ShownEvent]:
    """Join pieces of text into whole sentences, each with the white space after it; joined they give the text."""
    rest, begun = "", False
    async with aclosing(pieces):
        async for piece in pieces:
            if isinstance(piece, ShownEvent):
                yield piece
                continue
            rest += piece.text
            if not begun:
                rest = rest.lstrip()
            for sentence in _whole_sentences(rest):
                begun = True
                for part in _parts(sentence):
                    yield part
                rest = rest[len(sentence) :]
    if rest.strip():
        for part in _parts(rest.rstrip()):
            yield part


def _whole_sentences(text: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if not ends and len(text) > MAX_SENTENCE_CHARACTERS:
        ends = [text.rfind(" ") + 1 or len(text)]
    return [text[start:end] for start, end in pairwise((0, *ends))]


def _parts(sentence: str) -> Iterator[str]:
    """Yield a sentence in parts that are not too long: a model may send a hundred thousand characters at once."""
    while len(sentence) > MAX_SENTENCE_CHARACTERS:
        end = sentence.rfind(" ", 0, MAX_SENTENCE_CHARACTERS) + 1 or MAX_SENTENCE_CHARACTERS
        yield sentence[:end]
        sentence = sentence[end:]
    yield sentence


def with_lead_and_trail(words: str, part: Wording) -> str:
    """Return the words with the lead and trail of their wording; empty stays empty."""
    return part.lead + words + part.trail if words else ""


def find_problem(text: str, part: Wording, prompt: Prompt | None) -> str:
    """Return why a model's words must not be shown, in one word; empty if they may."""
    return part.guard(text) or find_prompt_quotation(text, prompt)


def find_prompt_quotation(text: str, prompt: Prompt | None) -> str:
    """Return `prompt` if the text repeats a long part of the prompt, else an empty string."""
    return PROMPT_QUOTED if prompt and not _prompt_runs(prompt).isdisjoint(_runs(text)) else ""


@lru_cache(maxsize=PROMPTS_KEPT)
def _prompt_runs(prompt: Prompt) -> set[tuple[str, ...]]:
    """Return the runs of a prompt, with which each sentence of a reply is compared."""
    return _runs(prompt.text)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[start : start + QUOTED_RUN_WORDS]) for start in range(len(words) - QUOTED_RUN_WORDS + 1)}
