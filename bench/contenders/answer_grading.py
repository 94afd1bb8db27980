"""Judging answers, and storing what an answer changes."""

import uuid
from io import StringIO
from statistics import quantiles
from time import process_time

from bench.contenders import temporary_django

SPELLINGS = (
    "3/4",
    r"\frac{3}{4}",
    "0.75",
    "75%",
    "6/8",
    "three quarters",
    "3 / 4",
    "x = 3/4",
    "-3/4",
    "1 3/4",
    "no idea",
)
HOSTILE = ("9^9^9^9", "(" * 300 + "1" + ")" * 300, "1/" * 150 + "1", "9" * 400, "½" * 200)
ANSWERS = 60


def sample_grading() -> dict[str, float]:
    """Ours: the grader, on answers as people type them, and on some that nobody means well with."""
    meant_well = quantiles(_times(SPELLINGS * 60), n=100)
    return {"p50_ms": meant_well[49], "p99_ms": meant_well[98], "hostile_ms": max(_times(HOSTILE * 5))}


def sample_labelled() -> dict[str, float]:
    """Ours: both halves of the labelled answers, tests/tutoring/grading/answers: shares in percent, by half."""
    return _figures("development") | _figures("frozen")


def _figures(half: str) -> dict[str, float]:
    from tests.tutoring.grading.test_labelled_answers import figures

    seen = figures(f"{half}.jsonl")
    shares = {
        "wrong accepted": ("all accepted", "all wrong"),
        "right missed": ("all missed", "all right"),
        "elementary missed": ("elementary missed", "elementary right"),
        "workings in words missed": ("words missed", "words right"),
    }
    return {f"{half}: {name}, %": 100 * seen[part] / seen[whole] for name, (part, whole) in shares.items()}


def _times(answers: tuple[str, ...]) -> list[float]:
    """Return what judging each answer takes, in ms of CPU."""
    from tutoring.grading import NumericKey, grade

    key = NumericKey(value="3/4", form="any")
    times = []
    for answer in answers:
        started = process_time()
        grade(key, answer)
        times.append((process_time() - started) * 1000)
    return times


def sample_mastery() -> dict[str, float]:
    """Ours: one answer judged, its evidence weighed and stored, in one transaction."""
    temporary_django.prepare_django()
    from tutoring.mastery.records.progress import record_attempt

    learner, questions = _questions()
    times = []
    for question in questions:
        started = process_time()
        record_attempt(question, learner=learner, answer="1/2", idempotency_key=uuid.uuid4().hex)
        times.append((process_time() - started) * 1000)
    return {"p50_ms": quantiles(times, n=100)[49], "p95_ms": quantiles(times, n=100)[94]}


def _questions() -> tuple[object, list[object]]:
    """Put fresh questions to a fresh learner."""
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from conversations.models import Session, Turn, TurnStatus
    from tutoring.courses.exercises.generator import make_exercise
    from tutoring.mastery.records.progress import open_question
    from tutoring.models import Concept

    if not Concept.objects.exists():
        call_command("load_courses", verbosity=0, stdout=StringIO())
    concept = Concept.objects.select_related("course").get(slug="one-half")
    course = concept.course.catalogue()
    learner = get_user_model().objects.create(username=uuid.uuid4().hex)
    session = Session.objects.create(owner=learner, key="bench")
    turn = Turn.objects.create(
        session=session, owner=learner, number=1, client_id=uuid.uuid4().hex, body_hash="", status=TurnStatus.DONE
    )
    templates = concept.value().templates
    return learner, [
        open_question(
            learner=learner,
            session=session,
            turn=turn,
            concept=concept,
            instance=make_exercise(templates[number % len(templates)], seed=number, course=course),
            purpose="quiz",
            number=number,
        )
        for number in range(1, ANSWERS + 1)
    ]
