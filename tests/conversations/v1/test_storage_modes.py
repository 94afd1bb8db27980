"""History, search and figures of the v1 calls in each storage mode."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.history import actions
from conversations.models import Capture, Message, Session
from conversations.v1_storage.reconciler import reconcile
from tests.conversations.turn_helpers import begun
from tests.conversations.v1_storage.test_dual_write import finished
from tests.conversations.v1_storage.v1_helpers import imported, read_from, row, v1_file

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]
MODES = ("v1", "dual", "v2")


@pytest.fixture
def stored(ada, tmp_path):
    """Two imported exchanges and one of here, in both storages."""
    read_from("dual")
    imported(v1_file(tmp_path, row(1, metadata='{"room": "kitchen"}'), row(2, "And a third?")), ada)
    finished(ada, text="hello")


@pytest.fixture
def adas(client, ada):
    client.force_login(ada)
    return client


def in_mode(mode, call, *arguments):
    read_from(mode)
    return call(*arguments)


def history(client, key="s", **query):
    response = client.get(f"/api/session/{key}/history", query)
    assert response.status_code == 200
    return response.json()["history"]


def search(client, query, **more):
    response = client.post("/api/search", json.dumps({"query": query} | more), content_type="application/json")
    assert response.status_code == 200
    return response.json()["results"]


def stats(client):
    return client.get("/api/stats").json()


def keep_in_v1_alone(*, of):
    """Remove an exchange from v2's storage; return the id that it had."""
    capture = Capture.objects.get(user_text=of)
    turn = capture.turn
    Capture.objects.filter(pk=capture.pk).update(turn=None)
    turn_id = str(turn.pk)
    turn.delete()
    return turn_id


def test_equal_storages_answer_alike_in_every_mode(adas, stored):
    told = {mode: in_mode(mode, history, adas) for mode in MODES}
    assert [each["user_text"] for each in told["v2"]] == ["Is a half more?", "And a third?", "hello"]
    for mode in ("v1", "dual"):
        assert [each | {"metadata": ""} for each in told[mode]] == [each | {"metadata": ""} for each in told["v2"]]
        assert told[mode][0]["metadata"]["room"] == "kitchen"
        assert in_mode(mode, stats, adas) == in_mode("v2", stats, adas)
    hits = [in_mode(mode, search, adas, "half") for mode in MODES]
    assert sorted(each["id"] for each in hits[0]) == sorted(each["id"] for each in hits[2])
    assert "Is a <mark>half</mark> more?" in {each["user_snippet"] for each in hits[0]}
    for mode, found in zip(MODES, hits, strict=True):
        assert {each["id"] for each in found} <= {each["id"] for each in told[mode]}
        assert {(each["metadata"]["kind"], each["metadata"]["status"]) for each in told[mode]} == {("message", "done")}


@pytest.mark.parametrize("mode", ["v1", "dual"])
def test_what_v2_lacks_is_read_found_and_counted(adas, stored, mode):
    """R5. Its id is the capture's until it has a turn, whose id does not change."""
    turn_id = keep_in_v1_alone(of="And a third?")
    read_from(mode)
    lacking = next(each for each in history(adas) if each["user_text"] == "And a third?")
    assert lacking["id"] == str(Capture.objects.get(turn=None).pk)
    assert [each["id"] for each in search(adas, "third")] == [lacking["id"]]
    assert stats(adas)["database"]["total_captures"] == 3
    reconcile()
    assert turn_id in [each["id"] for each in history(adas)]
    assert [each["id"] for each in search(adas, "third")] == [turn_id]
    assert stats(adas)["database"]["total_captures"] == 3


def test_dual_search_finds_what_either_finds_once(adas, stored):
    """R5"""
    keep_in_v1_alone(of="Is a half more?")
    Capture.objects.filter(user_text="hello").delete()
    found = {mode: in_mode(mode, search, adas, "half") for mode in MODES}
    assert [len(found[mode]) for mode in MODES] == [1, 2, 1]
    read_from("dual")
    assert [each["user_text"] for each in search(adas, "half", limit=1)] == ["hello"]
    assert [each["user_text"] for each in found["dual"]] == ["hello", "Is a half more?"]


