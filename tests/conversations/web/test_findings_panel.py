"""What was noticed, as its learner reads it and may contest it, and what side agents took."""

import pytest

from conversations.models import Analysis, Session
from conversations.turns import side_agents
from conversations.web import findings_panel, side_agent_usage
from tests.conversations.web.test_pages import noticed, said

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


@pytest.fixture
def turns(host, ada):
    return [said(ada, f"words {number}") for number in range(4)]


class Contested:
    """A listener that keeps what it is told of contests."""

    def __init__(self):
        self.told = []

    def contested(self, finding, *, is_so):
        self.told.append(is_so)
        finding.content["seen"] = is_so


def steps(one):
    return [(step.number, step.words) for step in one.steps]


class TestStory:
    def test_is_told_once_with_its_course(self, host, turns):
        host.tested = lambda session: [(2, "a"), (2, "other"), (4, "a")]
        noticed(turns[0], name="a", resolved_turn=turns[2])
        noticed(turns[3], name="a", confidence=0.9)
        (one,) = findings_panel.finding_views(turns[0].session)
        assert steps(one) == [(1, "noticed"), (2, "tested"), (3, "corrected"), (4, "noticed again, tested")]
        assert one.steps[0].url == f"#turn-{turns[0].pk}"
        assert (one.sure, one.resolved, one.quote) == ("We’re still checking this.", False, "two")
        assert (
            findings_panel.finding_views(turns[0].session, on_page=False)[0].steps[0].url
            == f"/c/s/?at=1#turn-{turns[0].pk}"
        )

    def test_what_an_answer_showed_was_tested_in_its_own_turn(self, host, turns):
        host.tested = lambda session: [(1, ""), (2, "")]
        noticed(turns[0], name="a")
        (one,) = findings_panel.finding_views(turns[0].session)
        assert steps(one) == [(1, "noticed, tested")]

    @pytest.mark.parametrize(
        ("fields", "heading", "sure"),
        [
            ({"confidence": 0.85}, "Something I noticed", "I’m fairly sure about this."),
            ({"confidence": 0.6}, "Something I noticed", "This may be right. We will check it."),
            ({}, "Something I noticed", "I’m not sure about this."),
            ({"kind": "vision", "confidence": 0.5}, "Your drawing", "I couldn’t see the drawing clearly."),
            ({"kind": "vision", "confidence": 0.9}, "Your drawing", ""),
            ({"kind": "milestone"}, "A milestone", ""),
            ({"kind": "emotion", "evidence": "three wrong answers in a row"}, "Your pace", ""),
            ({"kind": "something new"}, "Noticed", ""),
        ],
    )
    def test_each_kind_says_what_it_is_and_how_sure(self, turns, fields, heading, sure):
        noticed(turns[0], **fields)
        (one,) = findings_panel.finding_views(turns[0].session)
        assert (one.heading, one.sure) == (heading, sure)
        assert bool(one.quote) is (one.kind == "misconception")
        assert bool(one.basis) is (one.kind not in ("misconception", "emotion"))

    def test_what_was_set_aside_says_where_and_why(self, client, ada, turns):
        noticed(turns[0], name="a", overridden_turn=turns[1], overridden_why="The answer was right.")
        (one,) = findings_panel.finding_views(turns[0].session)
        assert steps(one) == [(1, "noticed"), (2, "set aside")]
        client.force_login(ada)
        assert "The answer was right." in client.get("/c/s/").text

    def test_page_shows_five_and_unfolds_the_rest(self, client, ada, turns, django_assert_max_num_queries):
        for number in range(7):
            noticed(turns[number % 4], name=f"n{number}", words=f"Thing {number}.")
        client.force_login(ada)
        with django_assert_max_num_queries(15):
            page = client.get("/c/s/").text
        before, after = page.split('<details class="noticed-before">')
        assert "Thing 6." in before
        assert "Thing 1." in after
        assert "Noticed earlier (2)" in after

    def test_guess_at_a_mood_is_nowhere(self, client, ada, turns):
        noticed(turns[0], kind="emotion", name="likely_frustrated", words="", evidence="sighs")
        client.force_login(ada)
        page = client.get("/c/s/").text
        assert "frustrated" not in page.lower().replace("pace-frustrated", "").replace('value="frustrated"', "")
        assert "sighs" not in page


