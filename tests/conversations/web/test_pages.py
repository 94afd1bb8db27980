"""Pages of conversations."""

import pytest

from conversations.models import Finding, Message, Session, Turn
from conversations.turns import supervisor as supervising
from conversations.web.presentation import split_paragraphs
from tests import people
from tests.conversations.turn_helpers import begun
from tests.conversations.web.test_markup import PAYLOADS, Seen
from tests.page_text import without_csrf

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


def said(owner, text, *, reply="One half.", key="s", **fields):
    """Store a whole turn."""
    turn = begun(owner, key=key, text=text)
    Message.objects.create(session=turn.session, turn=turn, author="team", text=reply)
    Turn.objects.filter(pk=turn.pk).update(**{"status": "done", **fields})
    return turn


def noticed(turn, **fields):
    values = {"agent": "tutor", "kind": "misconception", "words": "Counts pieces.", "evidence": "two", **fields}
    return Finding.objects.create(session=turn.session, turn=turn, **values)


@pytest.fixture
def reader(client, ada):
    client.force_login(ada)
    return client


def test_conversation_shows_what_was_said_in_order(reader, ada):
    """G11"""
    for number, year in ((1, 2099), (2, 1999)):
        said(ada, f"question {number}", created_at=f"{year}-01-01T00:00:00Z")
    page = reader.get("/c/s/").text
    assert 0 < page.index("question 1") < page.index("question 2")


def test_page_goes_on_where_its_words_end(reader, ada):
    turn = said(ada, "hello")
    page = reader.get("/c/s/").text
    assert f'data-turn="{turn.pk}"' in page
    assert f"/live/s?turn={turn.pk}&amp;after=1" in page


def test_earlier_turns_come_on_demand(reader, ada, monkeypatch, settings):
    settings.AGENTS = {"turns_per_minute": 0}
    monkeypatch.setattr("conversations.web.presentation.TURNS_SHOWN", 2)
    for number in range(5):
        said(ada, f"question {number}")
    assert "question 2" not in reader.get("/c/s/").text
    assert "question 2" in reader.get("/c/s/before/4/").text
    assert "question 0" in reader.get("/c/s/before/2/").text


def test_conversations_are_ones_own(reader, ada, eve):
    said(ada, "my words", key="a")
    said(eve, "their words", key="b")
    page = reader.get("/c/").text
    assert "my words" in page
    assert "their words" not in page


def test_archived_conversation_is_not_listed(reader, ada):
    said(ada, "my words")
    Session.objects.update(archived=True, title="of no use now")
    assert "of no use now" not in reader.get("/c/").text


class TestContest:
    """A learner may say that a finding is not so."""

    def test_is_kept(self, reader, ada):
        finding = noticed(said(ada, "two pieces"))
        assert reader.post(f"/c/s/findings/{finding.pk}/contest/").status_code == 302
        finding.refresh_from_db()
        assert finding.contested_at

    def test_swaps_the_list_for_a_page_that_asks_so(self, reader, ada):
        finding = noticed(said(ada, "two pieces"))
        answer = reader.post(f"/c/s/findings/{finding.pk}/contest/", headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert 'id="noticed"' in answer.text

    @pytest.mark.parametrize("number", [0, 2**63, 10**30])
    def test_of_a_finding_that_cannot_be_is_not_there(self, reader, ada, number):
        """B5"""
        said(ada, "hello")
        assert reader.post(f"/c/s/findings/{number}/contest/").status_code == 404

    def test_of_another_sessions_finding_is_not_there(self, reader, ada, eve):
        """A1"""
        said(ada, "hello")
        for turn in (said(ada, "hello", key="other"), said(eve, "hello")):
            finding = noticed(turn)
            assert reader.post(f"/c/s/findings/{finding.pk}/contest/").status_code == 404
            finding.refresh_from_db()
            assert finding.contested_at is None


@pytest.mark.parametrize("address", ["/c/{}/", "/c/{}/before/9/"])
def test_other_peoples_conversation_looks_like_none(reader, eve, address):
    """A1"""
    said(eve, "their words", key="theirs")
    theirs, none = (reader.get(address.format(key)) for key in ("theirs", "never"))
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert without_csrf(theirs) == without_csrf(none)


@pytest.mark.parametrize("address", ["/c/s/", "/c/", "/"])
def test_nothing_stored_comes_alive_later(reader, ada, address, settings):
    """X1: as words, reply, title, finding, and its quote."""
    settings.AGENTS = {"turns_per_minute": 0}
    for payload in PAYLOADS:
        noticed(said(ada, payload, reply=payload), words=payload, evidence=payload)
        Session.objects.update(title=payload[:200])
        said(ada, payload, key=" ".join(f"k-{payload}"[:100].split()))
    seen = Seen(reader.get(address).text)
    assert not {name for _, name in seen.attributes if name.startswith("on") or name == "srcdoc"}
    assert not seen.tags & {"img", "iframe", "style", "base", "object", "embed", "marquee"}
    assert not any(link.lower().startswith(("javascript:", "data:", "vbscript:", "file:", "//")) for link in seen.links)


def test_page_may_run_only_our_own_scripts(reader, ada):
    """X1"""
    said(ada, "hello")
    policy = reader.get("/c/s/")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_page_may_ask_for_the_microphone_and_nothing_else(reader, ada):
    said(ada, "hello")
    policy = dict(each.split("=") for each in reader.get("/c/s/")["Permissions-Policy"].split(", "))
    assert {name for name, whom in policy.items() if whom != "()"} == {"microphone"}
    assert policy["microphone"] == "(self)"


def test_nothing_here_is_served_by_looking(reader, ada, monkeypatch):
    monkeypatch.setattr(supervising.supervisor, "start", lambda turn_id: pytest.fail("a look began a turn"))
    said(ada, "hello")
    reader.get("/c/s/")


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("You call it *one half*.", ["You call it one half."]),
        ("**Two** parts, *equal", ["Two parts, equal"]),
        ("one* is yours.\n\nOn", ["one is yours.", "On"]),
        ("3 * 4 = 12", ["3 * 4 = 12"]),
    ],
)
def test_running_reply_shows_no_signs_of_emphasis(piece, shown):
    assert split_paragraphs(piece) == shown


@pytest.mark.parametrize(
    ("age_band", "is_folded", "records"),
    [("child", True, "For grown-ups"), ("teen", True, "Your records and settings"), ("adult", False, "")],
)
def test_team_and_timings_are_folded_away_for_the_young(client, age_band, is_folded, records):
    kim = people.make_person("kim", age_band=age_band)
    Session.objects.create(owner=kim, key="talk")
    client.force_login(kim)
    page = client.get("/c/talk/").content.decode()
    rail = page[page.index('id="rail"') :]
    before = rail[: rail.index('id="team"')]
    assert (before.count("<details") > before.count("</details>")) == is_folded
    assert records in rail
    assert ("For grown-ups" in rail) == (age_band == "child")
