"""Primary keys that grow with time."""

import time
import uuid

from agents.storage.time_ordered_ids import new_time_ordered_id


def test_it_is_an_rfc_9562_version_7() -> None:
    found = new_time_ordered_id()
    assert (found.version, found.variant) == (7, uuid.RFC_4122)


def test_it_begins_with_the_time_in_milliseconds(monkeypatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_790_000_000_123_999_999)
    assert new_time_ordered_id().int >> 80 == 1_790_000_000_123


def test_ids_of_one_moment_differ(monkeypatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_790_000_000_000_000_000)
    assert len({new_time_ordered_id() for _ in range(1000)}) == 1000


def test_later_ids_sort_after_earlier_ones(monkeypatch) -> None:
    found = []
    for milliseconds in (1, 255, 256, 2**40, 2**47):
        monkeypatch.setattr(time, "time_ns", lambda now=milliseconds: now * 1_000_000)
        found.append(new_time_ordered_id())
    assert [each.hex for each in found] == sorted(each.hex for each in found)
