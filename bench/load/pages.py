"""The measured figures as documentation: kept in `figures.json`, shown in docs/load.md and docs/scaling.md."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.harness import ROOT
from bench.load.plots import Line, line_plot
from bench.load.scaling import Costs, Use, needs, per_learner_hour
from bench.report import RESULTS

FIGURES: Final = Path(__file__).parent / "figures.json"
DOCS: Final = ROOT / "docs"
PAGES: Final = ("load.md", "scaling.md")
PICTURES: Final = DOCS / "load"
BEGIN: Final = "<!-- figures: {name}, written by python -m bench.load -->"
END: Final = "<!-- /figures -->"
NOT_MEASURED: Final = "*Not measured yet.*"
SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
CURVES: Final = {
    "1 on SQLite": "one, SQLite",
    "1 on PostgreSQL and Redis": "one, PostgreSQL",
    "2 on PostgreSQL and Redis": "two, PostgreSQL",
}
"""A site of the saturation, as its rows name it → as the pictures name it."""
TEAMS: Final = {"machinery": "simulated turns", "lessons": "lesson turns"}
SATURATION_PICTURES: Final = {
    "served": "Turns served a second",
    "answers": "What messages were told, one process",
    "wait": "First words beside the model",
}

Row = Mapping[str, float]
Part = Mapping[str, Any]
"""A part of the benchmark as it is kept: when it was measured, its rows, and its limits."""


def keep(results: Mapping[str, Any], kept: Mapping[str, Part], *, date: str) -> dict[str, Part]:
    """Return the kept figures with the parts of a run in place of those they had before."""
    parts = dict(kept)
    for name in dict.fromkeys(part_of(row) for row in results["rows"]):
        parts[name] = {
            "date": date,
            "rows": {row: figures for row, figures in results["rows"].items() if part_of(row) == name},
            "limits": [each for each in (*results["gates"], *results["goals"]) if part_of(each["claim"]) == name],
        }
    return parts


def part_of(name: str) -> str:
    """Return the part that a row or a claim belongs to."""
    return name.partition(":")[0]


def write() -> Iterator[Path]:
    """Take the results of the last run over, and write the pages and pictures; yield what was written."""
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    results = RESULTS / "load.json"
    if results.exists():
        date = datetime.fromtimestamp(results.stat().st_mtime, UTC).date().isoformat()
        kept = keep(json.loads(results.read_text(encoding="utf-8")), kept, date=date)
        yield _written(FIGURES, json.dumps(kept, indent=1) + "\n")
    for name, picture in pictures(kept).items():
        yield _written(PICTURES / f"{name}.svg", picture)
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        yield _written(DOCS / page, with_blocks(text, kept))


def with_blocks(text: str, kept: Mapping[str, Part]) -> str:
    """Return a page with its figures between their markers."""
    for name, block in BLOCKS.items():
        begin = BEGIN.format(name=name)
        if begin in text:
            before, _, rest = text.partition(begin)
            shown = block(kept) if name.partition(" ")[0] in kept else NOT_MEASURED
            text = f"{before}{begin}\n\n{shown}\n\n{END}{rest.partition(END)[2]}"
    return text


def limits(*parts: str) -> Callable[[Mapping[str, Part]], str]:
    """Return what makes a table of the limits of some parts."""

    def table(kept: Mapping[str, Part]) -> str:
        rows = [
            (each["claim"], number(each["at_most"]), number(each["seen"]), "yes" if each["held"] else "**no**")
            for part in parts
            for each in kept[part]["limits"]
        ]
        return as_markdown(("what", "at most", "measured", "reached"), rows)

    return table


def rows(part: str, columns: Mapping[str, str], *, only: str = "") -> Callable[[Mapping[str, Part]], str]:
    """Return what makes a table of a part's rows. `columns`: figure → heading; `only`: words of the rows wanted."""

    def table(kept: Mapping[str, Part]) -> str:
        found = {name: row for name, row in kept[part]["rows"].items() if only in name}
        return as_markdown(
            (kept[part]["date"], *columns.values()),
            [
                (name.partition(": ")[2], *(number(row[figure]) if figure in row else "–" for figure in columns))
                for name, row in found.items()
            ],
        )

    return table


def as_markdown(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ("---",) * len(heads)
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))


def number(value: float) -> str:
    """Return a figure with three digits that matter."""
    if value >= 1000 or value == int(value):
        return f"{round(value):,}"
    return f"{value:.3g}"


