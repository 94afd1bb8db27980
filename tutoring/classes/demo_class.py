"""A class of simulated learners with weeks of history: their answers go through the graders and the estimator."""

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
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
from tutoring.models import Classroom, Concept, Course, Lesson, Policy, Question

DEMO_CODE = "demo-4b"
HISTORY = timedelta(weeks=6)
SEED = 4
SEEDS = 200
"""Seeds per template; those for which courses are checked."""
KNOWN, REMEMBERED, GUESSED = 0.92, 0.82, 0.15
"""Chances of a right answer: on a concept just learned, at a review of it, and before it is learned."""
MISCONCEPTION_CHANCE = 0.75
"""Chance (0–1) that a wrong answer is the one that the learner's misconception gives."""
OTHER_IDEA_CHANCE = 0.15
"""Chance (0–1) that it is one that another misconception gives."""
COMMON_IDEAS = (9, 6, 5, 4)
"""How many of 24 learners hold each of the misconceptions that most questions can show."""
REVIEW_CHANCE = 0.2
LEARNED_AFTER = 3
"""Right answers in a row after which a simulated learner goes on to the next concept."""
MOST_ANSWERS = 12
"""Answers on one concept after which they go on in any case."""
SATURDAY = 5
LESSON_DAYS, LESSON_HOUR, HOME_HOURS = (1, 3), 9, (15, 18)
"""Weekdays from Monday = 0 and hours, UTC: the class works on its lesson days, some also at home."""
NAMES = (
    "Ben", "Mira", "Tom", "Ada", "Lena", "Omar", "Ines", "Paul", "Yara", "Finn", "Zoe", "Max",
    "Noor", "Emil", "Ida", "Luca", "Maja", "Theo", "Aylin", "Jon", "Rosa", "Kofi", "Nele", "Sami",
)  # fmt: skip
QUIET, ABSENT, STALLED = (5, 13), (3, 16), (6, 19)
"""Learners, by their place in NAMES, who stopped nine days ago; were ill for two weeks; do not get past one concept."""
STALLS_AT = 3
"""The concept that the last cannot learn, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedLearner:
    """How a simulated learner learns. Chances are 0–1."""

    person: Any
    starts_with: float
    """Chance to know a concept before its first question."""
    learns: float
    """Chance to learn it at one question."""
    diligence: float
    """Chance to work at home on a weekday."""
    holds: str
    """The misconception behind their wrong answers, where it applies."""
    lets_go_at: datetime | None
    """When they give up the misconception; None if they still hold it."""
    away: tuple[datetime, datetime] | None
    """The first and the last moment of an absence."""
    stalls: bool
    random: Random = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question that a simulated learner is asked, and how they answer it."""

    concept: Concept
    number: int
    """Its number in the conversation about the concept, from 1."""
    at: datetime
    is_right: bool
    is_review: bool
    random: Random = field(repr=False)
    """Numbers of its own: what was answered in an interrupted run changes nothing."""


def make_demo_class(teacher: Person, course: Course, *, now: datetime) -> Classroom:
    """Create the learners with their history, and the class last. The same seed gives the same answers.

    Each answer is a transaction of its own, with a pause after it in which others can write. An interrupted run continues
    where it stopped; the class exists once everything does.
    """
    concepts = [concept for concept in course.concepts.order_by("position") if _templates(course, concept)]
    for concept in concepts:
        concept.course = course
    ideas = _ideas_of_class(course, concepts)
    pupils = [_pupil(name, number, ideas[number], now=now) for number, name in enumerate(NAMES)]
    for pupil in pupils:
        _practise(pupil, concepts, now=now)
    return _class_of(pupils, teacher, now=now)


def _ideas_of_class(course: Course, concepts: Sequence[Concept]) -> list[str]:
    """Return for each learner the misconception they hold: a few that many questions can show are common."""
    shown = Counter(
        idea
        for concept in concepts
        for template in _templates(course, concept)
        for ids in make_exercise(template, seed=0, course=course.catalogue()).wrong.values()
        for idea in ids
    )
    common = [idea for (idea, _), count in zip(shown.most_common(), COMMON_IDEAS, strict=False) for _ in range(count)]
    Random(SEED).shuffle(common)
    return (common or [""]) * len(NAMES)


