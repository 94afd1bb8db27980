"""Drill: scripted learners play their lessons with a flag and without it, before real ones do."""

import os
from collections.abc import Iterator, Sequence
from time import monotonic

from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.scripted_learners import report
from drills.scripted_learners.drill import REPORT, SEED, make_people, play_script, username_of, wanted_scripts
from drills.scripted_learners.limits import LIMITS
from drills.scripted_learners.report import Played
from drills.scripted_learners.scripts import Script, read_scripts
from drills.server import Server

FLAG = "multi_agent"
"""Unless DRILL_FLAG names another flag that conversations keep."""
SIDES = ("in", "out")
NAMES = {"in": "with", "out": "without"}


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    """DRILL_LEARNERS may name some of the learners, with commas between them. Those who use the page are left out."""
    flag = os.environ.get("DRILL_FLAG", FLAG)
    seed = int(os.environ.get("DRILL_SEED", SEED))
    scripts = [script for script in wanted_scripts(read_scripts()) if script.surface == "api"]
    found: dict[str, Sequence[Played]] = {}
    for side in SIDES:
        started = monotonic()
        found[side] = _played_on(side, base, scripts, flag=flag, seed=seed)
        report.write(found[side], REPORT.parent / "sides" / f"{flag}_{NAMES[side]}")
        name = f"learners {NAMES[side]} {flag}"
        turns = sum(len(played.exchanges) for played in found[side])
        yield DrillResult(
            name=name, faults=(), seconds=monotonic() - started, measured="played in", note=f"{turns} turns"
        )
    print(f"\n{compared(found['in'], found['out'], flag=flag)}\n", flush=True)
    yield DrillResult(name=f"no worse with {flag}", faults=tuple(worsenings(found["in"], found["out"])), seconds=0.0)


def _played_on(side: str, base: PreparedFolder, scripts: Sequence[Script], *, flag: str, seed: int) -> list[Played]:
    """Play all scripts in a copy of the data in which the learners' conversations begin on this side."""
    data = base.copy(f"side-{side}")
    known = make_people(scripts, data, sides={flag: side})
    with Server(data, pace_s=0, variables={"DRILL_SEED": str(seed), "CARD_RATE_LIMIT": "0"}) as server:
        server.wait_until_ready()
        played = [play_script(script, server, known[username_of(script)], seed=seed) for script in scripts]
    return [each for each in played if each is not None]


def compared(inside: Sequence[Played], outside: Sequence[Played], *, flag: str) -> str:
    """Return the counts of both sides as a table."""
    with_it, without = report.totals(inside), report.totals(outside)
    rows = [("", NAMES["in"], NAMES["out"])]
    rows += [(name, str(with_it[name]), str(without[name])) for name in with_it]
    rows.append(("answers to mastery", str(report.mastery_median(inside)), str(report.mastery_median(outside))))
    return "\n".join([f"Flag {flag}:", *(f"  {name:<20}{one:>10}{other:>10}" for name, one, other in rows)])


def worsenings(inside: Sequence[Played], outside: Sequence[Played]) -> Iterator[str]:
    """Yield what there is more of with the flag than without it, of what has a limit; and a slower way to mastery."""
    with_it, without = report.totals(inside), report.totals(outside)
    for name in LIMITS:
        if with_it[name] > without[name]:
            yield f"{name} {with_it[name]} (without: {without[name]})"
    one, other = report.mastery_median(inside), report.mastery_median(outside)
    if one is not None and other is not None and one > other:
        yield f"answers to mastery {one} (without: {other})"
