"""A class of Grace's with Ada in it, and what Ada does there."""

from typing import Any

from conversations.models import Message, Session, Turn
from tests.tutoring.small_course import ask, choice, numeric
from tutoring.classes import membership
from tutoring.mastery.records.progress import note_utterance, record_attempt
from tutoring.models import Classroom, Question

SECRET_ANSWER = "2"
"""A wrong answer, by counting only the shaded parts; it stands between quotes on a page."""
SECRET_WORDS = "two of them are dark"
REPLY = "Look at how large the parts are."


def make_class(teacher: Any, *learners: Any, **policy: str) -> Classroom:
    """Store the class 4b with its learners; `policy` sets what is agreed."""
    classroom = membership.make_class(teacher, "4b", code="4b")
    agree(classroom, **policy)
    for learner in learners:
        membership.join_class(learner, "4b")
    return classroom


def agree(classroom: Classroom, **policy: str) -> None:
    for name, value in policy.items():
        setattr(classroom.policy, name, value)
    classroom.policy.save()


def answer(person: Any, *answers: str) -> None:
    """Answer a question on one half for each answer."""
    for number, each in enumerate(answers):
        question = ask(person, choice() if each in "AB" else numeric(f"t{number}"))
        assert record_attempt(question, learner=person, answer=each, idempotency_key="k").created


def try_step(person: Any, *answers: str, template: str = "step") -> Question:
    """Answer a step of the lesson once for each answer; return the question."""
    question = ask(person, choice(template) if answers[0] in "AB" else numeric(template), purpose="practice")
    for number, each in enumerate(answers):
        assert record_attempt(question, learner=person, answer=each, idempotency_key=f"k{number}").created
    return question


def talk(person: Any, words: str = SECRET_WORDS, *, key: str = "lesson", kind: str = "message") -> Session:
    """Store that the person said this in a conversation, what was replied, and the misconception heard in it."""
    question = ask(person)
    session, _ = Session.objects.get_or_create(owner=person, key=key)
    turn = Turn.objects.create(
        session=session, owner=person, number=session.turns.count() + 1, client_id=f"{key}-{words}"[:64],
        body_hash="", status="done", kind=kind,
    )  # fmt: skip
    Message.objects.create(session=session, turn=turn, author="learner", text=words)
    Message.objects.create(session=session, turn=turn, author="team", text=REPLY)
    note_utterance(person, question.concept.course, ["two_pieces"], words, turn)
    return session
