"""The words in force: those that ship, a site's in their place, a space's beside them; and what is kept of decisions."""

import uuid
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from agents.models import RoutedMessage, RoutingWords
from agents.routing.decision import RoutingDecision
from agents.routing.keywords import KeywordDecision
from agents.runtime import routing_records, routing_words
from agents.runtime.routing_records import agents_used, disputed_words, forget_old_routing, record_routing
from agents.runtime.routing_words import words_in_force

pytestmark = [pytest.mark.db, pytest.mark.django_db]

LUNCH = "crunchies and munchies"
MEALS = "breakfast, lunch, dinner and a snack"


@pytest.fixture(autouse=True)
def _read_anew():
    routing_words.forget_words()
    yield
    routing_words.forget_words()


def write(agent: str, words: dict[str, float], *, space: str = "") -> None:
    RoutingWords.objects.update_or_create(surface="companion", agent=agent, space=space, defaults={"words": words})
    routing_words.forget_words()


def decided(text: str, *, space: str = "") -> str | None:
    found = words_in_force("companion", space).index.decide(text)
    return found.agent if found else None


def test_without_rows_the_words_that_ship_are_in_force():
    assert decided(MEALS) == "food"


def test_a_sites_list_takes_the_place_of_the_one_that_ships():
    before = words_in_force("companion").version
    write("food", {"crunchies": 1, "munchies": 1})
    assert (decided(LUNCH), decided(MEALS)) == ("food", None)
    assert words_in_force("companion").version != before


def test_a_spaces_words_count_in_that_space_only():
    write("food", {"crunchies": 1, "munchies": 1, "lunch": 0, "dinner": 0, "snack*": 0}, space="class-4b")
    assert (decided(LUNCH, space="class-4b"), decided(LUNCH), decided(LUNCH, space="other")) == ("food", None, None)
    assert (decided(MEALS, space="class-4b"), decided(MEALS)) == (None, "food")


def record(person, words=("lunch", "meal"), *, by_classifier="food", strategy="keyword", **changes):
    agent = "food" if strategy == "keyword" else "event"
    record_routing(
        RoutingDecision(
            agent=agent, strategy=strategy, confidence=0.9 if strategy == "keyword" else None, reason="So."
        ),
        surface="companion",
        owner_id=person.pk,
        by_words=KeywordDecision(agent="food", confidence=0.9, words=tuple(words)) if words else None,
        by_classifier=RoutingDecision(agent=by_classifier, strategy="classifier", confidence=0.8, reason=""),
        words_version="abc",
        **{"turn_id": uuid.uuid4()} | changes,
    )


def test_a_turn_is_recorded_once(ada):
    turn = uuid.uuid4()
    record(ada, turn_id=turn)
    record(ada, turn_id=turn, strategy="llm")
    row = RoutedMessage.objects.get()
    assert (row.agent, row.by_keyword, row.by_classifier, row.by_model, row.words) == (
        "food", "food", "food", "", ["lunch", "meal"],
    )  # fmt: skip


def test_disputed_words_are_counted_with_where_they_would_have_gone(ada):
    record(ada)
    record(ada, by_classifier="event")
    record(ada, ("lunch",), by_classifier=None)
    record(ada, ("lunch",), strategy="llm", by_classifier="food")
    record(ada, (), by_classifier="task")
    lunch, meal = disputed_words("companion", since=timedelta(days=1))
    assert (lunch.word, lunch.agent, lunch.hits, lunch.disputed) == ("lunch", "food", 4, 3)
    assert dict(lunch.others) == {"event": 2, "none": 1}
    assert (meal.word, meal.hits, meal.disputed, dict(meal.others)) == ("meal", 2, 1, {"event": 1})


def test_messages_are_counted_by_agent_and_forgotten_after_their_time(ada):
    record(ada)
    record(ada, strategy="llm")
    record(ada)
    assert agents_used("companion", since=timedelta(days=1)) == {"food": 2, "event": 1}
    assert agents_used("team", since=timedelta(days=1)) == {}
    RoutedMessage.objects.filter(agent="food").update(created_at=Now() - routing_records.RETENTION - timedelta(days=1))
    forget_old_routing()
    assert agents_used(since=timedelta(days=1000)) == {"event": 1}
