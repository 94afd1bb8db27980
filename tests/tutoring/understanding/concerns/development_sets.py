"""The development sets of danger: `[language kind]`, and texts below it, one a line."""

from collections.abc import Iterator
from pathlib import Path

DATA = Path(__file__).parent / "data"


def rows(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield (language, kind, text); the kind of what only looks like danger is `none`."""
    language = kind = ""
    for line in (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language, kind = line[1:-1].split()
        elif line:
            yield language, kind, line
