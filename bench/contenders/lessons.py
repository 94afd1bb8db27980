"""A lesson played turn by turn, as a server serves it: to the tutor, in its quiz by words and letters, and beside it."""

from collections.abc import Callable
from functools import cache
from itertools import count
from statistics import median
from time import process_time
from typing import Any

from bench.contenders import temporary_django

ANSWER = ""
"""Stands for a right answer to the open question, as one types it; where none is open, for going on."""
SAID = (
    "both parts are exactly the same size",
    "why?",
    "I don't know",
    "ok what next",
    "because a half is two equal parts",
    "how do you know?",
    "quiz me",
    "what is a half?",
    ANSWER,
    ANSWER,
    ANSWER,
    "a hint please",
    "are you a robot",
    ANSWER,
)
CONCEPT = "one-half"
_people = count()


def sample_lesson() -> dict[str, float]:
    """Play the lesson with a new learner; return the medians of its turns."""
    clock = _ready()
    from tests import people
    from tests.tutoring.lessons.lesson_player import Stage, StageWithHub, counted_turns, unhurried
    from tutoring.models import Concept

    class Played(StageWithHub):
        _understand = Stage._understand  # Nobody's clock is moved.
        question = None  # Nobody looks at what is open.

    concept = Concept.objects.select_related("course").get(slug=CONCEPT)
    person = people.make_person(f"bench{next(_people)}", level="beginner")
    # Wordings and exercises follow the ids of turns: every learner's are their own, and the same in each run.
    with unhurried(), counted_turns(person.username):
        stage = Played(person, concept)
        stage.open()
        cpu, apart = [], []
        for text in SAID:
            text = text or _right(person.pk)
            clock.apart, began = 0.0, process_time()
            stage.say(text)
            cpu.append(1000 * (process_time() - began - clock.apart))
            apart.append(1000 * clock.apart)
    statements = [float(each.queries) for each in stage.exchanges[1:]]
    return {
        "statements": median(statements),
        "statements_most": max(statements),
        "cpu_ms": median(cpu),
        "analysis_cpu_ms": median(apart),
    }


def _right(learner_id: int) -> str:
    """Return a right answer to the learner's open question; what asks for the next one, where none is open."""
    from tutoring.models import Question
    from tutoring.roles.speech.prompt_background import right_answer_text

    question = Question.objects.open().with_course().filter(learner_id=learner_id).first()
    if question is None:
        return "next question please"
    letters = question.key["answer"].get("right")
    return ", ".join(letters) if letters else right_answer_text(question.instance())


class Clock:
    """Measures what of a turn's CPU is analysis: the message read before the reply, and what side agents judge of it."""

    def __init__(self) -> None:
        self.apart = 0.0

    def timed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **kwargs: Any) -> Any:
            began = process_time()
            try:
                return work(*args, **kwargs)
            finally:
                self.apart += process_time() - began

        return done


@cache
def _ready() -> Clock:
    """Store the course, and let transactions and the clock be as a server's; return the clock."""
    temporary_django.prepare_django()
    from django.db import transaction

    from conversations.turns import apply, findings, finish
    from tests.tutoring.lessons.lesson_player import load_fractions
    from tutoring import turn_handler
    from tutoring.side_agents import agent_analyses

    load_fractions()
    clock = Clock()
    for module, name in ((turn_handler, "analyse"), (agent_analyses, "judged")):
        setattr(module, name, clock.timed(getattr(module, name)))
    for module, name in ((apply, "apply_reading"), (finish, "finish_turn"), (findings, "store_result")):
        setattr(module, name, transaction.atomic(getattr(module, name)))
    return clock
