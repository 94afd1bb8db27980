"""What the placement took as known, and the learner says in the conversation that they do not know."""

from collections.abc import Iterator

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.mastery.records.path_planning import plan_path
from tutoring.models import Concept, Contest, Course, Mastery
from tutoring.pages.contexts.home import home_context
from tutoring.pages.contexts.road import road_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept_fractions")]
TOPIC = "equivalent"


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A lesson on the way to simplifying, where the placement took equivalent fractions as known."""
    with unhurried(), counted_turns(3):
        stage = Stage(people.make_person("oskar"))
        for concept in Concept.objects.exclude(slug="simplify"):
            Mastery.objects.create(learner=stage.person, concept=concept, probability=0.9, placed=0.9, threshold=0.85)
        stage.say("I want to learn Simplest form")
        yield stage


def kind_of(stage: Stage) -> str:
    step = plan_path(stage.person.pk, Course.objects.get(slug="fractions")).step(TOPIC)
    return step.kind if step is not None else ""


@pytest.mark.parametrize("said", ["That is wrong. I do not know {title}", "i don't know {title}"])
def test_it_becomes_a_lesson_of_the_path(stage: Stage, said: str) -> None:
    title = Concept.objects.get(slug=TOPIC).title
    assert kind_of(stage) == "check"
    told = stage.say(said.format(title=title))
    assert f"*{title}* is now a lesson on your path." in told.reply
    assert told.cards("path")
    assert kind_of(stage) == "learn"
    assert Contest.objects.get().about == "start"
    assert stage.state["next_topic"] == TOPIC


def test_it_is_known_again_when_the_message_is_said_anew(stage: Stage) -> None:
    title = Concept.objects.get(slug=TOPIC).title
    told = stage.say(f"I do not know {title}")
    stage.say("what is a fraction", replaces=told)
    assert kind_of(stage) == "check"
    assert not Contest.objects.exists()


def test_what_is_not_known_from_the_placement_is_no_such_message(stage: Stage) -> None:
    Mastery.objects.filter(concept__slug=TOPIC).update(answers=3)
    stage.say(f"I do not know {Concept.objects.get(slug=TOPIC).title}")
    assert not Contest.objects.exists()


def test_it_comes_before_the_open_lesson_on_the_road_and_on_the_home_page(stage: Stage) -> None:
    title = Concept.objects.get(slug=TOPIC).title
    course = Course.objects.get(slug="fractions")
    before = road_of(stage.person, course, lesson="simplify")
    assert before is not None
    assert before.place is not None
    assert before.place.slug == "simplify"
    stage.say(f"I do not know {title}")
    road = road_of(stage.person, course, lesson="simplify")
    assert road is not None
    assert road.place is not None
    assert road.place.slug == TOPIC
    assert road.stops[-1].is_goal
    step = home_context(stage.person)["step"]
    assert (step["title"], step["words"]) == (title, "You said that you don’t know this yet.")
