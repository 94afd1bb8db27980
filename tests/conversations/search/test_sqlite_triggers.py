"""Migrations and the search's triggers: neither is in the other's way."""

import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Capture, Message, Session
from conversations.search import sqlite_triggers
from conversations.search.messages import search_messages
from conversations.v1_storage.capture_search import search_captures
from tests.conversations.web.test_pages import said

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("host"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite makes tables anew"),
]


@pytest.mark.parametrize("model", [Session, Message])
def test_tables_can_be_made_anew(ada, model):
    """R8"""
    said(ada, "one half")
    sqlite_triggers.drop_triggers(plan=[object()], using="default")
    with connection.schema_editor() as editor:
        editor._remake_table(model)
    Message.objects.filter(author="team").update(text="two thirds")
    sqlite_triggers.restore_triggers(using="default")
    said(ada, "three quarters")
    found = {word: len(search_messages(ada, word, limit=9)) for word in ("half", "thirds", "quarters")}
    assert found == {"half": 2, "thirds": 1, "quarters": 1}
    Session.objects.all().delete()
    assert search_messages(ada, "half", limit=9) == []


def test_nothing_happens_where_nothing_is_migrated(ada):
    sqlite_triggers.drop_triggers(plan=[], using="default")
    said(ada, "one half")
    sqlite_triggers.restore_triggers(using="default")
    assert search_messages(ada, "one", limit=9)


def test_table_of_captures_can_be_made_anew(ada):
    """R8"""
    Capture.objects.create(owner=ada, session_id="s", timestamp=timezone.now(), user_text="one half")
    sqlite_triggers.drop_triggers(plan=[object()], using="default")
    with connection.schema_editor() as editor:
        editor._remake_table(Capture)
    Capture.objects.update(agent_text="two thirds")
    Capture.objects.create(owner=ada, session_id="s", timestamp=timezone.now(), user_text="three quarters")
    sqlite_triggers.restore_triggers(using="default")
    found = {word: len(search_captures(ada, word, limit=9)) for word in ("half", "thirds", "quarters")}
    assert found == {"half": 1, "thirds": 1, "quarters": 1}
