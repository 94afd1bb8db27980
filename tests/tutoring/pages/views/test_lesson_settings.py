"""How a lesson goes, as its learner wants it, and where the page says that it stands."""

import pytest

from conversations.models import Session
from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, load_fractions, unhurried
from tests.tutoring.small_course import ask, make_course, make_turn, numeric
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.placement import Placement, placement_to_json
from tutoring.lesson.state import LessonState, lesson_to_json
from tutoring.mastery.placement import MAX_QUESTIONS, PlacementAnswer
from tutoring.mastery.records.lesson_settings import save_settings, threshold_for, threshold_in
from tutoring.mastery.records.progress import begin_lesson, record_attempt
from tutoring.models import Concept, Lesson, Mastery
from tutoring.pages.contexts.lesson_stage import lesson_stage as stage_of

pytestmark = pytest.mark.django_db
ADDRESS = "/learn/lesson/lesson/"


@pytest.fixture
def lesson(client, ada):
    make_course()
    client.force_login(ada)
    turn = make_turn(ada)
    return begin_lesson(ada, Concept.objects.select_related("course").get(slug="one_half"), turn.session)


def save(client, **fields):
    return client.post(ADDRESS, {"own_level": "", "threshold": "0.85", **fields})


class TestPage:
    def test_wishes_are_kept_and_shown(self, client, lesson, django_assert_max_num_queries):
        response = save(client, own_level="advanced", threshold="0.75")
        assert response["Location"] == ADDRESS
        lesson.refresh_from_db()
        assert lesson.own_level == "advanced"
        assert Session.objects.get().state["mastery_threshold"] == 0.75
        with django_assert_max_num_queries(15):
            page = client.get(ADDRESS).text
        assert 'value="0.75" id="id_threshold_0" required checked' in page
        assert 'value="advanced" id="id_own_level_3" checked' in page
        save(client)
        lesson.refresh_from_db()
        assert lesson.own_level == ""

    @pytest.mark.parametrize("threshold", ["1.01", "-0.1", "nan", "inf", "much", ""])
    def test_score_off_the_scale_is_said_so_and_changes_nothing(self, client, lesson, threshold):
        response = save(client, own_level="advanced", threshold=threshold)
        assert response.status_code == 422
        assert "Choose a number from 0 to 1" in response.text
        lesson.refresh_from_db()
        assert lesson.own_level == ""
        assert Session.objects.get().state["mastery_threshold"] == 0.85

    def test_level_there_is_not_changes_nothing(self, client, lesson):
        assert "This level does not exist" in save(client, own_level="wizard").text
        assert Session.objects.get().state["mastery_threshold"] == 0.85

    def test_nobody_else_finds_the_page_not_even_an_admin(self, client, lesson, eve, root):
        for person in (eve, root):
            client.force_login(person)
            assert client.get(ADDRESS).status_code == 404
            assert save(client, threshold="0.75").status_code == 404
        assert Session.objects.get().state["mastery_threshold"] == 0.85

    def test_conversation_without_a_topic_or_deleted_or_not_there_is_404(self, client, lesson, ada):
        make_turn(ada, key="lobby")
        for key in ("lobby", "nothing", "a%00b"):
            assert client.get(f"/learn/lesson/{key}/").status_code == 404
        Session.objects.filter(key="lesson").update(deleted_at=lesson.created_at)
        assert client.get(ADDRESS).status_code == 404

    def test_conversation_leads_to_it(self, lesson):
        beside = turn_handler().lesson_context(lesson.session)
        assert beside["settings_url"] == ADDRESS

    def test_what_has_begun_says_that_it_keeps_its_score(self, client, lesson, ada):
        row = Mastery.objects.create(learner=ada, concept=lesson.concept, probability=0.5, threshold=0.85)
        save(client, threshold="0.75")
        assert "it stays" not in client.get(ADDRESS).text
        Mastery.objects.filter(pk=row.pk).update(answers=1)
        assert "For One half, the number stays at 85%" in client.get(ADDRESS).text


