"""A message said anew: what is in force after it, what is history, and who is told no."""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.wire.rejections import Rejection
from conversations.models import Finding, Message, Session, Turn
from conversations.search.messages import search_messages
from conversations.turns import apply, fault_injection, versions
from conversations.turns.handler import turn_handler
from conversations.web import presentation
from tests.conversations.turn_helpers import accepted, begun, bodies

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


def said(person, text="hello", **options):
    """Return a turn that was answered."""
    turn = begun(person, text=text, **options)
    if (reading := turn_handler().read(turn)) is not None:
        apply.apply_reading(turn, reading)
    Turn.objects.filter(pk=turn.pk).update(status="done")
    Message.objects.create(session=turn.session, turn=turn, author="team", text=f"To {text}.")
    return turn


def in_force(session):
    return [turn.number for turn in presentation.recent_turns(session)]


def refusal(owner, **options):
    with pytest.raises(Rejection) as caught:
        begun(owner, **options)
    return caught.value.status, caught.value.code


class TestWhatIsInForce:
    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(series=st.lists(st.integers(0, 6), min_size=1, max_size=8))
    def test_after_any_series_of_edits_it_is_what_a_reader_would_expect(self, ada, series):
        """A series of 0 (say something new) and n (say the n-th message in force anew)."""
        Session.objects.all().delete()
        expected, numbers = [], {}
        for step in series:
            replaced = expected[min(step, len(expected)) - 1] if step and expected else None
            turn = said(ada, replaces=numbers[replaced].pk if replaced else None)
            numbers[turn.number] = turn
            expected = [*(n for n in expected if replaced is None or n < replaced), turn.number]
            assert in_force(turn.session) == expected
        history = Turn.objects.exclude(replaced_by=None)
        assert {turn.number for turn in history} == numbers.keys() - set(expected)
        for turn in history:
            assert turn.replaced_by.replaces.number <= turn.number < turn.replaced_by.number

    def test_session_stands_again_as_it_did_before_the_message(self, ada, host):
        """What the message itself, and all after it, had changed is gone."""

        def remember(turn):
            turn.session.state["said"] = [*turn.session.state.get("said", ()), versions.learner_text(turn)]

        host.on_apply = remember
        said(ada, "one")
        two, _three = said(ada, "two"), said(ada, "three")
        said(ada, "zwei", replaces=two.pk)
        assert Session.objects.get().state["said"] == ["one", "zwei"]

    def test_conversation_named_by_its_first_message_is_named_anew(self, ada):
        first = said(ada, "what are haves")
        assert said(ada, "what are halves", replaces=first.pk).session.title == "what are halves"

    def test_name_given_by_hand_stays(self, ada):
        first = said(ada, "what are haves")
        Session.objects.update(title="Mine")
        assert said(ada, "what are halves", replaces=first.pk).session.title == "Mine"

    def test_first_event_tells_what_is_replaced(self, ada):
        first = said(ada)
        again = said(ada, replaces=first.pk)
        assert "replaces" not in bodies(first.pk)[0]
        assert bodies(again.pk)[0]["replaces"] == str(first.pk)

    def test_host_is_asked_to_take_back_what_is_undone(self, ada, host):
        first, _second = said(ada), said(ada)
        undone = []
        host.on_undo = lambda turn: undone.extend(turn.undone.values_list("number", flat=True))
        said(ada, replaces=first.pk)
        assert sorted(undone) == [1, 2]

    def test_findings_of_history_are_not_shown_and_what_it_resolved_is_open_again(self, ada):
        one, two = said(ada, "one"), said(ada, "two")
        kept = {"session": one.session, "agent": "tutor", "kind": "misconception"}
        Finding.objects.create(**kept, turn=one, name="a", words="Seen in one.", resolved_turn=two)
        Finding.objects.create(**kept, turn=two, name="b", words="Seen in two.")
        said(ada, replaces=two.pk)
        (shown,) = presentation.finding_views(one.session)
        assert (shown.words, shown.resolved) == ("Seen in one.", False)

    def test_what_was_told_or_set_aside_in_history_is_to_be_told_again(self, ada):
        one, two = said(ada, "one"), said(ada, "two")
        Finding.objects.create(
            session=one.session, turn=one, agent="tutor", kind="misconception", told_turn=2, overridden_turn=two,
            overridden_why="Things have gone well since then.",
        )  # fmt: skip
        said(ada, replaces=two.pk)
        found = Finding.objects.get()
        assert (found.told_turn, found.overridden_turn, found.overridden_why) == (None, None, "")

    def test_search_finds_what_is_in_force_only(self, ada):
        first = said(ada, "walrus")
        said(ada, "tiger", replaces=first.pk)
        assert search_messages(ada, "walrus", limit=5) == []
        assert {hit.author for hit in search_messages(ada, "tiger", limit=5)} == {"learner", "team"}


