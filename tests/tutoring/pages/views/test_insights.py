"""The page of insights: this week now, earlier times as stored, each with links to its answers."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.history import actions
from conversations.models import Session
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.insights.answer_histories import LAST_WEDNESDAY, WEDNESDAY, answer
from tests.tutoring.review_helpers import load_tiny
from tutoring.insights.jobs import store_ended_periods
from tutoring.insights.records import store_session
from tutoring.models import Attempt

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]
PAGE = "/progress/insights/"


@pytest.fixture
def reader(client, ada):
    load_tiny()
    client.force_login(ada)
    return client


def test_newcomer_is_told_what_is_needed(reader):
    text = reader.get(PAGE).text
    assert "You have not given any answers without help this week. Once you have given 5," in text
    assert "Earlier weeks" not in text


def test_this_week_is_shown_with_links_that_open(reader, ada):
    answer(ada, "rrrrw", at=timezone.now())
    text = reader.get(PAGE).text
    assert "you got 4 of 5 answers right without help." in text
    assert "Show the 5 answers" in text
    links = re.findall(r'href="(/progress/tiny/halves/\?from=(\d+)#answer-\2)"', text)
    assert {int(pk) for _url, pk in links} == {*Attempt.objects.values_list("pk", flat=True)}
    assert all(f'id="answer-{pk}" open' in reader.get(url).text for url, pk in links)


def test_earlier_weeks_months_and_conversations_are_shown_as_stored(reader, ada):
    answer(ada, "wwwww", at=LAST_WEDNESDAY)
    answer(ada, "rrrrr")
    store_ended_periods(at=WEDNESDAY + timedelta(days=40))
    store_session(Session.objects.get())
    text = reader.get(PAGE).text
    headings = [
        "This week", "Latest conversations", ">lesson<", "Earlier weeks", "Week of 2 March 2026",
        "Week of 23 February 2026", "Earlier months", ">March 2026<", ">February 2026<",
    ]  # fmt: skip
    places = [text.index(heading, text.index("<h1>")) for heading in headings]
    assert places == sorted(places)


def test_deleted_conversation_is_not_shown(reader, ada):
    answer(ada, "rrrrr")
    store_session(Session.objects.get())
    assert "Latest conversations" in reader.get(PAGE).text
    actions.delete(Session.objects.get())
    assert "Latest conversations" not in reader.get(PAGE).text


def test_nothing_of_another_learner_is_shown(reader, ben):
    answer(ben, "rrrrr", at=timezone.now())
    store_session(Session.objects.get())
    text = reader.get(PAGE).text
    assert "You have not given any answers without help this week" in text
    assert "Latest conversations" not in text


def test_takes_few_queries_however_much_there_is(reader, ada, django_assert_max_num_queries):
    for weeks in range(6):
        answer(ada, "rrrrr", at=WEDNESDAY - timedelta(days=7 * weeks))
    store_ended_periods(at=WEDNESDAY + timedelta(days=7))
    reader.get(PAGE)
    with django_assert_max_num_queries(15):
        reader.get(PAGE)


def test_is_led_to_from_the_progress(reader):
    assert f'href="{PAGE}"' in reader.get("/progress/").text
