"""Routing a message to the companion's agents, and keeping the state of its session."""

import json
from collections.abc import Callable
from functools import cache
from itertools import count
from time import perf_counter, process_time
from typing import Any

from bench.contenders import temporary_django
from bench.harness import ROOT, percentile

LABELLED = ROOT / "tests" / "tutoring" / "planner" / "labelled" / "routing.jsonl"
CONTEXT_CHARACTERS, CHECKPOINTS = 40_000, 300
"""The size of a session's state, at the upper end of the document's 10 to 50 KB, and how often it is saved and loaded."""
_numbers = count()
"""Makes each text another one: the classifier remembers what it has seen."""


def sample_words() -> dict[str, float]:
    """Ours: rules and words, and the classifier, in ms of CPU per message of the labelled set."""
    temporary_django.prepare_django()
    from agents.routing.classifier import Classifier, load_classifier
    from agents.runtime.routing_words import words_in_force
    from tutoring.planner import routing

    texts = [json.loads(line)["text"] for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    words = words_in_force(routing.SURFACE.name).index
    plain = [routing._plain(text) for text in texts]
    classifier: Classifier = load_classifier(routing.EXAMPLES)
    classifier.classify("warm")
    return {
        "words_ms": _ms_each(texts, routing.decide_by_words),
        "words_longest_ms": _ms_each(["homework and lunch " * 500] * 20, routing.decide_by_words),
        "list_ms": _ms_each(plain, words.decide),
        "classifier_ms": _ms_each([f"{text} {next(_numbers)}" for text in plain[:100]], classifier.classify),
    }


def sample_checkpoint() -> dict[str, float]:
    """Ours: saving and loading the state of a session, in ms of wall time."""
    temporary_django.prepare_django()
    from conversations.companion.checkpoints import load_checkpoint, save_checkpoint

    session = _session()
    saved = [_wall_ms(lambda: save_checkpoint(session)) for _ in range(CHECKPOINTS)]
    loaded = [_wall_ms(lambda: load_checkpoint(session)) for _ in range(CHECKPOINTS)]
    return {
        "save_ms_p50": percentile(saved, 50),
        "save_ms_p95": percentile(saved, 95),
        "load_ms_p50": percentile(loaded, 50),
        "load_ms_p95": percentile(loaded, 95),
    }


@cache
def _session() -> Any:
    """Return a stored session of 100 turns with a large state."""
    from django.contrib.auth import get_user_model

    from conversations.companion.state import KEY
    from conversations.models import Session, Turn

    person = get_user_model().objects.create(username="ada")
    contexts = {"task": {"words": "x" * CONTEXT_CHARACTERS}}
    session = Session.objects.create(
        owner=person, key="s", state={KEY: {"current_agent": "task", "contexts": contexts}}
    )
    Turn.objects.bulk_create(
        [
            Turn(session=session, owner=person, number=number, client_id=str(number), body_hash="", status="done")
            for number in range(1, 101)
        ]
    )
    return session


def _ms_each(texts: list[str], do: Callable[[str], object]) -> float:
    started = process_time()
    for text in texts:
        do(text)
    return (process_time() - started) * 1000 / len(texts)


def _wall_ms(do: Callable[[], object]) -> float:
    started = perf_counter()
    do()
    return (perf_counter() - started) * 1000
