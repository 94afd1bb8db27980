"""Pages of a class of 40 pupils and 60 concepts with a year of answers: what the server spends on them."""

import random
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from resource import RUSAGE_SELF, getrusage
from statistics import quantiles
from threading import Thread
from time import perf_counter, process_time, sleep
from typing import Any

from bench.contenders import temporary_django
from bench.contenders.copied_years import copy_year

PUPILS, CONCEPTS, ANSWERS = 40, 60, 500_000
MADE = 4
"""Pupils whose answers are drawn; those of the others are copied from them in the database, which takes far less time."""
TEMPLATES = 3
"""Of each concept."""
MISCONCEPTIONS = 30
YEAR = timedelta(days=365)
BATCH = 5_000
VISITS = 20
CODE = "big"
PAGES = {
    "board": f"/teach/{CODE}/",
    "board_by_name": f"/teach/{CODE}/?sort=name",
    "misconceptions": f"/teach/{CODE}/misconceptions/",
    "questions": f"/teach/{CODE}/questions/",
    "home": "/",
}


def sample_class() -> dict[str, float]:
    """Return the figures of the pages, of the poll, and of the table."""
    return sample_pages() | sample_poll() | sample_export()


def sample_pages() -> dict[str, float]:
    """Visit each page as its teacher does; return the figures of each."""
    client, figures = _teacher(), {}
    for name, address in PAGES.items():
        figures |= {f"{name}_{figure}": value for figure, value in _visited(client, address).items()}
    return figures | {"answers": float(_stored())}


def sample_poll() -> dict[str, float]:
    """Ask for news as the open page does when nothing has happened."""
    client = _teacher()
    page = client.get(PAGES["board"]).content.decode()
    poll = page.partition('hx-get="')[2].partition('"')[0].replace("&amp;", "&")
    return {
        f"poll_{figure}": value
        for figure, value in _visited(client, f"{PAGES['board']}{poll}", headers={"HX-Request": "true"}).items()
    }


def sample_export() -> dict[str, float]:
    """Read the table of all answers to its end; return its rows, and by how many MB the process grew meanwhile."""
    from tutoring.classes.answer_export import answer_pieces
    from tutoring.models import Classroom

    _teacher()
    classroom = Classroom.objects.select_related("policy").get(code=CODE)
    with _Memory() as memory:
        began, size, rows = perf_counter(), 0, 0
        for piece in answer_pieces(classroom):
            size, rows = size + len(piece), rows + piece.count("\n")
        seconds = perf_counter() - began
    return {"csv_rows": rows, "csv_mb": size / 1e6, "csv_s": seconds, "csv_grown_mb": memory.grown_mb}


class _Memory:
    """The most memory that the process had while in here, beyond what it had before, in MB."""

    def __enter__(self) -> "_Memory":
        self._before = self._peak = _resident_mb()
        self._goes_on = True
        self._watch = Thread(target=self._look, daemon=True)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._goes_on = False
        self._watch.join()

    @property
    def grown_mb(self) -> float:
        return self._peak - self._before

    def _look(self) -> None:
        while self._goes_on:
            self._peak = max(self._peak, _resident_mb())
            sleep(0.02)


