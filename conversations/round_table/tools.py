"""Tools of the collaborators: the shared store, one another's results, and a question to one of them. All go over the bus."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agents.engine.bus import make_event, make_request
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from conversations.round_table.shared_store import (
    KEY_CHARACTERS,
    STORED_EVENT,
    VALUE_CHARACTERS,
    Question,
    StoreEntry,
    StoreKind,
)
from conversations.round_table.table import Table, open_tables
from conversations.round_table.wording import plain_content
from conversations.search.passage_quotes import content_words
from conversations.search.sentences import sentence_spans

RESULT_CHARACTERS = 1_500
"""Of one result that another agent reads."""
MOST_QUESTIONS = 20
"""Of one table: agents that ask one another for ever stop here."""
QUESTION_CHARACTERS = 400
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class WriteArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: StoreKind = Field(
        description="discoveredData for facts and figures, intermediateResults for what you worked out, collaborationNotes for notes."
    )
    key: str = Field(min_length=1, max_length=KEY_CHARACTERS, description="A short name for it.")
    value: str = Field(min_length=1, max_length=VALUE_CHARACTERS, description="What the others should know.")


class ReadArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: StoreKind | None = Field(default=None, description="Only entries of this kind.")
    agent: str = Field(default="", max_length=30, description="Only what this agent wrote and said.")


class AskArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    agent: str = Field(min_length=1, max_length=30, description="The name of the agent at the table.")
    question: str = Field(min_length=1, max_length=QUESTION_CHARACTERS)


class Written(ToolResult):
    """An entry was kept."""

    key: str
    provenance: str


class OthersResult(BaseModel):
    """What another agent said in a round."""

    agent: str
    round: int
    text: str


class TableContents(ToolResult):
    """What the table knows: the store's entries, and what was said, each with who it is from and in which round."""

    entries: list[StoreEntry]
    results: list[OthersResult]

    @property
    def summary(self) -> str:
        return f"{len(self.entries)} entries, {len(self.results)} results"


class Asked(ToolResult):
    """A question was passed on. `so_far` is what the agent has said on it already, word for word."""

    agent: str
    so_far: list[str]
    answered_in_round: int | None
    """None if there is no round left."""


def _table_of(use: ToolUse) -> Table:
    table = open_tables.get(use.turn_id) if use.turn_id is not None else None
    if table is None:
        raise ToolFailed("There is no round table here.")
    return table


async def _write(arguments: WriteArguments, use: ToolUse) -> Written:
    table = _table_of(use)
    if _UNSTORABLE.search(arguments.key + arguments.value):
        raise ToolFailed("The text has characters that cannot be stored.")
    number = table.rounds_of.get(use.agent, 1)
    entry = StoreEntry(kind=arguments.kind, key=arguments.key, value=arguments.value, agent=use.agent, round=number)
    if problem := table.store.write(entry):
        raise ToolFailed(problem)
    if use.bus is not None:
        use.bus.publish(make_event(STORED_EVENT, sender=use.agent, data=entry.model_dump()))
    return Written(key=entry.key, provenance=f"{use.agent}, round {number}")


async def _read(arguments: ReadArguments, use: ToolUse) -> TableContents:
    table = _table_of(use)
    wanted = arguments.agent.replace("-", "_")
    entries = [each for each in table.store.entries(arguments.kind) if wanted in ("", each.agent)]
    said = [each for each in table.heard if wanted in ("", each.agent)] if arguments.kind is None else []
    results = [
        OthersResult(agent=each.agent, round=each.round, text=plain_content(each)[:RESULT_CHARACTERS]) for each in said
    ]
    return TableContents(entries=entries, results=results)


async def _ask(arguments: AskArguments, use: ToolUse) -> Asked:
    table, name = _table_of(use), arguments.agent.replace("-", "_").casefold()
    names = {seat.name: seat.name for seat in table.seats} | {seat.title.casefold(): seat.name for seat in table.seats}
    if name not in names or names[name] == use.agent:
        others = ", ".join(seat.name for seat in table.seats if seat.name != use.agent)
        raise ToolFailed(f"Nobody of that name can be asked. The others are: {others}.")
    if len(table.questions) >= MOST_QUESTIONS:
        raise ToolFailed("No more questions can be asked at this table.")
    number = table.rounds_of.get(use.agent, 1)
    question = Question(asked_by=use.agent, to=names[name], text=arguments.question, round=number)
    table.questions.append(question)
    if use.bus is not None:
        data = {"question": question.text, "round": number}
        use.bus.publish(make_request("answer", sender=use.agent, recipient=question.to, data=data))
    said = [each for each in table.heard if each.agent == question.to]
    return Asked(
        agent=question.to,
        so_far=nearest_sentences(question.text, [plain_content(each) for each in said]),
        answered_in_round=number + 1 if number < table.rounds else None,
    )


def nearest_sentences(question: str, texts: Sequence[str], *, most: int = 2) -> list[str]:
    """Return the sentences with the most of a question's words, best first; none without a word in common."""
    asked = content_words(question)
    sentences = [text[start:end] for text in texts for start, end in sentence_spans(text)]
    scored = [(len(content_words(each) & asked), each) for each in dict.fromkeys(sentences)]
    return [each for score, each in sorted(scored, key=lambda pair: -pair[0]) if score][:most]


def _tool(name: str, description: str, arguments: type[BaseModel], run: Any) -> Tool:
    # What other agents wrote may come from documents and pages.
    return Tool(name=name, description=description, arguments=arguments, run=run, is_untrusted=True)


TABLE_TOOLS = (
    _tool("table_write", "Leaves data, a result or a note for the other agents at the table.", WriteArguments, _write),
    _tool("table_read", "Reads what the other agents at the table have left and said.", ReadArguments, _read),
    _tool(
        "table_ask", "Asks one agent at the table a question, which it answers in the next round.", AskArguments, _ask
    ),
)
