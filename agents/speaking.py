"""Speakers: how a role's plan is said. Authored words as they are, wordings by a model that a guard stands behind."""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import field, replace
from itertools import pairwise

from pydantic import BaseModel

from agents.asking import asked_for_result, asked_for_wording
from agents.errors import LLMError, LLMInvalidOutput, LLMTruncated
from agents.events import Event
from agents.llm.base import Asked, Ended, LLMBackend, Text, ToolAnswered, ToolAsked
from agents.llm.behalf import NOBODY, Behalf
from agents.llm.offline import at_pace
from agents.outcomes import Usage
from agents.prompts import Prompt
from agents.roles import ENOUGH, Call, Use, Wording
from agents.tooling import Toolbox
from agents.tools import ToolResult
from agents.values import value

WORDINGS = 2
"""Words that must not be shown are asked for once more; after that the authored ones are said."""
HELD_CHARACTERS = 400
"""A sentence longer than this is judged as far as it goes."""
RUN = 8
"""Words in a row, the same as in the prompt, that give the prompt away."""
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*_]*\s+|\n+")


@value
class Shown:
    """An event that belongs at this place of the answer: a card, a finding."""

    event: Event = field(kw_only=False)


@value
class Completed:
    """All is said. A stream that ends without it is truncated."""

    result: BaseModel | None
    usage: Usage
    degraded: bool = False
    remarks: tuple[str, ...] = ()


Piece = Text | Shown | Completed


