"""Migrations and the search's triggers: neither is in the other's way."""

import pytest
from django.db import connection

from conversations.history import upkeep
from conversations.history.search import search
from conversations.models import Message, Session
from tests.conversations.test_pages import said

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("host"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite makes tables anew"),
]


@pytest.mark.parametrize("model", [Session, Message])
def test_tables_can_be_made_anew(ada, model):
    """R8"""
    said(ada, "one half")
    upkeep.take_away(plan=[object()], using="default")
    with connection.schema_editor() as editor:
        editor._remake_table(model)
    Message.objects.filter(author="team").update(text="two thirds")
    upkeep.bring_back(using="default")
    said(ada, "three quarters")
    found = {word: len(search(ada, word, limit=9)) for word in ("half", "thirds", "quarters")}
    assert found == {"half": 2, "thirds": 1, "quarters": 1}
    Session.objects.all().delete()
    assert search(ada, "half", limit=9) == []


def test_nothing_happens_where_nothing_is_migrated(ada):
    upkeep.take_away(plan=[], using="default")
    said(ada, "one half")
    upkeep.bring_back(using="default")
    assert search(ada, "one", limit=9)
