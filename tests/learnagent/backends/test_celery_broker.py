"""Celery finds Redis at each form of address, and survives its loss."""

import ssl

import pytest
from kombu import Connection

from learnagent.backends.celery_broker import broker


def connection_to(url):
    """Return the connection that Celery would open."""
    settings = broker(url, longest_task_s=60)
    return Connection(
        settings["broker_url"],
        ssl=settings.get("broker_use_ssl", False),
        transport_options=settings["broker_transport_options"],
    )


@pytest.mark.parametrize(
    ("url", "host", "database"),
    [
        ("redis://127.0.0.1:6380/1", "127.0.0.1", "1"),
        ("unix:///run/redis.sock?db=2", "socket:///run/redis.sock?virtual_host=2", "/"),
    ],
)
def test_addresses(url, host, database):
    connection = connection_to(url)
    assert (connection.hostname, connection.virtual_host) == (host, database)


@pytest.mark.parametrize(
    ("query", "required"), [("", ssl.CERT_REQUIRED), ("?ssl_cert_reqs=none", ssl.CERT_NONE)], ids=["required", "off"]
)
def test_certificate_is_checked_unless_the_address_says_otherwise(query, required):
    assert connection_to(f"rediss://127.0.0.1:6380/1{query}").ssl["ssl_cert_reqs"] == required


def test_message_is_delivered_again_only_after_the_longest_task():
    """G9"""
    assert broker("redis://127.0.0.1", longest_task_s=60)["broker_transport_options"]["visibility_timeout"] > 60


def test_acknowledgement_on_a_lost_channel_is_an_error_that_a_worker_survives(shared):
    """G6: Redis went while the worker ran a task."""
    connection = connection_to(shared.url)
    channel = connection.channel()
    connection.collect()
    with pytest.raises(connection.connection_errors):
        channel.basic_ack("tag")
