"""A class of simulated learners with weeks of history: their answers go through the graders and the estimator."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from time import monotonic, sleep
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from agents.people import Person
from conversations.models import Message, Session, Turn
from tutoring.classes.membership import join_class, make_class
from tutoring.courses import catalogue
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.sample_answers import answer_with_mistake, right_answers, wrong_answer
from tutoring.mastery.records.progress import open_question, record_attempt
from tutoring.models import Classroom, Concept, Course, Lesson, Question

DEMO_CODE = "demo-4b"
HISTORY = timedelta(weeks=6)
SEED = 4
SEEDS = 200
"""Seeds per template; those for which courses are checked."""
KNOWN, GUESSED = 0.92, 0.15
MISCONCEPTION_CHANCE = 0.6
"""Chance (0–1) that a wrong answer is the one that the learner's misconception gives."""
MOST_ANSWERS = 8
"""Answers on one concept after which a simulated learner goes on to the next, mastered or not."""
QUIET_LEARNERS = 5
"""Of every eight learners, this one (from 0) has stopped lately."""
NAMES = (
    "Ben", "Mira", "Tom", "Ada", "Lena", "Omar", "Ines", "Paul", "Yara", "Finn", "Zoe", "Max",
    "Noor", "Emil", "Ida", "Luca", "Maja", "Theo", "Aylin", "Jon", "Rosa", "Kofi", "Nele", "Sami",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedLearner:
    """How a simulated learner learns. Chances are 0–1."""

    person: Any
    starts_with: float
    """Chance to know a concept before its first question."""
    learns: float
    """Chance to learn it at one question."""
    holds: str
    """The misconception behind their wrong answers, where it applies."""
    pause: float
    """Days between two sittings."""
    silent_for: float
    """Days since the last sitting; all days for a learner who never started."""
    random: Random = field(repr=False)


def make_demo_class(teacher: Person, course: Course, *, now: datetime) -> Classroom:
    """Create the learners with their history, and the class last. The same seed gives the same answers.

    Each answer is a transaction of its own, with a pause after it in which others can write. An interrupted run continues
    where it stopped; the class exists once everything does.
    """
    random = Random(SEED)
    misconceptions = sorted(course.catalogue().misconceptions)
    concepts = [concept for concept in course.concepts.order_by("position") if _templates(course, concept)]
    pupils = []
    for number, name in enumerate(NAMES):
        pupils.append(_pupil(name, number, random.choice(misconceptions), gift=random.random()))
        _practise(pupils[-1], course, concepts, now=now)
    return _class_of(pupils, teacher, now=now)


@transaction.atomic
def _class_of(pupils: Sequence[SimulatedLearner], teacher: Person, *, now: datetime) -> Classroom:
    classroom = make_class(teacher, "Class 4b", code=DEMO_CODE)
    for pupil in pupils:
        join_class(pupil.person, DEMO_CODE)
    classroom.memberships.update(joined_at=now - HISTORY)
    Classroom.objects.filter(pk=classroom.pk).update(created_at=now - HISTORY)
    return classroom


def _templates(course: Course, concept: Concept) -> Sequence[catalogue.Template]:
    return course.catalogue().concept(concept.slug).templates


def _person(name: str) -> Person:
    people, username = get_user_model().objects, f"demo-{name.lower()}"
    return people.filter(username=username).first() or people.create_user(
        username, None, display_name=name, age_band="child", level="beginner"
    )


def _pupil(name: str, number: int, misconception: str, *, gift: float) -> SimulatedLearner:
    random = Random(f"{SEED}:{name}")
    silent_for = random.uniform(0, 3)
    if number % 8 == QUIET_LEARNERS:
        silent_for += 9
    return SimulatedLearner(
        person=_person(name),
        starts_with=0.1 + 0.6 * gift,
        learns=0.1 + 0.3 * gift,
        holds=misconception,
        pause=random.uniform(2.5, 5),
        silent_for=HISTORY / timedelta(days=1) if name == NAMES[-1] else silent_for,
        random=random,
    )


def _times(pupil: SimulatedLearner, *, now: datetime) -> Iterator[datetime]:
    """Yield the times of the learner's answers: a few questions at each sitting, the last sitting some days ago."""
    sitting = now - timedelta(days=pupil.silent_for)
    sittings = []
    while sitting > now - HISTORY:
        sittings.append(sitting)
        sitting -= timedelta(days=pupil.pause * pupil.random.uniform(0.5, 1.5))
    for sitting in reversed(sittings):
        for minute in range(pupil.random.randint(2, 4), 0, -1):
            yield sitting - timedelta(minutes=2 * minute)


def _practise(pupil: SimulatedLearner, course: Course, concepts: Sequence[Concept], *, now: datetime) -> None:
    """Let the learner answer questions, concept after concept, until the time is up."""
    times = iter(list(_times(pupil, now=now)))
    for concept in concepts:
        concept.course = course
        # Separate random numbers: whether earlier concepts were practiced in this run or in one before changes nothing.
        learning = replace(pupil, random=Random(f"{SEED}:{pupil.person.username}:{concept.slug}"))
        answers = list(islice(times, learning.random.randint(4, MOST_ANSWERS)))
        if answers:
            _practise_concept(learning, concept, answers)


def _practise_concept(pupil: SimulatedLearner, concept: Concept, times: Sequence[datetime]) -> None:
    """Let the learner answer the questions of one concept, in a conversation of its own."""
    session = _session(pupil, concept)
    knows = pupil.random.random() < pupil.starts_with
    for number, at in enumerate(times, 1):
        # Separate random numbers here too: what was answered in an interrupted run is not answered again.
        asked = replace(pupil, random=Random(f"{SEED}:{pupil.person.username}:{concept.slug}:{number}"))
        right = asked.random.random() < (KNOWN if knows else GUESSED)
        knows = knows or asked.random.random() < pupil.learns
        if not Turn.objects.filter(pk=_turn_id(session, number, pupil)).exists():
            began = monotonic()
            _ask_and_answer(asked, concept, session=session, number=number, at=at, right=right)
            # Pause as long again for other writers.
            sleep(monotonic() - began)
    Session.objects.filter(pk=session.pk).update(created_at=times[0], updated_at=times[-1])
    Lesson.objects.filter(session=session).update(created_at=times[0])
    Message.objects.filter(session=session).update(created_at=times[-1])


@transaction.atomic
def _session(pupil: SimulatedLearner, concept: Concept) -> Session:
    session, is_new = Session.objects.get_or_create(
        owner=pupil.person, key=f"demo-{concept.slug}", defaults={"title": concept.title}
    )
    if is_new:
        Lesson.objects.create(session=session, learner=pupil.person, concept=concept)
    return session


@transaction.atomic
def _ask_and_answer(
    pupil: SimulatedLearner, concept: Concept, *, session: Session, number: int, at: datetime, right: bool
) -> None:
    question = _asked(pupil, concept, session=session, number=number, at=at)
    recorded = record_attempt(
        question,
        learner=pupil.person,
        answer=_answer(question.instance(), right=right, pupil=pupil),
        idempotency_key="demo",
        time_taken_s=round(pupil.random.uniform(8, 90), 1),
        at=at,
    )
    _closed(recorded.question, at=at).save(update_fields=["opened_at", "closed_at", "status"])


def _turn_id(session: Session, number: int, pupil: SimulatedLearner) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{pupil.person.username}/{session.key}/{number}")


def _asked(pupil: SimulatedLearner, concept: Concept, *, session: Session, number: int, at: datetime) -> Question:
    """Ask the learner a question, in a turn of its own."""
    templates = _templates(concept.course, concept)
    template = templates[(number + pupil.random.randrange(2)) % len(templates)]
    turn = Turn.objects.create(
        id=_turn_id(session, number, pupil),
        session=session, owner=pupil.person, number=number, client_id=f"demo-{session.pk}-{number}", body_hash="",
        status="done", created_at=at, finished_at=at,
    )  # fmt: skip
    question = open_question(
        learner=pupil.person, session=session, turn=turn, concept=concept, purpose="quiz", number=number,
        instance=make_exercise(template, seed=pupil.random.randrange(SEEDS), course=concept.course.catalogue()),
    )  # fmt: skip
    card = {"kind": "question", "id": str(question.pk), "at": 0}
    Message.objects.create(session=session, turn=turn, author=Message.Author.TEAM, agent="quiz", cards=[card])
    return question


def _answer(asked: Exercise, *, right: bool, pupil: SimulatedLearner) -> str:
    """Return a right answer, the one that the learner's misconception gives, or some other wrong one."""
    own = right_answers(asked)
    if right and own:
        return own[0]
    held = [answer_with_mistake(asked, answer) for answer, ids in asked.wrong.items() if pupil.holds in ids]
    others = [*(answer_with_mistake(asked, answer) for answer in asked.wrong), wrong_answer(asked)]
    return held[0] if held and pupil.random.random() < MISCONCEPTION_CHANCE else pupil.random.choice(others)


def _closed(question: Question, *, at: datetime) -> Question:
    """Return the question as it was left then; not saved."""
    question.opened_at = at
    if question.is_open:
        question.status, question.closed_at = Question.Status.ABANDONED, at
    return question