@pytest.mark.parametrize("lacking", [Message, Capture])
def test_dual_search_never_finds_fewer_than_v1s(adas, stored, lacking):
    """R5"""
    lacking.objects.filter(turn__number=1).delete()
    for query in ("half", "third", "hello", "half hello", "half -hello"):
        in_v1 = {each["id"] for each in in_mode("v1", search, adas, query)}
        assert in_v1 <= {each["id"] for each in in_mode("dual", search, adas, query)}


@pytest.mark.parametrize("mode", MODES)
def test_open_turn_is_shown_where_turns_are_read(adas, stored, ada, mode):
    begun(ada, text="wait")
    latest = in_mode(mode, history, adas, "s")[-1]
    assert (latest["user_text"], latest["agent_text"]) == (("hello", "One half.") if mode == "v1" else ("wait", ""))


@pytest.mark.parametrize("mode", MODES)
def test_limit_keeps_the_latest(adas, stored, mode):
    read_from(mode)
    assert [each["user_text"] for each in history(adas, limit=2)] == ["And a third?", "hello"]
    assert [each["user_text"] for each in search(adas, "hello", limit=1)] == ["hello"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("key", ["s", "nothing", "%00", "a%00b"])
def test_stranger_gets_nothing(client, eve, stored, mode, key):
    """A1"""
    client.force_login(eve)
    read_from(mode)
    assert client.get(f"/api/session/{key}/history").status_code == 404
    assert search(client, "half") == []
    assert stats(client)["database"]["total_captures"] == 0


@pytest.mark.parametrize("mode", MODES)
def test_deleted_conversation_is_nowhere(adas, stored, mode):
    actions.delete(Session.objects.get())
    read_from(mode)
    assert adas.get("/api/session/s/history").status_code == 404
    assert search(adas, "half") == []
    assert stats(adas)["database"]["total_captures"] == 0


@pytest.mark.parametrize(("mode", "status"), [("v1", 200), ("dual", 200), ("v2", 404)])
def test_conversation_in_v1s_storage_alone_is_read_there(adas, ada, mode, status):
    Capture.objects.create(owner=ada, session_id="old", user_text="Is it here?", timestamp="2025-03-01T10:00:00Z")
    read_from(mode)
    assert adas.get("/api/session/old/history").status_code == status
    assert stats(adas)["database"]["unique_sessions"] == (status == 200)


@pytest.mark.parametrize("mode", MODES)
def test_session_without_messages_has_an_empty_history(adas, ada, mode):
    Session.objects.create(owner=ada, key="empty")
    read_from(mode)
    assert history(adas, "empty") == []


@pytest.mark.parametrize("mode", MODES)
def test_figures_of_everybody_leave_orphans_out(client, root, stored, ben, tmp_path, mode):
    imported(v1_file(tmp_path, row(1, "of nobody"), name="orphans.sqlite3"))
    finished(ben, key="s")
    client.force_login(root)
    read_from(mode)
    figures = stats(client)
    assert (figures["database"]["total_captures"], figures["database"]["unique_sessions"]) == (4, 2)
    assert figures["sessions"]["ids"] == ["s", "s"]


@pytest.mark.parametrize("mode", MODES)
def test_number_of_queries_does_not_grow(adas, ada, stored, mode):
    read_from(mode)
    history(adas)

    def queries():
        with CaptureQueriesContext(connection) as asked:
            history(adas)
            search(adas, "half")
        return len(asked)

    before = queries()
    read_from("dual")
    for number in range(3):
        finished(ada, text=f"half {number}")
    in_mode(mode, history, adas)
    assert queries() == before


# --- Search over a whole exchange ---


@pytest.fixture
def exchanges(ada, tmp_path):
    """Three imported exchanges, in both storages; the newest is last."""
    rows = (
        row(1, "Is zebra a word?", "It is an animal with stripes."),
        row(2, "Is a half more?", "Yes, than a third. It has **stripes**."),
        row(3, "Where do stripes end?", "At the zebra crossing."),
    )
    read_from("dual")
    imported(v1_file(tmp_path, *rows), ada)


def said(found):
    return [each["user_text"] for each in found]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("zebra stripes", [3, 1]),
        ("Stripes ZEBRA", [3, 1]),
        ("zebra animal", [1]),
        ("half third stripes yes", [2]),
        ("zebra half", []),
        ('"zebra crossing" stripes', [3]),
        ('"a word" "with stripes"', [1]),
        ('"word it"', []),  # From the message into the reply.
        ('"end at"', []),
        ("stripes -zebra", [2]),
        ("stripes -animal", [3, 2]),
        ("zebra -animal", [3]),
        ("zebra -stripes", []),
        ('stripes -"zebra crossing"', [2, 1]),
        ("zeb stri", [3, 1]),
        ("-zebra", [3, 1]),
        ("stripes nothing", []),
        ("🦓 stripes", [3, 2, 1]),
    ],
)
def test_words_may_be_spread_over_a_message_and_its_reply(adas, exchanges, mode, query, numbers):
    texts = {1: "Is zebra a word?", 2: "Is a half more?", 3: "Where do stripes end?"}
    assert said(in_mode(mode, search, adas, query)) == [texts[number] for number in numbers]


