"""Every address while another process holds the database's write lock."""

import pytest
from django.db import connection
from django.test import Client

from tests.access.rules import RULES
from tests.access.test_every_address import path_of
from tests.sqlite_locks import foreign_write_lock

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database"),
]


def test_every_page_can_be_read_and_what_is_sent_is_refused_for_now(ada, grace, root, adas):
    """G3: what cannot be stored is 503, with a time after which to try again."""
    browsers = {}
    for person in (ada, grace, root):
        browsers[person.username] = Client(raise_request_exception=False)
        browsers[person.username].force_login(person)
    came = {}
    with foreign_write_lock():
        for address, rule in RULES.items():
            name = "grace" if rule.teacher == "page" else "ada" if rule.owner == "page" else "root"
            response = getattr(browsers[name], rule.method)(path_of(address, adas))
            assert response.status_code < 500 or response.status_code in (501, 503), address
            came[address, rule.method] = response.status_code
            if response.status_code == 503:
                assert response["Retry-After"]
    unread = {address for (address, method), status in came.items() if method == "get" and status == 503}
    assert unread == {"health"}  # Which says that nothing can be stored.
