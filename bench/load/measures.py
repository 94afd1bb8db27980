"""What a load cost and what came of it, as figures."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from bench.harness import percentile
from bench.live_server.team_script import PACE_S
from bench.load.deployment import Deployment
from bench.load.learners import Offered
from bench.machine_load import QUIET, SLOW, slowness, used_cpu_s
from bench.report import Gate

Figures = dict[str, float]


@dataclass(slots=True)
class Stage:
    """The findings of a part of the benchmark."""

    rows: dict[str, Figures] = field(default_factory=dict)
    gates: list[Gate] = field(default_factory=list)
    goals: list[Gate] = field(default_factory=list)

    def limit(self, claim: str, seen: float, at_most: float, *, others_percent: float, slowness: float) -> None:
        """Add a limit in wall time: a gate on a fast machine with little else to do, else only a goal."""
        limit = Gate(claim=claim, seen=seen, at_most=at_most)
        (self.gates if others_percent < QUIET and slowness < SLOW else self.goals).append(limit)


@dataclass(slots=True)
class Use:
    """What was used while a block ran."""

    seconds: float = 0.0
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    """By part of the site; `generator` is the load's own process."""
    others_percent: float = 0.0
    """The share of the machine's CPU time that other programs used."""
    slowness: float = 1.0
    """As `machine_load.slowness`, the mean of before and after."""


@contextmanager
def measured(deployment: Deployment) -> Iterator[Use]:
    slow_before = slowness()
    use, started = Use(), perf_counter()
    before, machine = deployment.cpu_s(), used_cpu_s()
    yield use
    after = deployment.cpu_s()
    use.seconds = perf_counter() - started
    use.cpu_s = {part: after[part] - before[part] for part in before}
    others = used_cpu_s() - machine - sum(use.cpu_s.values())
    use.others_percent = max(0.0, others) / (use.seconds * (os.cpu_count() or 1)) * 100
    use.slowness = (slow_before + slowness()) / 2


def model_first_s(site: Deployment) -> float:
    """Return how long models take until the first words can be shown."""
    return site.models.first_shown_s if site.models else PACE_S


def turn_figures(offered: Sequence[Offered], use: Use, *, model_first_s: float) -> Figures:
    """Return the figures of messages: what came of them, how long they waited, and the CPU of each that was served."""
    served = [each for each in offered if each.status]
    beside = [each.ms(each.shown) - model_first_s * 1000 for each in served if each.shown]
    counts = {name: sum(each.outcome == name for each in offered) for name in ("served", "queued", "refused", "lost")}
    return {
        "offered": len(offered),
        **counts,
        "done": sum(each.status == "done" for each in served),
        "faults": sum(len(each.faults) for each in offered),
        "accepted_p95_ms": percentile([each.ms(each.accepted) for each in served if each.accepted], 95),
        "first_p50_ms": percentile(beside, 50),
        "first_p95_ms": percentile(beside, 95),
        "first_p99_ms": percentile(beside, 99),
        **{f"{part}_cpu_ms": spent / max(1, len(served)) * 1000 for part, spent in use.cpu_s.items()},
        "others_percent": use.others_percent,
        "slowness": use.slowness,
    }


def error_percent(offered: Iterable[Offered]) -> float:
    """Return the share of messages that were not answered as they should be, in percent."""
    every = list(offered)
    return 100 * sum(each.status != "done" or bool(each.faults) for each in every) / len(every)