@pytest.mark.parametrize("mode", MODES)
def test_both_snippets_of_a_spread_hit_are_marked(adas, exchanges, mode):
    (found,) = in_mode(mode, search, adas, "half stripes")
    assert found["user_snippet"] == "Is a <mark>half</mark> more?"
    assert found["agent_snippet"] == "Yes, than a third. It has <mark>stripes</mark>."


@pytest.mark.parametrize("mode", MODES)
def test_words_of_two_exchanges_find_neither(adas, exchanges, mode):
    assert in_mode(mode, search, adas, "word crossing") == []


@pytest.mark.parametrize("mode", MODES)
def test_a_spread_hit_is_its_owners_alone(client, eve, exchanges, mode):
    """A1"""
    client.force_login(eve)
    assert in_mode(mode, search, client, "zebra stripes") == []


@pytest.mark.parametrize("mode", MODES)
def test_spread_hits_keep_to_the_limit_and_leave_out_deleted_conversations(adas, exchanges, mode):
    read_from(mode)
    assert said(search(adas, "zebra stripes", limit=1)) == ["Where do stripes end?"]
    actions.delete(Session.objects.get())
    assert search(adas, "zebra stripes") == []


@pytest.mark.parametrize("most_hits", [3, 50_000])
def test_bounds_keep_what_is_rare_or_in_one_message(adas, exchanges, monkeypatch, most_hits):
    """In whatever way hits are listed."""
    for name, number in (("FIRST_CANDIDATES", 1), ("MOST_CANDIDATES", 2), ("MOST_HITS", most_hits)):
        monkeypatch.setattr(f"conversations.search.turns.{name}", number)
    read_from("v2")
    found = {
        query: said(search(adas, query))
        for query in ("animal stripes", "it stripes", "stripes -animal", "zebra stripes")
    }
    assert found == {
        "animal stripes": ["Is zebra a word?"],
        "it stripes": ["Is a half more?", "Is zebra a word?"],
        "stripes -animal": ["Where do stripes end?", "Is a half more?"],
        "zebra stripes": ["Where do stripes end?", "Is zebra a word?"],
    }


def test_more_candidates_are_looked_at_if_the_first_are_not_enough(adas, exchanges, monkeypatch):
    monkeypatch.setattr("conversations.search.turns.FIRST_CANDIDATES", 1)
    read_from("v2")
    assert said(search(adas, "stripes animal zebra")) == ["Is zebra a word?"]
    assert said(search(adas, "zebra stripes", limit=1)) == ["Where do stripes end?"]
    assert said(search(adas, "zebra -crossing")) == ["Is zebra a word?"]


@pytest.mark.parametrize("mode", MODES)
def test_number_of_queries_does_not_grow_with_the_hits(adas, ada, exchanges, mode):
    read_from(mode)

    def queries():
        with CaptureQueriesContext(connection) as asked:
            search(adas, "zebra stripes -nothing")
        return len(asked)

    queries()
    before = queries()
    read_from("dual")
    for number in range(3):
        finished(ada, text=f"zebra stripes {number}")
    read_from(mode)
    queries()
    assert queries() == before
