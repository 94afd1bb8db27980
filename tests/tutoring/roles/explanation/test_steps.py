"""Words beside a step that are about something else are compared with no model sentence."""

from collections.abc import Iterator

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(shipped_fractions: None) -> Iterator[Stage]:
    """A lesson at its first step: "Is Mia right?", with reasons to choose from."""
    with unhurried(), counted_turns(4):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        stage = Stage(people.make_person("nora", level="beginner"), concept)
        stage.open()
        yield stage


@pytest.mark.parametrize(
    ("text", "is_compared"),
    [
        ("the dog wants a walk in the rain", False),
        ("so more people sharing means less cake for me", False),
        ("maybe Mia meant the other piece of it", True),
    ],
)
def test_only_words_about_the_question_are_compared_with_a_model_sentence(
    text: str, is_compared: bool, stage: Stage
) -> None:
    came = stage.say(text)
    assert any("I meant the same thing" in card["options"] for card in came.cards("replies")) is is_compared
    assert stage.question is not None