class TestThreshold:
    def test_new_mastery_takes_the_conversations_and_an_old_one_keeps_its_own(self, lesson, ada):
        save_settings(lesson, own_level="", threshold=0.75)
        for number in range(2):
            record_attempt(ask(ada, numeric(f"t{number}")), learner=ada, answer="1/2", idempotency_key="k")
            save_settings(lesson, own_level="", threshold=0.88)
        assert Mastery.objects.get().threshold == 0.75

    def test_what_a_placement_believes_takes_the_conversations_at_its_first_answer(self, lesson, ada):
        begun = {"learner": ada, "concept": lesson.concept, "probability": 0.5, "threshold": 0.85}
        row = Mastery.objects.create(**begun, placed=0.5)
        save_settings(lesson, own_level="", threshold=0.75)
        assert threshold_for(row, Session.objects.get().state, default=0.8) == 0.75
        record_attempt(ask(ada, numeric("t0")), learner=ada, answer="1/2", idempotency_key="k")
        save_settings(lesson, own_level="", threshold=0.88)
        row.refresh_from_db()
        assert (row.answers, row.threshold) == (1, 0.75)
        assert threshold_for(row, Session.objects.get().state, default=0.8) == 0.75

    def test_lesson_after_a_placement_goes_by_what_was_wished_since(self):
        load_fractions()
        with unhurried(), counted_turns(seed=3):
            stage = Stage(people.make_person("nora"))
            stage.say("I want to learn to add fractions with different denominators")
            stage.give_up()
            stage.say("that is enough questions")
            lesson = Lesson.objects.select_related("concept").get()
            assert Mastery.objects.filter(concept=lesson.concept, answers=0, threshold=0.85).exists()
            save_settings(lesson, own_level="", threshold=0.75)
            stage.say("Let’s start")
            stage.say("quiz me")
            assert stage.prepared.request.facts.threshold == 0.75
            stage.check(right(stage.question))
        assert Mastery.objects.get(concept=lesson.concept).threshold == 0.75

    @pytest.mark.parametrize("odd", ["much", None, True, 1.5, -1, [0.5]])
    def test_state_that_names_no_score_falls_back_to_the_courses(self, odd):
        assert threshold_in({"mastery_threshold": odd}, default=0.8) == 0.8

    @pytest.mark.parametrize("edge", [0, 1, 0.5])
    def test_ends_of_the_scale_are_scores(self, edge):
        assert threshold_in({"mastery_threshold": edge}, default=0.8) == edge

    def test_relaxed_lesson_is_over_sooner_than_one_that_wants_near_certainty(self):
        load_fractions()
        needed = {}
        with counted_turns(seed=3):
            for threshold in (0.6, 0.95):
                stage = Stage(people.make_person(f"learner-{threshold}"), Concept.objects.get(slug="equal-parts"))
                stage.open()
                save_settings(Lesson.objects.get(session=stage.session), own_level="", threshold=threshold)
                needed[threshold] = answers_to_mastery(stage)
        assert needed[0.6] < needed[0.95]


def answers_to_mastery(stage):
    """Answer right until the concept is mastered; return how many answers it took."""
    for _ in range(40):
        row = Mastery.objects.filter(learner=stage.person).first()
        if row is not None and row.is_mastered:
            return row.answers
        question = stage.question
        if question is None:
            stage.say("quiz me")
        else:
            stage.check(right(question))
    raise AssertionError("never mastered")


class TestStage:
    def held(self, **cycle):
        return {"lesson": lesson_to_json(LessonState(cycle=LearningCycle(**cycle)))}

    @pytest.mark.parametrize(
        ("cycle", "words", "here"),
        [
            ({}, "Round 1 of 5", ["Explaining"]),
            ({"state": "quiz_active", "number": 2}, "Round 2 of 5", ["Quiz"]),
            ({"number": 2, "most": 3}, "Round 2 of 3", ["Explaining"]),
            ({"state": "quiz_active", "paused": True}, "Round 1 of 5 (quiz paused)", ["Quiz"]),
            ({"state": "loop_again", "number": 5}, "Round 5 of 5", ["Looking back"]),
            ({"detour": "x", "detour_number": 2}, "Detour to Equal parts: round 2 of 2", ["Explaining"]),
            ({"state": "mastered", "number": 3}, "Mastered in round 3", []),
        ],
    )
    def test_cycle_is_told_in_words(self, cycle, words, here):
        shown = stage_of(self.held(**cycle), taught="Equal parts")
        assert shown["words"] == words
        assert [step["label"] for step in shown["steps"] if step["here"]] == here

    def test_lesson_that_has_not_begun_has_as_many_rounds_as_its_course_says(self):
        assert stage_of({}, taught="Equal parts", most=2)["words"] == "Round 1 of 2"

    def test_placement_tells_which_question_it_is(self):
        answers = (PlacementAnswer(concept="equal_parts", correct=True, guess=0.1),) * 2
        state = {"placement": placement_to_json(Placement(topic="one_half", answers=answers))}
        assert (
            stage_of(state, taught="One half")["words"] == f"Finding your level · question 3 of up to {MAX_QUESTIONS}"
        )

    def test_page_of_the_conversation_says_it(self, client, lesson):
        page = client.get(lesson.session.get_absolute_url()).text
        assert "Step 1 of about " in page
        assert f'href="{ADDRESS}"' in page
