"""The channel layer of one process: as Django Channels' own, but for how often it looks for what has expired."""

import pytest

from learnagent.backends import local_channel_layer
from learnagent.backends.local_channel_layer import LocalChannelLayer


async def test_all_of_a_group_hear_it_and_a_full_one_holds_nobody_up():
    layer = LocalChannelLayer(capacity=1)
    first, second = [await layer.new_channel() for _ in range(2)]
    await layer.send(first, {"type": "before"})
    for channel in (first, second):
        await layer.group_add("all", channel)
    await layer.group_send("all", {"type": "now"})
    assert [await layer.receive(channel) for channel in (first, second)] == [{"type": "before"}, {"type": "now"}]


@pytest.mark.parametrize(("waited_s", "left"), [(0, 1), (local_channel_layer.CLEAN_EVERY_S + 1, 0)])
async def test_what_has_expired_goes_when_it_is_time(monkeypatch, waited_s, left):
    layer = LocalChannelLayer(expiry=-1)
    now = 0.0
    monkeypatch.setattr(local_channel_layer, "monotonic", lambda: now)
    await layer.group_send("all", {"type": "nothing"})
    channel = await layer.new_channel()
    await layer.send(channel, {"type": "old"})
    now = waited_s
    await layer.group_send("all", {"type": "nothing"})
    assert len(layer.channels) == left
