"""Run every fault drill, or those named: `python -m drills [NAME …]`. One line each; exit 1 when one fails."""

import shutil
import sys
import tempfile
from pathlib import Path

from drills import (
    answer_begging,
    answer_kills,
    api,
    backups,
    database_restarts,
    hostile_files,
    hostile_pages,
    hostile_uploads,
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
    two_servers,
    v1_import,
)
from drills.data_folder import prepare_folder
from drills.scripted_learners import both_sides
from drills.scripted_learners import drill as scripted_learners

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
    "models": model_kills.run,
    "team": team_faults.run,
    "panel": panel_faults.run,
    "round_table": round_table.run,
    "reading": hostile_files.run,
    "sandbox": sandbox.run,
    "fetching": hostile_pages.run,
    "foreign": two_servers.run,
    "hands": hostile_uploads.run,
    "hub": side_agent_faults.run,
    "overtaken": side_agent_races.run,
    "v1": v1_import.run,
    "api": api.run,
    "trial": regressions.run,
}

TO_BE_READ = {"lesson", "api", "sides"}
"""Played only when named: what one prints is long, another needs packages of its own (`make drill NAME=api`), and the last is
for the step of a flag."""

WITHOUT_QUESTION = {"backup", "learners", "panel", "questions", "round_table", "sides", "v1"}
"""These do not need a lesson that has begun."""


def main(wanted: list[str]) -> int:
    unknown = sorted(set(wanted) - set(DRILLS))
    if unknown:
        print(f"no drill {', '.join(unknown)}; there are {', '.join(DRILLS)}", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="drills-"))
    base = prepare_folder(folder, with_question=not wanted or bool(set(wanted) - WITHOUT_QUESTION))
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
