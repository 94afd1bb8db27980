"""Search over a person's exchanges, as the storage mode says."""

from conversations.owners import Owner
from conversations.search.turns import search_turns
from conversations.v1_storage.capture_search import search_captures
from conversations.v1_storage.exchanges import Exchange, exchanges_of
from conversations.v1_storage.modes import StorageMode, storage_mode


def search_exchanges(person: Owner, query: str, *, limit: int) -> list[Exchange]:
    """Return at most `limit` of the person's own exchanges that contain all words of the query, the latest first.

    The message and its reply together have to contain all of them, a phrase in one of the two, and neither may contain an
    excluded word. Where both storages are read, an exchange that either finds is there once: never fewer than v1's finds.
    """
    mode = storage_mode()
    if mode is StorageMode.V1:
        return exchanges_of(search_captures(person, query, limit=limit), person)
    turns = search_turns(person, query, limit=limit)
    if mode is StorageMode.V2:
        return exchanges_of(turns, person)
    captures = search_captures(person, query, limit=limit)
    captured = {each.turn_id for each in captures}
    found = exchanges_of([*captures, *(turn for turn in turns if turn.pk not in captured)], person)
    return sorted(found, key=lambda each: each.timestamp, reverse=True)[:limit]
