"""Without a topic, every reply leaves a next step, and no suggestion comes twice."""

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def lobby(shipped_fractions):
    with counted_turns(seed=3):
        stage = Stage(people.make_person("lena", age_band="teen"))
        stage.say("hello")
        yield stage


def test_who_only_goes_on_is_shown_lessons_and_told_nothing_twice(lobby):
    said = [lobby.say("go on") for _ in range(3)]
    assert all(each.cards("replies") or each.cards("concept") for each in said)
    assert len({each.reply for each in said}) == 3


def test_claim_in_numbers_leaves_a_next_step(lobby):
    claimed = lobby.say("99/100 is bigger than 98/99")
    assert claimed.reply.startswith("Yes, that’s true")
    assert claimed.cards("replies")


def test_topic_after_the_one_that_is_skipped_is_begun(lobby):
    lobby.say("can i skip the easy part and start with comparing fractions")
    assert lobby.question is not None
