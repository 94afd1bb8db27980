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
SHOWN = "after"
"""The kept run that the documentation shows."""


def save(totals: Totals, *, name: str) -> Path:
    """Keep the totals under a name; return where."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    about = {"name": name, "commit": _commit(), "python": platform.python_version(), "machine": platform.machine()}
    path.write_text(json.dumps(about | totals, indent=1) + "\n", encoding="utf-8")
    return path.relative_to(ROOT)


def write_docs() -> Path:
    """Write the gates of the kept run between the markers, which come to the end where there are none; return where.

    Raises FileNotFoundError while the run is not kept.
    """
    kept = json.loads((RESULTS / f"{SHOWN}.json").read_text(encoding="utf-8"))
    DOCS.write_text(with_figures(DOCS.read_text(encoding="utf-8"), as_markdown(kept)), encoding="utf-8")
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
