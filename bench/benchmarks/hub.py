"""What side agents add to the time to the first words, with a slow model (2 s per analysis); and what they take."""

import json
import os
import random
from itertools import count

from bench.harness import Samples, interleaved
from bench.report import Gate, Report, report_of
from tests.provider import Answer, Provider
from tests.provider.model_request import ProviderRequest
from tests.provider.schemas import smallest_value

ROUNDS = 5
PAIR = {
    "with side agents": "bench.contenders.side_agents:sample_with",
    "without": "bench.contenders.side_agents:sample_without",
}
ALONE = {
    "misconception": "bench.contenders.side_agents:sample_misconception",
    "emotion": "bench.contenders.side_agents:sample_emotion",
    "milestone": "bench.contenders.side_agents:sample_milestone",
}
MAIN_S, CLASSIFIER_S, VISION_S = (0.5, 0.8), (0.1, 0.2), (0.3, 0.5)
_numbers = count()


def answering(asked: ProviderRequest) -> Answer:
    """Answer as late as the document expects: the tutor, a classifier, or what sees."""
    chance = random.Random(next(_numbers))
    if asked.schema is None:
        return Answer(text="Look at the two pieces once more. " * 4, first_delay_s=chance.uniform(*MAIN_S))
    delay = VISION_S if asked.images else CLASSIFIER_S
    return Answer(text=json.dumps(smallest_value(asked.schema)), first_delay_s=chance.uniform(*delay))


def run() -> Report:
    with Provider() as provider:
        provider.otherwise(answering)
        os.environ["BENCH_PROVIDER"] = provider.url
        pair = interleaved(PAIR, rounds=ROUNDS)
    alone = interleaved(ALONE, rounds=3)
    samples = Samples(taken=pair.taken | alone.taken, pressure=pair.pressure + alone.pressure)
    with_them, without = pair.median("with side agents", "first_ms_p50"), pair.median("without", "first_ms_p50")
    gates = [
        Gate(
            claim=f"{name}: CPU ms of a judgement without a model, p95",
            seen=alone.median(name, "cpu_ms_p95"),
            at_most=20,
        )
        for name in ALONE
    ]
    goals = (
        Gate(claim="ms to the first words that side agents add, p50", seen=with_them - without, at_most=20),
        Gate(claim="ms to the first words, p95", seen=pair.median("with side agents", "first_ms_p95"), at_most=1500),
    )
    title = "side agents beside a lesson's turns, a model of 500–800 ms, classifiers of 100–200"
    return report_of(samples, title=title, gates=tuple(gates), goals=goals)
