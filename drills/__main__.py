"""Run every fault drill and then the reliability matrix, or what is named: `python -m drills [NAME …]`.

One line each; exit 1 when one fails.
"""

import shutil
import sys
import tempfile
import traceback
from pathlib import Path

from drills import (
    answer_begging,
    answer_kills,
    api,
    backups,
    cluster,
    database_restarts,
    fuzzing,
    hostile_files,
    hostile_pages,
    hostile_uploads,
    jobs,
    lesson,
    long_lessons,
    message_kills,
    model_kills,
    open_questions,
    panel_faults,
    process_endings,
    provider_faults,
    provider_outage,
    regressions,
    round_table,
    sandbox,
    side_agent_faults,
    side_agent_races,
    smart_answers,
    team_faults,
    two_faults,
    two_servers,
    v1_import,
)
from drills.data_folder import PreparedFolder, prepare_folder
from drills.reliability import matrix
from drills.reliability.outcomes import store_drill
from drills.scripted_learners import both_sides
from drills.scripted_learners import drill as scripted_learners
from drills.two_processes import browser_lesson, upgrade
from drills.two_processes import drill as two_processes

DRILLS = {
    "kills": message_kills.run,
    "answers": answer_kills.run,
    "endings": process_endings.run,
    "begging": answer_begging.run,
    "lesson": lesson.run,
    "long_lessons": long_lessons.run,
    "questions": open_questions.run,
    "learners": scripted_learners.run,
    "sides": both_sides.run,
    "backup": backups.run,
    "restarts": database_restarts.run,
    "faults": provider_faults.run,
    "outage": provider_outage.run,
    "smart": smart_answers.run,
    "two_faults": two_faults.run,
    "models": model_kills.run,
    "team": team_faults.run,
    "panel": panel_faults.run,
    "round_table": round_table.run,
    "reading": hostile_files.run,
    "sandbox": sandbox.run,
    "fetching": hostile_pages.run,
    "foreign": two_servers.run,
    "cluster": cluster.run,
    "jobs": jobs.run,
    "two_processes": two_processes.run,
    "browser": browser_lesson.run,
    "upgrade": upgrade.run,
    "hands": hostile_uploads.run,
    "hub": side_agent_faults.run,
    "overtaken": side_agent_races.run,
    "v1": v1_import.run,
    "api": api.run,
    "fuzz": fuzzing.run,
    "trial": regressions.run,
}

TO_BE_READ = {"lesson", "api", "fuzz", "sides"}
"""Run only when named: what one prints is long, two need packages of their own, and the last is for the step of a flag."""

WITHOUT_QUESTION = {
    "backup",
    "cluster",
    "fuzz",
    "jobs",
    "learners",
    "panel",
    "questions",
    "round_table",
    "sides",
    "two_faults",
    "two_processes",
    "upgrade",
    "v1",
}
"""These do not need a lesson that has begun."""


MATRIX = "matrix"


def main(wanted: list[str]) -> int:
    unknown = sorted(set(wanted) - {*DRILLS, MATRIX})
    if unknown:
        print(f"no drill {', '.join(unknown)}; there are {', '.join([*DRILLS, MATRIX])}", file=sys.stderr)
        return 2
    drills = (
        [name for name in wanted if name != MATRIX] if wanted else [name for name in DRILLS if name not in TO_BE_READ]
    )
    failed = run_drills(drills) if drills else 0
    if not wanted or MATRIX in wanted:
        for row in matrix.run():
            print(row.as_line(), flush=True)
            failed += bool(row.faults)
    return 1 if failed else 0


def run_drills(names: list[str]) -> int:
    """Run these drills, print their results, and return how many failed."""
    folder = Path(tempfile.mkdtemp(prefix="drills-"))
    base = prepare_folder(folder, with_question=bool(set(names) - WITHOUT_QUESTION))
    failed = sum(run_drill(name, base) for name in names)
    if failed:
        print(f"{failed} failed; their data folders and logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return failed


def run_drill(name: str, base: PreparedFolder) -> int:
    """Run one drill, print and store its results, and return how many failed. What ends it early is a failure."""
    failed = 0
    try:
        for result in DRILLS[name](base):
            print(result.as_line(), flush=True)
            failed += bool(result.faults)
    except Exception:
        traceback.print_exc()
        print(f"{name:<36} FAILED: it could not go on; the error is above", flush=True)
        failed += 1
    store_drill(name, held=not failed)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
