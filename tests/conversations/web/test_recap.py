"""The recap: shown above a conversation that is resumed after a break, and never while it goes on."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.models import Turn
from conversations.summaries import contributors, records
from conversations.summaries.contributors import Contribution
from conversations.web.recap import BREAK
from tests.conversations.summaries.test_records import answered
from tests.tutoring.roles.explanation.test_lookup_answers import put_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]
TOLD = "You worked on <em>Halves</em>."


@pytest.fixture(autouse=True)
def _taught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contributors, "_contributors", {"school": lambda session: Contribution(topics=("Halves",))})


@pytest.fixture
def reader(client, ada):
    client.force_login(ada)
    return client


def ended(owner: Any, *, ago: timedelta, sources: Any = ()) -> Turn:
    turn = answered(owner, sources=sources)
    Turn.objects.filter(pk=turn.pk).update(finished_at=timezone.now() - ago)
    return turn


LONG_AGO = BREAK + timedelta(minutes=1)


def test_is_shown_after_a_break(reader, ada):
    ended(ada, ago=LONG_AGO)
    assert TOLD in reader.get("/c/s/").text


def test_is_not_shown_while_the_conversation_goes_on(reader, ada):
    ended(ada, ago=BREAK - timedelta(minutes=1))
    assert TOLD not in reader.get("/c/s/").text


def test_is_not_shown_while_a_turn_runs(reader, ada):
    turn = ended(ada, ago=LONG_AGO)
    Turn.objects.filter(pk=turn.pk).update(status="running", finished_at=None)
    assert TOLD not in reader.get("/c/s/").text


def test_nothing_to_tell_leaves_no_line(reader, ada):
    contributors.register_contributor("school", lambda session: Contribution())
    ended(ada, ago=LONG_AGO)
    assert 'id="recap"></div>' in reader.get("/c/s/").text


def test_is_the_stored_summary_if_it_reaches_the_last_turn(reader, ada):
    turn = ended(ada, ago=LONG_AGO)
    records.store_summary(turn, reason="goodbye")
    contributors.register_contributor("school", lambda session: Contribution(topics=("Thirds",)))
    assert TOLD in reader.get("/c/s/").text
    ended(ada, ago=LONG_AGO)
    assert "You worked on <em>Thirds</em>." in reader.get("/c/s/").text


def test_links_to_what_was_quoted_while_the_reader_may_see_it(reader, ada, eve):
    own, other = put_in(ada), put_in(eve, name="secret.pdf")
    other.title = "Secret"
    other.save()
    ended(ada, ago=LONG_AGO, sources=[f"passage-{each.passages.first().pk}" for each in (own, other)])
    page = reader.get("/c/s/").text
    assert "Sources quoted:" in page
    assert own.get_absolute_url() in page
    assert "Secret" not in page
    own.delete()
    assert "Sources quoted:" not in reader.get("/c/s/").text


def test_words_of_a_message_are_not_markup(reader, ada):
    contributors.register_contributor("school", lambda session: Contribution(result="<script>alert(1)</script>"))
    ended(ada, ago=LONG_AGO)
    assert "<script>alert" not in reader.get("/c/s/").text


def test_costs_the_page_no_more_queries_in_a_long_conversation(reader, ada, settings, django_assert_num_queries):
    settings.AGENTS = {"turns_per_minute": 0}
    ended(ada, ago=LONG_AGO, sources=["passage-1"])
    with CaptureQueriesContext(connection) as short:
        reader.get("/c/s/")
    for _ in range(6):
        ended(ada, ago=LONG_AGO, sources=["passage-1"])
    with django_assert_num_queries(len(short)):
        reader.get("/c/s/")
