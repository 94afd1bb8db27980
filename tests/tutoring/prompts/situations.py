"""Situations of a lesson in which a model is asked for words, each played as a server plays it."""

from collections.abc import Callable, Mapping

from tests.tutoring.lessons.learners import right, solve, wrong
from tests.tutoring.lessons.lesson_player import Stage
from tests.tutoring.local_provider import Connected

type Situation = Callable[[Stage, Connected], None]
MISCONCEPTION = "any_two_pieces_are_halves"


def _asks(stage: Stage, model: Connected) -> None:
    """Let the model be asked from here on; what led here was said without it."""
    stage.speakers = model.speakers


def _told(*said: str) -> Situation:
    """Return the situation in which the learner says this after the first piece of the explanation."""

    def played(stage: Stage, model: Connected) -> None:
        stage.open()
        _asks(stage, model)
        for text in said:
            stage.say(text)

    return played


def _quizzed(*said: str) -> Situation:
    """Return the situation in which the learner says this beside an open question of the quiz that wants a number."""

    def played(stage: Stage, model: Connected) -> None:
        _open_question(stage)
        _asks(stage, model)
        for text in said:
            stage.say(text)

    return played


def _open_question(stage: Stage) -> None:
    stage.open()
    stage.say("quiz me")
    while stage.question is not None and stage.question.kind != "numeric":
        solve(stage)


def first_explanation(stage: Stage, model: Connected) -> None:
    _asks(stage, model)
    stage.open()


def right_answer(stage: Stage, model: Connected) -> None:
    _open_question(stage)
    _asks(stage, model)
    assert stage.question is not None
    stage.say(f"it is {right(stage.question)}")


def wrong_in_the_chat(stage: Stage, model: Connected) -> None:
    """Rungs 1 to 4 are said."""
    _open_question(stage)
    _asks(stage, model)
    for _ in range(4):
        assert stage.question is not None
        stage.say(wrong(stage.question))


def feedback_after_misconception(stage: Stage, model: Connected) -> None:
    stage.open()
    stage.say("quiz me")
    while stage.standing.cycle.state == "quiz_active" and stage.question is not None:
        if len(stage.standing.cycle.asked) >= 4:
            _asks(stage, model)
        if stage.question.attempts.exists():
            solve(stage)
        else:
            stage.check(wrong(stage.question, MISCONCEPTION))


SITUATIONS: Mapping[str, Situation] = {
    "first_explanation": first_explanation,
    "idea_said": _told("the pieces are not the same size so it is not a half"),
    "idea_not_said": _told("I would fold it and look"),
    "misconception_said": _told("yes these two pieces are halves because there are two"),
    "case_answered": _told(
        "yes these two pieces are halves because there are two", "no yours is bigger, they have to be the same size"
    ),
    "question_asked": _told("what is a fraction?"),
    "answer_demanded": _told("just tell me the answer"),
    "goodbye": _told("bye, I have to go now"),
    "not_known_in_the_quiz": _quizzed("I don't know"),
    "asked_in_the_quiz": _quizzed("what is a fraction?"),
    "right_answer": right_answer,
    "wrong_in_the_chat": wrong_in_the_chat,
    "feedback_after_misconception": feedback_after_misconception,
}
