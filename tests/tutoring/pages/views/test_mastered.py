"""The page after mastery: what the learner said, and how mastery is known."""

import pytest
from django.utils import timezone

from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.pages.views.test_course_map import mastered
from tests.tutoring.small_course import ask, make_turn, numeric
from tutoring.courses.exercises.generator import make_exercise
from tutoring.mastery.goal_words import wish_in
from tutoring.mastery.records import goals
from tutoring.mastery.records.progress import open_question, record_attempt
from tutoring.models import Attempt, Concept, Mastery, Question
from tutoring.pages.contexts.mastered import BEFORE_X, _named, mastered_context

pytestmark = pytest.mark.django_db

SENTENCE = "The two pieces must be the same size."


def mastered_with(person, *answers):
    """Answer questions, then count the concept as mastered."""
    for number, each in enumerate(answers):
        question = ask(person, numeric(f"t{number}"))
        assert record_attempt(question, learner=person, answer=each, idempotency_key="k").created
    Mastery.objects.update(mastered_at="2026-11-20T00:00:00Z", probability=0.97)
    return Concept.objects.select_related("course").get(slug="one_half")


def test_right_sentence_of_an_answer_is_the_learners_own(ada):
    concept = mastered_with(ada, "1/2", "1/2", "1/2")
    assert mastered_context(ada, concept)["insight"] == ""
    written = Attempt.objects.order_by("pk").first()
    Question.objects.filter(pk=written.question_id).update(kind="text")
    Attempt.objects.filter(pk=written.pk).update(answer=SENTENCE)
    assert mastered_context(ada, concept)["insight"] == SENTENCE
    Attempt.objects.filter(pk=written.pk).update(correct=False)
    assert mastered_context(ada, concept)["insight"] == ""


def test_proof_counts_the_answers_that_count(ada):
    concept = mastered_with(ada, "1/2", "1/3", "1/2")
    assert mastered_context(ada, concept)["proof"] == "How we know: 3 answers, 2 of them right without help, on 1 day."


def test_reached_goal_is_named_in_the_learners_own_words(client, ben):
    course = load_fractions()
    topic = course.concepts.select_related("course").get(slug="add-unlike")
    goal, _ = goals.set_goal(ben, topic, words="I want to add fractions for a baking job")
    mastered(ben, course, "add-unlike")
    goal.reached_at = timezone.now()
    goal.save()
    client.force_login(ben)
    page = client.get("/learn/fractions/add-unlike/mastered/").text
    assert "<h1>Goal reached: add fractions for a baking job</h1>" in page
    assert "Now you can add any two fractions." in page
    assert "Choose your next goal" in page
    home = client.get("/").text
    assert "Goal reached: add fractions for a baking job" in home
    assert "your pace" not in home


def test_milestone_on_the_way_names_the_goal_and_leads_only_there(ben):
    course = load_fractions()
    goals.set_goal(ben, course.concepts.get(slug="add-unlike"))
    mastered(ben, course, "simplify")
    for slug in ("mixed-numbers", "add-like"):
        placed = course.concepts.get(slug=slug)
        Mastery.objects.create(learner=ben, concept=placed, probability=0.92, placed=0.92, threshold=0.85)
    page = mastered_context(ben, course.concepts.select_related("course").get(slug="simplify"))
    assert page["on_the_way"] == "On the way to your goal, Adding unlike fractions: 9 of 11 topics."
    assert [each["title"] for each in page["opened"]] == ["A common bottom number"]
    assert not page["goal_reached"]


def test_only_what_was_shown_or_said_is_told(ben):
    course = load_fractions()
    topic = course.concepts.select_related("course").get(slug="add-unlike")
    mastered(ben, course, "add-unlike")
    assert mastered_context(ben, topic)["tasks"] == ("Add 1/2 and 1/3.",)
    step = next(each for each in topic.value().steps if each.id == "au-s-stays")
    asked = make_exercise(step, seed=1, course=course.catalogue())
    turn = make_turn(ben)
    question = open_question(
        learner=ben, session=turn.session, turn=turn, concept=topic, instance=asked, purpose="practice", number=1
    )
    record_attempt(question, learner=ben, answer=asked.key.right, idempotency_key="k")
    assert mastered_context(ben, topic)["tasks"] == ("Add 1/2 and 1/3.", "Say why the bottom numbers are not added.")


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        ("I want to add fractions for a baking job", "add fractions for a baking job"),
        ("Hi, I’d like to learn how to compare fractions. Can you help?", "compare fractions"),
        ("i really need to understand mixed numbers!", "mixed numbers"),
        ("adding fractions", ""),
        ("I want to know " + "very " * 30 + "much", ""),
        ("", ""),
    ],
)
def test_wish_is_told_without_the_words_around_it(words, wish):
    assert wish_in(words) == wish


def test_names_of_stops_beside_are_short_lines_and_the_first_is_one():
    assert _named("A common bottom number", BEFORE_X[0])["lines"] == ["A common bottom", "number"]
    assert _named("A common bottom number", BEFORE_X[1])["lines"] == ["A common bottom number"]
