"""Turns of a lesson with a model behind it, listened to by side agents or not; and what each side agent takes alone."""

import asyncio
import json
import os
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from bench.contenders import temporary_django
from bench.harness import ROOT

TURNS = 8
"""Of a sample; the first of them is left out: it imports and connects."""
LEARNER = "bench"
SAID = (
    "I think they have to be the same size",
    "what if I cut it somewhere else?",
    "each part is a half because both are parts",
    "would you say that the long piece is more?",
    "I would fold it and look",
    "two parts, and none of them is bigger",
    "why does it not matter how it is cut?",
    "so a half is one of two equal parts",
)
SETS = ROOT / "tests/tutoring/side_agents"


def sample_with() -> dict[str, float]:
    """Side agents listen to every turn, each with a model of its own."""
    return _sample(listening=True)


def sample_without() -> dict[str, float]:
    """Nobody listens."""
    return _sample(listening=False)


def _sample(*, listening: bool) -> dict[str, float]:
    _ready()
    from conversations.turns import side_agents as hub
    from tutoring.side_agents.listener import TutoringListener

    hub._listeners[:] = [TutoringListener()] if listening else []
    waits = asyncio.run(_waits())[1:]
    waits.sort()
    return {"first_ms_p50": median(waits), "first_ms_p95": waits[round(0.95 * (len(waits) - 1))]}


@cache
def _ready() -> None:
    url = os.environ["BENCH_PROVIDER"]
    os.environ |= {
        "LLM_PROVIDER": "anthropic",
        "ANTHROPIC_API_KEY": "sk-test-0",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_MODEL": "strong",
        "ANTHROPIC_FAST_MODEL": "fast",
        "ANTHROPIC_VISION_MODEL": "vision",
        "TURN_RATE_LIMIT": "0",
    }
    temporary_django.prepare_django()
    from django.contrib.auth import get_user_model

    _store_course()
    person = get_user_model().objects.create_user(LEARNER)
    person.set_consent(True)
    person.save()


def _store_course() -> None:
    from tutoring.courses.files.loader import read_course
    from tutoring.management.commands.load_courses import store_course

    store_course(read_course(Path("courses/fractions")), position=0)


async def _waits() -> list[float]:
    """Return for each turn the milliseconds from its acceptance to its first words."""
    from asgiref.sync import sync_to_async

    from agents.conf import sdk_backends
    from conversations.turns.supervisor import Supervisor

    supervisor = Supervisor()
    key = await sync_to_async(_begun)()
    waits = [await _first_words(supervisor, key, text) for text in SAID[:TURNS]]
    await supervisor.close()
    for backend in sdk_backends():
        await backend.aclose()
    return waits


def _begun() -> str:
    """Begin a lesson of the learner's; return its conversation."""
    from django.contrib.auth import get_user_model

    from conversations.turns import leases
    from tutoring.dialogue.lesson_start import start_lesson
    from tutoring.models import Concept

    person = get_user_model().objects.get(username=LEARNER)
    concept = Concept.objects.select_related("course").get(slug="one-half")
    turn = start_lesson(person, concept).turn
    type(turn).objects.filter(pk=turn.pk).update(status="done")
    leases.release_leases()
    return str(turn.session.key)


async def _first_words(supervisor: Any, key: str, text: str) -> float:
    from django.contrib.auth import get_user_model

    from conversations.turns.begin import begin_turn

    def begin() -> Any:
        person = get_user_model().objects.get(username=LEARNER)
        return begin_turn(owner=person, session_key=key, text=f"{text} {uuid.uuid4().hex[:2]}", claimed=True)

    began = perf_counter()
    accepted = await supervisor.writer.write(begin)
    supervisor.start(accepted)
    feed, first = supervisor.feeds[accepted.turn.pk], None
    async for batch in feed.watch(after=0):
        if first is None and any(wire["type"] == "reply_text" for wire in batch):
            first = (perf_counter() - began) * 1000
    await supervisor.finished(accepted.turn.pk)
    if first is None:
        raise RuntimeError(f"nothing was said to {text!r}")
    return first


# --- What each of them takes alone, without a model ---


def sample_misconception() -> dict[str, float]:
    """Words and answers of the development set."""
    return _judged("misconception", _cases_of_misconceptions)


def sample_emotion() -> dict[str, float]:
    """Sessions of the development set, turn by turn."""
    return _judged("emotion", _cases_of_sessions)


def sample_milestone() -> dict[str, float]:
    """Words of the development set, with what was said before them."""
    return _judged("milestone", _cases_of_misconceptions)


def _judged(name: str, cases: Callable[[Any], Iterator[Any]]) -> dict[str, float]:
    """Return the CPU of one judgement (it is one thread's), and what the first one has loaded."""
    temporary_django.prepare_django()
    from tutoring.courses.files.loader import read_course
    from tutoring.side_agents.agent_analyses import SIDE_AGENTS

    course = read_course(Path("courses/fractions")).course
    made = list(cases(course))
    loaded = _loaded_mb(name, made[0])
    taken = []
    for case in made[1:]:
        started = process_time()
        SIDE_AGENTS[name].judge(case)
        taken.append((process_time() - started) * 1000)
    taken.sort()
    return {"cpu_ms_p50": median(taken), "cpu_ms_p95": taken[round(0.95 * (len(taken) - 1))], "loaded_mb": loaded}


_loaded: dict[str, float] = {}


def _loaded_mb(name: str, case: Any) -> float:
    """Return what the first judgement of this process has loaded."""
    from tutoring.side_agents.agent_analyses import SIDE_AGENTS

    if name not in _loaded:
        before = _resident_mb()
        SIDE_AGENTS[name].judge(case)
        _loaded[name] = _resident_mb() - before
    return _loaded[name]


def _cases_of_misconceptions(course: Any) -> Iterator[Any]:
    from tutoring.side_agents.utterance_facts import OverheardUtterance

    concepts = {concept.id: concept for concept in course.concepts}
    for line in (SETS / "misconceptions_dev.jsonl").read_text().splitlines():
        row = json.loads(line)
        concept = concepts[row["topic"]]
        if "utterance" in row:
            said = {"text": row["utterance"], "own_words": (row["utterance"],)}
        else:
            said = {"kind": "answer"} | {name: row[name] for name in ("question", "answer", "correct")}
        milestone = concept.milestones[0] if concept.milestones else None
        yield OverheardUtterance(turn=2, course=course, concept=concept, milestone=milestone, **said)


def _cases_of_sessions(course: Any) -> Iterator[Any]:
    from tutoring.mastery.turn_evidence import LearnerTurn
    from tutoring.side_agents.utterance_facts import OverheardUtterance

    for line in (SETS / "affect_dev.jsonl").read_text().splitlines():
        turns = [LearnerTurn(**turn) for turn in json.loads(line)["turns"]]
        for upto in range(1, len(turns) + 1):
            text = turns[upto - 1].text
            yield OverheardUtterance(
                turn=upto, course=course, concept=course.concepts[0], text=text, exchanges=tuple(turns[:upto])
            )


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
