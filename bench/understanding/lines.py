"""How many lines the code has that understands language, and how many there should be at most; `make check` says so."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 4_500
UNDERSTANDS = (
    "tutoring/understanding/*.py",
    "tutoring/understanding/routing/*.py",
    "agents/routing/*.py",
    "tutoring/side_agents/analyse_command/*.py",
    "tutoring/dialogue/act_rules.py",
)
"""Packages that read messages, whole."""
JUDGES = ("misconception", "emotion", "milestone", "likelihoods", "sayings", "contradicting", "own_word")
"""Modules of `tutoring/side_agents` that judge what was said; the others keep and carry it."""
RULES = (
    "affect", "affect_signs", "affect_words", "as_asked", "claims", "denying", "exchanges", "indications", "meanings",
    "milestones", "naming", "own_words", "probing", "reckoning", "replies", "stems", "sums_in", "text_vectors", "verifying",
)  # fmt: skip
"""Modules of `tutoring/mastery` that read what learners say. What holds models back from telling answers reads their words."""
LEFT_OUT = (
    "fitting.py", "calibration.py", "course_fitting.py", "course_rows.py", "folds.py", "tuning.py", "tune_encoder.py",
)  # fmt: skip
"""Fits the classifiers: training is no part of it."""


def counted() -> Iterator[tuple[Path, int]]:
    """Yield each module with its lines that are not blank."""
    named = [ROOT / "tutoring" / "rules" / f"{name}.py" for name in RULES]
    named += [ROOT / "tutoring" / "hub" / f"{name}.py" for name in JUDGES]
    found = {path for pattern in UNDERSTANDS for path in ROOT.glob(pattern)} | {path for path in named if path.exists()}
    for path in sorted(found):
        if path.name not in LEFT_OUT:
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
