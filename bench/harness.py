"""Ask contenders in turn, each in a process of its own, so that neighbours and garbage are shared fairly."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from bench.machine_load import cpu_pressure

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7


@dataclass(slots=True)
class Samples:
    """What the contenders measured: one set of figures per contender and round."""

    taken: dict[str, list[Mapping[str, float]]] = field(default_factory=dict)
    pressure: list[float] = field(default_factory=list)
    """CPU pressure after each round, in percent."""

    def median(self, contender: str, figure: str) -> float:
        return median(sample[figure] for sample in self.taken[contender])

    def ratio(self, figure: str, *, of: str, to: str) -> float:
        """Return the median of the rounds' own ratios: a slow round is slow for both."""
        pairs = zip(self.taken[of], self.taken[to], strict=True)
        return median(ours[figure] / theirs[figure] for ours, theirs in pairs)

    def medians(self) -> dict[str, dict[str, float]]:
        return {
            contender: {figure: self.median(contender, figure) for figure in samples[0]}
            for contender, samples in self.taken.items()
        }


def interleaved(contenders: Mapping[str, str], *, rounds: int = ROUNDS) -> Samples:
    """Return the samples of all contenders, in reversed order every other round.

    A contender is `module:function`; the function returns figures by name, the unit in the name.
    """
    samples = Samples(taken={name: [] for name in contenders})
    with ExitStack() as stack:
        asked = {name: stack.enter_context(_process(target)) for name, target in contenders.items()}
        for round_number in range(rounds):
            order = list(asked) if round_number % 2 == 0 else list(reversed(asked))
            for name in order:
                samples.taken[name].append(_sample(asked[name]))
            pressure = cpu_pressure()
            if pressure is not None:
                samples.pressure.append(pressure)
    return samples


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value below which this share of the values lies; 0 of none."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return median(values) if percent == 50 else quantiles(values, n=100)[percent - 1]


@contextmanager
def _process(target: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "bench.sample_process", target]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def _sample(process: subprocess.Popen[str]) -> dict[str, float]:
    assert process.stdin
    assert process.stdout
    process.stdin.write("again\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args!r} ended without a sample")
    figures: dict[str, float] = json.loads(line)
    return figures
