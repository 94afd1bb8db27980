"""What a benchmark found: figures, ratios, and the gates that hold or do not."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median

from bench.harness import Samples

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A promise that a benchmark keeps or breaks. Only CPU, ratios and losses are promised, never wall time."""

    claim: str
    seen: float
    at_most: float

    @property
    def held(self) -> bool:
        return self.seen <= self.at_most


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    title: str
    rows: Mapping[str, Mapping[str, float]]
    """Contender → figure → median; a figure's name carries its unit."""
    gates: tuple[Gate, ...] = ()
    goals: tuple[Gate, ...] = ()
    """What is wanted in wall time on a machine with nothing else to do: told, and never a reason to fail."""
    rounds: int = 1
    pressure: tuple[float, ...] = ()
    """CPU pressure (some, avg10, in percent) after each round."""

    @property
    def held(self) -> bool:
        return all(gate.held for gate in self.gates)


def report_of(samples: Samples, *, title: str, gates: tuple[Gate, ...], goals: tuple[Gate, ...] = ()) -> Report:
    """Return the report of interleaved samples."""
    return Report(
        title=title,
        rows=samples.medians(),
        gates=gates,
        goals=goals,
        rounds=max(map(len, samples.taken.values())),
        pressure=tuple(samples.pressure),
    )


def as_table(report: Report, *, name: str) -> str:
    """Return the report as lines for people."""
    width = max(map(len, report.rows), default=0)
    lines = [f"{name}: {report.title}"]
    # Rows of the same figures in a row are a table of their own: of all figures, it would be too wide to read.
    for figures, rows in groupby(report.rows.items(), lambda named: tuple(named[1])):
        lines.append("  " + " " * width + "".join(f"  {figure}" for figure in figures))
        for contender, row in rows:
            cells = (f"  {_number(row[figure]):>{len(figure)}}" for figure in figures)
            lines.append(f"  {contender:<{width}}{''.join(cells)}")
    for gate in report.gates:
        verdict = "held" if gate.held else "NOT HELD"
        lines.append(f"  {verdict}: {gate.claim}: {gate.seen:.3g} (at most {gate.at_most:g})")
    for goal in report.goals:
        verdict = "reached" if goal.held else "not reached"
        lines.append(f"  goal {verdict}: {goal.claim}: {goal.seen:.3g} (wanted: {goal.at_most:g})")
    quiet = f"; CPU pressure {median(report.pressure):.0f} %" if report.pressure else ""
    return "\n".join([*lines, f"  medians of {report.rounds} rounds{quiet}"])


def write_json(report: Report, *, name: str) -> Path:
    """Write the report for machines; return where."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    content = {
        "name": name,
        "title": report.title,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": report.rounds,
        "pressure": list(report.pressure),
        "rows": {contender: dict(row) for contender, row in report.rows.items()},
        "gates": [_as_json(gate) for gate in report.gates],
        "goals": [_as_json(goal) for goal in report.goals],
    }
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return path.relative_to(RESULTS.parent.parent)


def _as_json(gate: Gate) -> dict[str, str | float | bool]:
    return {"claim": gate.claim, "seen": gate.seen, "at_most": gate.at_most, "held": gate.held}


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
