"""Two web processes and a worker on PostgreSQL and Redis: what a person may rely on, whichever process serves them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from drills.data_folder import PreparedFolder
from drills.model_connection import WORDS, connected
from drills.open_questions import INDEXED, NO_SERVICES
from drills.result import DrillResult
from drills.two_processes import handovers, repeated_kills, shared_limits, shared_models, shared_rules, site
from drills.two_processes.site import Site
from tests.provider import Answer, Provider

PUPILS = 100
GAP_S = 0.05
"""Between two words of a model."""
NEVER_SAVING: Mapping[str, str] = MappingProxyType({"BUDGET_SAVING_PERCENT": "100"})


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    with site.running(base.folder.parent / "two_processes", pupils=PUPILS) as place:
        yield from _handed_over(place)
        yield from _limited(place)
        yield from _with_a_model(place)
        yield from _with_two_backends(place)


def _handed_over(place: Site) -> Iterator[DrillResult]:
    with place.processes(pace_s=handovers.PACE_S) as servers:
        yield handovers.stopped_elsewhere(place, servers)
        yield handovers.edited_elsewhere(place, servers)
        yield handovers.two_tabs(place, servers)
        yield handovers.redis_flushed(place, servers)
        yield shared_rules.flag_changes(place, servers)
        yield shared_rules.rights_withdrawn(place, servers)
        yield handovers.killed_while_watched(place, servers)


def _limited(place: Site) -> Iterator[DrillResult]:
    place.manage("shell", "-v0", "-c", INDEXED)
    with place.processes(pace_s=0, variables={**shared_limits.LIMITS, **NO_SERVICES}) as servers:
        yield shared_limits.turns_a_minute(place, servers)
        yield shared_limits.panels_a_minute(place, servers)
        yield shared_limits.sign_in_tries(servers)


def _with_a_model(place: Site) -> Iterator[DrillResult]:
    with Provider(pace_s=GAP_S) as provider:
        provider.otherwise(Answer(text=WORDS))
        variables = {**connected("openai", provider.url), **shared_limits.PRICES, **NEVER_SAVING}
        with place.processes(variables=variables) as servers:
            yield shared_limits.budget(place, servers, provider)
            place.manage("budget", "site", "--per-day", "1000")
            yield repeated_kills.conversations(place, servers)


def _with_two_backends(place: Site) -> Iterator[DrillResult]:
    with Provider(pace_s=GAP_S) as large, Provider(pace_s=GAP_S) as small:
        for provider in (large, small):
            provider.otherwise(Answer(text=WORDS))
        variables = shared_models.variables(place, {"large": large, "small": small})
        with place.processes(variables={**variables, **shared_limits.PRICES}) as servers:
            yield shared_models.calls_spread(place, servers)
            yield shared_models.backend_gone(place, servers, large)
