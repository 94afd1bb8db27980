"""Search over what was said, on whichever database runs."""

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.models import Message, Session
from conversations.search.messages import search_messages
from conversations.search.query import QueryTerm, parse_query, snippet
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.django_db, pytest.mark.db, pytest.mark.usefixtures("host")]


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


def said(owner, text, *, reply="", key="s"):
    turn = begun(owner, key=key, text=text)
    Message.objects.create(session=turn.session, turn=turn, author="team", text=reply)
    turn.status = "done"
    turn.save()
    return turn


def found(person, query, **options):
    return [hit.text for hit in search_messages(person, query, **{"limit": 20, **options})]


def marked(query, text):
    return "".join(f"[{piece.text}]" if piece.is_hit else piece.text for piece in snippet(text, parse_query(query)))


class TestWhatIsFound:
    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ("half", "One half."),
            ("HALF", "one half"),
            ("frac", "Fractions are parts"),
            ("parts fractions", "Fractions are parts"),
            ('"are parts"', "Fractions are parts"),
            ("“are parts”", "Fractions are parts"),
            ("uber", "Über die Hälfte"),
            ("HÄLFTE", "über die haelfte, die Ha\u0308lfte"),
            ("1/2", "Is 1/2 more?"),
            ("0.5", "I say 0.5"),
            ("don't", "I don't know"),
            ("-5", "It is -5 degrees"),
            ("well-known", "a well-known number"),
            ("a@b.example", "write to a@b.example"),
            ("половина", "Это ПОЛОВИНА торта"),
            ("b half", "b is half"),
        ],
    )
    def test_is_what_was_said(self, ada, query, text):
        said(ada, text)
        assert found(ada, query) == [text]

    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ("alf", "One half"),
            ("half third", "One half"),
            ('"half one"', "One half"),
            ('"hal"', "One half"),
            ("half -one", "One half"),
            ('half -"one half"', "One half"),
            ("1/2", "1/24"),
            ("on", "One half"),
            ("", "One half"),
            ("???", "One half ???"),
            ('"', "One half"),
        ],
    )
    def test_is_not_what_was_not_said(self, ada, query, text):
        said(ada, text)
        assert found(ada, query) == []

    def test_comes_with_its_place_newest_first(self, ada):
        first, second = said(ada, "half a loaf"), said(ada, "what of it", reply="**Half** of it.", key="t")
        hits = search_messages(ada, "half", limit=5)
        assert [(hit.turn_id, hit.session.key, hit.turn_number) for hit in hits] == [
            (second.pk, "t", 1),
            (first.pk, "s", 1),
        ]
        assert [piece.text for piece in hits[0].snippet] == ["Half", " of it."]

    def test_goes_on_below_the_last_one_seen(self, ada):
        for number in range(5):
            said(ada, f"half {number}")
        seen = search_messages(ada, "half", limit=2)
        assert found(ada, "half", before=seen[-1].id) == ["half 2", "half 1", "half 0"]

    def test_is_ones_own(self, ada, eve):
        """A1"""
        said(eve, f"half, p{ada.pk}, owner {ada.pk}")
        for query in ("half", f"p{ada.pk}", f"owner {ada.pk}", f'"p{eve.pk}" half', f"half owner:p{eve.pk}"):
            assert found(ada, query) == []

    def test_a_word_like_an_owners_mark_finds_nothing_more(self, ada):
        said(ada, "One half")
        assert found(ada, f"p{ada.pk}") == found(ada, f'"owner {ada.pk}"') == []


class TestWhatIsKept:
    def test_what_is_said_anew_is_found_anew(self, ada):
        said(ada, "one half")
        Message.objects.filter(text="one half").update(text="one third")
        assert found(ada, "half") == []
        assert found(ada, "third") == ["one third"]

    def test_what_is_deleted_is_not_found(self, ada):
        said(ada, "one half")
        Session.objects.update(deleted_at=timezone.now())
        assert found(ada, "half") == []
        Session.with_deleted.update(deleted_at=None)
        assert found(ada, "half") == ["one half"]

    def test_what_is_gone_leaves_no_word(self, ada):
        from django.db import connection

        said(ada, "one half of a secretword")
        Session.objects.all().delete()
        if connection.vendor != "sqlite":
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT block FROM conversations_search_data")
            assert not [block for (block,) in cursor.fetchall() if b"secretword" in bytes(block)]


FTS = [
    "half AND",
    "NEAR(half one)",
    "text:half",
    "half*",
    "^half",
    "{text} : half",
    "half OR third",
    "(half",
    "NOT half",
]
FTS += [
    "half & one",
    "half | one",
    "!half",
    "half <-> one",
    "half:*",
    "'half",
    "half\\",
    "half%",
    "half;--",
    "a:b:c",
    "\0half",
]


@pytest.mark.parametrize("query", FTS)
def test_syntax_is_plain_words(ada, query):
    said(ada, "One half and OR near, text not third AND b c a")
    search_messages(ada, query, limit=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\"'-*:()^&|!<>\\{}+ aNOTR")), max_size=40))
def test_nothing_typed_is_an_error(ada, query):
    """B1"""
    search_messages(ada, query, limit=5)


class TestMarking:
    @pytest.mark.parametrize(
        ("query", "shown"),
        [
            ("half", "One [half]."),
            ("hal", "One [half]."),
            ('"one half"', "[One half]."),
            ("half one", "[One] [half]."),
            ("half -third", "One [half]."),
            ("nothing", "One half."),
        ],
    )
    def test_shows_what_was_looked_for(self, query, shown):
        assert marked(query, "One half.") == shown

    def test_is_around_the_first_hit(self):
        text = marked("needle", "hay " * 500 + "needle " + "hay " * 500)
        assert text.startswith("…hay")
        assert text.endswith("hay…")
        assert "[needle]" in text
        assert len(text) < 220

    def test_of_a_word_without_end_is_short(self):
        assert len(marked("x", "x" * 9000)) < 300

    @settings(max_examples=100, deadline=None)
    @given(st.text(max_size=300), st.text(max_size=20))
    def test_changes_no_word(self, text, query):
        plain = "".join(piece.text for piece in snippet(text, parse_query(query)))
        assert plain.removeprefix("…").removesuffix("…") in " ".join(text.split())

    def test_terms(self):
        assert parse_query('half "one half" -third 1/2 to') == [
            QueryTerm(text="half", is_prefix=True),
            QueryTerm(text="one half"),
            QueryTerm(text="third", is_prefix=True, is_excluded=True),
            QueryTerm(text="1/2"),
            QueryTerm(text="to"),
        ]
