"""The glossary: terms of docs/glossary/terms.txt, and the classes of the engine and the models by their docstrings.

`python -m tests.glossary` writes docs/glossary.md.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "glossary.md"
TERMS = ROOT / "docs" / "glossary" / "terms.txt"
DESCRIBED = (
    "agents/engine/*.py",
    "agents/models/*.py",
    "conversations/models/*.py",
    "tutoring/models/*.py",
    "learnagent/accounts/models.py",
)
NEEDS_NO_ENTRY = re.compile(r"\w+(QuerySet|Manager)")
"""Query sets and managers go with their models."""
HEAD = """# Glossary

This page lists the terms used in this project, and the classes of the engine and the database models. The command
`python -m tests.glossary` generates this page from `docs/glossary/terms.txt` and from the docstrings of the classes.
"""


def public_classes() -> Iterator[tuple[str, str, str]]:
    """Yield each public class that needs an entry: name, path, first paragraph of its docstring (empty for none)."""
    for path in sorted(path for pattern in DESCRIBED for path in ROOT.glob(pattern)):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not (
                node.name.startswith("_") or NEEDS_NO_ENTRY.fullmatch(node.name)
            ):
                docstring = (ast.get_docstring(node) or "").partition("\n\n")[0]
                yield node.name, path.relative_to(ROOT).as_posix(), " ".join(docstring.split())


def terms() -> Mapping[str, str]:
    """Return the general terms and their meanings."""
    lines = TERMS.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


def page() -> str:
    """Return the glossary as Markdown."""
    general = [f"- **{name}**: {meaning}." for name, meaning in sorted(terms().items())]
    classes = [f"- **{name}** (`{path}`): {text}" for name, path, text in sorted(public_classes(), key=str)]
    return "\n".join([HEAD, "## Terms\n", *general, "", "## Classes\n", *classes, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