class Speaker(ABC):
    """Says a role's part of a turn."""

    @abstractmethod
    def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Yield what is said and shown, `Completed` last. Raise LLMError, and nothing else, when it cannot."""


class PlanSpeaker(Speaker):
    """Says plans by one backend, on somebody's behalf. A model that fails costs its words, never the turn."""

    def __init__(
        self, backend: LLMBackend, *, behalf: Behalf = NOBODY, pace_s: float = 0.0, broke_off: object = ""
    ) -> None:
        self.backend = backend
        self.behalf = behalf
        self.pace_s = pace_s
        """Seconds between two pieces of authored words."""
        self.broke_off = broke_off
        """What is said where a model fell silent in the middle; a string, or one translated late."""

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        told, place = _Told(self.backend.name), -1
        while (place := place + 1) < len(call.plan.say):
            part = call.plan.say[place]
            if isinstance(part, Event):
                yield Shown(part)
                continue
            if isinstance(part, Use):
                found: ToolResult | str = ""
                async for event, answer in Toolbox(call.role, self.behalf).used_as_planned(part):
                    yield Shown(event)
                    found = answer
                call, place = call.with_said(part.then(found), place), place - 1
                continue
            asks = isinstance(part, Wording) and part.task and self.backend.name != "offline"
            spoken = self.worded(call, place, told) if asks else self.authored(part)
            async for piece in spoken:
                yield piece
        result = call.plan.result
        if result is None and call.role.result is not None:
            result = await self.result(call, told)
        if told.degraded and self.behalf.spent_account:
            told.remarks.append("budget")
        yield Completed(result=result, usage=told.took(), degraded=told.degraded, remarks=tuple(told.remarks))

    async def authored(self, part: str | Wording) -> AsyncIterator[Piece]:
        text = part if isinstance(part, str) else placed(part.words, part)
        async for piece in at_pace(text, self.pace_s):
            yield piece

    async def worded(self, call: Call, place: int, told: "_Told") -> AsyncIterator[Piece]:
        """Let a model find the words, sentence by sentence past the guard, or fall back to the authored ones."""
        part = call.plan.say[place]
        assert isinstance(part, Wording)
        prompt = call.prompt or call.role.prompt
        shown = again = ""
        for _attempt in range(WORDINGS):
            problem, before = "", shown
            try:
                asked = replace(asked_for_wording(call, place, again=again, shown=shown), behalf=self.behalf)
                toolbox = Toolbox(call.role, self.behalf, guard=part.guard) if part.may_use_tools else None
                async with aclosing(by_sentence(self.answer(asked, toolbox, told))) as spoken:
                    async for sentence in spoken:
                        if isinstance(sentence, Shown):
                            yield sentence
                            continue
                        # Where no model answers, the end of its chain says the authored words, which need no judge.
                        authored = part.words.startswith(shown + sentence)
                        if not authored and (problem := problem_in(shown + sentence, part, prompt)):
                            break
                        if before and sentence.strip() in before:
                            continue  # It began its answer anew.
                        yield Text(sentence if shown else part.lead + sentence)
                        shown += sentence
                        if not authored and len(shown.split()) >= part.most_words:
                            break
            except LLMError as error:
                told.failed(error)
                break
            # A sentence is refused, not the reply: what came before it stands, and the rest is asked for once.
            if shown and (problem in ("", ENOUGH) or before not in ("", shown)):
                yield Text(part.trail)
                return
            again = problem or "empty"
            told.remarks.append(again)
        async for piece in self.instead(part, shown, told):
            yield piece

    async def instead(self, part: Wording, shown: str, told: "_Told") -> AsyncIterator[Piece]:
        """Say the authored words where a model's are missing, and why they come where it fell silent half-way."""
        text = placed(part.words, part)
        if shown:
            silence = f"… {self.broke_off}" if told.degraded else ""
            text = silence + (f"\n\n{part.words}" if part.words else "") + part.trail
        async for piece in at_pace(text, self.pace_s):
            yield piece

    async def answer(self, asked: Asked, toolbox: Toolbox | None, told: "_Told") -> AsyncGenerator[Text | Shown]:
        """Yield a model's words, tools used in between where there are some."""
        asked = replace(asked, tools=toolbox.offered if toolbox else ())
        while True:
            wanted: list[ToolAsked] = []
            said: list[str] = []
            ended: Ended | None = None
            told.asks()
            async with aclosing(self.backend.stream(asked)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Text):
                        said.append(piece.text)
                        yield piece
                    elif isinstance(piece, ToolAsked):
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
            answers: list[ToolAnswered] = []
            async for event, answer in toolbox.used(wanted):
                yield Shown(event)
                answers += [answer] if answer else []
            asked = toolbox.asked_on(asked, "".join(said), wanted, answers)

    async def result(self, call: Call, told: "_Told") -> BaseModel:
        """Ask for a result that only a model can give."""
        asked = replace(asked_for_result(call), behalf=self.behalf)
        ended: Ended | None = None
        told.asks()
        async with aclosing(self.backend.stream(asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Ended):
                    ended = piece
        if ended is None or ended.parsed is None:
            raise LLMTruncated
        told.count(ended)
        return ended.parsed


class _Told:
    """What a part has come to so far."""

    def __init__(self, backend: str) -> None:
        self.usage = Usage(backend=backend)
        self.degraded = False
        self.remarks: list[str] = []
        self._asked = self._counted = 0

    def asks(self) -> None:
        """Take note of a question. One that nobody hears to its end is never counted."""
        self._asked += 1

    def took(self) -> Usage:
        """Return what all questions took together; tokens and cost are unknown where one was not counted."""
        if self._asked == self._counted:
            return self.usage
        return Usage(backend=self.usage.backend, model=self.usage.model)

    def failed(self, error: LLMError) -> None:
        self.degraded = True
        self.remarks.append(type(error).__name__)

    def count(self, ended: Ended) -> None:
        """Add what a question took. What is unknown of one is unknown of all."""
        new = ended.usage
        if new.backend == "offline":
            # The end of the fallback chain: authored words came where a model's should have.
            self.degraded = True
            self.remarks.append("offline")
        if ended.stop == "length":
            self.remarks.append("length")
        self.usage = self.usage.and_then(new) if self._counted else new
        self._counted += 1


async def by_sentence(pieces: AsyncGenerator[Text | Shown]) -> AsyncGenerator[str | Shown]:
    """Gather pieces of text into whole sentences, each with the white space after it: joined they are the text."""
    rest, begun = "", False
    async with aclosing(pieces):
        async for piece in pieces:
            if isinstance(piece, Shown):
                yield piece
                continue
            rest += piece.text
            if not begun:
                rest = rest.lstrip()
            for sentence in _whole_sentences(rest):
                begun = True
                yield sentence
                rest = rest[len(sentence) :]
    if rest.strip():
        yield rest.rstrip()


def _whole_sentences(text: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if not ends and len(text) > HELD_CHARACTERS:
        ends = [text.rfind(" ") + 1 or len(text)]
    return [text[start:end] for start, end in pairwise((0, *ends))]


def placed(words: str, part: Wording) -> str:
    """Return words as they stand at their wording's place; none stay none."""
    return part.lead + words + part.trail if words else ""


def problem_in(text: str, part: Wording, prompt: Prompt | None) -> str:
    """Return why a model's words must not be shown, in a word; empty when they may."""
    return part.guard(text) or quotes_prompt(text, prompt)


def quotes_prompt(text: str, prompt: Prompt | None) -> str:
    """Return `prompt` for words that repeat the prompt at length; empty for others."""
    return "prompt" if prompt and _runs(text) & _runs(prompt.text) else ""


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}