COST_COLUMNS: Final = {
    "web_cpu_ms": "CPU of the web process, ms",
    "database_cpu_ms": "CPU of PostgreSQL, ms",
    "redis_cpu_ms": "CPU of Redis, ms",
    "model_calls": "calls to models",
    "rows_inserted": "rows inserted",
    "rows_updated": "rows updated",
    "events": "events",
    "logged_kb": "written ahead (WAL), KB",
    "stored_kb": "database grows by, KB",
    "redis_commands": "Redis commands",
    "idle_cpu_percent": "CPU of an idle web process, % of a core",
    "base_mb": "memory of a web process, MB",
    "socket_kb": "memory of a socket, KB",
    "turn_s": "a turn runs, s",
    "page_cpu_ms": "CPU of the web process for a page, ms",
}
HOUR_COLUMNS: Final = {
    "web_cpu_s": "CPU of web processes, s",
    "database_cpu_s": "CPU of PostgreSQL, s",
    "model_calls": "calls to models",
    "rows": "rows written",
    "events": "events",
    "logged_kb": "written ahead (WAL), KB",
    "stored_kb": "stored, KB",
    "redis_commands": "Redis commands",
}
NEED_COLUMNS: Final = {
    "online": "learn at the same time",
    "turns_per_s": "turns a second",
    "sockets": "sockets",
    "processes": "web processes",
    "web_cores": "CPU cores they use",
    "memory_mb": "their memory, MB",
    "database_cores": "CPU cores of PostgreSQL",
    "rows_per_s": "rows written a second",
    "logged_kb_per_s": "written ahead, KB a second",
    "stored_gb_a_year": "stored in a year, GB",
    "redis_commands_per_s": "Redis commands a second",
    "redis_cores": "CPU cores of Redis",
    "model_calls_per_s": "calls to models a second",
    "running_turns": "turns running",
}


def _costs(kept: Mapping[str, Part]) -> Costs:
    return Costs.from_row(kept["costs"]["rows"]["costs: a turn of a lesson"])


def _constants(kept: Mapping[str, Part]) -> str:
    row = kept["costs"]["rows"]["costs: a turn of a lesson"]
    return as_markdown(("of a turn of a lesson", kept["costs"]["date"]), _down(COST_COLUMNS, row))


def _hour(kept: Mapping[str, Part]) -> str:
    return as_markdown(
        ("of an hour of a learner", "60 turns, 20 pages"), _down(HOUR_COLUMNS, per_learner_hour(_costs(kept)))
    )


def _down(columns: Mapping[str, str], *found: Row) -> list[Sequence[str]]:
    return [(words, *(number(row[name]) for row in found)) for name, words in columns.items()]


def _sizes(kept: Mapping[str, Part]) -> str:
    found = [needs(_costs(kept), learners=size, use=Use()) for size in SIZES]
    return as_markdown(("learners", *map(number, SIZES)), _down(NEED_COLUMNS, *found))


def _check(kept: Mapping[str, Part]) -> str:
    found = {name: row for name, row in kept["costs"]["rows"].items() if "learners" in name}
    names = [name.partition(": ")[2] for name in found]
    figures = next(iter(found.values()))
    lines = [(figure, *(number(row[figure]) for row in found.values())) for figure in figures]
    return as_markdown(("", *names), lines)


def _flow(team: str) -> Callable[[Mapping[str, Part]], str]:
    columns = {
        "served_per_s": "served a second",
        "served": "answered at once",
        "queued": "told a place, then answered",
        "refused_503": "refused, 503",
        "refused_429": "refused, 429",
        "lost": "without an answer",
        "most_place": "last place told",
        "at_once": "at the same time",
        "first_p95_ms": "first words beside the model, p95, ms",
        "web_cpu_ms": "CPU of a turn, ms",
        "others_percent": "CPU used by other programs, %",
        "slowness": "slowness of the machine",
    }
    table = rows("saturation", columns, only=team)
    shown = "\n".join(f"![{words}](load/{name}-{team}.svg)" for name, words in SATURATION_PICTURES.items())
    return lambda kept: f"{shown}\n\n{table(kept)}"


TURN_COLUMNS: Final = {
    "offered": "messages",
    "done": "answered",
    "first_p50_ms": "first words beside the model, p50, ms",
    "first_p95_ms": "p95, ms",
    "first_p99_ms": "p99, ms",
    "web_cpu_ms": "CPU of a turn, ms",
    "database_cpu_ms": "of PostgreSQL, ms",
    "generator_cpu_ms": "of the load itself, ms",
    "others_percent": "CPU used by other programs, %",
    "slowness": "slowness of the machine",
}


def _soak(kept: Mapping[str, Part]) -> str:
    columns = TURN_COLUMNS | {
        "status_degraded": "answered by built-in text",
        "mb_an_hour": "memory grows in an hour, MB",
        "files_an_hour": "open files, an hour",
    }
    return f"![Memory during the soak](load/soak.svg)\n\n{rows('T5', columns, only='faults')(kept)}"