@transaction.atomic
def _class_of(pupils: Sequence[SimulatedLearner], teacher: Person, *, now: datetime) -> Classroom:
    classroom = make_class(teacher, "Class 4b", code=DEMO_CODE)
    for pupil in pupils:
        join_class(pupil.person, DEMO_CODE)
    classroom.memberships.update(joined_at=now - HISTORY)
    Classroom.objects.filter(pk=classroom.pk).update(created_at=now - HISTORY)
    # Otherwise its pupils would be told that the agreement was changed after they joined.
    Policy.objects.filter(classroom=classroom).update(changed_at=now - HISTORY)
    return classroom


def _templates(course: Course, concept: Concept) -> Sequence[catalogue.Template]:
    return course.catalogue().concept(concept.slug).templates


def _person(name: str) -> Person:
    people, username = get_user_model().objects, f"demo-{name.lower()}"
    return people.filter(username=username).first() or people.create_user(
        username, None, display_name=name, age_band="child", level="beginner"
    )


def _pupil(name: str, number: int, misconception: str, *, now: datetime) -> SimulatedLearner:
    random = Random(f"{SEED}:{name}")
    gift = random.random()
    lets_go = now - HISTORY * random.uniform(0.25, 0.6) if random.random() < 0.5 else None
    away = None
    if name == NAMES[-1]:
        away = (now - HISTORY - timedelta(days=1), now)
    elif number in QUIET:
        away = (now - timedelta(days=9), now)
    elif number in ABSENT:
        away = (now - timedelta(days=26), now - timedelta(days=12))
    return SimulatedLearner(
        person=_person(name),
        starts_with=0.1 + 0.5 * gift,
        learns=0.12 + 0.28 * gift,
        diligence=random.uniform(0, 0.35),
        holds=misconception,
        lets_go_at=lets_go,
        away=away,
        stalls=number in STALLED,
        random=random,
    )


def _times(pupil: SimulatedLearner, *, now: datetime) -> Iterator[datetime]:
    """Yield the times of the learner's answers: lessons of the class, and some at home."""
    first = (now - HISTORY).replace(minute=0, second=0, microsecond=0)
    for day in (first + timedelta(days=number) for number in range(HISTORY.days + 1)):
        hours = [LESSON_HOUR] if day.weekday() in LESSON_DAYS else []
        if day.weekday() < SATURDAY and pupil.random.random() < pupil.diligence:
            hours.append(pupil.random.randint(*HOME_HOURS))
        for hour in hours:
            began = day.replace(hour=hour) + timedelta(minutes=pupil.random.randint(2, 40))
            for number in range(pupil.random.randint(3, 5)):
                at = began + timedelta(minutes=2 * number)
                if first <= at < now and not (pupil.away and pupil.away[0] <= at <= pupil.away[1]):
                    yield at


def _steps(pupil: SimulatedLearner, concepts: Sequence[Concept], *, now: datetime) -> Iterator[Step]:
    """Yield the learner's questions: concept after concept as they are learned, with reviews of earlier ones."""
    numbers: Counter[str] = Counter()
    place = in_a_row = asked = 0
    knows = pupil.random.random() < pupil.starts_with
    for count, at in enumerate(_times(pupil, now=now)):
        if place == len(concepts):
            return
        random = Random(f"{SEED}:{pupil.person.username}:{count}")
        is_review = place > 0 and random.random() < REVIEW_CHANCE
        concept = concepts[random.randrange(place)] if is_review else concepts[place]
        numbers[concept.slug] += 1
        is_right = random.random() < (REMEMBERED if is_review else KNOWN if knows else GUESSED)
        yield Step(
            concept=concept, number=numbers[concept.slug], at=at, is_right=is_right, is_review=is_review, random=random
        )
        if is_review:
            continue
        is_stalled = pupil.stalls and place == STALLS_AT
        knows = (knows or random.random() < pupil.learns) and not is_stalled
        in_a_row, asked = in_a_row + 1 if is_right else 0, asked + 1
        if (in_a_row >= LEARNED_AFTER or asked >= MOST_ANSWERS) and not is_stalled:
            place, in_a_row, asked, knows = place + 1, 0, 0, random.random() < pupil.starts_with


