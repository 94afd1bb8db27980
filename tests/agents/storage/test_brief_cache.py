"""Values that are read again after seconds, and at once where they were changed."""

import pytest
from django.db import transaction

from agents.storage.brief_cache import BriefCache

CACHED_S = 2.0


class Source:
    value = "old"
    reads = 0

    def read(self) -> str:
        self.reads += 1
        return self.value


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr("agents.storage.brief_cache.time.monotonic", lambda: now[0])
    return now


def test_a_change_elsewhere_is_seen_after_the_time(source: Source, clock: list[float]) -> None:
    cache = BriefCache(source.read, seconds=CACHED_S)
    assert [cache.get(), cache.get()] == ["old", "old"]
    source.value = "new"
    clock[0] += CACHED_S
    assert (cache.get(), source.reads) == ("old", 1)
    clock[0] += 0.01
    assert (cache.get(), source.reads) == ("new", 2)


def test_a_slow_read_does_not_extend_the_time(source: Source, clock: list[float]) -> None:
    def read_slowly() -> str:
        clock[0] += 60
        return source.read()

    cache = BriefCache(read_slowly, seconds=CACHED_S)
    cache.get()
    source.value = "new"
    assert cache.get() == "new"


@pytest.mark.django_db(transaction=True)
def test_what_others_read_before_the_commit_is_forgotten_on_commit(source: Source) -> None:
    cache = BriefCache(source.read, seconds=CACHED_S)
    with transaction.atomic():
        cache.forget_now_and_on_commit()
        cache.get()  # As another thread may, before the new value is committed.
        source.value = "new"
    assert cache.get() == "new"


@pytest.mark.django_db(transaction=True)
async def test_asynchronous_code_reads_elsewhere_and_then_waits_for_nothing(source: Source, clock: list[float]) -> None:
    cache = BriefCache(source.read, seconds=CACHED_S)
    assert await cache.aget() == "old"
    with pytest.raises(StopIteration):  # Nothing is awaited: the first step ends it.
        cache.aget().send(None)
    assert source.reads == 1
    clock[0] += CACHED_S + 1
    source.value = "new"
    assert await cache.aget() == "new"
