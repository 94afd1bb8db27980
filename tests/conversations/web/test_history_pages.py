"""The list of conversations, the way to a turn long past, and what people think of replies."""

import re
from datetime import date

import pytest
from django.utils import timezone

from conversations.history import listing
from conversations.models import Feedback, Message, Session, Turn
from conversations.web import presentation
from tests.conversations.web.test_markup import PAYLOADS, Seen
from tests.conversations.web.test_pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]
MAX_QUERIES = 15


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


@pytest.fixture
def reader(client, ada):
    client.force_login(ada)
    return client


def talked(person, *, turns, key="long"):
    """Store a conversation of so many turns, in few queries."""
    session = Session.objects.create(owner=person, key=key, title=f"About {key}")
    rows = [
        Turn(session=session, owner=person, number=number, client_id=f"{key}-{number}", status="done")
        for number in range(1, turns + 1)
    ]
    Turn.objects.bulk_create(rows)
    Message.objects.bulk_create(
        Message(session=session, turn=row, author=author, text=f"{author} in turn {row.number}")
        for row in rows
        for author in ("learner", "team")
    )
    return session


def main_of(response):
    return response.text.partition("<main")[2].partition("</main>")[0]


class TestList:
    @pytest.mark.parametrize(
        ("day", "label"),
        [
            (date(2026, 11, 23), "Today"),
            (date(2026, 11, 22), "Today"),
            (date(2026, 11, 21), "Yesterday"),
            (date(2026, 11, 16), "Last 7 days"),
            (date(2026, 11, 15), "November"),
            (date(2026, 1, 1), "January"),
            (date(2025, 12, 31), "December 2025"),
        ],
    )
    def test_days_are_called_as_people_call_them(self, day, label):
        assert listing.day_label(day, today=date(2026, 11, 22)) == label

    def test_is_in_pages(self, reader, ada, monkeypatch):
        monkeypatch.setattr(listing, "ROWS", 2)
        for key in "abc":
            talked(ada, turns=1, key=key)
        first, second = (main_of(reader.get(f"/c/?page={number}")) for number in (1, 2))
        assert ("About c" in first, "About a" in first) == (True, False)
        assert ("About c" in second, "About a" in second) == (False, True)

    @pytest.mark.parametrize(
        "query", ["page=2", "page=0", "page=x", "page=-1", f"page={10**30}", "show=x", "q=a&before=x"]
    )
    def test_of_what_is_not_there_is_not_there(self, reader, ada, query):
        """B7"""
        assert reader.get(f"/c/?{query}").status_code == 404

    def test_is_honest_where_nothing_is(self, reader):
        for address, words in [
            ("/c/", "No conversations yet"),
            ("/c/?show=archived", "No archived conversations"),
            ("/c/?show=trash", "The trash is empty"),
            ("/c/?q=half", "Nothing found"),
            ("/c/?q=%3F%3F", "Nothing found"),
            ("/c/?q=%00", "Nothing found"),
        ]:
            assert words in reader.get(address).text, address

    def test_shows_which_are_lessons(self, reader, ada):
        talked(ada, turns=1, key="open")
        Session.objects.create(owner=ada, key="lesson", title="One half", state={"current_topic": "one-half"})
        text = " ".join(re.sub("<[^>]+>", " ", reader.get("/c/").content.decode()).split())
        assert (
            text.count("Lesson: One half") == text.count("Conversation: About open") == 2
        )  # In the list and beside it.

    def test_side_panel_shows_pinned_ones_first_and_the_latest(self, reader, ada):
        for number in range(30):
            talked(ada, turns=1, key=f"n{number}")
        Session.objects.filter(key__in=[f"n{number}" for number in range(10)]).update(pinned=True)
        side = reader.get("/c/").text.partition("<main")[0]
        assert side.index("Pinned") < side.index("About n9") < side.index("Today") < side.index("About n29")
        assert side.count("About n") == 20


class TestSearch:
    def test_leads_to_the_turn(self, reader, ada):
        turn = said(ada, "a quarter of the bread")
        page = main_of(reader.get("/c/?q=quart"))
        assert "a <mark>quarter</mark> of the bread" in page
        assert f'href="/c/s/?at=1#turn-{turn.pk}"' in page

    def test_finds_archived_ones_and_names_and_says_so(self, reader, ada):
        talked(ada, turns=1, key="bread")
        Session.objects.update(archived=True)
        page = main_of(reader.get("/c/?q=bread"))
        assert "Matching names" in page
        assert "archived" in page

    def test_has_pages(self, reader, ada, monkeypatch):
        monkeypatch.setattr(listing, "HITS", 2)
        talked(ada, turns=3)
        first = main_of(reader.get("/c/?q=learner"))
        assert "in turn 3" in first
        assert "in turn 1" not in first
        further = re.search(r"\?q=learner&amp;before=\d+", first)[0].replace("&amp;", "&")
        assert "in turn 1" in main_of(reader.get(f"/c/{further}"))

    def test_shows_hostile_words_as_words(self, reader, ada):
        """X1"""
        for number, payload in enumerate(PAYLOADS):
            said(ada, f"needle {payload}", reply=f"needle {payload}", key=f"k{number}")
        Session.objects.update(title="<script>needle</script>")
        seen = Seen(reader.get("/c/?q=needle").text)
        assert "mark" in seen.tags
        assert not seen.tags & {"img", "iframe", "style", "base", "object", "embed"}
        assert not {name for _, name in seen.attributes if name.startswith("on")}


