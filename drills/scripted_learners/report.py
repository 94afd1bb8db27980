"""The report of a drill with scripted learners: counts as a table and as JSON, and each learner's transcript."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from drills.scripted_learners.counters import COUNTERS, Fault
from drills.scripted_learners.exchange import Exchange
from drills.scripted_learners.limits import ANSWERS_TO_MASTERY, LIMITS
from drills.scripted_learners.scripts import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of one script."""

    script: Script
    exchanges: Sequence[Exchange]
    answers_to_mastery: Mapping[str, int | None]
    """By concept; None for one that was not mastered."""
    notes: str = ""
    """What else was noticed."""

    def faults(self) -> dict[str, list[Fault]]:
        return {name: list(counter(self.exchanges)) for name, counter in COUNTERS.items()}


def counts(played: Played) -> dict[str, int]:
    """Return how many faults of each kind there are."""
    return {name: len(found) for name, found in played.faults().items()}


def totals(all_played: Sequence[Played]) -> dict[str, int]:
    """Return the counts over all learners."""
    return {name: sum(counts(played)[name] for played in all_played) for name in COUNTERS}


def mastery_median(all_played: Sequence[Played]) -> float | None:
    """Return the median of answers to mastery of those that answer rightly; a concept not mastered counts as endless.

    None where nobody answers rightly.
    """
    found = [
        float("inf") if number is None else number
        for played in all_played
        if played.script.answers_rightly
        for number in played.answers_to_mastery.values()
    ]
    return median(found) if found else None


def excesses(all_played: Sequence[Played]) -> list[str]:
    """Return what is above its limit."""
    found = totals(all_played)
    over = [f"{name} {found[name]} (at most {limit})" for name, limit in LIMITS.items() if found[name] > limit]
    needed = mastery_median(all_played)
    if needed is not None and needed > ANSWERS_TO_MASTERY:
        over.append(f"answers to mastery {needed} (at most {ANSWERS_TO_MASTERY})")
    return over


def table(all_played: Sequence[Played]) -> str:
    """Return the counts as lines of text, a learner each, and the totals under them."""
    names = ["turns", *COUNTERS]
    rows = [
        [played.script.name, len(played.exchanges), *counts(played).values(), _mastery(played)] for played in all_played
    ]
    turns = sum(len(played.exchanges) for played in all_played)
    rows.append(["all", turns, *totals(all_played).values(), f"median {mastery_median(all_played)}"])
    rows.append(["limit", "", *(LIMITS.get(name, "") for name in COUNTERS), f"median {ANSWERS_TO_MASTERY}"])
    head = f"{'learner':<20}" + "".join(f"{name:>15}" for name in names) + "  answers to mastery"
    return "\n".join([head, *(_row(row) for row in rows)])


def write(all_played: Sequence[Played], folder: Path) -> None:
    """Write `report.json`, `report.txt`, and a transcript of each learner."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.txt").write_text(table(all_played) + "\n")
    (folder / "report.json").write_text(json.dumps(as_json(all_played), indent=1, ensure_ascii=False) + "\n")
    for played in all_played:
        (folder / f"{played.script.name.replace(' ', '_')}.txt").write_text(transcript(played))


def as_json(all_played: Sequence[Played]) -> dict[str, Any]:
    return {
        "limits": LIMITS | {"answers_to_mastery": ANSWERS_TO_MASTERY},
        "totals": totals(all_played) | {"answers_to_mastery": _finite(mastery_median(all_played))},
        "learners": {played.script.name: _learner_json(played) for played in all_played},
    }


def transcript(played: Played) -> str:
    """Return what was said, with the faults under each turn."""
    faults: dict[int, list[str]] = {}
    for name, found in played.faults().items():
        for exchange, why in found:
            faults.setdefault(exchange.number, []).append(f"  !! {name}: {why}")
    turns = [
        "\n".join(
            [f"{each.number}. [{each.line.kind}] {each.line.text}", _indented(each), *faults.get(each.number, [])]
        )
        for each in played.exchanges
    ]
    return f"{played.script.name}: {played.script.who}\n\n" + "\n\n".join(turns) + "\n"


def _learner_json(played: Played) -> dict[str, Any]:
    return {
        "turns": len(played.exchanges),
        "counts": counts(played),
        "answers_to_mastery": dict(played.answers_to_mastery),
        "notes": played.notes,
        "faults": [
            {"counter": name, "turn": each.number, "said": each.line.text, "reply": each.reply, "why": why}
            for name, found in played.faults().items()
            for each, why in found
        ],
    }


def _indented(exchange: Exchange) -> str:
    shown = exchange.shown.strip() or "(nothing)"
    changed = [str(card["text"]) for card in exchange.changed if exchange.graded]
    return "\n".join(f"    {line}" for line in "\n--- now:\n".join([shown, *changed]).splitlines())


def _finite(number: float | None) -> float | None:
    return None if number == float("inf") else number


def _mastery(played: Played) -> str:
    return ", ".join(
        f"{slug} {'–' if number is None else number}" for slug, number in played.answers_to_mastery.items()
    )


def _row(row: Sequence[object]) -> str:
    return f"{row[0]:<20}" + "".join(f"{cell:>15}" for cell in row[1:-1]) + f"  {row[-1]}"