def _resident_mb() -> float:
    """Return the memory of this process, in MB; the most it ever had where the system does not tell more."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096 / 1e6
    except OSError:
        return getrusage(RUSAGE_SELF).ru_maxrss / 1000


def _visited(client: Any, address: str, **more: Any) -> dict[str, float]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(address, **more)
    with CaptureQueriesContext(connection) as asked:
        page = client.get(address, **more)
    queries = len(asked)  # The next request clears the log that they are counted in.
    assert page.status_code in (200, 204), address
    cpu, wall = [], []
    for _ in range(VISITS):
        before = process_time(), perf_counter()
        client.get(address, **more)
        cpu.append((process_time() - before[0]) * 1e3)
        wall.append((perf_counter() - before[1]) * 1e3)
    return {
        "queries": float(queries),
        "p95_cpu_ms": quantiles(cpu, n=20)[18],
        "p95_ms": quantiles(wall, n=20)[18],
    }


def _stored() -> int:
    from tutoring.models import Attempt

    return Attempt.objects.count()


@cache
def _teacher() -> Any:
    """Store the class with its year; return a client that is signed in as its teacher."""
    temporary_django.prepare_django()
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client

    from tutoring.classes.membership import join_class, make_class

    people = get_user_model().objects
    teacher = people.create(username="grace", display_name="Grace", role="teacher")
    classroom = make_class(teacher, "The big class", code=CODE)
    course = make_course()
    pupils = [
        people.create(username=f"pupil{number}", display_name=f"Pupil {number}", role="learner")
        for number in range(PUPILS)
    ]
    for pupil in pupils:
        join_class(pupil, CODE)
    for number, pupil in enumerate(pupils):
        if number < MADE:
            _learn(pupil, course, random.Random(number))
        else:
            copy_year(pupils[number % MADE].pk, pupil.pk, number)
    classroom.memberships.update(joined_at=_now() - YEAR)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client(SERVER_NAME="localhost")
    client.force_login(teacher)
    return client


def _now() -> datetime:
    from django.utils import timezone

    return timezone.now()


def make_course() -> Any:
    """Store a course of 60 concepts with three exercises each, and 30 misconceptions."""
    from tutoring.courses.catalogue import ConceptContent, ContrastCase, CourseContent, Misconception
    from tutoring.courses.serialization import course_to_json
    from tutoring.models import Concept, Course

    concepts = tuple(
        ConceptContent(id=f"concept_{n}", title=f"Concept number {n}", summary="", level=1, minutes=10, pieces={})
        for n in range(CONCEPTS)
    )
    ideas = {
        f"idea_{n}": Misconception(
            id=f"idea_{n}", kind="conceptual", says=f"Mistaken idea number {n}", description="", correct_idea="What is true.",
            contrast=ContrastCase(blocks=("Is this a half?",), question="Is this a half?"), concepts=(f"concept_{n}",),
        )
        for n in range(MISCONCEPTIONS)
    }  # fmt: skip
    value = CourseContent(
        id="big", title="A big course", summary="", language="en", license="CC", version="1", threshold=0.85,
        concepts=concepts, misconceptions=ideas,
    )  # fmt: skip
    course = Course.objects.create(
        slug="big", title=value.title, version="1", source_hash="big", content=course_to_json(value)
    )
    Concept.objects.bulk_create(
        Concept(course=course, slug=each.id, title=each.title, position=place) for place, each in enumerate(concepts)
    )
    return course


def _learn(pupil: Any, course: Any, chance: random.Random) -> None:
    """Store a pupil's year: answers on all concepts, the mastery of each, and a few misconceptions."""
    from tutoring.mastery.records.answer_tallies import rebuild_tally
    from tutoring.mastery.spaced_review import first_card
    from tutoring.models import Ability, Attempt, Mastery, MasteryChange, Question, Review

    concepts = list(course.concepts.order_by("position"))
    now = _now()
    Ability.objects.create(learner=pupil)
    masteries = Mastery.objects.bulk_create(_mastery(pupil, each, chance, now) for each in concepts)
    by_concept = {each.concept_id: each for each in masteries}
    Review.objects.bulk_create(
        Review(learner=pupil, concept=each, card=first_card(now), due_at=now + timedelta(days=1), reviewed_at=now)
        for each in concepts
    )
    given = ANSWERS // PUPILS
    times = [now - YEAR * (1 - (number + 1) / (given + 1)) for number in range(given)]
    for begin in range(0, given, BATCH):
        questions = [_question(pupil, chance.choice(concepts), at, chance) for at in times[begin : begin + BATCH]]
        Question.objects.bulk_create(questions, batch_size=BATCH)
        answers = [_answer(each, chance) for each in questions]
        Attempt.objects.bulk_create(answers, batch_size=BATCH)
        MasteryChange.objects.bulk_create(
            (_change(answer, by_concept[answer.question.concept_id], chance) for answer in answers), batch_size=BATCH
        )
    for concept in concepts:
        rebuild_tally(pupil.pk, concept.pk)
    _suspect(pupil, course, answers, chance)


def _mastery(pupil: Any, concept: Any, chance: random.Random, now: datetime) -> Any:
    from tutoring.models import Mastery

    return Mastery(
        learner=pupil, concept=concept, probability=chance.random(), answers=150, unassisted=150,
        templates=["t0", "t1", "t2"], threshold=0.85, last_at=now, mastered_at=now,
    )  # fmt: skip


def _question(pupil: Any, concept: Any, at: datetime, chance: random.Random) -> Any:
    from tutoring.models import Question

    template, wrong = f"{concept.slug}_t{chance.randrange(TEMPLATES)}", f"idea_{concept.position % MISCONCEPTIONS}"
    return Question(
        id=uuid.UUID(int=chance.getrandbits(128), version=4), learner=pupil, concept=concept, template=template, seed=chance.randrange(1000),
        kind="numeric", stem=f"What part of bar {chance.randrange(100)} is shaded?", public={"picture": None, "board": None, "choices": [], "rows": []},
        key={"answer": {"kind": "numeric", "value": "1/2"}, "hints": [], "solution": [], "wrong": {"2": [wrong]}, "difficulty": "medium"},
        purpose="quiz", status="answered", shown_at=at, graded_at=at, closed_at=at,
    )  # fmt: skip


def _answer(question: Any, chance: random.Random) -> Any:
    from tutoring.models import Attempt

    right = chance.random() < 0.7
    idea = question.key["wrong"]["2"]
    return Attempt(
        question=question, learner_id=question.learner_id, answer="1/2" if right else "2", verdict="correct" if right else "wrong",
        score=float(right), correct=right, assisted=False, number=1, idempotency_key="k", time_taken_s=20.0,
        judgement={"missing": [], "chosen": [], "reason": ""}, misconceptions=[] if right else idea, created_at=question.graded_at,
    )  # fmt: skip


def _change(answer: Any, mastery: Any, chance: random.Random) -> Any:
    from tutoring.models import MasteryChange

    before, after = chance.random(), chance.random()
    return MasteryChange(
        mastery=mastery, attempt=answer, before=before, difficulty=0.0, surprise=0.1, after=after, predicted=0.5
    )


def _suspect(pupil: Any, course: Any, answers: Sequence[Any], chance: random.Random) -> None:
    """Store four misconceptions that the pupil's latest wrong answers showed."""
    from tutoring.models import MisconceptionState

    latest = [each for each in answers[-400:] if each.misconceptions]
    shown = {each.misconceptions[0]: each for each in latest}
    MisconceptionState.objects.bulk_create(
        MisconceptionState(
            learner=pupil, course=course, misconception=idea, odds=4.0, status="active", updated_at=answer.created_at,
            evidence=[{"turn_id": "", "quote": "2", "source": "malrule", "at": answer.created_at.isoformat()}],
        )
        for idea, answer in chance.sample(sorted(shown.items(), key=lambda pair: pair[0]), k=min(4, len(shown)))
    )  # fmt: skip
