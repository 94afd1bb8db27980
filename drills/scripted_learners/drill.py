"""Drill: scripted learners play lessons; what came back is counted, and a report is written to be read."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic

from drills.data_folder import PreparedFolder
from drills.regressions.visitor import Visitor
from drills.result import DrillResult
from drills.scripted_learners import report
from drills.scripted_learners.limits import LIMITS
from drills.scripted_learners.page import chromium, opened_page
from drills.scripted_learners.play import Player
from drills.scripted_learners.records import Records
from drills.scripted_learners.report import Played
from drills.scripted_learners.scripts import Script, read_scripts
from drills.scripted_learners.surfaces import ApiSurface, Surface
from drills.server import ROOT, Server, environment

SEED = 1
"""Unless DRILL_SEED gives another."""
NO_SIDES: Mapping[str, str] = {}
REPORT = ROOT / "var" / "drills" / "learners"
"""Where the report goes, unless DRILL_REPORT names another folder."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    """DRILL_LEARNERS may name some of the learners, with commas between them."""
    seed = int(os.environ.get("DRILL_SEED", SEED))
    folder = Path(os.environ.get("DRILL_REPORT", REPORT))
    data = base.copy("scripted-learners")
    scripts = wanted_scripts(read_scripts())
    known = make_people(scripts, data)
    all_played: list[Played] = []
    variables = {"DRILL_SEED": str(seed), "CARD_RATE_LIMIT": "0"}
    with Server(data, pace_s=0, variables=variables) as server:
        server.wait_until_ready()
        for script in scripts:
            started = monotonic()
            played = play_script(script, server, known[username_of(script)], seed=seed)
            if played is None:
                continue
            all_played.append(played)
            report.write(all_played, folder)
            yield _line(played, seconds=monotonic() - started)
    print(f"\n{report.table(all_played)}\n\nThe report and the transcripts are in {folder}.\n", flush=True)
    yield DrillResult(name="all learners", faults=tuple(report.excesses(all_played)), seconds=0.0)


def wanted_scripts(scripts: Sequence[Script]) -> list[Script]:
    names = os.environ.get("DRILL_LEARNERS", "")
    wanted = {name.strip().replace("_", " ") for name in names.split(",") if name.strip()}
    if unknown := wanted - {script.name for script in scripts}:
        raise ValueError(
            f"no learner {', '.join(sorted(unknown))}; there are {', '.join(each.name for each in scripts)}"
        )
    return [script for script in scripts if not wanted or script.name in wanted]


def username_of(script: Script) -> str:
    return script.name.replace(" ", "_")


def make_people(
    scripts: Sequence[Script], data: Path, *, sides: Mapping[str, str] = NO_SIDES
) -> dict[str, dict[str, str]]:
    """Store the learners; return what signs each of them in. `sides`: flag → side on which their conversations begin."""
    made = subprocess.run(
        [sys.executable, "-m", "drills.scripted_learners.people", json.dumps(dict(sides))],
        input=json.dumps({username_of(script): script.age_band for script in scripts}),
        env=environment(data),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    known: dict[str, dict[str, str]] = json.loads(made.stdout)
    return known


def play_script(script: Script, server: Server, keys: Mapping[str, str], *, seed: int) -> Played | None:
    """Play a script; None where there is no browser for it."""
    opening = _surface(script, server, keys)
    if opening is None:
        print(f"not run: {script.name}, for want of Chromium; install it, or name it in CHROMIUM", flush=True)
        return None
    records = Records(data=server.data, learner=username_of(script))
    with opening as surface:
        player = Player(script=script, surface=surface, records=records, seed=seed)
        exchanges, notes = list(player.play()), surface.notes()
    mastery = {slug: records.answers_to_mastery(slug) for slug in dict.fromkeys(player.concepts)}
    return Played(script=script, exchanges=exchanges, answers_to_mastery=mastery, notes=notes)


def _surface(script: Script, server: Server, keys: Mapping[str, str]) -> AbstractContextManager[Surface] | None:
    visitor = Visitor(server, token=keys["token"])
    if script.surface == "api":
        return nullcontext(ApiSurface(visitor, learner=username_of(script)))
    if chromium() is None:
        return None
    url = f"http://127.0.0.1:{server.port}"
    return opened_page(url, keys["browser"], visitor, device=script.surface)


def _line(played: Played, *, seconds: float) -> DrillResult:
    found = report.counts(played)
    return DrillResult(
        name=played.script.name,
        faults=tuple(f"{name} {found[name]}" for name, limit in LIMITS.items() if found[name] > limit),
        seconds=seconds,
        measured="played in",
        note=", ".join(filter(None, [f"{len(played.exchanges)} turns", played.notes])),
    )
