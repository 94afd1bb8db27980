"""The calls of a backend are counted, and those who wait hear when one ends, whatever thread it ran in."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.llm.wrappers.backend_load import BackendLoad, wait_for_room

NEVER_S = 3600.0


async def test_call_that_ends_in_another_thread_is_heard_of() -> None:
    load = BackendLoad(1)
    assert load.start(1.0)
    waiting = asyncio.create_task(wait_for_room([load], 1.0, timeout_s=NEVER_S))
    await asyncio.sleep(0)
    await asyncio.to_thread(load.end)
    await waiting


async def test_room_that_came_before_the_wait_is_taken_at_once() -> None:
    await wait_for_room([BackendLoad(1)], 1.0, timeout_s=NEVER_S)


def test_threads_that_start_at_once_stay_below_the_limit() -> None:
    load = BackendLoad(8)
    with ThreadPoolExecutor(16) as pool:
        started = list(pool.map(load.start, [1.0] * 64))
    assert (started.count(True), load.in_flight) == (8, 8)


@pytest.mark.parametrize(("capacity", "calls"), [(1, 1), (2, 1), (3, 1), (8, 4)])
def test_half_of_the_capacity(capacity: int, calls: int) -> None:
    load = BackendLoad(capacity)
    assert [load.start(0.5) for _ in range(capacity)].count(True) == calls


def test_no_limit() -> None:
    load = BackendLoad()
    assert all(load.start(0.5) for _ in range(1_000))
