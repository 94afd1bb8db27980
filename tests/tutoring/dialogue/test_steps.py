"""The steps of a lesson: a card after each piece, and what follows from what a learner does with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Exchange, Stage, counted_turns, unhurried
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.mastery.records.progress import take_hint
from tutoring.models import Attempt, Concept, Question

pytestmark = pytest.mark.django_db(transaction=False)
MOST_ANSWERS = 9
"""Answers to mastery of a learner who is always right."""


@pytest.fixture
def stage(shipped_fractions: None) -> Iterator[Stage]:
    with unhurried(), counted_turns(7):
        stage = opened("one-half")
        yield stage


def opened(slug: str) -> Stage:
    stage = Stage(people.make_person("ada", level="beginner"), Concept.objects.select_related("course").get(slug=slug))
    stage.open()
    return stage


def asked(stage: Stage) -> Question:
    question = stage.question
    assert question is not None
    return question


def solve(stage: Stage) -> Exchange:
    return stage.check(right_answers(asked(stage).instance())[0])


def miss(stage: Stage) -> Exchange:
    """Answer as the misconception of a choice has it."""
    return stage.check(next(each.letter for each in asked(stage).instance().choices if each.misconception))


def go_to(stage: Stage, kind: str, *, own_words: bool | None = None) -> Question:
    """Solve steps until one of this kind is open."""
    while asked(stage).kind != kind or own_words not in (None, asked(stage).public["own_words"]):
        solve(stage)
    return asked(stage)


def test_lesson_opens_with_a_step_that_says_all_on_its_card(stage: Stage) -> None:
    (opening,) = stage.exchanges
    step = asked(stage)
    assert opening.reply == ""
    assert (step.purpose, bool(step.public["lead"])) == ("practice", True)
    (card,) = opening.cards("question")
    assert (card["id"], card["again"], bool(card["lead"])) == (str(step.pk), False, True)


def test_right_answer_goes_on_to_the_next_step(stage: Stage) -> None:
    before = asked(stage)
    after = solve(stage)
    before.refresh_from_db()
    assert (before.status, after.moves) == ("answered", ["continue_lesson"])
    assert asked(stage).pk != before.pk
    assert len(set(stage.standing.explained)) == 2


def test_wrong_idea_is_named_and_tested_and_the_step_stays_open(stage: Stage) -> None:
    step = asked(stage)
    wrong = miss(stage)
    assert wrong.moves == ["contrast_case"]
    assert wrong.reply.startswith("Maybe you thought:")
    assert asked(stage) == step
    assert stage.standing.contrast in stage.standing.tested
    back = stage.say("next")
    assert back.cards("question")[0]["again"]
    assert asked(stage) == step
    assert solve(stage).moves == ["continue_lesson"]


def test_second_wrong_answer_shows_a_worked_example(stage: Stage) -> None:
    step = go_to(stage, "cut")
    stage.check("0.2")
    stage.check("0.7")
    step.refresh_from_db()
    assert step.hints_used == 4


@pytest.mark.parametrize(
    ("said", "rung"), [("im stuck", 4), ("i dont know", 1), ("can i have a hint", 1), ("tell me the answer", 1)]
)
def test_help_is_given_on_the_card(stage: Stage, said: str, rung: int) -> None:
    step = asked(stage)
    helped = stage.say(said)
    step.refresh_from_db()
    assert (step.hints_used, step.is_open) == (rung, True)
    assert "card" in helped.reply
    assert helped.cards("question")[0]["id"] == str(step.pk)


@pytest.mark.parametrize("said", ["skip this question", "next"])
def test_step_can_be_left_out(stage: Stage, said: str) -> None:
    step = asked(stage)
    stage.say(said)
    step.refresh_from_db()
    assert step.status == "abandoned"
    assert (asked(stage).pk != step.pk, asked(stage).purpose) == (True, "practice")


@pytest.mark.parametrize("said", ["next", "ok next one", "8", "b", "i think its 3/4", "idk"])
def test_what_is_said_before_a_question_was_shown_leaves_it_as_it_is(stage: Stage, said: str) -> None:
    solve(stage)
    step, waits = asked(stage), stage.question
    assert waits is not None
    shown = stage.say(said, unseen=waits.pk)
    assert asked(stage) == step
    assert shown.reply
    waits.refresh_from_db()
    assert (waits.status, waits.hints_used, waits.attempts.count()) == ("open", 0, 0)


def test_next_leaves_a_question_that_was_shown(stage: Stage) -> None:
    solve(stage)
    step = asked(stage)
    stage.say("next")
    assert asked(stage) != step


def test_question_beside_a_step_is_answered_and_the_step_stays_open(stage: Stage) -> None:
    step = asked(stage)
    answered = stage.say("whats a half")
    assert "two equal parts" in answered.reply
    assert asked(stage) == step


def test_words_that_say_nothing_about_the_step_get_no_verdict(stage: Stage) -> None:
    go_to(stage, "cut")
    step = asked(stage)
    said = stage.say("blue ones maybe")
    assert said.moves[0] in ("not_yet", "converse")
    assert not Attempt.objects.filter(question=step).exists()
    assert asked(stage) == step


def test_answer_typed_beside_a_step_counts(stage: Stage) -> None:
    step = asked(stage)
    right = right_answers(step.instance())[0]
    text = next(each["text"] for each in step.public["choices"] if each["letter"] == right)
    stage.say(text)
    step.refresh_from_db()
    assert step.status == "answered"
    assert Attempt.objects.get(question=step).correct


def test_one_question_is_open_at_a_time(stage: Stage) -> None:
    step = asked(stage)
    stage.say("quiz me")
    step.refresh_from_db()
    assert step.status == "abandoned"
    assert Question.objects.open().filter(session=stage.session).count() == 1


def test_steps_are_no_evidence_against_a_learner(stage: Stage) -> None:
    miss(stage)
    assert Attempt.objects.get().assisted


def test_open_step_keeps_its_hints_when_asked_again(stage: Stage) -> None:
    step = asked(stage)
    take_hint(step, tried=True)
    again = stage.say("hello")
    assert asked(stage) == step
    assert asked(stage).hints_used == 1
    assert again.reply


@pytest.mark.parametrize("slug", ["one-half", "compare-fractions", "add-unlike"])
def test_who_is_right_masters_in_few_answers_and_is_offered_what_comes_next(shipped_fractions: Any, slug: str) -> None:
    with unhurried(), counted_turns(3):
        stage, answers = opened(slug), 0
        while stage.question is not None:
            last, answers = solve(stage), answers + 1
    assert stage.standing.cycle.state == "mastered"
    assert answers <= MOST_ANSWERS
    assert "You’ve mastered" in last.reply
    assert last.cards("replies")[0]["options"][0] == "Let’s start"


def test_question_beside_an_answer_is_answered_too(stage: Stage) -> None:
    step = asked(stage)
    letter = right_answers(step.instance())[0]
    told = stage.say(f"{letter}. But what is a half?")
    step.refresh_from_db()
    assert step.status == "answered"
    assert "two equal parts" in told.reply
