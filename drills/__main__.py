"""Run every fault drill, or those named: `python -m drills [NAME …]`. One line each; exit 1 when one fails."""

import shutil
import sys
import tempfile
from pathlib import Path

from drills import (
    answers,
    api,
    begging,
    endings,
    faults,
    fetching,
    foreign,
    hands,
    hub,
    kills,
    lesson,
    long_lessons,
    models,
    outage,
    overtaken,
    reading,
    restarts,
    sandbox,
    team,
    trial,
)
from drills.prepared import prepared

DRILLS = {
    "kills": kills.run,
    "answers": answers.run,
    "endings": endings.run,
    "begging": begging.run,
    "lesson": lesson.run,
    "long_lessons": long_lessons.run,
    "restarts": restarts.run,
    "faults": faults.run,
    "outage": outage.run,
    "models": models.run,
    "team": team.run,
    "reading": reading.run,
    "sandbox": sandbox.run,
    "fetching": fetching.run,
    "foreign": foreign.run,
    "hands": hands.run,
    "hub": hub.run,
    "overtaken": overtaken.run,
    "api": api.run,
    "trial": trial.run,
}

TO_BE_READ = {"lesson", "api"}
"""Played only when named: what one prints is long, and the other needs packages of its own (`make drill NAME=api`)."""


def main(wanted: list[str]) -> int:
    unknown = sorted(set(wanted) - set(DRILLS))
    if unknown:
        print(f"no drill {', '.join(unknown)}; there are {', '.join(DRILLS)}", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="drills-"))
    base = prepared(folder, with_question=True)
    failed = 0
    for name in wanted or [each for each in DRILLS if each not in TO_BE_READ]:
        for result in DRILLS[name](base):
            print(result.as_line(), flush=True)
            failed += bool(result.faults)
    if failed:
        print(f"{failed} failed; their data folders and logs are in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
