"""Routing words are edited on the admin pages, which say what a word is worth and where it leads astray."""

import uuid

import pytest
from django.urls import reverse

from agents.models import RoutedMessage, RoutingWords
from agents.runtime import routing_words

pytestmark = pytest.mark.django_db
ADD = reverse("admin:agents_routingwords_add")
LISTS = reverse("admin:agents_routingwords_changelist")
DISAGREEMENTS = reverse("admin:agents_routedmessage_disagreements")


@pytest.fixture(autouse=True)
def _read_anew():
    routing_words.forget_words()
    yield
    routing_words.forget_words()


@pytest.fixture
def admin(client, root):
    client.force_login(root)
    return client


def save(admin, lines, *, listed="companion:food", space="", path=ADD):
    return admin.post(path, {"listed": listed, "space": space, "lines": lines}, follow=True)


def decided(text, space=""):
    found = routing_words.words_in_force("companion", space).index.decide(text)
    return found.agent if found else None


def test_an_agent_without_rows_begins_with_the_words_that_ship(admin):
    assert "Companion: Meals: change its" in admin.get(LISTS).text
    page = admin.get(f"{ADD}?listed=companion:food").text
    assert "for breakfast = 1.5" in page
    assert "for breakfast" not in admin.get(f"{ADD}?listed=nobody:food").text


def test_saved_words_are_in_force_at_once(admin, root):
    save(admin, "crunchies\nmunchies = 2", space="Class-4B ")
    row = RoutingWords.objects.get()
    assert (row.surface, row.agent, row.space, row.by) == ("companion", "food", "class-4b", root)
    assert row.words == {"crunchies": 1, "munchies": 2}
    assert (decided("crunchies, munchies", "class-4b"), decided("crunchies, munchies")) == ("food", None)
    page = reverse("admin:agents_routingwords_change", args=[row.pk])
    save(admin, "nothing else", path=page, space="class-4b")
    assert decided("crunchies, munchies", "class-4b") is None
    admin.post(reverse("admin:agents_routingwords_delete", args=[row.pk]), {"post": "yes"})
    assert not RoutingWords.objects.exists()


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("lunch\na", "“a” is a single letter."),
        ("lunch\nLunch = 2", "“Lunch = 2” is in the list twice."),
        ("lu*", "Write at least 3 letters before the asterisk."),
        ("lunch = 9", "The highest is 5."),
        ("<script>alert(1)</script> = x", "can’t be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_and_stays_in_the_box(admin, lines, why):
    page = save(admin, lines)
    assert why in page.text
    assert "<script>alert(1)" not in page.text
    assert not RoutingWords.objects.exists()
    assert page.context["adminform"].form["lines"].value() == lines


def test_there_is_one_list_for_an_agent_and_space(admin):
    save(admin, "lunch")
    assert "There already is a list for this agent and space." in save(admin, "dinner").text
    assert RoutingWords.objects.count() == 1


def test_words_of_other_agents_messages_are_warned_of(admin):
    page = save(admin, "what\nthe\nlunch")
    assert "2 words occur mostly in messages of other agents, and count for nothing: “the”, “what”." in page.text
    row = RoutingWords.objects.get()
    report = admin.get(reverse("admin:agents_routingwords_change", args=[row.pk])).text
    assert "Weight that counts" in report
    assert "2 words occur mostly" in report


def test_disagreements_are_shown_by_word_and_lead_to_the_list(admin, ada):
    assert "No message was routed here in the last 30 days." in admin.get(DISAGREEMENTS).text
    row = {"surface": "companion", "owner": ada, "agent": "food", "strategy": "keyword", "by_keyword": "food"}
    RoutedMessage.objects.create(turn_id=uuid.uuid4(), by_classifier="food", words=["lunch", "meal"], **row)
    assert "the words and the classifier never disagreed" in admin.get(DISAGREEMENTS).text
    RoutedMessage.objects.create(turn_id=uuid.uuid4(), by_classifier="event", words=["lunch", "dinner"], **row)
    page = admin.get(DISAGREEMENTS).text
    assert "Calendar (1)" in page
    assert f"{ADD}?listed=companion:food" in page
    save(admin, "lunch")
    assert (
        reverse("admin:agents_routingwords_change", args=[RoutingWords.objects.get().pk])
        in admin.get(DISAGREEMENTS).text
    )


def test_routed_messages_are_for_reading(admin, ada):
    row = RoutedMessage.objects.create(surface="companion", owner=ada, agent="food", strategy="rule")
    assert admin.get(reverse("admin:agents_routedmessage_changelist")).status_code == 200
    page = reverse("admin:agents_routedmessage_change", args=[row.pk])
    assert admin.get(page).status_code == 200
    assert admin.post(page, {"agent": "task"}).status_code == 404


def test_the_pages_are_for_admins(client, ada):
    client.force_login(ada)
    assert [client.get(path).status_code for path in (LISTS, ADD, DISAGREEMENTS)] == [404] * 3
