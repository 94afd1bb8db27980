"""What a learner says of how it goes, and of what was noticed: it counts more than what anybody makes of them."""

from datetime import UTC, datetime, timedelta

import pytest

from agents.rollout.flags import change_flag, forget_flags
from agents.wire.rejections import Rejection
from conversations.models import Analysis, Finding, Session
from conversations.web import findings_panel
from tests.tutoring.class_helpers import make_class
from tests.tutoring.lessons.lesson_player import StageWithHub
from tests.tutoring.side_agents.test_notes_in_lessons import moves
from tutoring.classes import contested, membership
from tutoring.mastery.records import suspected_misconceptions
from tutoring.mastery.records.lesson_settings import READS_PACE
from tutoring.models import Concept, MisconceptionState
from tutoring.side_agents import fact_queries, self_reports
from tutoring.side_agents.fact_queries import may_analyze_mood

pytestmark = [pytest.mark.db, pytest.mark.django_db]
TWO_PIECES = "these two pieces are halves"
IDEA = "any_two_pieces_are_halves"


@pytest.fixture
def stage(kept_fractions, ada, settings):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0}
    stage = StageWithHub(ada, Concept.objects.select_related("course").get(slug="one-half"))
    stage.open()
    return stage


@pytest.fixture
def address(client, stage):
    client.force_login(stage.person)
    return f"/learn/lesson/{stage.session.key}/pace/"


class TestNextTurn:
    @pytest.mark.parametrize(
        ("feeling", "move"), [("frustrated", "simplify"), ("confused", "represent"), ("fine", ""), ("bored", "")]
    )
    def test_acts_on_it_at_once_and_once(self, stage, feeling, move):
        self_reports.save_self_report(stage.session, feeling)
        stage.say("hmm I am not sure")
        assert {moves(stage)[-1]} & {"simplify", "represent"} == {move} - {""}
        assert (stage.question is not None) is (feeling == "bored")
        if move:
            stage.say("hmm I am not sure")
            assert moves(stage)[-1] != move

    def test_does_nothing_about_it_once_it_was_taken_back(self, stage):
        self_reports.save_self_report(stage.session, "frustrated")
        self_reports.save_self_report(stage.session, "")
        assert self_reports.current_self_report(stage.session) is None
        stage.say("hmm I am not sure")
        assert moves(stage)[-1] != "simplify"

    def test_does_nothing_about_it_ten_minutes_later(self, stage):
        self_reports.save_self_report(stage.session, "frustrated")
        long_ago = datetime.now(UTC) - timedelta(minutes=11)
        Analysis.objects.filter(agent=self_reports.AGENT).update(created_at=long_ago)
        Finding.objects.filter(agent=self_reports.AGENT).update(created_at=long_ago)
        assert self_reports.current_self_report(stage.session) is None
        stage.say("hmm I am not sure")
        assert moves(stage)[-1] != "simplify"


NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)


def row(agent, name, *, kind="emotion", ago=1, contested=None):
    at = NOW - timedelta(minutes=ago)
    return {"agent": agent, "name": name, "kind": kind, "created_at": at, "contested_at": contested}


SAYS = row(self_reports.AGENT, "says_fine")
GUESS = row("emotion", "likely_bored")
AGREES = row("emotion", "says_fine")
OTHER = row("tutor", "x", kind="misconception")


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([GUESS, OTHER], [GUESS, OTHER]),
        ([SAYS, GUESS, AGREES, OTHER], [SAYS, AGREES, OTHER]),
        ([row(self_reports.AGENT, "says_fine", ago=11), GUESS], [GUESS]),
        ([row(self_reports.AGENT, "says_fine", contested=NOW), GUESS], [GUESS]),
        ([row(self_reports.AGENT, "says_bored", ago=2), SAYS, GUESS], [SAYS]),
    ],
)
def test_own_word_stands_above_what_is_made_of_messages(rows, left):
    assert self_reports.without_overridden(rows, at=NOW) == left


