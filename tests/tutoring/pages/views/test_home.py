"""Home: what is to be done now, the goal, and the week."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tutoring import review_helpers
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.pages.views.test_course_map import mastered
from tests.tutoring.small_course import ask, make_course, numeric
from tutoring.mastery.records import goals
from tutoring.mastery.records.progress import begin_lesson, record_attempt
from tutoring.models import Concept, Goal, Mastery, StudySettings
from tutoring.pages.contexts.goal_pace import date_words, goal_pace, pace_words
from tutoring.pages.contexts.home import home_context
from tutoring.pages.contexts.practice_week import week_context

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

THURSDAY = datetime(2026, 11, 26, 9, 0, tzinfo=UTC)


def answer(person, at, *, seconds=20.0, template="t"):
    question = ask(person, numeric(template))
    begin_lesson(person, question.concept, question.session)
    record_attempt(question, learner=person, answer="1/2", idempotency_key="k", at=at, time_taken_s=seconds)


class TestNewcomer:
    def test_is_one_press_from_the_first_question_and_the_path(self, client, ada):
        make_course()
        client.force_login(ada)
        page = client.get("/").text
        first = Concept.objects.order_by("position").first()
        assert page.count(f'href="{first.get_absolute_url()}"') == 1
        assert 'href="/learn/fractions/path/"' in page
        assert page.count('class="button primary"') == 1

    def test_place_without_courses_says_so(self, client, ada):
        client.force_login(ada)
        assert "No courses here yet" in client.get("/").text

    def test_level_is_asked_for_until_it_is_known(self, client, ben):
        make_course()
        client.force_login(ben)
        assert home_context(ben)["asks_level"]
        client.post(reverse("level"), {"level": "advanced"})
        ben.refresh_from_db()
        assert ben.level == "advanced"
        assert not home_context(ben)["asks_level"]

    def test_made_up_level_changes_nothing(self, client, ada):
        client.force_login(ada)
        client.post(reverse("level"), {"level": "wizard"})
        ada.refresh_from_db()
        assert ada.level == "beginner"


class TestNextStep:
    def test_open_lesson_is_gone_on_with_where_it_was_left(self, ada):
        answer(ada, THURSDAY)
        step = home_context(ada, at=THURSDAY)["step"]
        assert (step["title"], step["url"], step["action"]) == ("One half", "/c/lesson/", "Continue")
        assert step["words"].startswith("You are on step 2.")

    def test_without_a_lesson_the_road_goes_on(self, ada):
        course = load_fractions()
        mastered(ada, course, "equal-parts")
        goals.set_goal(ada, course.concepts.get(slug="add-unlike"))
        step = home_context(ada)["step"]
        assert (step["title"], step["action"]) == ("One half", "Start")
        assert "svg" in step["picture_svg"]

    def test_placement_under_way_comes_first(self, ada):
        question = ask(ada)
        question.session.state = {"placement": {"topic": "one_half"}}
        question.session.save()
        step = home_context(ada)["step"]
        assert step["title"] == "Find out where to start"
        assert step["url"] == "/c/lesson/"

    def test_due_reviews_stand_beside_it_and_nothing_else_is_due(self, ada):
        review_helpers.load_tiny()
        card = review_helpers.master(ada, at=THURSDAY - timedelta(days=60))
        home = home_context(ada, at=THURSDAY)
        assert home["reviews"]["titles"] == [card.concept.title]
        assert home["intro"].startswith("2 things to do today")
        assert home["abilities"]["shown"][0]["due"]


class TestWeek:
    def test_counts_forward_and_a_day_off_is_no_loss(self, ada):
        for days in (3, 2, 0, 7):
            answer(ada, THURSDAY - timedelta(days=days), template=f"t{days}")
        week = week_context(ada, at=THURSDAY)
        states = [day["state"] for day in week["days"]]
        assert states == ["kept", "kept", "rest", "kept", "ahead", "ahead", "ahead"]
        assert week["words"] == "3 days this week. Days off are fine. You can continue at any time."

    def test_day_before_the_account_is_no_day_off(self, ada):
        assert [day["state"] for day in week_context(ada, at=ada.created_at)["days"]].count("rest") == 0
        ada.created_at = THURSDAY - timedelta(days=1)
        days = week_context(ada, at=THURSDAY)["days"]
        assert [day["state"] for day in days[:4]] == ["before", "before", "rest", "today"]
        assert days[0]["words"] == "before you joined"

    def test_day_is_the_learners_own(self, ada):
        ada.created_at = THURSDAY - timedelta(days=30)
        answer(ada, datetime(2026, 11, 25, 23, 30, tzinfo=UTC))
        with timezone.override("Asia/Tokyo"):
            states = [day["state"] for day in week_context(ada, at=THURSDAY)["days"]]
        assert states[2:4] == ["rest", "kept"]

    @pytest.mark.parametrize(
        ("planned", "words"),
        [
            (1, "1 day this week, as you planned."),
            (4, "1 of the 4 days you planned. A day off does not count against you."),
        ],
    )
    def test_plan_is_told_without_blame(self, ben, planned, words):
        StudySettings.objects.create(learner=ben, days_a_week=planned)
        answer(ben, THURSDAY)
        assert week_context(ben, at=THURSDAY)["words"] == words


class TestGoal:
    def test_child_sees_the_road_and_an_adult_figures(self, client, ada, ben):
        course = load_fractions()
        for person, shown in ((ada, 'class="way-list"'), (ben, 'class="figures"')):
            goals.set_goal(person, course.concepts.get(slug="add-unlike"))
            mastered(person, course, "equal-parts")
            client.force_login(person)
            assert shown in client.get("/").text

    @pytest.mark.parametrize(
        ("recent", "days", "words"),
        [
            (8, 14, "Your goal is due in 14 days, and you are on track."),
            (1, 14, "Your goal is due in 14 days: about 2 topics a week will get you there."),
            (0, -1, "The day you set for your goal has passed. You can set another one."),
        ],
    )
    def test_date_is_held_against_the_pace_of_four_weeks(self, recent, days, words):
        today = THURSDAY.date()
        mastered_days = [today - timedelta(days=3)] * recent + [today - timedelta(days=40)]
        pace = goal_pace(mastered_days, left=4, due_on=today + timedelta(days=days), today=today)
        assert pace.recent == recent
        assert date_words(pace) == words

    @pytest.mark.parametrize(("days", "weeks"), [([3, 3, 3], None), ([3, 4, 4], 6)])
    def test_one_days_practice_is_no_pace(self, days, weeks):
        today = THURSDAY.date()
        pace = goal_pace([today - timedelta(days=each) for each in days], left=4, due_on=None, today=today)
        assert pace.weeks == weeks
        assert ("pace" in pace_words(pace)) is (weeks is not None)

    def test_what_the_placement_found_known_is_not_to_go(self, client, ben):
        course = load_fractions()
        goals.set_goal(ben, course.concepts.get(slug="add-unlike"))
        for slug in ("equal-parts", "one-half"):
            placed = course.concepts.get(slug=slug)
            Mastery.objects.create(learner=ben, concept=placed, probability=0.92, placed=0.92, threshold=0.85)
        goal = home_context(ben)["goal"]
        assert (goal["done"], goal["total"], goal["pace"].left) == (2, 11, 9)
        client.force_login(ben)
        assert "topics mastered or known" in client.get("/").text

    def test_another_learners_goal_and_days_are_nowhere(self, ada, ben):
        course = load_fractions()
        goals.set_goal(ben, course.concepts.get(slug="add-unlike"))
        Goal.objects.update(due_on=THURSDAY.date())
        mastered(ben, course, "equal-parts")
        home = home_context(ada, at=THURSDAY)
        assert (home["goal"]["own"], home["goal"]["done"], home["abilities"]) == (False, 0, None)
        assert home["goal"]["date_words"] == ""

    def test_takes_few_queries_however_much_was_done(self, client, ada, django_assert_max_num_queries):
        course = load_fractions()
        goals.set_goal(ada, course.concepts.get(slug="add-unlike"))
        for slug in ("equal-parts", "one-half", "unit-fractions"):
            mastered(ada, course, slug, days_ago=30)
        client.force_login(ada)
        client.get("/")
        with django_assert_max_num_queries(32):
            client.get("/")
