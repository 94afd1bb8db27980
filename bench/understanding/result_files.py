"""Where totals are kept, and how they come into the documentation."""

import json
import platform
import subprocess
from pathlib import Path

from bench.harness import ROOT
from bench.understanding.scoring import Totals
from bench.understanding.tables import as_markdown

RESULTS = Path(__file__).parent / "results"
DOCS = ROOT / "docs" / "explanation" / "understanding.md"
BEGIN, END = "<!-- figures: written by python -m bench.understanding --docs -->", "<!-- /figures -->"
RUNS = ("before", "after")
PLAIN = """# Understanding a message

What a learner types is read once, before anything is decided: what it does, whether it is right, which ideas it shows, how
the learner feels, and whether somebody may be in danger. How well that goes is measured on messages labelled by hand that
nobody tunes on (`bench/understanding/frozen/`); only totals are told.
"""


def save(totals: Totals, *, name: str) -> Path:
    """Keep the totals under a name; return where."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    about = {"name": name, "commit": _commit(), "python": platform.python_version(), "machine": platform.machine()}
    path.write_text(json.dumps(about | totals, indent=1) + "\n", encoding="utf-8")
    return path.relative_to(ROOT)


def write_docs() -> Path:
    """Write the tables of the kept runs between the markers, which come to the end where there are none; return where.

    Raises FileNotFoundError while no run is kept.
    """
    kept = {name: RESULTS / f"{name}.json" for name in RUNS}
    runs = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in kept.items() if path.exists()}
    if not runs:
        raise FileNotFoundError(f"none of {', '.join(RUNS)} is kept in {RESULTS.relative_to(ROOT)}")
    text = DOCS.read_text(encoding="utf-8") if DOCS.exists() else PLAIN
    DOCS.write_text(with_figures(text, as_markdown(runs)), encoding="utf-8")
    return DOCS.relative_to(ROOT)


def with_figures(text: str, tables: str) -> str:
    """Return a text with tables between its markers."""
    if BEGIN not in text:
        text = f"{text.rstrip()}\n\n## Figures\n\n{BEGIN}\n{END}\n"
    before, rest = text.split(BEGIN, 1)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.split(END, 1)[1]}"


def _commit() -> str:
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return asked.stdout.strip()