class TestWhoIsToldNo:
    def test_turn_of_another_person_or_session_is_not_there(self, ada, eve):
        mine, eves = said(ada), said(eve)
        elsewhere = said(ada, key="other")
        for turn_id in (eves.pk, elsewhere.pk, uuid.uuid4()):
            assert refusal(ada, replaces=turn_id) == (404, "not_found")
        assert refusal(ada, key="new", replaces=mine.pk) == (404, "not_found")
        assert not Session.objects.filter(key="new").exists()

    def test_second_of_two_tabs_hears_that_it_came_too_late(self, ada):
        """One wins; nothing of the other is kept."""
        first = said(ada)
        winner = begun(ada, text="one tab", replaces=first.pk)
        assert refusal(ada, text="other tab", replaces=first.pk) == (409, "turn_in_progress")
        Turn.objects.filter(pk=winner.pk).update(status="done")
        assert refusal(ada, text="other tab", replaces=first.pk) == (409, "conflict")
        assert in_force(first.session) == [winner.number]

    def test_what_was_judged_stays_and_so_does_all_before_it(self, ada, host):
        one, two, three = said(ada), said(ada), said(ada)
        host.evidence = {2}
        assert refusal(ada, replaces=one.pk) == refusal(ada, replaces=two.pk) == (422, "invalid_input")
        assert said(ada, replaces=three.pk).number == 4

    @pytest.mark.parametrize("change", [{"kind": "answer"}, {"kind": "open"}, {"before": {}}])
    def test_only_a_message_of_which_it_is_known_how_things_stood_is_said_anew(self, ada, change):
        turn = said(ada)
        Turn.objects.filter(pk=turn.pk).update(**change)
        assert refusal(ada, replaces=turn.pk) == (422, "invalid_input")

    def test_pages_offer_just_what_would_be_accepted(self, ada, host):
        turns = [said(ada) for _ in range(4)]
        host.evidence = {2}
        shown = presentation.turn_views(ada, turns=turns)
        assert [view.may_rerun for view in shown] == [False, False, True, True]


class TestTwice:
    def test_same_request_again_is_the_same_turn(self, ada):
        """B6"""
        first = said(ada)
        again = begun(ada, text="anew", client_id="c", replaces=first.pk)
        assert not accepted(ada, text="anew", client_id="c", replaces=first.pk).created
        Turn.objects.filter(pk=again.pk).update(status="done")
        assert accepted(ada, text="anew", client_id="c", replaces=first.pk).turn == again
        assert Turn.objects.count() == 2

    def test_same_name_for_another_message_to_replace_is_a_conflict(self, ada):
        """B6"""
        first, second = said(ada), said(ada)
        said(ada, client_id="c", replaces=second.pk)
        assert refusal(ada, client_id="c", replaces=first.pk) == (409, "conflict")

    def test_process_that_dies_while_it_accepts_leaves_nothing_replaced(self, ada, monkeypatch):
        first = said(ada)

        def die(step):
            if step == "mid_accept":
                raise SystemError

        monkeypatch.setattr(fault_injection, "kill_point", die)
        with pytest.raises(SystemError):
            begun(ada, replaces=first.pk)
        first.refresh_from_db()
        assert (first.replaced_by, Turn.objects.count()) == (None, 1)


class TestOlderVersions:
    def test_each_has_what_followed_it(self, ada):
        one = said(ada, "one")
        first = said(ada, "first")
        said(ada, "after first")
        second = said(ada, "second", replaces=first.pk)
        said(ada, "after second")
        third = said(ada, "third", replaces=second.pk)
        found = versions.versions_of([one, third])
        assert found.keys() == {third.pk}
        assert found[third.pk].ids == (first.pk, second.pk, third.pk)
        followed = [
            [versions.learner_text(turn) for turn in versions.turns_of_version(found[third.pk], place, at_most=9)]
            for place in (1, 2)
        ]
        assert followed == [["first", "after first"], ["second", "after second"]]

    def test_conversation_without_any_asks_nothing(self, ada, django_assert_num_queries):
        turn = said(ada)
        with django_assert_num_queries(0):
            assert versions.versions_of([turn]) == {}


class TestPages:
    @pytest.fixture
    def reader(self, client, ada):
        client.force_login(ada)
        return client

    @pytest.fixture
    def third(self, ada):
        first = said(ada, "first")
        said(ada, "after first")
        return said(ada, "third", replaces=said(ada, "second", replaces=first.pk).pk)

    def test_conversation_shows_the_newest_with_a_way_to_the_others(self, reader, third):
        page = reader.get("/c/s/").text
        assert "first" not in page
        assert f'href="/c/s/turns/{third.pk}/versions/2/"' in page
        assert "3 of 3" in page

    def test_older_version_is_a_page_without_a_script_and_a_piece_with_one(self, reader, third):
        address = f"/c/s/turns/{third.pk}/versions/1/"
        page, piece = reader.get(address).text, reader.get(address, headers={"HX-Request": "true"}).text
        for shown in (page, piece):
            assert "after first" in shown
            assert "1 of 3" in shown
            assert f'href="/c/s/turns/{third.pk}/versions/2/"' in shown
            assert "data-edit" not in shown
        assert "<html" not in piece

    def test_newest_is_the_conversation_itself(self, reader, third):
        address = f"/c/s/turns/{third.pk}/versions/3/"
        assert reader.get(address)["Location"] == "/c/s/"
        assert reader.get(address, headers={"HX-Request": "true"}).content == b""

    @pytest.mark.parametrize("place", [0, 4])
    def test_version_that_is_not_there(self, reader, third, place):
        assert reader.get(f"/c/s/turns/{third.pk}/versions/{place}/").status_code == 404

    def test_message_that_was_said_once_has_none(self, reader, ada):
        assert reader.get(f"/c/s/turns/{said(ada).pk}/versions/1/").status_code == 404
