"""How many lines the code has that understands language, and how many there should be at most; `make check` says so."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 4_500
UNDERSTANDS = (
    "tutoring/understanding/**/*.py",
    "agents/routing/*.py",
    "tutoring/side_agents/analyse_command/*.py",
    "tutoring/side_agents/affect*.py",
    "tutoring/side_agents/emotion.py",
    "tutoring/side_agents/milestone.py",
    "tutoring/side_agents/misconception.py",
    "tutoring/side_agents/self_reports.py",
    "tutoring/dialogue/act_rules.py",
    "tutoring/grading/semantic_grader.py",
    "tutoring/mastery/diagnosis/labelled_examples.py",
    "tutoring/mastery/diagnosis/likelihoods.py",
    "tutoring/mastery/milestone_verification.py",
    "tutoring/mastery/milestones.py",
    "tutoring/mastery/misconception_probes.py",
    "tutoring/mastery/turn_evidence.py",
    "tutoring/output_checks/stated_calculations.py",
    "tutoring/roles/explanation/answer_pictures.py",
)
"""Modules that read what learners write. What checks a model's words before a learner sees them is not counted."""
TRAINING = ("tutoring/understanding/training/*.py", "agents/routing/training.py", "agents/routing/calibration.py")
"""Modules that fit the classifiers: not counted."""


def counted() -> Iterator[tuple[Path, int]]:
    """Yield each module with its lines that are not blank."""
    left_out = {path for pattern in TRAINING for path in ROOT.glob(pattern)}
    for path in sorted({path for pattern in UNDERSTANDS for path in ROOT.glob(pattern)} - left_out):
        yield path, sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())


def main() -> int:
    lines = dict(counted())
    total = sum(lines.values())
    if "--each" in sys.argv:
        for path, count in lines.items():
            print(f"{count:5} {path.relative_to(ROOT)}")
    print(f"{total} lines of code understand language, in {len(lines)} modules; {MOST} are wanted at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
