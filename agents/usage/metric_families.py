"""Families of metrics for Prometheus: gauges, counters and percentiles, with the site's prefix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from agents.usage.agent_figures import AgentFigures
from agents.usage.percentiles import Percentiles

PREFIX: Final = "learnagent_"
RATE_WINDOW: Final = timedelta(minutes=1)
"""The time that rates per second are computed from."""
WINDOW: Final = timedelta(minutes=5)
"""The time that durations and shares are computed from."""


def gauge(name: str, words: str, value: float | None, *, process: str = "") -> GaugeMetricFamily:
    """Return a gauge; an unknown value leaves it without a sample. With a label, where each process has its own."""
    labels = ("process",) if process else ()
    return labelled(name, words, [] if value is None else [((process,) if process else (), value)], labels=labels)


def counter(name: str, words: str, value: int, *, process: str = "") -> CounterMetricFamily:
    """Return a counter, shown with `_total` after its name; with a label, where each process counts for itself."""
    family = CounterMetricFamily(PREFIX + name, words, labels=("process",) if process else ())
    family.add_metric((process,) if process else (), value)
    return family


def rate(name: str, words: str, events: int, *, process: str = "") -> GaugeMetricFamily:
    """Return a gauge with the events per second of the last RATE_WINDOW."""
    labels, values = (("process",), (process,)) if process else ((), ())
    return labelled(name, words, [(values, events / RATE_WINDOW.total_seconds())], labels=labels)


def shares(name: str, words: str, figures: Mapping[str, AgentFigures], condition: str) -> GaugeMetricFamily:
    """Return a gauge with the share of each agent's calls that meet the condition."""
    found = [((agent,), each.share(condition)) for agent, each in figures.items()]
    return labelled(name, words, found, labels=("agent",))


def counts(name: str, words: str, found: Mapping[str, int], *, by: str) -> GaugeMetricFamily:
    """Return a gauge of numbers, with the label `by`."""
    return labelled(name, words, [((each,), count) for each, count in found.items()], labels=(by,))


def latencies(name: str, words: str, found: Mapping[str, Percentiles], *, by: str) -> GaugeMetricFamily:
    """Return a gauge of percentiles, with the label `by` and the label `quantile`, such as "0.95"."""
    return labelled(name, words, _quantiles(found), labels=(by, "quantile"))


def _quantiles(found: Mapping[str, Percentiles]) -> Iterator[tuple[Sequence[str], float]]:
    for value, percentiles in found.items():
        for percent, ms in percentiles.items():
            yield (value, f"{percent / 100:g}"), ms


def labelled(
    name: str, words: str, samples: Iterable[tuple[Sequence[str], float]], *, labels: Sequence[str] = ()
) -> GaugeMetricFamily:
    """Return a gauge with one sample for each combination of the labels' values."""
    family = GaugeMetricFamily(PREFIX + name, words, labels=labels)
    for values, sample in samples:
        family.add_metric(values, sample)
    return family
