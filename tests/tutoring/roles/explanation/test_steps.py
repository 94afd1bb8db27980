"""Words beside a step that are about something else are compared with no model sentence."""

from collections.abc import Iterator

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept
from tutoring.roles.wording import phrases

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(shipped_fractions: None) -> Iterator[Stage]:
    """A lesson at its first step: "Is Mia right?", with reasons to choose from."""
    with unhurried(), counted_turns(4):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        stage = Stage(people.make_person("nora", level="beginner"), concept)
        stage.open()
        yield stage


@pytest.mark.parametrize("text", ["the dog wants a walk in the rain", "maybe Mia meant the other piece of it"])
def test_words_beside_a_choice_of_reasons_are_not_compared_with_the_right_one(text: str, stage: Stage) -> None:
    came = stage.say(text)
    assert not any("I meant the same thing" in card["options"] for card in came.cards("replies"))
    assert came.reply in phrases.REASON_ON_CARD
    assert stage.question is not None
