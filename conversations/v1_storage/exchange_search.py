"""Search over a person's exchanges, as the storage mode says."""

from conversations.models import Turn
from conversations.owners import Owner
from conversations.search.messages import search_messages
from conversations.v1_storage.capture_search import search_captures
from conversations.v1_storage.exchanges import Exchange, exchanges_of
from conversations.v1_storage.modes import StorageMode, storage_mode


def search_exchanges(person: Owner, query: str, *, limit: int) -> list[Exchange]:
    """Return at most `limit` of the person's own exchanges that contain all words of the query, the latest first.

    In v2's storage, one of the two messages has to contain all of them; in v1's, both together. Where both storages are
    read, an exchange that either finds is there once: never fewer than v1's finds.
    """
    mode = storage_mode()
    if mode is StorageMode.V1:
        return exchanges_of(search_captures(person, query, limit=limit), person)
    turns = _search_turns(person, query, limit=limit)
    if mode is StorageMode.V2:
        return exchanges_of(turns, person)
    captures = search_captures(person, query, limit=limit)
    captured = {each.turn_id for each in captures}
    found = exchanges_of([*captures, *(turn for turn in turns if turn.pk not in captured)], person)
    return sorted(found, key=lambda each: each.timestamp, reverse=True)[:limit]


def _search_turns(person: Owner, query: str, *, limit: int) -> list[Turn]:
    # Both messages of a turn may be found.
    hits = search_messages(person, query, limit=2 * limit)
    found = list(dict.fromkeys(hit.turn_id for hit in hits))[:limit]
    turns = Turn.objects.in_bulk(found)
    return [turns[pk] for pk in found]
