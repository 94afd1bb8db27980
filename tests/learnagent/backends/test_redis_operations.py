"""Operations on Redis are counted by the process that makes them."""

from threading import Thread

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache

from learnagent.backends.redis_operations import OperationCount, operations


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def test_recent_ones_are_those_of_the_last_minute():
    clock = Clock()
    count = OperationCount(clock)
    count.add()
    clock.now += 30
    count.add()
    assert (count.recent(), count.total) == (2, 2)
    clock.now += 30
    assert (count.recent(), count.total) == (1, 2)
    clock.now += 30
    assert (count.recent(), count.total) == (0, 2)


def test_busy_minute_after_another_counts_in_full():
    clock = Clock()
    count = OperationCount(clock)
    for _ in range(150):
        count.add()
        clock.now += 1
    assert (count.recent(), count.total) == (59, 150)


def test_threads_lose_no_operation():
    count = OperationCount()
    threads = [Thread(target=lambda: [count.add() for _ in range(2_000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert count.total == 8_000


@pytest.mark.parametrize("fault", ["", "kill"])
def test_cache_and_channel_layer_are_counted_whether_redis_answers_or_not(shared, fault):
    if fault:
        shared.kill()
    before = operations.total
    cache.set("a", 1)
    cache.get("a")
    assert operations.total == before + 2
    layer = get_channel_layer()
    async_to_sync(layer.group_discard)("somewhere", "specific.here")
    assert operations.total == before + 3
