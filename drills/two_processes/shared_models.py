"""Two backends answer for one model at both processes: the calls are spread over them, and one of them may be gone."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from drills.client import Client, ClientTranscript
from drills.model_connection import KEY, QUESTIONS, ledger_faults
from drills.result import DrillResult, summarize
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Site
from tests.provider import Provider

CAPACITIES: Final[Mapping[str, int]] = {"large": 6, "small": 3}
"""Backend → calls that it may answer at once for one process."""
QUESTIONS_AT_ONCE: Final = 12
QUESTIONS_FOR_ONE: Final = 6
"""Few enough for the smaller backend alone."""
WITH_A_MODEL: Final = frozenset({"done", "unasked"})
"""`unasked`: an agent that speaks to nobody had no model in time, as happens on a busy machine."""


def variables(site: Site, providers: Mapping[str, Provider]) -> dict[str, str]:
    """Write the file of LLM_BACKENDS for these providers; return the environment that names it."""
    tables = (
        f'[{name}]\nprovider = "openai"\nbase_url = "{provider.url}/v1"\napi_key = "{KEY}"\n'
        f'strong = "fake-strong"\nfast = "fake-fast"\nmax_parallel = {CAPACITIES[name]}\n'
        for name, provider in providers.items()
    )
    path = site.data / "models.toml"
    path.write_text("\n".join(tables))
    return {"LLM_BACKENDS": str(path)}


def calls_spread(site: Site, servers: Servers) -> DrillResult:
    """Ask twelve questions at once: the larger backend answers more of them, and neither more at once than it may."""
    started = monotonic()
    last = _last_call(site)
    statuses, faults = _ask(site, servers, "spread", count=QUESTIONS_AT_ONCE)
    answered = _answered(site, since=last)
    if not answered["large"] > answered["small"] > 0:
        faults.append("the calls were not spread by capacity")
    peaks = _peaks(site, since=last)
    faults += [
        f"{name} had {peak} calls of one process at once" for name, peak in peaks.items() if peak > CAPACITIES[name]
    ]
    return DrillResult(
        name="calls spread over two backends",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{summarize(statuses)}; calls: {summarize(answered)}; of one process at once: {summarize(peaks)}",
    )


def backend_gone(site: Site, servers: Servers, gone: Provider) -> DrillResult:
    """Ask six questions while the larger backend is gone: the other one answers, and nobody notices."""
    started = monotonic()
    last = _last_call(site)
    gone.outage()
    statuses, faults = _ask(site, servers, "gone", count=QUESTIONS_FOR_ONE)
    gone.recover()
    answered = _answered(site, since=last)
    if set(answered) != {"small"}:
        faults.append(f"the calls were answered by {summarize(answered)}")
    return DrillResult(
        name="one of two backends gone",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{summarize(statuses)}; calls: {summarize(answered)}",
    )


def _ask(site: Site, servers: Servers, name: str, *, count: int) -> tuple[Counter[str], list[str]]:
    """Ask questions at both processes at once; return how the turns ended, and what went wrong."""
    everybody = site.pupils(count)
    readings = [
        ClientTranscript(text=text, client_id=f"{name}-{number}") for number, text in enumerate(QUESTIONS[:count])
    ]

    def ask(number: int) -> None:
        reading = readings[number]
        with Client(servers[number % 2].port, everybody[number].token, session=reading.client_id) as client:
            client.say(reading)
            client.read(reading)

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(ask, range(count)))
    statuses = Counter(
        end.get("metadata", {}).get("shortfall") or end.get("status", "no end")
        for end in (reading.finished or {} for reading in readings)
    )
    faults = [*site.faults({reading.client_id: [reading.text] for reading in readings}), *ledger_faults(site.data)]
    if not set(statuses) <= WITH_A_MODEL:
        faults.append("not every turn had a model")
    return statuses, faults


def _last_call(site: Site) -> int:
    last: int = site.rows("SELECT COALESCE(MAX(id), 0) FROM agents_modelcall")[0][0]
    return last


def _answered(site: Site, *, since: int) -> Counter[str]:
    """Return how many calls each backend has answered."""
    query = "SELECT backend, COUNT(*) FROM agents_modelcall WHERE id > ? AND status = 'answered' GROUP BY backend"
    return Counter(dict(site.rows(query, since)))


def _peaks(site: Site, *, since: int) -> dict[str, int]:
    """Return for each backend the most calls that one process had there at once."""
    changes: dict[tuple[str, str], list[tuple[datetime, int]]] = defaultdict(list)
    query = "SELECT backend, holder, started_at, ms FROM agents_modelcall WHERE id > ?"
    for backend, holder, started_at, ms in site.rows(query, since):
        changes[backend, holder] += [(started_at, 1), (started_at + timedelta(milliseconds=float(ms)), -1)]
    peaks: dict[str, int] = defaultdict(int)
    for (backend, _holder), moments in changes.items():
        running = 0
        for _at, change in sorted(moments):
            running += change
            peaks[backend] = max(peaks[backend], running)
    return peaks
