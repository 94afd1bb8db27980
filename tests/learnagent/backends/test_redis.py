"""Redis makes limits shared and other tabs quick; killed, emptied or hanging, it takes nothing from anybody."""

import logging

import pytest
import redis
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache, caches

from agents.storage.availability import ServiceLost
from learnagent.accounts.authentication.rate_limits import Throttle
from tests import people

THREE = Throttle(name="test", limit=3, window_s=600)
FAULTS = ["kill", "hang"]


class TestCache:
    def test_is_shared(self, shared):
        assert [THREE.count_try("ada") for _ in range(4)] == [True, True, True, False]
        caches["local"].clear()
        assert not THREE.count_try("ada")

    @pytest.mark.parametrize("fault", FAULTS)
    def test_tries_are_still_counted_while_it_is_away(self, shared, fault):
        """G6: neither is everybody let in nor everybody kept out."""
        getattr(shared, fault)()
        assert [THREE.count_try("ada") for _ in range(4)] == [True, True, True, False]
        THREE.forget("ada")
        assert THREE.count_try("ada")

    def test_emptied_forgets_tries_and_nothing_else(self, shared):
        """G6"""
        assert [THREE.count_try("ada") for _ in range(4)][-1] is False
        cache._cache.get_client(write=True).flushall()
        assert THREE.count_try("ada")

    @pytest.mark.django_db
    @pytest.mark.parametrize("fault", FAULTS)
    def test_people_sign_in_while_it_is_away(self, shared, client, fault):
        """G6"""
        people.make_person("mira", password=people.PASSWORD)
        getattr(shared, fault)()
        typed = {"username": "mira", "password": people.PASSWORD}
        assert client.post("/accounts/sign-in/", typed).status_code == 302


def test_layer_says_when_a_notice_was_lost(shared):
    """G6: within its time, so that whoever sends it can go on."""
    shared.hang()
    with pytest.raises(ServiceLost):
        async_to_sync(get_channel_layer().group_send)("somewhere", {"type": "x"})


def test_layer_that_tries_again_and_again_writes_no_tracebacks(shared, log):
    """G6"""
    logger = logging.getLogger("channels_redis.pubsub")
    for error in (redis.ConnectionError("refused"), redis.ConnectionError("refused"), ValueError("a fault of its own")):
        try:
            raise error
        except (redis.RedisError, ValueError):
            logger.exception("Unexpected exception in receive task")
    lost, other = log.events
    assert (lost["event"], lost["service"]) == ("service_lost", "redis")
    assert other["event"] == "Unexpected exception in receive task"


@pytest.mark.parametrize("fault", FAULTS)
def test_its_loss_is_told_once_whoever_notices_it_and_so_is_its_return(shared, log, fault):
    """G6"""
    getattr(shared, fault)()
    for _ in range(3):
        cache.get("x")
        with pytest.raises(ServiceLost):
            async_to_sync(get_channel_layer().group_send)("somewhere", {"type": "x"})
    assert [(event["event"], event["service"]) for event in log.events] == [("service_lost", "redis")]
    shared.kill()
    shared.start()
    cache.get("x")
    assert [(event["event"], event["failures"]) for event in log.events[1:]] == [("service_back", 6)]
