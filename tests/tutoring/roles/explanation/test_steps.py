"""Words beside a step that are about something else are compared with no model sentence."""

from collections.abc import Iterator

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept
from tutoring.roles.explanation import steps
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


@pytest.mark.parametrize(
    ("text", "replies"),
    [
        ("the dog wants a walk in the rain", phrases.REASON_ON_CARD),
        ("maybe Mia meant the other piece of it", phrases.CHOICES_MEANT),
    ],
)
def test_words_beside_a_choice_of_reasons_are_not_compared_with_the_right_one(
    text: str, replies: tuple[str, ...], stage: Stage
) -> None:
    came = stage.say(text)
    assert not any("I meant the same thing" in card["options"] for card in came.cards("replies"))
    assert came.reply in replies
    assert stage.question is not None


def test_words_near_to_a_choice_are_answered_with_the_two_nearest(stage: Stage) -> None:
    came = stage.say("she got the larger bit so that is unfair")
    assert came.reply in phrases.CHOICES_MEANT
    (buttons,) = came.cards("replies")
    *near, help_wish = buttons["options"]
    assert help_wish == "A hint, please"
    assert "No, because one piece is bigger." in near
    assert len(near) == 2
    asked = stage.question
    taken = stage.say("No, because one piece is bigger.")
    assert taken.answered is not None
    assert taken.answered.question == asked
    assert taken.answered.correct


def test_case_that_would_tell_the_open_answer_is_not_half_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "is_case_safe", lambda _facts, _misconception: False)
    came = stage.check(wrong_choice(stage))
    assert "Two pieces are always halves" in came.reply
    assert "Let’s test it" not in came.reply
    assert not came.cards("replies")
    assert not stage.standing.contrast


def wrong_choice(stage: Stage) -> str:
    """Return the letter of the choice that two pieces are halves."""
    assert stage.question is not None
    return next(
        each.letter for each in stage.question.instance().choices if each.text.startswith("Yes, because there are two")
    )
