"""How many of 150 phrases of times are read correctly: `python -m bench.planner.dates`.

The set was written by other people than the rules. Its rows are read here and never shown; only totals are. With
`--development`, the set is one at which the authors of the rules may look, and what is not read correctly is listed.
"""

import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import django
from dateutil.rrule import rrulestr

from bench.harness import ROOT
from tutoring.planner.times.time_phrases import TimePhrase, UnclearTime, find_times

PHRASES: Final = ROOT / "tests" / "tutoring" / "planner" / "labelled" / "dates.jsonl"
DEVELOPMENT: Final = Path(__file__).with_name("dates_dev.jsonl")
COMPARED_OCCURRENCES: Final = 60
"""Two rules are the same if they agree on so many occurrences, and on how many there are up to then."""


@dataclass(slots=True)
class Score:
    """Counts of phrases of one form."""

    right: int = 0
    asked: int = 0
    """Asked about although the label names a time, or asked something else."""
    wrong: Counter[str] = field(default_factory=Counter)
    """By the first thing that differs: `missed`, `start`, `all_day`, `end`, `rule`, `not asked`."""

    @property
    def total(self) -> int:
        return self.right + self.asked + self.wrong.total()


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scores(path: Path = PHRASES) -> dict[str, Score]:
    """Return the score of each form of phrase."""
    found: dict[str, Score] = {}
    for row in read_rows(path):
        score = found.setdefault(row["form"], Score())
        match verdict(row):
            case "right":
                score.right += 1
            case "asked":
                score.asked += 1
            case mistake:
                score.wrong[mistake] += 1
    return found


def verdict(row: dict[str, Any]) -> str:
    """Return `right`, `asked`, or what differs first."""
    zone = ZoneInfo(row["zone"])
    now = _time(row["now"], zone)
    times = find_times(row["text"], now)
    expected = row["expect"]
    if not times:
        return "missed"
    found = times[0]
    if isinstance(found, UnclearTime):
        return "right" if found.asks == expected.get("ask") else "asked"
    if "ask" in expected:
        return "not asked"
    return _difference(found, expected, zone)


def _difference(found: TimePhrase, expected: dict[str, Any], zone: ZoneInfo) -> str:
    is_all_day = bool(expected.get("all_day"))
    start = _time(expected["start"], zone)
    if found.is_all_day != is_all_day:
        return "all_day"
    if found.start.date() != start.date() if is_all_day else found.start != start:
        return "start"
    if end := expected.get("end"):
        # A single whole day ends where it does, whether the phrase says so or not.
        found_end = found.end or (found.start + timedelta(days=1) if is_all_day else None)
        if found_end is None:
            return "end"
        wanted = _time(end, zone)
        # A label may name the last day, or the midnight after it.
        ends = {wanted.date(), wanted.date() + timedelta(days=1)} if is_all_day else {wanted}
        if (found_end.date() if is_all_day else found_end) not in ends:
            return "end"
    return "right" if _days(found.rule, start) == _days(expected.get("rrule") or "", start) else "rule"


def _days(rule: str, start: datetime) -> list[date]:
    """Return the first days on which a rule recurs, by the clock of its zone."""
    parts = [part for part in rule.removeprefix("RRULE:").split(";") if part]
    plain = [part for part in parts if not part.startswith("UNTIL=")]
    if not parts:
        return []
    last = next((_last(part.removeprefix("UNTIL="), start) for part in parts if part.startswith("UNTIL=")), None)
    days = (each.date() for each in rrulestr(";".join(plain), dtstart=start.replace(tzinfo=None)))
    return [each for each in islice(days, COMPARED_OCCURRENCES) if last is None or each <= last]


def _last(until: str, start: datetime) -> date:
    """Return the last day on which an occurrence may begin."""
    if len(until) == 8 or until[8:] in ("T000000Z", "T000000", "T235959Z", "T235959"):
        # Midnight and the last second stand for the whole day.
        until = until[:8]
        return datetime.strptime(until, "%Y%m%d").date()
    end = datetime.strptime(until.removesuffix("Z"), "%Y%m%dT%H%M%S")
    local = end.replace(tzinfo=UTC).astimezone(start.tzinfo).replace(tzinfo=None) if until.endswith("Z") else end
    return local.date() if local.time() >= start.time() or local.time() == time() else local.date() - timedelta(days=1)


def _time(text: str, zone: ZoneInfo) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=zone) if found.tzinfo is None else found.astimezone(zone)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    is_development = "--development" in sys.argv[1:]
    found = scores(DEVELOPMENT if is_development else PHRASES)
    for row in read_rows(DEVELOPMENT) if is_development else []:
        if (result := verdict(row)) != "right":
            print(f"{row['id']} {result}: {row['text']}")
    for form, score in sorted(found.items()):
        mistakes = ", ".join(f"{name} {count}" for name, count in sorted(score.wrong.items()))
        print(f"{form:24} {score.right:3} of {score.total:3} right, {score.asked} asked   {mistakes}")
    right, total = sum(each.right for each in found.values()), sum(each.total for each in found.values())
    print(f"{right} of {total} right ({right / total:.1%})")


if __name__ == "__main__":
    main()