class TestPress:
    def test_is_kept_shown_and_taken_back(self, client, stage, address):
        page = client.post(address, {"feeling": "confused"}, headers={"HX-Request": "true"}).text
        assert 'id="pace-confused" type="submit" name="feeling" value="confused" aria-pressed="true"' in page
        row = Analysis.objects.get(agent=self_reports.AGENT)
        assert (row.output, row.turn, row.person, row.status) == ({"feeling": "confused"}, None, stage.person, "taken")
        assert "the lesson relies on this more" in client.get(stage.session.get_absolute_url()).text
        assert client.post(address, {"feeling": ""})["Location"] == stage.session.get_absolute_url()
        assert self_reports.current_self_report(stage.session) is None
        assert "the lesson relies on this more" not in client.get(stage.session.get_absolute_url()).text

    def test_what_is_no_choice_and_what_is_too_often_changes_nothing(self, client, stage, address):
        for feeling in ("angry", "\x00", "fine" * 100):
            assert client.post(address, {"feeling": feeling}, headers={"HX-Request": "true"}).status_code == 422
        assert not Analysis.objects.filter(agent=self_reports.AGENT).exists()
        for _ in range(self_reports.A_MINUTE):
            self_reports.save_self_report(stage.session, "fine")
        with pytest.raises(Rejection, match="Too many"):
            self_reports.save_self_report(stage.session, "bored")
        assert self_reports.current_self_report(stage.session).feeling == "fine"

    def test_what_was_guessed_before_it_is_set_aside(self, stage):
        turn = stage.session.turns.get()
        guess = Finding.objects.create(
            session=stage.session, turn=turn, agent="emotion", kind="emotion", name="likely_bored", words="Easy."
        )
        self_reports.save_self_report(stage.session, "confused")
        guess.refresh_from_db()
        assert (guess.overridden_turn, guess.overridden_why) == (turn, "You told me how it’s going.")

    def test_flag_switches_it_off(self, client, stage, address):
        change_flag("affect", killed=True)
        assert client.post(address, {"feeling": "fine"}).status_code == 404
        assert "How is it going?" not in client.get(stage.session.get_absolute_url()).text
        forget_flags()

    def test_class_that_wants_no_guesses_leaves_the_learners_own_word(self, client, stage, address, grace):
        classroom = membership.make_class(grace, "4b", code="4b")
        membership.join_class(stage.person, "4b")
        assert not classroom.policy.affect
        assert "not to how your messages sound" in client.get(stage.session.get_absolute_url()).text
        assert client.post(address, {"feeling": "fine"}).status_code == 302
        assert not may_analyze_mood(stage.person, {})

    def test_class_agrees_on_guesses_in_its_settings(self, client, stage, grace):
        classroom = membership.make_class(grace, "4b", code="4b")
        membership.join_class(stage.person, "4b")
        client.force_login(grace)
        fields = {"name": "4b", "mastery": "levels", "conversations": "nothing", "concerns": "teacher"}
        for chosen, is_agreed in (("True", True), ("", True), ("False", False)):
            wanted = {**fields, "affect": chosen} if chosen else fields
            assert client.post(f"/teach/{classroom.code}/settings/", wanted).status_code == 302
            assert may_analyze_mood(stage.person, {}) is is_agreed


def test_learner_switches_off_that_messages_are_read_for_it(client, stage):
    client.force_login(stage.person)
    wishes = f"/learn/lesson/{stage.session.key}/"
    client.post(wishes, {"own_level": "", "threshold": "0.85", "reads_pace": "no"})
    assert 'value="no" id="id_reads_pace_1" checked' in client.get(wishes).text
    stage.session.refresh_from_db()
    assert stage.session.state[READS_PACE] is False
    first = stage.say("this makes no sense, I hate it")
    stage.say("no idea, I give up", replaces=first)
    assert Session.objects.get(pk=stage.session.pk).state[READS_PACE] is False
    assert set(Analysis.objects.values_list("agent", flat=True)) & {"emotion", "misconception"} == {"misconception"}


class TestContested:
    def held(self, stage):
        row = MisconceptionState.objects.get(learner=stage.person, misconception=IDEA)
        return row.status, [piece["source"] for piece in row.evidence]

    def test_misconception_gives_back_what_its_words_came_to_and_takes_it_again(self, stage):
        said = stage.say(TWO_PIECES)
        before = self.held(stage)
        assert before == ("active", ["utterance"])
        assert (said.turn.number, IDEA) in fact_queries.tested_misconceptions(stage.session)
        finding = Finding.objects.get(name=IDEA)
        findings_panel.contest(stage.session, finding.pk, is_so=False)
        assert self.held(stage) == ("none", [])
        findings_panel.contest(stage.session, finding.pk, is_so=True)
        assert self.held(stage) == before
        (one,) = findings_panel.finding_views(stage.session)
        assert [(step.number, step.words) for step in one.steps] == [(said.turn.number, "noticed, tested")]

    def test_it_is_told_to_a_teacher_and_taken_back_with_the_learners_word(self, stage, grace):
        stage.say(TWO_PIECES)
        classroom = make_class(grace, stage.person)
        finding = Finding.objects.get(name=IDEA)
        findings_panel.contest(stage.session, finding.pk, is_so=False)
        (told,) = contested.open_contests([classroom])
        assert (told.about, told.idea) == ("idea", stage.concept.course.catalogue().misconceptions[IDEA].says)
        findings_panel.contest(stage.session, finding.pk, is_so=True)
        assert contested.open_contests([classroom]) == []

    def test_answers_that_point_to_it_stay_and_it_is_said_where_it_is_marked(self, client, stage):
        stage.say(TWO_PIECES)
        finding = Finding.objects.get(name=IDEA)
        MisconceptionState.objects.update(evidence=[])  # As if an answer had shown it, in another turn.
        client.force_login(stage.person)
        address = f"/c/{stage.session.key}/findings/{finding.pk}/contest/"
        assert "Ideas to check" in client.post(address, headers={"HX-Request": "true"}).text
        assert "reported as wrong" in client.get("/progress/").text

    def test_other_ideas_and_answers_stay(self, stage):
        course, turn = stage.concept.course, str(stage.say("what is a half").turn.pk)
        whose = {"learner_id": stage.person.pk, "course": course, "turn_id": turn}
        suspected_misconceptions.weigh_utterance(**whose, ids=[IDEA, "bigger_bottom_bigger"], quote="x")
        suspected_misconceptions.weigh_classified(**whose, misconception=IDEA, confidence=0.9, quote="x")
        assert suspected_misconceptions.retract_misconception(**whose, misconception=IDEA) == ["utterance"]
        assert (
            suspected_misconceptions.retract_misconception(
                **whose | {"turn_id": "another"}, misconception="bigger_bottom_bigger"
            )
            == []
        )
        assert MisconceptionState.objects.get(misconception="bigger_bottom_bigger").evidence
