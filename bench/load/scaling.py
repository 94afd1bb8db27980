"""What a site of any size needs, from what one turn, one socket and one process cost: sums, nothing is measured here."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil
from typing import Final, Self

Figures = dict[str, float]

BUSY: Final = 0.6
"""The share of a CPU core that a web process may use for long, so that turns hardly wait for each other."""
SOCKETS_A_LEARNER: Final = 1.5
"""Some have two tabs open."""
HOUR_S: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What is measured. A turn is a lesson's, with a reply of 40 tokens by a model."""

    web_cpu_ms: float
    database_cpu_ms: float
    redis_cpu_ms: float
    rows_inserted: float
    rows_updated: float
    logged_kb: float
    """Written ahead by PostgreSQL, so it is also what a replica is sent."""
    stored_kb: float
    events: float
    redis_commands: float
    model_calls: float
    idle_cpu_percent: float
    """Of a process that serves nobody."""
    base_mb: float
    """Memory of such a process."""
    socket_kb: float
    turn_s: float
    """How long a turn runs."""
    page_cpu_ms: float
    """Of a web process, for a page."""

    @classmethod
    def from_row(cls, row: Mapping[str, float]) -> Self:
        """Read them from a row of figures, which may have others too. Raises KeyError if one is missing."""
        return cls(**{each.name: row[each.name] for each in fields(cls)})


def predict(
    costs: Costs, *, learners: int, turns_an_hour: float, pages_an_hour: float = 0.0, processes: int = 1
) -> Figures:
    """Return what so many learners use who learn at the same time, by web processes that are given."""
    turns = per_s(learners, turns_an_hour)
    served = turns * costs.web_cpu_ms + per_s(learners, pages_an_hour) * costs.page_cpu_ms
    return {
        "turns_per_s": turns,
        "web_cores": processes * costs.idle_cpu_percent / 100 + served / 1000,
        "database_cores": turns * costs.database_cpu_ms / 1000,
        "memory_mb": processes * costs.base_mb + learners * costs.socket_kb / 1024,
        "rows_per_s": turns * (costs.rows_inserted + costs.rows_updated),
        "logged_kb_per_s": turns * costs.logged_kb,
        "events_per_s": turns * costs.events,
        "redis_commands_per_s": turns * costs.redis_commands,
    }


def per_s(learners: float, an_hour: float) -> float:
    """Return how often a second something happens that each learner does so often an hour."""
    return learners * an_hour / HOUR_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How learners use a site: assumptions, not measurements."""

    turns_an_hour: float = 60.0
    """Of a learner who learns: one a minute."""
    pages_an_hour: float = 20.0
    at_once: float = 0.1
    """The share of all learners who learn in the busiest minute."""
    hours_a_year: float = 100.0
    """That a learner learns."""


def needs(costs: Costs, *, learners: int, use: Use = Use()) -> Figures:  # Frozen.
    """Return what a site with so many learners needs in its busiest minute, and stores in a year."""
    online = learners * use.at_once
    turns = per_s(online, use.turns_an_hour)
    often = {"turns_an_hour": use.turns_an_hour, "pages_an_hour": use.pages_an_hour}
    processes = processes_for(costs, predict(costs, learners=round(online), processes=0, **often)["web_cores"])
    told = predict(costs, learners=round(online), processes=processes, **often)
    return told | {
        "online": online,
        "sockets": online * SOCKETS_A_LEARNER,
        "processes": processes,
        "redis_cores": turns * costs.redis_cpu_ms / 1000,
        "model_calls_per_s": turns * costs.model_calls,
        "running_turns": turns * costs.turn_s,
        "stored_gb_a_year": learners * use.hours_a_year * use.turns_an_hour * costs.stored_kb / 1024**2,
    }


def processes_for(costs: Costs, cores: float) -> int:
    """Return how many web processes share work that takes so many cores; two at least, so that one may fail."""
    return max(2, ceil(cores / (BUSY - costs.idle_cpu_percent / 100) - 1e-9))


def per_learner_hour(costs: Costs, use: Use = Use()) -> Figures:  # Frozen.
    """Return what an hour of one learner costs."""
    turns = use.turns_an_hour
    return {
        "web_cpu_s": (turns * costs.web_cpu_ms + use.pages_an_hour * costs.page_cpu_ms) / 1000,
        "database_cpu_s": turns * costs.database_cpu_ms / 1000,
        "model_calls": turns * costs.model_calls,
        "rows": turns * (costs.rows_inserted + costs.rows_updated),
        "events": turns * costs.events,
        "logged_kb": turns * costs.logged_kb,
        "stored_kb": turns * costs.stored_kb,
        "redis_commands": turns * costs.redis_commands,
    }