class TestTurnLongPast:
    def test_is_shown_among_its_neighbours(self, reader, ada, monkeypatch):
        monkeypatch.setattr(presentation, "TURNS_SHOWN", 20)
        session = talked(ada, turns=100)
        page = reader.get("/c/long/?at=30").text
        assert "You are reading turn 30 of 100." in page
        assert f'id="turn-{session.turns.get(number=30).pk}"' in page
        assert "/c/long/before/20/" in page
        assert "/c/long/from/40/" in page
        assert "ws-connect" not in page
        assert "/c/long/from/60/" in reader.get("/c/long/from/40/").text
        assert "from/" not in reader.get("/c/long/from/90/").text

    def test_near_the_end_is_on_the_page_one_talks_on(self, reader, ada):
        talked(ada, turns=40)
        for at in (20, 40, 41, 2**31):
            page = reader.get(f"/c/long/?at={at}").text
            assert "ws-connect" in page
            assert "turn 40" in page

    @pytest.mark.parametrize("at", ["0", "-1", "x", "1" * 30])
    def test_that_cannot_be_is_not_there(self, reader, ada, at):
        """B5"""
        talked(ada, turns=1)
        assert reader.get(f"/c/long/?at={at}").status_code == 404

    def test_numbers_beyond_the_last_show_nothing(self, reader, ada):
        talked(ada, turns=1)
        assert reader.get(f"/c/long/from/{10**15}/").status_code == 200


class TestFeedback:
    def press(self, reader, turn, *, htmx=False, **fields):
        headers = {"HX-Request": "true"} if htmx else {}
        return reader.post(f"/c/s/turns/{turn.pk}/feedback/", fields, headers=headers)

    def test_is_kept_changed_and_taken_back(self, reader, ada):
        turn = said(ada, "hello")
        assert self.press(reader, turn, verdict="up")["Location"] == f"/c/s/?at=1#turn-{turn.pk}"
        self.press(reader, turn, verdict="down", words=" no picture ")
        given = Feedback.objects.get()
        assert (given.verdict, given.words, given.person, given.turn) == ("down", "no picture", ada, turn)
        assert "no picture" in reader.get("/c/s/").text
        self.press(reader, turn, verdict="none")
        assert not Feedback.objects.exists()

    def test_swaps_its_own_piece(self, reader, ada):
        answer = self.press(reader, said(ada, "hello"), verdict="up", htmx=True)
        assert 'aria-pressed="true"' in answer.text
        assert answer.text.count("<form") == 1

    @pytest.mark.parametrize("fields", [{}, {"verdict": "best"}, {"verdict": "up", "words": "x" * 2001}])
    def test_that_is_none_is_refused_in_words(self, reader, ada, fields):
        turn = said(ada, "hello")
        answer = self.press(reader, turn, htmx=True, **fields)
        assert answer.status_code == 422
        assert 'class="error"' in answer.text
        assert not Feedback.objects.exists()

    def test_is_on_ones_own_turns_of_that_conversation(self, reader, ada, eve):
        """A1"""
        for turn in (said(eve, "hello"), said(ada, "hello", key="other")):
            said(ada, "here")
            assert self.press(reader, turn, verdict="up").status_code == 404
        assert reader.post("/c/s/turns/x/feedback/", {"verdict": "up"}).status_code == 404

    def test_is_read_by_admins_only(self, client, ada, root):
        turn = said(ada, "hello", reply="<script>reply</script>")
        given = Feedback.objects.create(turn=turn, person=ada, verdict="down", words="<script>words</script>")
        client.force_login(ada)
        assert client.get("/admin/conversations/feedback/").status_code == 404
        client.force_login(root)
        for path in ("", "?verdict__exact=down&words=yes", f"{given.pk}/change/"):
            page = client.get(f"/admin/conversations/feedback/{path}").text
            assert "words&lt;/script&gt;" in page
            assert "<script>words" not in page
        assert "words&lt;/script&gt;" not in client.get("/admin/conversations/feedback/?verdict__exact=up").text


@pytest.fixture
def much(ada):
    """Conversations enough that a query for each would be seen."""
    for number in range(10):
        talked(ada, turns=2, key=f"n{number}")
    talked(ada, turns=120)
    Session.objects.filter(key__in=["n1", "n2"]).update(archived=True)
    Session.objects.filter(key__in=["n3", "n4"]).update(deleted_at=timezone.now())


def test_pages_take_few_queries_and_bytes(reader, much, django_assert_max_num_queries):
    lists = ("/c/", "/c/?q=learner", "/c/?q=about", "/c/?show=archived", "/c/?show=trash", "/")
    for address in (*lists, "/c/long/", "/c/long/?at=50", "/c/long/from/20/", "/c/long/before/90/"):
        # Home also looks for what classes have given to do, said and agreed to.
        with django_assert_max_num_queries(MAX_QUERIES + 6 * (address == "/")) as asked:
            page = reader.get(address)
        assert len(asked) > 2, address
        assert page.status_code == 200, address
        assert len(page.content) < 150_000, address