def _practise(pupil: SimulatedLearner, concepts: Sequence[Concept], *, now: datetime) -> None:
    """Let the learner answer their questions, in a conversation for each concept."""
    asked: dict[int, list[datetime]] = {}
    for step in _steps(pupil, concepts, now=now):
        session = _session(pupil, step.concept)
        asked.setdefault(session.pk, []).append(step.at)
        if not Turn.objects.filter(pk=_turn_id(session, step.number, pupil)).exists():
            began = monotonic()
            _ask_and_answer(pupil, step, session=session)
            # Pause as long again for other writers.
            sleep(monotonic() - began)
    for pk, times in asked.items():
        Session.objects.filter(pk=pk).update(created_at=times[0], updated_at=times[-1])
        Lesson.objects.filter(session_id=pk).update(created_at=times[0])


@transaction.atomic
def _session(pupil: SimulatedLearner, concept: Concept) -> Session:
    session, is_new = Session.objects.get_or_create(
        owner=pupil.person, key=f"demo-{concept.slug}", defaults={"title": concept.title}
    )
    if is_new:
        Lesson.objects.create(session=session, learner=pupil.person, concept=concept)
    return session


@transaction.atomic
def _ask_and_answer(pupil: SimulatedLearner, step: Step, *, session: Session) -> None:
    question = _asked(pupil, step, session=session)
    recorded = record_attempt(
        question,
        learner=pupil.person,
        answer=_answer(question.instance(), pupil, step),
        idempotency_key="demo",
        time_taken_s=round(step.random.uniform(8, 90), 1),
        at=step.at,
    )
    _closed(recorded.question, at=step.at).save(update_fields=["opened_at", "closed_at", "status"])
    Message.objects.filter(session=session, turn__number=step.number).update(created_at=step.at)


def _turn_id(session: Session, number: int, pupil: SimulatedLearner) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{pupil.person.username}/{session.key}/{number}")


def _asked(pupil: SimulatedLearner, step: Step, *, session: Session) -> Question:
    """Ask the learner a question, in a turn of its own."""
    concept, number, at = step.concept, step.number, step.at
    templates = _templates(concept.course, concept)
    template = templates[(number + step.random.randrange(2)) % len(templates)]
    turn = Turn.objects.create(
        id=_turn_id(session, number, pupil),
        session=session, owner=pupil.person, number=number, client_id=f"demo-{session.pk}-{number}", body_hash="",
        status="done", created_at=at, finished_at=at,
    )  # fmt: skip
    question = open_question(
        learner=pupil.person, session=session, turn=turn, concept=concept, number=number,
        purpose="quiz", from_before=step.is_review,
        instance=make_exercise(template, seed=step.random.randrange(SEEDS), course=concept.course.catalogue()),
    )  # fmt: skip
    card = {"kind": "question", "id": str(question.pk), "at": 0}
    Message.objects.create(session=session, turn=turn, author=Message.Author.TEAM, agent="quiz", cards=[card])
    return question


def _answer(asked: Exercise, pupil: SimulatedLearner, step: Step) -> str:
    """Return a right answer, the one that the learner's misconception gives, or some other wrong one."""
    own = right_answers(asked)
    still_held = pupil.lets_go_at is None or step.at < pupil.lets_go_at
    held = [answer_with_mistake(asked, answer) for answer, ids in asked.wrong.items() if pupil.holds in ids]
    # Who has given up the idea answers right where it would show.
    if own and (step.is_right or (held and not still_held)):
        return own[0]
    chance = step.random.random()
    if held and still_held and chance < MISCONCEPTION_CHANCE:
        return held[0]
    others = [answer_with_mistake(asked, answer) for answer in asked.wrong] if chance > 1 - OTHER_IDEA_CHANCE else []
    return step.random.choice([*others, wrong_answer(asked)])


def _closed(question: Question, *, at: datetime) -> Question:
    """Return the question as it was left then; not saved."""
    question.opened_at = at
    if question.is_open:
        question.status, question.closed_at = Question.Status.ABANDONED, at
    return question