class TestContest:
    def test_is_told_to_whoever_listens_once_and_can_be_undone(self, client, ada, turns, monkeypatch):
        listener = Contested()
        monkeypatch.setattr(side_agents, "_listeners", [listener])
        finding = noticed(turns[0], name="a")
        client.force_login(ada)
        address = f"/c/s/findings/{finding.pk}/contest/"
        for data in ({}, {}, {"is_so": "yes"}, {"is_so": "yes"}):
            client.post(address, data)
        assert listener.told == [False, True]
        finding.refresh_from_db()
        assert (finding.contested_at, finding.content) == (None, {"seen": True})
        assert "This was right after all" in client.post(address, headers={"HX-Request": "true"}).text

    def test_what_is_history_is_not_there_to_be_contested(self, turns):
        finding = noticed(turns[3], name="a")
        turns[3].replaced_by = turns[2]
        turns[3].save(update_fields=["replaced_by"])
        assert not findings_panel.contest(turns[0].session, finding.pk, is_so=False)


@pytest.fixture
def looks(turns):
    kept = {"session": turns[0].session, "person": turns[0].owner, "turn": turns[0], "key": "k"}
    Analysis.objects.create(**kept, agent="one", ms=2.4)
    Analysis.objects.create(**kept, agent="one", reused=True)
    Analysis.objects.create(**kept, agent="two", ms=90.0, status="rejected", reason="unknown id", model="m-9",
                            input_tokens=300, output_tokens=20, cost_usd=0.0005)  # fmt: skip
    Analysis.objects.create(**kept, agent="three", ms=8000, status="failed", reason="LLMTimeout", model="m-9")
    Analysis.objects.create(**kept | {"turn": None}, agent="self_report", output={"feeling": "bored"})
    return turns


def test_each_turn_says_who_listened_and_what_it_took(client, ada, looks):
    found = side_agent_usage.looks_at(looks)
    assert [(each.label, each.took, each.said) for each in found[looks[0].pk]] == [
        ("One", "2 ms", ""),
        ("One", "reused an earlier result at no extra cost", ""),
        ("Two", "90 ms · 320 tokens · $0.0005", "A model’s answer was not used: unknown id."),
        ("Three", "8.0 s", "A model did not answer (LLMTimeout)."),
    ]
    assert found[looks[1].pk] == []
    client.force_login(ada)
    page = client.get("/c/s/transcript/").text
    assert page.count("Who else took part") == 1
    assert "unknown id" in page


def test_conversation_says_what_listening_took_in_all(client, ada, looks):
    line = "4 background checks: 8.1 s · 320 tokens · $0.0005 · 2 not used"
    assert side_agent_usage.usage_line(looks[0].session) == line
    client.force_login(ada)
    assert line in client.get("/c/s/").text
    assert side_agent_usage.usage_line(Session.objects.create(owner=ada, key="quiet")) == ""


@pytest.mark.parametrize("model", ["analysis", "snapshot"])
def test_admin_reads_what_it_took_and_nothing_that_was_made_of_it(client, root, ada, looks, model):
    Analysis.objects.filter(agent="two").update(output={"evidence": "my own words"}, rejected={"x": "their own words"})
    client.force_login(ada)
    assert client.get(f"/admin/conversations/{model}/").status_code == 404
    client.force_login(root)
    page = client.get(f"/admin/conversations/{model}/").text
    assert ("unknown id" in page) is (model == "analysis")
    if model == "analysis":
        row = Analysis.objects.get(agent="two")
        page += client.get(f"/admin/conversations/analysis/{row.pk}/change/").text
        assert "m-9" in page
    assert "own words" not in page


def test_titles_are_shown_without_asterisks(host, turns):
    noticed(turns[0], name="a", words="Ready for *Simplest form*, 2 * 3 * 4")
    (one,) = findings_panel.finding_views(turns[0].session)
    assert one.words == "Ready for Simplest form, 2 * 3 * 4"