BLOCKS: Final[Mapping[str, Callable[[Mapping[str, Part]], str]]] = {
    "T1 limits": limits("T1"),
    "T1": rows("T1", TURN_COLUMNS),
    "T2 limits": limits("T2"),
    "T2": rows("T2", TURN_COLUMNS | {"events": "events received"}),
    "T3 limits": limits("T3"),
    "T3": rows("T3", TURN_COLUMNS | {"error_percent": "errors, %"}),
    "T4 limits": limits("T4"),
    "T4": rows("T4", {"grown_mb": "memory, MB", "kb_a_socket": "of a socket, KB", "base_mb": "of the process before, MB", "cpu_percent": "CPU, % of a core"}),
    "T5 limits": limits("T5"),
    "T5": _soak,
    "T6 limits": limits("T6"),
    "T6": rows("T6", {"offered": "messages", "exports": "exports", "backups": "backups", "accepted_p95_ms": "until stored, p95, ms", "accepted_p99_ms": "p99, ms", "others_percent": "CPU used by other programs, %"}),
    "T7 limits": limits("T7"),
    "harm limits": limits("harm"),
    "harm": rows("harm", {"grown_mb": "memory, MB", "done": "messages of others answered", "first_p95_ms": "their first words beside the model, p95, ms", "others_percent": "CPU used by other programs, %"}),
    "saturation limits": limits("saturation"),
    "saturation of simulated turns": _flow("machinery"),
    "saturation of lessons": _flow("lessons"),
    "processes limits": limits("processes"),
    "processes": rows("processes", TURN_COLUMNS),
    "twin limits": limits("twin"),
    "twin": rows("twin", {"cpu_ms": "CPU of a turn, ms", "p50_ms": "beyond the models' time, p50, ms", "p95_ms": "p95, ms", "turns": "turns", "lost": "lost"}),
    "costs of a turn": _constants,
    "costs of an hour": _hour,
    "costs checked": _check,
    "costs check limits": limits("costs"),
    "costs of sites": _sizes,
}  # fmt: skip
"""The name of a block of figures, which begins with the part that it shows → what writes it."""


def pictures(kept: Mapping[str, Part]) -> dict[str, str]:
    """Return the pictures of what was measured, by the names of their files."""
    found = _saturation_pictures(kept) if "saturation" in kept else {}
    if "T5" in kept:
        samples = [row for name, row in kept["T5"]["rows"].items() if name.startswith("T5: after")]
        memory = Line(name="web process", points=[(row["at_s"] / 60, row["memory_mb"]) for row in samples])
        found["soak"] = line_plot("Memory during the soak", [memory], across="minutes", up="MB")
    return found


def _saturation_pictures(kept: Mapping[str, Part]) -> dict[str, str]:
    found = {}
    for team, words in TEAMS.items():
        curves = {name: _curve(kept, f"saturation: {team}, {site}, ") for site, name in CURVES.items()}
        served = [
            Line(name=name, points=_points(curve, "offered_per_s", "served_per_s")) for name, curve in curves.items()
        ]
        most = max(row["offered_per_s"] for curve in curves.values() for row in curve)
        served.append(Line(name="all of them", points=[(0, 0), (most, most)], is_dashed=True))
        found[f"served-{team}"] = line_plot(
            f"Served {words} a second, by web processes", served, across="messages a second", up="served a second"
        )
        waits = [
            Line(name=name, points=_points(curve, "offered_per_s", "first_p95_ms")) for name, curve in curves.items()
        ]
        found[f"wait-{team}"] = line_plot(
            f"First words of {words} beside the model, slowest 5 of 100", waits, across="messages a second", up="ms", is_log=True
        )  # fmt: skip
        one = curves["one, PostgreSQL"]
        answers = [
            Line(name=name, points=[(row["offered_per_s"], 100 * row[figure] / row["offered"]) for row in one])
            for name, figure in (
                ("answered at once", "served"),
                ("place in the queue", "queued"),
                ("refused (503)", "refused"),
            )
        ]
        found[f"answers-{team}"] = line_plot(
            f"What messages were told, {words}, one process", answers, across="messages a second", up="% of messages"
        )
    return found


def _curve(kept: Mapping[str, Part], beginning: str) -> list[Row]:
    return [row for name, row in kept["saturation"]["rows"].items() if name.startswith(beginning)]


def _points(curve: Sequence[Row], across: str, up: str) -> list[tuple[float, float]]:
    return [(row[across], row[up]) for row in curve]


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path.relative_to(ROOT)
