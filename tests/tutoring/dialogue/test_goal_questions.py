"""What a learner on the way asks about it: to do without a lesson, how long it takes, and whether they are there."""

import pytest
from django.utils import timezone

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tutoring.dialogue import graphs, placement_turns  # noqa: F401  # Registers the roles.
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.mastery.records.goals import set_goal
from tutoring.models import Concept, Goal, Lesson, Question
from tutoring.pages.contexts.home import home_context
from tutoring.pages.contexts.lesson_way import lesson_way
from tutoring.pages.contexts.road import road_of

pytestmark = pytest.mark.django_db

NOT_KNOWN = {"simplify", "common-bottoms", "add-unlike"}


@pytest.fixture(autouse=True)
def _unhurried(settings):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}


@pytest.fixture
def placed(shipped_fractions):
    """An adult who knows everything but the last three topics before the goal; the path is shown."""
    with counted_turns(seed=5):
        stage = Stage(people.make_person("lena", age_band="adult"))
        stage.say("I want to add fractions for a baking job")
        for _ in range(MAX_QUESTIONS + 1):
            question = stage.question
            if question is None:
                break
            stage.give_up() if question.concept.slug in NOT_KNOWN else stage.check(right(question))
        yield stage


@pytest.mark.parametrize(
    "text",
    [
        "Can I skip Simplest form? I just need recipes",
        "do I have to do Simplest form?",
        "I don't want to learn Simplest form",
    ],
)
def test_lesson_that_is_not_wanted_does_not_begin(placed, text):
    before = Lesson.objects.get().concept.slug
    said = placed.say(text)
    assert "skip *Simplest form*" in said.reply
    assert "/learn/fractions/path/#step-simplify" in said.reply
    assert Lesson.objects.get().concept.slug == before
    assert placed.standing.explained == ()


def test_wish_to_skip_is_answered_in_the_lesson_and_in_the_placement_too(placed):
    placed.say("Let’s start")
    held = placed.standing.piece
    assert "skip *Simplest form*" in placed.say("Can I skip Simplest form?").reply
    assert placed.standing.piece == held
    other = Stage(people.make_person("oskar", age_band="adult"))
    other.say("I want to add fractions for a baking job")
    question = other.question
    assert "skip *Simplest form*" in other.say("Can I skip Simplest form?").reply
    assert other.question == question


def test_time_to_the_goal_is_told_in_all(placed):
    road = road_of(placed.person, Concept.objects.get(slug="simplify").course)
    said = placed.say("How many minutes until I reach my goal?").reply
    assert f"will take about {road.minutes_left} minutes" in said
    assert f"{road.done} of {len(road.stops)} topics" in said


def test_whether_the_goal_is_reached_is_told_from_the_record(placed):
    assert placed.say("Did I reach my goal?").reply.startswith("Not yet. Your goal is *Adding unlike fractions*.")
    Goal.objects.update(reached_at=timezone.now())
    said = placed.say("Have I reached my goal?").reply
    assert said.startswith("Yes. You reached your goal on ")
    assert "add fractions for a baking job" in said
    lobby = Stage(people.make_person("pia", age_band="adult"))
    assert "You have no goal yet" in lobby.say("Did I reach my goal?").reply


def test_first_lessons_after_the_placement_teach_from_the_beginning(placed):
    """However much of what lies below was known."""
    for slug in ("simplify", "common-bottoms", "add-unlike"):
        concept = Concept.objects.select_related("course").get(slug=slug)
        stage = Stage(placed.person)
        stage.key, stage.concept = slug, concept
        stage.open()
        assert stage.standing.piece not in [each.id for each in concept.value().pieces["advanced"]]
    missed = Question.objects.filter(purpose="placement", attempts__gave_up=True).values_list(
        "concept__slug", flat=True
    )
    assert "add-unlike" in missed
    assert stage.standing.piece == "au-b-jug"


def test_minutes_are_the_same_at_home_and_on_the_path(placed, client):
    placed.say("Let’s start")
    placed.check(right(placed.question))
    client.force_login(placed.person)
    minutes = home_context(placed.person)["step"]["minutes"]
    assert 0 < minutes < 20
    page = client.get("/learn/fractions/path/").text
    assert page.count(f"bout {minutes} minutes") == 2
    assert "bout 20 minutes" not in page


@pytest.mark.parametrize(
    ("slug", "proposed", "following"),
    [
        ("simplify", "simplify", "A common bottom number"),
        ("add-unlike", "simplify", ""),
        ("simplify", "common-bottoms", "A common bottom number"),
        ("equivalent", "equal-parts", "Simplest form"),
    ],
)
def test_next_lesson_is_never_this_one_nor_one_behind(shipped_fractions, slug, proposed, following):
    person = people.make_person("mia")
    stage = Stage(person)
    stage.concept = concept = Concept.objects.select_related("course").get(slug=slug)
    set_goal(person, Concept.objects.get(slug="add-unlike"))
    with counted_turns(seed=5):
        stage.open()
    session = stage.session
    session.state = {**session.state, "next_topic": proposed, "goals": ["add-unlike"]}
    assert lesson_way(session, concept, stage.standing)["next"] == following


def test_placement_deals_nothing_out_where_there_is_another_question(shipped_fractions):
    course = Concept.objects.select_related("course").first().course.catalogue()
    for concept in course.concepts:
        assert placement_turns._bank(concept)
        assert "share" not in {each.kind for each in placement_turns._bank(concept)}


def test_a_question_before_an_offered_lesson_is_answered_and_the_offer_stays(placed):
    assert placed.question is None
    told = placed.say("what is a common denominator")
    assert "bottom number that two fractions share" in told.reply
    assert placed.question is None
    assert "Let’s start" in [option for card in told.cards("replies") for option in card["options"]]
    placed.say("Let’s start")
    assert placed.question is not None
