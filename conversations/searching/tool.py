"""The tool `library`: what the documents that a person may read, and the courses, say on something."""

import asyncio
from typing import Any

from django.contrib.auth import get_user_model
from pydantic import BaseModel, ConfigDict, Field

from agents import embeddings
from agents.threads import in_orm_thread
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from conversations.models import Passage
from conversations.searching import citing
from conversations.searching.readable import MESSAGE
from conversations.searching.sources import all_kinds, search

PASSAGES = 6
QUERY_CHARACTERS = 400


class LibraryArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1, max_length=QUERY_CHARACTERS, description="What to look for, as a question or a few words."
    )


class FoundPassage(BaseModel):
    """A passage, with what is needed to cite it."""

    source: Source
    heading: str
    where: str
    """The place in its document: a heading, a page."""
    text: str
    likeness: float | None
    """Cosine of its meaning to the query's; None where that was not compared."""


class LibraryPassages(ToolResult):
    passages: list[FoundPassage]
    """The best first."""

    @property
    def summary(self) -> str:
        """How much was found; what stands there is nobody's to keep."""
        return f"{len(self.passages)} passages"

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(each.source for each in self.passages)


def passages_for(person: Any, query: str, *, limit: int = PASSAGES) -> LibraryPassages:
    """Return the passages that this person may read and that are about the query."""
    found = search(person, query, kinds=all_kinds() - {MESSAGE}, limit=limit).found
    rows = Passage.objects.select_related("document", "publication").in_bulk([int(each.id) for each in found])
    return LibraryPassages(
        passages=[
            FoundPassage(
                source=citing.source_of(row),
                heading=each.heading,
                where=citing.where_of(row),
                text=each.text,
                likeness=each.likeness,
            )
            for each in found
            if (row := rows.get(int(each.id)))
        ]
    )


async def _run(arguments: LibraryArguments, use: ToolUse) -> LibraryPassages:
    if use.person_id is None:
        raise ToolFailed("Nobody is asking whose library it could be.")
    # Not in the thread that all others ask the database in.
    await asyncio.to_thread(embeddings.load)
    return await in_orm_thread(_for_person)(use.person_id, arguments.query)


def _for_person(person_id: int, query: str) -> LibraryPassages:
    return passages_for(get_user_model()._base_manager.get(pk=person_id), query)


LIBRARY = Tool(
    name="library",
    description="Finds passages on a question in the learner's own documents, those shared with them, and the courses.",
    arguments=LibraryArguments,
    run=_run,
    timeout_s=15.0,  # The sentence model is loaded at its first use.
    is_untrusted=True,
)
