"""The store that the collaborators of a round table share: data, results and notes, each with who wrote it in which round."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

type StoreKind = Literal["discoveredData", "intermediateResults", "collaborationNotes"]

STORED_EVENT: Final = "stored"
"""The event on the bus, which is also the record, from which a table is restored after a restart."""
MOST_ENTRIES: Final = 60
"""Of one table: an agent that writes in a loop stops here, and the bus has room for the agents' other messages."""
VALUE_CHARACTERS: Final = 4_000
KEY_CHARACTERS: Final = 60
MOST_CHARACTERS: Final = 60_000
"""Of all entries together. The memory of a table stays small, whoever writes."""


class StoreEntry(BaseModel):
    """Something that a collaborator left for the others."""

    model_config = ConfigDict(frozen=True)

    kind: StoreKind
    key: str = Field(max_length=KEY_CHARACTERS)
    value: str = Field(max_length=VALUE_CHARACTERS)
    agent: str
    round: int


class Question(BaseModel):
    """A question that one collaborator asks another."""

    model_config = ConfigDict(frozen=True)

    asked_by: str
    to: str
    text: str
    round: int


class SharedStore:
    """The entries of one table, oldest first. An entry with the key of an earlier one of the same kind replaces it."""

    def __init__(self, entries: Iterable[StoreEntry] = ()) -> None:
        self._entries: dict[tuple[str, str], StoreEntry] = {}
        for entry in entries:
            self._entries[entry.kind, entry.key] = entry

    def write(self, entry: StoreEntry) -> str:
        """Keep an entry; return why it is not kept, for the model, or an empty string."""
        held = self._entries.get((entry.kind, entry.key))
        if held is None and len(self._entries) >= MOST_ENTRIES:
            return f"The store is full: it holds {MOST_ENTRIES} entries. Replace one by writing to its key."
        if held is not None and held.agent != entry.agent:
            return f"{entry.key!r} belongs to {held.agent}. Choose another key."
        size = sum(len(each.value) for each in self._entries.values()) - (len(held.value) if held else 0)
        if size + len(entry.value) > MOST_CHARACTERS:
            return "The store is full. Write less, or replace an entry of yours."
        self._entries[entry.kind, entry.key] = entry
        return ""

    def entries(self, kind: StoreKind | None = None) -> Iterator[StoreEntry]:
        """Yield the entries, of one kind or all."""
        for entry in self._entries.values():
            if kind is None or entry.kind == kind:
                yield entry
